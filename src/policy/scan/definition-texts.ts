import { isJsonObject, type JsonObject, type JsonValue } from '../../model/index.ts';

/** A text of a definition and where it stands. */
export interface DefinitionText {
  /** JSON pointer (RFC 6901). */
  where: string;
  text: string;
}

export interface DefinitionTexts {
  texts: DefinitionText[];
  /** False where the definition holds more texts, or deeper ones, than are read. */
  isComplete: boolean;
}

/** Single words not counted: more prose than any tool needs. */
const maxTexts = 5_000;
const maxDepth = 64;
/** Most texts of a schema: types, formats, names. One word carries no message, and is too short for an encoded one. */
const plainWord = /^[\w$.-]{0,23}$/;

/**
 * Every text of a definition that may reach a model and is more than a word: names, descriptions, values and also the keys
 * of objects, since parameter names are read as well.
 */
export function definitionTexts(definition: JsonObject): DefinitionTexts {
  const found: DefinitionTexts = { texts: [], isComplete: true };
  collect(definition, '', 0, found);
  return found;
}

function collect(value: JsonValue, where: string, depth: number, found: DefinitionTexts): void {
  if (typeof value === 'string') {
    add(value, where, found);
  } else if (depth > maxDepth && typeof value === 'object' && value !== null) {
    found.isComplete = false;
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) collect(item, `${where}/${index}`, depth + 1, found);
  } else if (isJsonObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      const at = `${where}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      add(key, at, found);
      collect(item, at, depth + 1, found);
    }
  }
}

function add(text: string, where: string, found: DefinitionTexts): void {
  if (plainWord.test(text)) return;
  if (found.texts.length < maxTexts) found.texts.push({ where, text });
  else found.isComplete = false;
}
