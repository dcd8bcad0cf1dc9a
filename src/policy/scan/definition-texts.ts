import { isJsonObject, type JsonObject, type JsonValue } from '../../model/index.ts';

/** A text of a definition and where it stands. */
export interface DefinitionText {
  /** JSON pointer (RFC 6901). */
  where: string;
  text: string;
}

/** Texts beyond this are not read: a definition that large is a finding of its own. */
const maxTexts = 5_000;
const maxDepth = 64;

/**
 * Every text of a definition that may reach a model: names, descriptions, values and also the keys of objects, since
 * parameter names are read as well.
 */
export function definitionTexts(definition: JsonObject): DefinitionText[] {
  const texts: DefinitionText[] = [];
  collect(definition, '', 0, texts);
  return texts;
}

function collect(value: JsonValue, where: string, depth: number, texts: DefinitionText[]): void {
  if (texts.length >= maxTexts || depth > maxDepth) return;
  if (typeof value === 'string') {
    if (value !== '') texts.push({ where, text: value });
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) collect(item, `${where}/${index}`, depth + 1, texts);
  } else if (isJsonObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      const at = `${where}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      if (mayBeProse(key)) texts.push({ where: at, text: key });
      collect(item, at, depth + 1, texts);
    }
  }
}

/** Keywords and ordinary parameter names carry no message. */
function mayBeProse(key: string): boolean {
  return !/^[\w$.-]{0,24}$/u.test(key);
}
