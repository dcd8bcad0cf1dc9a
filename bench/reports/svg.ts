import type { ArmName } from '../arms/index.ts';

/** Mid tones that can be told from each other and from a white or a dark page. */
export const armColors: Record<ArmName, string> = {
  hybrid: '#2f81d7',
  lexical: '#d9822b',
  embedding: '#2a9d78',
  fts5: '#8b929b',
  flexsearch: '#b263c9',
  minisearch: '#d05252',
};

/** A picture with a title for those who cannot see it; text and lines follow the reader's light or dark page. */
export function svgDocument(width: number, height: number, title: string, parts: readonly string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${escapeXml(title)}</title>
<style>
text { font: 12px system-ui, sans-serif; fill: #30363d; }
.quiet { fill: #59636e; }
.line { stroke: #30363d; }
.grid { stroke: #8b949e; stroke-opacity: .25; }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3; }
  .quiet { fill: #9198a1; }
  .line { stroke: #e6edf3; }
}
</style>
${parts.join('\n')}
</svg>
`;
}

export function text(x: number, y: number, content: string, attributes = ''): string {
  return `<text x="${px(x)}" y="${px(y)}" ${attributes}>${escapeXml(content)}</text>`;
}

export function line(x1: number, y1: number, x2: number, y2: number, attributes: string): string {
  return `<line x1="${px(x1)}" y1="${px(y1)}" x2="${px(x2)}" y2="${px(y2)}" ${attributes}/>`;
}

export function dot(x: number, y: number, color: string, title: string): string {
  return `<circle cx="${px(x)}" cy="${px(y)}" r="3.5" fill="${color}"><title>${escapeXml(title)}</title></circle>`;
}

/** Coloured names in a row. */
export function legend(x: number, y: number, entries: readonly { label: string; color: string }[]): string[] {
  return entries.flatMap(({ label, color }, index) => {
    const at = x + index * legendStep;
    return [dot(at, y - 4, color, label), text(at + 8, y, label)];
  });
}

const legendStep = 92;

/** Tenths of a pixel are enough. */
export function px(value: number): string {
  return String(Math.round(value * 10) / 10);
}

function escapeXml(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
