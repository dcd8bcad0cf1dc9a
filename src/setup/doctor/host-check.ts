import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { UserPlaces } from '../../config/index.ts';
import { isToolcribError } from '../../errors/index.ts';
import { isJsonObject, type JsonObject, type Stats } from '../../model/index.ts';
import { isToolcribEntry } from '../adopt-server.ts';
import { type HostConfig, type HostServer, readHostConfig } from '../host-config.ts';
import { hostFiles, profileOf } from '../hosts.ts';
import type { Check } from './check.ts';
import { checkDoubleSearch } from './double-search.ts';

/** Whether the hosts on this machine that start toolcrib can, and whether they search tools a second time. */
export function checkHosts(stats: Pick<Stats, 'mode' | 'tools'> | undefined, places: UserPlaces): Check[] {
  return hostFiles(places).flatMap((file) => {
    try {
      const config = readHostConfig(file, places);
      const entry = config?.servers.find(isToolcribEntry);
      if (config === undefined || entry === undefined || !isJsonObject(entry.entry)) return [];
      return [checkEntry(config, entry, entry.entry), ...checkDoubleSearch(config, entry.entry, stats, places)];
    } catch (error) {
      if (!isToolcribError(error)) throw error;
      return [{ area: 'hosts', subject: file.path, status: 'warning', message: error.message, fix: 'Mend the file.' }];
    }
  });
}

function checkEntry({ file, servers }: HostConfig, { id }: HostServer, entry: JsonObject): Check {
  const host = file.host === undefined ? file.path : profileOf(file.host).title;
  const check = { area: 'hosts', subject: `${host} (${file.path})` } as const;
  const missing = missingFiles(entry);
  if (missing.length > 0) {
    const fix = `Write the entry anew: toolcrib install ${file.host} --file ${file.path}`;
    return { ...check, status: 'error', message: `its entry names what is not there: ${missing.join(', ')}`, fix };
  }
  const others = servers.filter((server) => !isToolcribEntry(server)).map((server) => server.id);
  if (others.length > 0) {
    const message = `starts toolcrib as "${id}", and beside it ${others.join(', ')}, whose tools the model carries as well`;
    const fix = `Take them over: toolcrib import ${file.path}, then toolcrib install ${file.host}`;
    return { ...check, status: 'warning', message, fix };
  }
  return { ...check, status: 'ok', message: `starts toolcrib as "${id}"` };
}

/** The program, the built file and the config, where the entry names them by an absolute path. */
function missingFiles({ command, args }: JsonObject): string[] {
  const words = [command, ...(Array.isArray(args) ? args : [])];
  return words.filter((word): word is string => typeof word === 'string' && isAbsolute(word) && !existsSync(word));
}
