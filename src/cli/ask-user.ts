import {
  type ElicitationAnswer,
  type ElicitationRequest,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  reservedServerId,
} from '../model/index.ts';
import type { CliIo } from './io.ts';
import { printable, singleLine } from './output/plain-text.ts';

/** What was typed; undefined when nobody types any more. */
type Prompt = (question: string) => Promise<string | undefined>;

/** How often a field is asked for that has to be filled in and is not, or is filled in wrongly. */
const attemptsMax = 3;

/**
 * Puts a server's question to the person at the terminal: the fields of a form one by one, or a URL to open, which is shown
 * whole and never opened. Nothing is sent before they agree.
 */
export async function askUser(
  io: Pick<CliIo, 'stderr'>,
  prompt: Prompt,
  request: ElicitationRequest,
): Promise<ElicitationAnswer> {
  const { params } = request;
  io.stderr.write(`\n${printable(params.message)}\n`);
  if (params.mode === 'url') {
    io.stderr.write(`  ${singleLine(String(params.url))}\n`);
    return agreed(await prompt('Open this address yourself; go on? [y/n] '));
  }
  const content: JsonObject = {};
  for (const field of fieldsOf(params.requestedSchema)) {
    const value = await askField(io, prompt, field);
    if (value === cancelled) return { action: 'cancel' };
    if (value !== undefined) content[field.name] = value;
  }
  const isOurs = request.server === reservedServerId;
  const ask = isOurs ? 'Is this your answer?' : `Send this to server "${singleLine(request.server)}"?`;
  const answer = agreed(await prompt(`${ask} [y/n] `));
  return answer.action === 'accept' ? { ...answer, content } : answer;
}

const cancelled = Symbol('cancelled');

interface Field {
  name: string;
  schema: JsonObject;
  isRequired: boolean;
}

function fieldsOf(schema: JsonValue | undefined): Field[] {
  const { properties, required } = isJsonObject(schema) ? schema : {};
  return Object.entries(isJsonObject(properties) ? properties : {}).map(([name, value]) => ({
    name,
    schema: isJsonObject(value) ? value : {},
    isRequired: Array.isArray(required) && required.includes(name),
  }));
}

async function askField(
  io: Pick<CliIo, 'stderr'>,
  prompt: Prompt,
  field: Field,
): Promise<JsonValue | undefined | typeof cancelled> {
  const { schema, isRequired } = field;
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const typed = (await prompt(labelOf(field)))?.trim();
    if (typed === undefined) return cancelled;
    if (typed === '' && schema.default !== undefined) return schema.default;
    if (typed === '' && !isRequired) return undefined;
    const value = typed === '' ? undefined : read(typed, schema);
    if (value !== undefined) return value;
    io.stderr.write(`  Expected ${expected(schema)}.\n`);
  }
  return cancelled;
}

function labelOf({ name, schema, isRequired }: Field): string {
  const title = singleLine(typeof schema.title === 'string' ? `${schema.title} (${name})` : name);
  const about = typeof schema.description === 'string' ? ` – ${singleLine(schema.description)}` : '';
  const preset = schema.default === undefined ? '' : `, default ${singleLine(JSON.stringify(schema.default))}`;
  return `  ${title}${about} [${expected(schema)}${isRequired ? '' : ', optional'}${preset}]: `;
}

function expected(schema: JsonObject): string {
  const choices = choicesOf(schema);
  if (schema.type === 'array') return `some of ${choices.join(', ')}, separated by commas`;
  if (choices.length > 0) return `one of ${choices.join(', ')}`;
  return schema.type === 'boolean'
    ? 'y or n'
    : schema.type === 'integer'
      ? 'whole number'
      : String(schema.type ?? 'text');
}

/** The values of an `enum`, `oneOf` or `anyOf`, of the schema itself or of the items of its list. */
function choicesOf(schema: JsonObject): string[] {
  const { enum: values, oneOf, anyOf, items } = schema;
  if (isJsonObject(items)) return choicesOf(items);
  if (Array.isArray(values)) return values.map((value) => singleLine(String(value)));
  const options = [oneOf, anyOf].find(Array.isArray) ?? [];
  return options.flatMap((option) => (isJsonObject(option) ? [singleLine(String(option.const))] : []));
}

/** Undefined for what does not fit. */
function read(typed: string, schema: JsonObject): JsonValue | undefined {
  const choices = choicesOf(schema);
  const isChoice = (value: string) => choices.length === 0 || choices.includes(value);
  switch (schema.type) {
    case 'boolean':
      return /^(y|yes|true)$/i.test(typed) ? true : /^(n|no|false)$/i.test(typed) ? false : undefined;
    case 'integer':
    case 'number': {
      const value = Number(typed);
      return Number.isFinite(value) && (schema.type === 'number' || Number.isInteger(value)) ? value : undefined;
    }
    case 'array': {
      const values = typed.split(',').map((value) => value.trim());
      return values.every(isChoice) ? values : undefined;
    }
    default:
      return isChoice(typed) ? typed : undefined;
  }
}

function agreed(typed: string | undefined): ElicitationAnswer {
  if (typed === undefined) return { action: 'cancel' };
  return { action: /^\s*y(es)?\s*$/i.test(typed) ? 'accept' : 'decline' };
}
