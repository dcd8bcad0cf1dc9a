import type { JsonObject } from '../model/index.ts';
import { capText, cleanText } from './clean-text.ts';
import { type Parameter, parametersOf } from './parameters.ts';
import { parameterName, type TypeDetail, typeDetails, typeExpression } from './type-expression.ts';

export interface SignatureOptions {
  /** Room for the whole line. Only required parameters may exceed it. Default 220. */
  maxChars?: number;
}

/** About 55 tokens: five hits with their summaries stay under 400. */
const defaultMaxChars = 220;
/** Exposed names have at most 64 characters by default; raw names may be longer. */
const nameMaxChars = 128;

/** Required parameters shown: real tools have at most a few dozen, and a line must not fill a context window. */
const requiredMax = { parameters: 64, chars: 1_500 };

/**
 * One line that reads like a TypeScript declaration: required parameters first, left out beyond 64 or 1,500 characters
 * alone, then optional ones in the schema's order as far as there is room; `…+N` counts the rest. Long enums and nested types are shortened and
 * marked. All text of the schema is on one line, cleaned and capped.
 */
export function signature(
  { name, inputSchema }: { name: string; inputSchema: JsonObject },
  { maxChars = defaultMaxChars }: SignatureOptions = {},
): string {
  const parameters = parametersOf(inputSchema, inputSchema);
  const head = capText(cleanText(name), nameMaxChars);
  const room = maxChars - head.length - 2;
  const required = renderRequired(
    parameters.filter(({ isRequired }) => isRequired),
    inputSchema,
    room,
  );
  const optional = parameters.filter(({ isRequired }) => !isRequired);
  const shown = renderOptional(optional, inputSchema, room - required.join(', ').length);
  const hidden = optional.length - shown.length;
  return `${head}(${[...required, ...shown, ...(hidden > 0 ? [`…+${hidden}`] : [])].join(', ')})`;
}

/** All of them: in full if that fits, else with shorter types, at last with names alone, as many as may be. */
function renderRequired(parameters: Parameter[], root: JsonObject, room: number): string[] {
  if (parameters.length > requiredMax.parameters) return firstNames(parameters);
  for (const detail of detailsByLength) {
    const rendered = parameters.map((parameter) => render(parameter, root, detail));
    if (rendered.join(', ').length <= room) return rendered;
  }
  return firstNames(parameters);
}

function firstNames(parameters: Parameter[]): string[] {
  const shown: string[] = [];
  let left = requiredMax.chars;
  for (const { name } of parameters.slice(0, requiredMax.parameters)) {
    const next = parameterName(name);
    left -= next.length + 2;
    if (left < 0) break;
    shown.push(next);
  }
  const hidden = parameters.length - shown.length;
  return hidden > 0 ? [...shown, `…+${hidden} required: see describe_tool`] : shown;
}

/** As many as fit, each shortened before it is left out. */
function renderOptional(parameters: Parameter[], root: JsonObject, room: number): string[] {
  const shown: string[] = [];
  let left = room - counterChars;
  for (const parameter of parameters) {
    const fitting = detailsByLength
      .map((detail) => render(parameter, root, detail))
      .find(({ length }) => length + 2 <= left);
    if (fitting === undefined) break;
    shown.push(fitting);
    left -= fitting.length + 2;
  }
  return shown;
}

const detailsByLength: readonly TypeDetail[] = [typeDetails.full, typeDetails.short, typeDetails.bare];
/** `, …+99`. */
const counterChars = 6;

function render({ name, schema, isRequired, refs }: Parameter, root: JsonObject, detail: TypeDetail): string {
  return `${parameterName(name)}${isRequired ? '' : '?'}: ${typeExpression(schema, root, detail, refs)}`;
}
