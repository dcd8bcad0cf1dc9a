import { dirname } from 'node:path';
import type { UserPlaces } from '../config/index.ts';
import type { JsonObject } from '../model/index.ts';
import { type Adoption, adoptServer, isToolcribEntry } from './adopt-server.ts';
import { changeFile, type FileChange } from './file-change.ts';
import { type HostConfig, type HostServer, readHostConfig } from './host-config.ts';
import { type HostFile, hostFiles } from './hosts.ts';
import { type OwnConfig, readOwnConfig, withServers } from './own-config.ts';
import { copySchema } from './schema-file.ts';

/** One server of a host, and what becomes of it. */
export interface ImportCandidate extends Adoption {
  /** The file it comes from. */
  from: string;
  /** `new`; `same` is in the config already; `taken` means that another server has its id; `unusable` has a `problem`. */
  status: 'new' | 'same' | 'taken' | 'unusable';
}

export interface ImportPlan {
  config: OwnConfig;
  candidates: ImportCandidate[];
}

/** The files of hosts on this machine that name servers other than toolcrib. Files that cannot be read are passed over. */
export function findHostConfigs(places: UserPlaces): HostConfig[] {
  return hostFiles(places)
    .flatMap((file) => readIfUsable(() => readHostConfig(file, places)))
    .filter(({ servers }) => servers.some((server) => !isToolcribEntry(server)));
}

/** What an import of these files into the config at `configPath` would do. Changes nothing. Throws `host_file_unusable`. */
export function planImport(sources: readonly HostConfig[], configPath: string, places: UserPlaces): ImportPlan {
  const config = readOwnConfig(configPath, places);
  const entries = new Map(Object.entries(config.servers));
  const candidates = sources.flatMap(({ file, servers }) =>
    servers
      .filter((server) => !isToolcribEntry(server))
      .map((server): ImportCandidate => {
        const adoption = adoptServer(server, {
          file: fileOf(file, server),
          configFolder: dirname(configPath),
          places,
        });
        const present = entries.get(adoption.id);
        if (adoption.problem === undefined && present === undefined) entries.set(adoption.id, adoption.entry);
        return { ...adoption, from: file.path, status: statusOf(adoption, present) };
      }),
  );
  return { config, candidates };
}

/** Writes the chosen servers into the config, with a backup. Throws `file_changed`, `host_file_unusable`. */
export function applyImport(
  { config }: ImportPlan,
  chosen: readonly Pick<Adoption, 'id' | 'entry'>[],
  places: UserPlaces,
): FileChange {
  const text = withServers(config, new Map(chosen.map(({ id, entry }) => [id, entry])));
  const change = changeFile(config.path, { now: config.bytes, text }, places);
  if (config.bytes === undefined) copySchema(places);
  return change;
}

/** A list that Claude Code keeps for one folder is that of a project. */
function fileOf(file: HostFile, { list }: HostServer): HostFile {
  const [, folder, inner] = list;
  return inner === undefined ? file : { ...file, projectFolder: String(folder) };
}

function statusOf({ entry, problem }: Adoption, present: unknown): ImportCandidate['status'] {
  if (problem !== undefined) return 'unusable';
  if (present === undefined) return 'new';
  return isEqual(entry, present) ? 'same' : 'taken';
}

function isEqual(one: JsonObject, other: unknown): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, inner]) => [key, sorted(inner)]);
}

function readIfUsable(read: () => HostConfig | undefined): HostConfig[] {
  try {
    return [read()].flatMap((config) => config ?? []);
  } catch {
    return [];
  }
}
