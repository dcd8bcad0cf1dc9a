import { messageOf } from '../errors/index.ts';
import { isJsonObject, isNestedDeeper, type JsonObject, type JsonValue, type ToolStatus } from '../model/index.ts';
import { canonicalHash, textHash } from './canonical-hash.ts';
import { kindOf, repairInputSchema } from './repair-schema.ts';

/** Real definitions are at most some 30 deep; much deeper ones exhaust the stack of whoever walks them. */
const maxDepth = 500;
/** A name in a message is there to be recognised. */
const maxQuotedCharacters = 100;

/** One entry of a server's list, ready to be stored. */
export interface ListedTool {
  /** The raw name, or a made-up one such as `#3` or `find#2` when the entry has none of its own. */
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
export function repairList(rawTools: readonly unknown[], knownHash: KnownHash = () => undefined): ListedTool[] {
  return withNames(Array.from(rawTools, (raw, position) => repairEntry(raw, position, knownHash)));
}

/** A turn of the event loop is given after so much work: a list of 2 MB takes several times as long. */
const sliceMs = 8;

/** The same, letting others have their turn meanwhile. */
export async function repairListInSlices(rawTools: readonly unknown[], knownHash: KnownHash): Promise<ListedTool[]> {
  const entries: Entry[] = [];
  let sliceEnd = performance.now() + sliceMs;
  for (const [position, raw] of rawTools.entries()) {
    entries.push(repairEntry(raw, position, knownHash));
    if (performance.now() < sliceEnd) continue;
    await new Promise((resolve) => setImmediate(resolve));
    sliceEnd = performance.now() + sliceMs;
  }
  return withNames(entries);
}

/** The list with further entries set aside, by their place in it. */
export function setAsideAlso(listed: readonly ListedTool[], reasons: ReadonlyMap<number, string>): ListedTool[] {
  return listed.map((tool) => {
    const reason = reasons.get(tool.position);
    return reason === undefined || tool.status === 'set_aside' ? tool : { ...tool, ...setAside(reason) };
  });
}

function withNames(entries: readonly Entry[]): ListedTool[] {
  const firsts = new Map<string, Entry>();
  for (const entry of entries) if (entry.isNamed && !firsts.has(entry.name)) firsts.set(entry.name, entry);
  const freeName = nameMaker(new Set(firsts.keys()));
  return entries.map(({ isNamed, ...tool }, index) => {
    if (firsts.get(tool.name) === entries[index]) return tool;
    if (!isNamed) return { ...tool, name: freeName(tool.name) };
    const problem = `the server lists the name "${short(tool.name)}" twice; the first one is used`;
    return { ...tool, name: freeName(tool.name), ...setAside(problem) };
  });
}

/** The canonical hash of a definition that is stored already, so that it need not be computed again. */
export type KnownHash = (definition: string) => string | undefined;

/** `isNamed` is false for made-up names: those give way to real ones, wherever they stand in the list. */
type Entry = ListedTool & { isNamed: boolean };

/** Makes names that nothing else in the list has. Counts on for each name, so that many alike cost no more each. */
function nameMaker(taken: Set<string>): (name: string) => string {
  const counts = new Map<string, number>();
  return (name) => {
    let count = counts.get(name) ?? (taken.has(name) ? 2 : 1);
    const candidate = () => (count === 1 ? name : `${name}#${count}`);
    while (taken.has(candidate())) count += 1;
    const free = candidate();
    taken.add(free);
    counts.set(name, count + 1);
    return free;
  };
}

function repairEntry(raw: unknown, position: number, knownHash: KnownHash): Entry {
  const serialized = serialize(raw, knownHash);
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
  if (wellFormed(name) !== name) {
    const half = 'the name holds half a character (a lone surrogate), which cannot be stored or sent';
    return { ...unusable(serialized, position, half), name: wellFormed(name) };
  }
  if (serialized.isTooDeep) {
    return {
      ...unusable(serialized, position, `the definition is nested more than ${maxDepth} deep`),
      name,
      isNamed: true,
    };
  }
  return { ...repairNamed(value, name, serialized, position), isNamed: true };
}

interface Serialized {
  definition: string;
  hash: string;
}

/** Programs may pass values that JSON cannot hold; what is stored is what JSON makes of them. */
function serialize(
  raw: unknown,
  knownHash: KnownHash,
): (Serialized & { value: JsonValue; isTooDeep: boolean }) | { unusable: string } {
  try {
    const definition = JSON.stringify(raw) ?? 'null';
    const plain = new PlainWalk(raw);
    const value = plain.isPlain ? (raw as JsonValue) : (JSON.parse(definition) as JsonValue);
    const isTooDeep = plain.isPlain ? plain.isTooDeep : isNestedDeeper(value, maxDepth);
    const hash = isTooDeep ? textHash(definition) : (knownHash(definition) ?? canonicalHash(value));
    return { definition, value, isTooDeep, hash };
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
    ...(problems.length === 0 ? {} : { problem: wellFormed(problems.join('; ')) }),
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

function unusable(serialized: Serialized, position: number, reason: string): Entry {
  return {
    name: `#${position}`,
    position,
    definition: serialized.definition,
    hash: serialized.hash,
    ...setAside(reason),
    isNamed: false,
  };
}

function setAside(problem: string) {
  return {
    status: 'set_aside' as const,
    problem: wellFormed(problem),
    inputSchema: { type: 'object' },
    isSchemaRepaired: true,
  };
}

/**
 * Plain is what JSON keeps as it is, down to the limit; what lies deeper is set aside unread. Lists from servers always are,
 * and need not be made from their text a second time.
 */
class PlainWalk {
  readonly isPlain: boolean;
  isTooDeep = false;

  constructor(value: unknown) {
    this.isPlain = this.#visit(value, maxDepth);
  }

  #visit(value: unknown, limit: number): boolean {
    switch (typeof value) {
      case 'string':
      case 'boolean':
        return true;
      case 'number':
        return Number.isFinite(value);
      case 'object':
        return value === null || this.#visitContainer(value, limit);
      default:
        return false;
    }
  }

  #visitContainer(value: object, limit: number): boolean {
    if (limit < 1) {
      this.isTooDeep = true;
      return true;
    }
    const prototype = Object.getPrototypeOf(value);
    const isList = Array.isArray(value);
    if (isList ? prototype !== Array.prototype : prototype !== Object.prototype && prototype !== null) return false;
    // Holes of a list are visited as well: JSON fills them.
    for (const item of isList ? value : Object.values(value)) if (!this.#visit(item, limit - 1)) return false;
    return true;
  }
}

/** SQLite stores UTF-8, which has no lone surrogates: what was written must be what is read. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}

function short(name: string): string {
  return name.length > maxQuotedCharacters ? `${name.slice(0, maxQuotedCharacters)}…` : name;
}
