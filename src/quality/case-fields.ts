import { isJsonObject, type JsonObject, type JsonValue } from '../model/index.ts';
import type { CaseProblem, CaseRow } from './case-rows.ts';

/** Reads the fields of one case and notes what is wrong with them; what is wrong reads as left out. */
export class CaseFields {
  readonly #row: CaseRow;
  readonly #problems: CaseProblem[];

  constructor(row: CaseRow, problems: CaseProblem[], known: readonly string[]) {
    this.#row = row;
    this.#problems = problems;
    for (const key of Object.keys(row.value)) {
      if (!known.includes(key)) this.report(`"${key}" is no field of a case; there are ${known.join(', ')}`);
    }
  }

  report(message: string): void {
    this.#problems.push({ file: this.#row.file, line: this.#row.line, message });
  }

  /** A text that is not blank. */
  text(key: string): string | undefined {
    const value = this.#row.value[key];
    if (value === undefined) return undefined;
    if (typeof value === 'string' && value.trim() !== '') return value;
    this.report(`${key}: expected a text, got ${shown(value)}`);
    return undefined;
  }

  choice<Value extends string>(key: string, values: readonly Value[]): Value | undefined {
    const value = this.#row.value[key];
    const chosen = values.find((one) => one === value);
    if (chosen === undefined && value !== undefined) {
      this.report(`${key}: expected one of ${values.join(', ')}, got ${shown(value)}`);
    }
    return chosen;
  }

  /** A text or a list of them. */
  texts(key: string): string[] {
    const value = this.#row.value[key];
    if (value === undefined) return [];
    const list = Array.isArray(value) ? value : [value];
    const texts = list.filter((one): one is string => typeof one === 'string' && one.trim() !== '');
    if (texts.length < list.length) this.report(`${key}: expected a text or a list of texts, got ${shown(value)}`);
    return texts;
  }

  object(key: string): JsonObject | undefined {
    const value = this.#row.value[key];
    if (value === undefined || isJsonObject(value)) return value;
    this.report(`${key}: expected an object, got ${shown(value)}`);
    return undefined;
  }
}

const shownMaxChars = 80;

function shown(value: JsonValue): string {
  return value === '' ? 'nothing: fill it in' : JSON.stringify(value).slice(0, shownMaxChars);
}
