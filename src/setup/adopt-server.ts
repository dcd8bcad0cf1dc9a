import { isAbsolute, join, relative } from 'node:path';
import { expandVariables, knownKeys, resolveOptions, type UserPlaces } from '../config/index.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../model/index.ts';
import { createRedactor } from '../telemetry/index.ts';
import type { HostServer } from './host-config.ts';
import type { HostFile } from './hosts.ts';

/** An entry of a host as toolcrib would keep it, for a person to look at first. */
export interface Adoption {
  id: string;
  entry: JsonObject;
  /** The program with its arguments, or the URL; without secrets. */
  command: string;
  /** Names of env variables or headers that the entry sets; their values are not shown. */
  sets: string[];
  /** What is different from the host, or has to be done by hand. */
  notes: string[];
  /** Why the entry cannot be taken as it is; it is then not imported. */
  problem?: string;
}

/** How a value that VS Code asks for is called as an environment variable. */
export function inputVariable(input: string): string {
  const name = input.replace(/\W/g, '_').toUpperCase();
  return /^\d/.test(name) ? `_${name}` : name;
}

/** True for an entry that starts toolcrib itself: importing it would make toolcrib a server of its own. */
export function isToolcribEntry({ id, entry }: Pick<HostServer, 'id' | 'entry'>): boolean {
  const words = isJsonObject(entry)
    ? [entry.command, ...(Array.isArray(entry.args) ? entry.args : [])].map(String)
    : [];
  return (
    words.includes('serve') && (id === 'toolcrib' || words.some((word) => /(^|[/\\])toolcrib(@|[/\\]|$)/.test(word)))
  );
}

/**
 * Makes an entry of toolcrib's config out of one of a host: what only the editor knows is put in words that toolcrib knows, and
 * keys without a meaning are left out. `configFolder` is where it will be kept.
 */
export function adoptServer(
  { id, entry }: HostServer,
  { file, configFolder, places }: { file: HostFile; configFolder: string; places: UserPlaces },
): Adoption {
  const nothing = { id, entry: {}, command: '', sets: [], notes: [] };
  if (!isJsonObject(entry)) return { ...nothing, problem: 'the entry is not an object' };
  // The config ignores this key: a host that gave it up for toolcrib would lose the server.
  if (id === '__proto__') return { ...nothing, problem: '"__proto__" cannot be an id: choose another name' };
  const notes: string[] = [];
  const leftOut = Object.keys(entry).filter((key) => !knownKeys.server.includes(key));
  if (leftOut.length > 0) notes.push(`left out, without a meaning here: ${leftOut.join(', ')}`);
  const kept = Object.fromEntries(Object.entries(entry).filter(([key]) => knownKeys.server.includes(key)));
  const adopted = inFolder(
    replaceTexts(kept, (text) => translate(text, file, notes)),
    file,
    configFolder,
  );
  notes.push(...missingVariables(adopted, places));
  return { ...nothing, ...shown(id, adopted, places), entry: adopted, notes: [...new Set(notes)] };
}

/** What the editor would ask for becomes a variable; a project's folder is written out. */
function translate(text: string, { projectFolder }: HostFile, notes: string[]): string {
  const withVariables = text.replace(/\$\{input:([^}]+)\}/g, (_, input: string) => {
    notes.push(`the editor asked for "${input}"; toolcrib takes the environment variable ${inputVariable(input)}`);
    return `\${${inputVariable(input)}}`;
  });
  return projectFolder === undefined
    ? withVariables
    : withVariables.replace(/\$\{workspaceFolder\}/g, () => projectFolder);
}

/** Hosts start the servers of a project in its folder. A config that lies in that project says so by its place. */
function inFolder(entry: JsonObject, { projectFolder }: HostFile, configFolder: string): JsonObject {
  if (projectFolder === undefined || entry.command === undefined || isInside(configFolder, projectFolder)) return entry;
  const { cwd } = entry;
  if (typeof cwd !== 'string') return { ...entry, cwd: projectFolder };
  return isAbsolute(cwd) || cwd.startsWith('${') ? entry : { ...entry, cwd: join(projectFolder, cwd) };
}

function isInside(folder: string, around: string): boolean {
  const way = relative(around, folder);
  return way === '' || !(way.startsWith('..') || isAbsolute(way));
}

function missingVariables(entry: JsonObject, places: UserPlaces): string[] {
  const variables = { env: places.env, workspaceFolder: places.currentFolder, userHome: places.home };
  const missing = textsOf(entry).flatMap((text) => expandVariables(text, variables).missing);
  const names = [...new Set(missing.map((name) => name.replace(/^env:/, '')))];
  return names.length === 0 ? [] : [`set before it can start: ${names.join(', ')}`];
}

/** Read as toolcrib would read it, so that what is wrong with it and what is secret in it is known. */
function shown(id: string, entry: JsonObject, places: UserPlaces): Pick<Adoption, 'command' | 'sets' | 'problem'> {
  const switchedOn = { ...entry, enabled: true, disabled: false };
  const context = { env: withoutMissing(entry, places), workspaceFolder: places.currentFolder };
  const { secrets, disabled } = resolveOptions({ mcpServers: { [id]: switchedOn } }, context);
  const { mask } = createRedactor(secrets);
  const { command, args, url, env, headers } = entry;
  const words = url === undefined ? [command, ...(Array.isArray(args) ? args : [])] : [url];
  const problem = disabled[0]?.problem;
  return {
    command: mask(words.map((word) => quoted(String(word ?? ''))).join(' ')),
    sets: [env, headers].flatMap((values) => (isJsonObject(values) ? Object.keys(values) : [])),
    ...(problem === undefined ? {} : { problem: mask(problem) }),
  };
}

/** A variable that is not set yet is no fault of the entry. */
function withoutMissing(entry: JsonObject, { env }: UserPlaces): Record<string, string | undefined> {
  const names = textsOf(entry).flatMap(
    (text) => expandVariables(text, { env, workspaceFolder: '', userHome: '' }).missing,
  );
  return { ...Object.fromEntries(names.map((name) => [name.replace(/^env:/, ''), 'http://unset.invalid'])), ...env };
}

function quoted(word: string): string {
  return word === '' || /\s/.test(word) ? JSON.stringify(word) : word;
}

function replaceTexts(value: JsonObject, replace: (text: string) => string): JsonObject {
  const inner = (one: JsonValue): JsonValue => {
    if (typeof one === 'string') return replace(one);
    if (Array.isArray(one)) return one.map(inner);
    return isJsonObject(one) ? replaceTexts(one, replace) : one;
  };
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inner(one)]));
}

function textsOf(value: JsonValue): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  return isJsonObject(value) ? Object.values(value).flatMap(textsOf) : [];
}
