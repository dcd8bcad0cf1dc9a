import { messageOf } from '../errors/index.ts';
import { isJsonObject, type JsonObject, type JsonValue, type ToolStatus } from '../model/index.ts';
import { canonicalHash, textHash } from './canonical-hash.ts';
import { kindOf, repairInputSchema } from './repair-schema.ts';

/** One entry of a server's list, ready to be stored. */
export interface ListedTool {
  /** The raw name, or a made-up one such as `#3` when the entry has none of its own. */
  name: string;
  position: number;
  status: Extract<ToolStatus, 'ok' | 'repaired' | 'set_aside'>;
  problem?: string;
  hash: string;
  /** The entry exactly as sent, as JSON text. */
  definition: string;
  inputSchema: JsonObject;
  /** True when `inputSchema` is not the one in the definition. */
  isSchemaRepaired: boolean;
  title?: string;
  description?: string;
}

/**
 * Makes every entry of a raw list storable: as it is, mended, or set aside with the reason. One entry gives one row, so a
 * broken tool never takes another with it and nothing vanishes unseen.
 */
export function repairList(rawTools: readonly unknown[]): ListedTool[] {
  const taken = new Set<string>();
  return rawTools.map((raw, position) => {
    const tool = repairEntry(raw, position);
    if (!taken.has(tool.name)) {
      taken.add(tool.name);
      return tool;
    }
    const duplicate: ListedTool = {
      ...tool,
      name: freeName(tool.name, taken),
      status: 'set_aside',
      problem: `the server lists the name "${tool.name}" twice; the first one is used`,
    };
    taken.add(duplicate.name);
    return duplicate;
  });
}

function repairEntry(raw: unknown, position: number): ListedTool {
  const serialized = serialize(raw);
  if ('unusable' in serialized)
    return unusable({ definition: 'null', hash: textHash('null') }, position, serialized.unusable);
  const { value } = serialized;
  if (!isJsonObject(value)) return unusable(serialized, position, `the entry is ${kindOf(value)}, not an object`);
  const { name } = value;
  if (typeof name !== 'string' || name.trim() === '') {
    return unusable(
      serialized,
      position,
      name === undefined ? 'the entry has no name' : 'the name is not a usable text',
    );
  }
  return repairNamed(value, name, serialized, position);
}

interface Serialized {
  definition: string;
  hash: string;
}

/** Programs may pass values that JSON cannot hold; what is stored is what JSON makes of them. */
function serialize(raw: unknown): (Serialized & { value: JsonValue }) | { unusable: string } {
  try {
    const definition = JSON.stringify(raw) ?? 'null';
    const value = JSON.parse(definition) as JsonValue;
    return { definition, value, hash: canonicalHash(value) };
  } catch (error) {
    return { unusable: `the entry cannot be written as JSON: ${messageOf(error).split('\n', 1)[0]}` };
  }
}

function repairNamed(raw: JsonObject, name: string, { definition, hash }: Serialized, position: number): ListedTool {
  const base = { name, position, definition, hash, ...texts(raw) };
  const repair = repairInputSchema(raw.inputSchema);
  if ('unusable' in repair) return { ...base, ...setAside(repair.unusable) };
  if (isJsonObject(raw.execution) && raw.execution.taskSupport === 'required') {
    return { ...base, ...setAside('the tool can only be run as a task, which is not supported') };
  }
  const problems = [...repair.mended, ...oddFields(raw)];
  return {
    ...base,
    status: problems.length === 0 ? 'ok' : 'repaired',
    ...(problems.length === 0 ? {} : { problem: problems.join('; ') }),
    inputSchema: repair.schema,
    isSchemaRepaired: repair.mended.length > 0,
  };
}

function texts(raw: JsonObject): { title?: string; description?: string } {
  const { title, description } = raw;
  return {
    ...(typeof title === 'string' ? { title } : {}),
    ...(typeof description === 'string' ? { description } : {}),
  };
}

/** Fields of the wrong kind are left out of what is shown; the definition keeps them. */
function oddFields(raw: JsonObject): string[] {
  const expectations: [string, (value: JsonValue) => boolean][] = [
    ['title', (value) => typeof value === 'string'],
    ['description', (value) => typeof value === 'string'],
    ['annotations', isJsonObject],
    ['outputSchema', isJsonObject],
  ];
  return expectations.flatMap(([key, isRight]) => {
    const value = raw[key];
    return value === undefined || isRight(value) ? [] : [`"${key}" was ${kindOf(value)} and is ignored`];
  });
}

function unusable(serialized: Serialized, position: number, reason: string): ListedTool {
  return {
    name: `#${position}`,
    position,
    definition: serialized.definition,
    hash: serialized.hash,
    ...setAside(reason),
  };
}

function setAside(problem: string) {
  return {
    status: 'set_aside' as const,
    problem,
    inputSchema: { type: 'object' },
    isSchemaRepaired: true,
  };
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  let count = 2;
  while (taken.has(`${name}#${count}`)) count += 1;
  return `${name}#${count}`;
}
