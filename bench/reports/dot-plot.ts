import { dot, legend, line, svgDocument, text } from './svg.ts';

/** One dot with its 95 % interval. Values are 0–1. */
export interface PlottedValue {
  label: string;
  color: string;
  value: number;
  interval?: readonly [number, number];
}

export interface PlottedRow {
  label: string;
  values: readonly PlottedValue[];
}

const left = 130;
const plotWidth = 520;
const top = 56;
const valueStep = 9;
const rowGap = 14;

/** Rows of dots over a scale from 0 to 1: sets down the side, an arm a line. */
export function dotPlot(title: string, rows: readonly PlottedRow[]): string {
  const x = (value: number) => left + value * plotWidth;
  const parts = [text(10, 20, title, 'font-weight="600"')];
  const entries = new Map(rows.flatMap(({ values }) => values.map(({ label, color }) => [label, color] as const)));
  parts.push(
    ...legend(
      left,
      40,
      [...entries].map(([label, color]) => ({ label, color })),
    ),
  );
  let y = top;
  for (const { label, values } of rows) {
    const height = values.length * valueStep;
    parts.push(text(left - 10, y + height / 2 + 4, label, 'text-anchor="end"'));
    for (const [index, { label: name, color, value, interval }] of values.entries()) {
      const at = y + index * valueStep + valueStep / 2;
      if (interval)
        parts.push(
          line(x(interval[0]), at, x(interval[1]), at, `stroke="${color}" stroke-width="1.5" stroke-opacity=".6"`),
        );
      parts.push(dot(x(value), at, color, `${label}, ${name}: ${value.toFixed(3)}`));
    }
    y += height + rowGap;
  }
  for (const tick of [0, 0.2, 0.4, 0.6, 0.8, 1]) {
    parts.unshift(line(x(tick), top, x(tick), y, 'class="grid"'));
    parts.push(text(x(tick), y + 14, tick.toFixed(1), 'text-anchor="middle" class="quiet"'));
  }
  return svgDocument(left + plotWidth + 30, y + 24, title, parts);
}
