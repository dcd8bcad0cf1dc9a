import { homedir } from 'node:os';
import { processEnvironment } from './environment.ts';
import { userFolders } from './paths.ts';

/** Whose machine this is: where hosts and toolcrib keep the files of a user. */
export interface UserPlaces {
  platform: NodeJS.Platform;
  home: string;
  env: Readonly<Record<string, string | undefined>>;
  currentFolder: string;
  /** Where `toolcrib.json` lies unless told. */
  configFolder: string;
  /** Where catalogs, logins and backups lie. */
  dataFolder: string;
}

/** The places of the user who runs this process. */
export function userPlaces(): UserPlaces {
  const { config, data } = userFolders();
  return {
    platform: process.platform,
    home: homedir(),
    env: processEnvironment(),
    currentFolder: process.cwd(),
    configFolder: config,
    dataFolder: data,
  };
}
