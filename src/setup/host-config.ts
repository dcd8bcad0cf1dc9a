import { lstatSync, readFileSync, statSync } from 'node:fs';
import { formatProblem, type JsonPath, parseJsonc, type UserPlaces } from '../config/index.ts';
import { messageOf, ToolcribError } from '../errors/index.ts';
import { isJsonObject, type JsonObject } from '../model/index.ts';
import { type HostFile, listPaths } from './hosts.ts';

/** A config file of a host, as it lies on disk. */
export interface HostConfig {
  file: HostFile;
  bytes: Buffer;
  text: string;
  servers: HostServer[];
  /** Ids of values that the editor asks its user for (VS Code `inputs`). */
  inputs: string[];
}

export interface HostServer {
  id: string;
  /** As written. */
  entry: unknown;
  /** The list that it stands in. */
  list: JsonPath;
}

/** Claude Code keeps the history of every project in its file; larger than this is no config. */
const fileMaxBytes = 64 * 1024 * 1024;

/** Undefined when there is no such file. Throws `host_file_unusable`. */
export function readHostConfig(file: HostFile, places: UserPlaces): HostConfig | undefined {
  const bytes = readBytes(file.path);
  return bytes && parseHostConfig(file, bytes, places);
}

/** The same of content that is or was in the file. Throws `host_file_unusable`. */
export function parseHostConfig(file: HostFile, bytes: Buffer, places: UserPlaces): HostConfig {
  const text = bytes.toString('utf8');
  if (!Buffer.from(text).equals(bytes)) throw unusable(file.path, 'it is not written in UTF-8');
  const root = text.trim() === '' ? {} : parse(file.path, text);
  return {
    file,
    bytes,
    text,
    servers: listPaths(file, places).flatMap((list) => serversIn(root, list)),
    inputs: inputsOf(root),
  };
}

/** Undefined when there is no such file. Throws `host_file_unusable`. */
export function readBytes(path: string): Buffer | undefined {
  try {
    const stats = statSync(path);
    // A pipe or a device would never end.
    if (!stats.isFile()) throw new Error('it is not a file');
    if (stats.size > fileMaxBytes) throw new Error(`it is larger than ${fileMaxBytes} bytes`);
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' && !isDangling(path)) return undefined;
    throw unusable(path, messageOf(error), error);
  }
}

/** A link that leads nowhere is not the same as no file: a file in its place would cut the link. */
function isDangling(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function parse(path: string, text: string): JsonObject {
  const { source, problems } = parseJsonc(path, text);
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw unusable(path, errors.map(formatProblem).join('; '));
  if (!isJsonObject(source.value)) throw unusable(path, 'it holds no JSON object');
  return source.value;
}

function serversIn(root: JsonObject, list: JsonPath): HostServer[] {
  const value = list.reduce<unknown>((inner, key) => (isJsonObject(inner) ? inner[key] : undefined), root);
  return isJsonObject(value) ? Object.entries(value).map(([id, entry]) => ({ id, entry, list })) : [];
}

function inputsOf({ inputs }: JsonObject): string[] {
  if (!Array.isArray(inputs)) return [];
  return inputs.flatMap((input) => (isJsonObject(input) && typeof input.id === 'string' ? [input.id] : []));
}

function unusable(path: string, reason: string, cause?: unknown): ToolcribError {
  return new ToolcribError('host_file_unusable', `${path} cannot be used: ${reason}.`, {
    details: { path },
    ...(cause !== undefined && { cause }),
  });
}
