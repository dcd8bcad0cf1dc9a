import type { IncomingMessage } from 'node:http';
import { ToolcribError } from '../errors/index.ts';
import { isJsonObject, type JsonObject } from '../model/index.ts';
import { readJsonBody } from '../validation/index.ts';

/** Arguments of a call are typed by a person or pasted. */
const bodyMaxBytes = 1024 * 1024;

/** What a request to the API asks for. */
export class Asked {
  readonly #query: URLSearchParams;
  readonly #body: JsonObject;

  constructor(query: URLSearchParams, body: JsonObject = {}) {
    this.#query = query;
    this.#body = body;
  }

  /** A text that has to be there. Throws `invalid_arguments`. */
  text(name: string): string {
    const value = this.optional(name);
    if (value === undefined) throw invalid(name, 'a text', value);
    return value;
  }

  /** Undefined for an empty one as well. Throws `invalid_arguments` for what is no text. */
  optional(name: string): string | undefined {
    const value = this.#query.get(name) ?? this.#body[name];
    if (value === undefined || value === null || value === '') return undefined;
    if (typeof value !== 'string') throw invalid(name, 'a text', value);
    return value;
  }

  /** Throws `invalid_arguments` for what is no whole number above zero. */
  number(name: string): number | undefined {
    const given = this.#query.get(name) ?? this.#body[name];
    if (given === undefined || given === null) return undefined;
    const value = Number(given);
    if (Number.isSafeInteger(value) && value > 0) return value;
    throw invalid(name, 'a whole number above zero', given);
  }

  flag(name: string): boolean {
    return this.#query.get(name) === 'true' || this.#body[name] === true;
  }

  /** Throws `invalid_arguments` for what is no JSON object; default `{}`. */
  object(name: string): JsonObject {
    const value = this.#body[name] ?? {};
    if (isJsonObject(value)) return value;
    throw invalid(name, 'a JSON object', value);
  }
}

/** The JSON object in the body of a request. Throws `invalid_arguments`. */
export async function readBody(request: IncomingMessage): Promise<JsonObject> {
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? '')) {
    throw new ToolcribError('invalid_arguments', 'The request is not of type application/json.');
  }
  const body = await readJsonBody(request, bodyMaxBytes);
  if (body.kind === 'too_large') {
    throw new ToolcribError('invalid_arguments', `The request is larger than ${bodyMaxBytes} bytes.`);
  }
  if (body.kind !== 'not_json' && isJsonObject(body.value)) return body.value;
  throw new ToolcribError('invalid_arguments', 'The request holds no JSON object.');
}

function invalid(name: string, expected: string, got: unknown): ToolcribError {
  const shown = (JSON.stringify(got) ?? 'nothing').slice(0, 80);
  return new ToolcribError('invalid_arguments', `${name} must be ${expected}; got ${shown}.`);
}
