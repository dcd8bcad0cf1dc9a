import { editJsonc, type JsoncChange, type JsonPath, parseJsonc, type UserPlaces } from '../config/index.ts';
import { isJsonObject, type JsonObject } from '../model/index.ts';
import { changeFile, forgetChange } from './file-change.ts';
import { readBytes, readHostConfig } from './host-config.ts';
import { copySchema, schemaReference } from './schema-file.ts';

/** A config of toolcrib's own, to be edited; a new one starts as `newConfigText`. */
export interface OwnConfig {
  path: string;
  /** Undefined where there is no file yet. */
  bytes: Buffer | undefined;
  text: string;
  /** Entries by id, as written. */
  servers: JsonObject;
  /** Where entries go. */
  list: JsonPath;
}

/** Throws `host_file_unusable`. */
export function readOwnConfig(path: string, places: UserPlaces): OwnConfig {
  const found = readHostConfig({ path }, places);
  const text = found === undefined ? newConfigText(schemaReference(path, places)) : found.text;
  const root = parseJsonc(path, text).source.value;
  const key = isJsonObject(root) && isJsonObject(root.servers) ? 'servers' : 'mcpServers';
  const servers = isJsonObject(root) && isJsonObject(root[key]) ? root[key] : {};
  return { path, bytes: found?.bytes, text, servers, list: [key] };
}

/** The text with these entries put in, or put in place of those of the same id. */
export function withServers({ text, list }: OwnConfig, entries: ReadonlyMap<string, JsonObject>): string {
  const changes: JsoncChange[] = [...entries].map(([id, value]) => ({ path: [...list, id], value }));
  return editJsonc(text, changes);
}

/** Writes a new config; false when there is one, which stays as it is. Throws `host_file_unusable`. */
export function createConfig(path: string, places: UserPlaces): boolean {
  if (readBytes(path) !== undefined) return false;
  changeFile(path, { now: undefined, text: newConfigText(schemaReference(path, places)) }, places);
  copySchema(places);
  forgetChange(path, places);
  return true;
}

/** What a config starts as. `schema` is where an editor finds what may stand in it. */
function newConfigText(schema: string): string {
  return `// The config of toolcrib. Comments and trailing commas are allowed; every key may be left out.
{
  "$schema": ${JSON.stringify(schema)},

  // The servers whose tools the model shall find, by id. \`toolcrib import\` takes over those of a host.
  // A server over stdio has "command", "args" and "env", one over HTTP "url" and "headers".
  // \${NAME} is put in from the environment; "enabled": false switches a server off.
  "mcpServers": {},

  // "auto" lists every tool while they are few and the three meta-tools once they are many;
  // "discovery" and "direct" make it always so.
  "mode": "auto"

  // More keys: limits, policy (who may call what), embedding, http, audit. See docs/config.md.
}
`;
}
