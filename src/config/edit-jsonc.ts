import { isDeepStrictEqual } from 'node:util';
import { applyEdits, modify, parse } from 'jsonc-parser';
import { ToolcribError } from '../errors/index.ts';
import { formatJsonPath, type JsonPath } from './problem.ts';

/** One value to write, add, or (where it is `undefined`) remove. */
export interface JsoncChange {
  path: JsonPath;
  value: unknown;
}

/**
 * Changes values of a JSON text and leaves all else as it is: comments, order, indentation, line ends, byte order mark. The text
 * must parse (`parseJsonc`); an empty one counts as `{}`. Throws `config_invalid` where a value cannot be put in its place.
 */
export function editJsonc(text: string, changes: readonly JsoncChange[]): string {
  const mark = text.startsWith(byteOrderMark) ? byteOrderMark : '';
  const content = text.slice(mark.length);
  const formattingOptions = formattingOf(content);
  const start = content.trim() === '' ? `{}${formattingOptions.eol}` : content;
  return mark + changes.reduce((current, change) => editOne(current, change, formattingOptions), start);
}

const byteOrderMark = '\uFEFF';

type Formatting = ReturnType<typeof formattingOf>;

function editOne(content: string, { path, value }: JsoncChange, formattingOptions: Formatting): string {
  try {
    const edited = applyEdits(content, modify(content, [...path], value, { formattingOptions }));
    if (isDeepStrictEqual(valueAt(edited, path), plain(value))) return edited;
  } catch {
    // Told below: the place is inside of something that holds no keys.
  }
  throw new ToolcribError('config_invalid', `${formatJsonPath(path)} cannot be written: ${reasonsInWords}.`, {
    next: 'Mend the file at this place.',
  });
}

const reasonsInWords = 'a key on the way to it is given twice, or holds something that is no object';

/** As every reader of the file will see it: of two equal keys, the later one counts. */
function valueAt(content: string, path: JsonPath): unknown {
  const root: unknown = parse(content, [], { allowTrailingComma: true });
  return path.reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], root);
}

function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

/** As the file itself is written; two spaces where it does not say. */
function formattingOf(content: string) {
  const indent = /^(?<indent>\t+| +)"/m.exec(content)?.groups?.indent ?? '  ';
  return {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.startsWith('\t') ? 1 : indent.length,
    eol: content.includes('\r\n') ? '\r\n' : '\n',
  };
}
