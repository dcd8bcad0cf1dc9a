/** A real MCP server over stdio for `toolcrib demo`: reckoning with measures and days. */
import { z } from 'zod';
import { serveTools, tool } from './index.ts';

/** Metres. */
const lengths = { millimetre: 0.001, metre: 1, kilometre: 1_000, inch: 0.0254, foot: 0.3048, mile: 1_609.344 };
/** Grams. */
const weights = { gram: 1, kilogram: 1_000, ounce: 28.349523125, pound: 453.59237 };
const dayMs = 86_400_000;

const day = z.iso.date().describe('A day, as 2026-01-31.');
const scale = z.enum(['celsius', 'fahrenheit', 'kelvin']);

serveTools('units', [
  tool({
    name: 'convert_length',
    description: 'Convert a length from one unit to another.',
    input: z.object({ value: z.number(), from: unitOf(lengths), to: unitOf(lengths) }),
    readOnly: true,
    run: ({ value, from, to }) => figure((value * lengths[from]) / lengths[to], to),
  }),
  tool({
    name: 'convert_weight',
    description: 'Convert a weight from one unit to another.',
    input: z.object({ value: z.number(), from: unitOf(weights), to: unitOf(weights) }),
    readOnly: true,
    run: ({ value, from, to }) => figure((value * weights[from]) / weights[to], to),
  }),
  tool({
    name: 'convert_temperature',
    description: 'Convert a temperature between Celsius, Fahrenheit and Kelvin.',
    input: z.object({ degrees: z.number(), from: scale, to: scale }),
    readOnly: true,
    run: ({ degrees, from, to }) => figure(fromKelvin(toKelvin(degrees, from), to), to),
  }),
  tool({
    name: 'days_between',
    description: 'Count the days from one date to another.',
    input: z.object({ start: day, end: day }),
    readOnly: true,
    run: ({ start, end }) => `${Math.round((Date.parse(end) - Date.parse(start)) / dayMs)} days`,
  }),
]);

function unitOf<Units extends Record<string, number>>(units: Units) {
  return z.enum(Object.keys(units) as [keyof Units & string, ...(keyof Units & string)[]]);
}

function toKelvin(degrees: number, from: z.output<typeof scale>): number {
  if (from === 'kelvin') return degrees;
  return from === 'celsius' ? degrees + 273.15 : ((degrees - 32) * 5) / 9 + 273.15;
}

function fromKelvin(kelvin: number, to: z.output<typeof scale>): number {
  if (to === 'kelvin') return kelvin;
  return to === 'celsius' ? kelvin - 273.15 : ((kelvin - 273.15) * 9) / 5 + 32;
}

/** Six digits hide the noise of floating-point numbers. */
function figure(value: number, unit: string): string {
  return `${Number(value.toPrecision(6))} ${unit}`;
}
