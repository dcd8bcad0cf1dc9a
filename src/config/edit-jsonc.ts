import { applyEdits, modify } from 'jsonc-parser';
import type { JsonPath } from './problem.ts';

/** One value to write, add, or (where it is `undefined`) remove. */
export interface JsoncChange {
  path: JsonPath;
  value: unknown;
}

/**
 * Changes values of a JSON text and leaves all else as it is: comments, order, indentation, line ends, byte order mark. The text
 * must parse (`parseJsonc`); an empty one counts as `{}`.
 */
export function editJsonc(text: string, changes: readonly JsoncChange[]): string {
  const mark = text.startsWith(byteOrderMark) ? byteOrderMark : '';
  const content = text.slice(mark.length);
  const formattingOptions = formattingOf(content);
  const start = content.trim() === '' ? `{}${formattingOptions.eol}` : content;
  const edited = changes.reduce(
    (current, { path, value }) => applyEdits(current, modify(current, [...path], value, { formattingOptions })),
    start,
  );
  return mark + edited;
}

const byteOrderMark = '\uFEFF';

/** As the file itself is written; two spaces where it does not say. */
function formattingOf(content: string) {
  const indent = /^(?<indent>\t+| +)"/m.exec(content)?.groups?.indent ?? '  ';
  return {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.startsWith('\t') ? 1 : indent.length,
    eol: content.includes('\r\n') ? '\r\n' : '\n',
  };
}
