import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';

/** Columns of the terminal that is drawn. */
export const terminalColumns = 112;

const fontSize = 13;
/** Of a monospaced font, as browsers draw it. */
const charWidth = fontSize * 0.602;
const lineHeight = 18;
const margin = 16;

/** SGR codes that toolcrib uses, as they look on a dark ground. */
const styles: Record<string, string> = {
  '1': 'font-weight="bold" fill="#ffffff"',
  '2': 'fill="#8b949e"',
  '31': 'fill="#ff7b72"',
  '32': 'fill="#7ee787"',
  '33': 'fill="#e3b341"',
  '36': 'fill="#79c0ff"',
};

/** Draws what a terminal showed: text with colours (ANSI SGR), lines that are too long broken as a terminal breaks them. */
export function terminalSvg(output: string): string {
  const lines = output.replaceAll('\r', '').trimEnd().split('\n').flatMap(brokenLines);
  const width = Math.ceil(terminalColumns * charWidth + 2 * margin);
  const height = lines.length * lineHeight + 2 * margin;
  const rows = lines.map((line, index) => {
    const y = margin + (index + 1) * lineHeight - 5;
    return `<text x="${margin}" y="${y}" xml:space="preserve">${spans(line)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="A recorded terminal session">
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="${fontSize}" fill="#c9d1d9">
${rows.join('\n')}
</g>
</svg>
`;
}

/** Only plain lines are ever long enough to be broken. */
function brokenLines(line: string): string[] {
  const plain = stripVTControlCharacters(line);
  if (stringWidth(plain) <= terminalColumns) return [line];
  const characters = [...plain];
  const rows = Math.ceil(characters.length / terminalColumns);
  return Array.from({ length: rows }, (_, row) =>
    characters.slice(row * terminalColumns, (row + 1) * terminalColumns).join(''),
  );
}

function spans(line: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: this is how colours come.
  const parts = line.split(/\u001b\[([\d;]*)m/);
  let style: string | undefined;
  return parts
    .map((part, index) => {
      if (index % 2 === 1) {
        style = styles[part];
        return '';
      }
      const text = escapeXml(stripVTControlCharacters(part));
      return style === undefined || text === '' ? text : `<tspan ${style}>${text}</tspan>`;
    })
    .join('');
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
