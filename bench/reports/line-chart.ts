import { dot, legend, line, px, svgDocument, text } from './svg.ts';

export interface Series {
  label: string;
  color: string;
  points: readonly (readonly [number, number])[];
  /** A point of its own, such as a chosen threshold. */
  mark?: readonly [number, number];
}

export interface Axis {
  label: string;
  scale: 'linear' | 'log';
  min: number;
  max: number;
  ticks: readonly number[];
}

const left = 60;
const top = 72;
const width = 560;
const height = 300;

/** Lines over two axes, each linear or logarithmic. */
export function lineChart(title: string, axes: { x: Axis; y: Axis }, series: readonly Series[]): string {
  const x = (value: number) => left + share(axes.x, value) * width;
  const y = (value: number) => top + height - share(axes.y, value) * height;
  const parts = [text(10, 20, title, 'font-weight="600"'), ...legend(left, 40, series)];
  for (const tick of axes.x.ticks) {
    parts.push(line(x(tick), top, x(tick), top + height, 'class="grid"'));
    parts.push(text(x(tick), top + height + 16, tickText(tick), 'text-anchor="middle" class="quiet"'));
  }
  for (const tick of axes.y.ticks) {
    parts.push(line(left, y(tick), left + width, y(tick), 'class="grid"'));
    parts.push(text(left - 6, y(tick) + 4, tickText(tick), 'text-anchor="end" class="quiet"'));
  }
  parts.push(text(left + width / 2, top + height + 34, axes.x.label, 'text-anchor="middle"'));
  parts.push(text(left, top - 10, axes.y.label, 'class="quiet"'));
  for (const { label, color, points, mark } of series) {
    const path = points.map(([px_, py_]) => `${px(x(px_))},${px(y(py_))}`).join(' ');
    parts.push(`<polyline points="${path}" fill="none" stroke="${color}" stroke-width="2"/>`);
    if (mark)
      parts.push(dot(x(mark[0]), y(mark[1]), color, `${label} marks ${mark[1].toFixed(2)} at ${mark[0].toFixed(2)}`));
  }
  return svgDocument(left + width + 40, top + height + 44, title, parts);
}

/** Where between the ends of the axis, 0–1. */
function share({ scale, min, max }: Axis, value: number): number {
  const clamped = Math.min(max, Math.max(min, value));
  if (scale === 'linear') return (clamped - min) / (max - min);
  return Math.log(clamped / min) / Math.log(max / min);
}

function tickText(value: number): string {
  return value.toLocaleString('en-US');
}
