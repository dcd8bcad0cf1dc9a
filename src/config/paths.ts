import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import envPaths from 'env-paths';

/** What a config of toolcrib's own is called. */
export const configFileName = 'toolcrib.json';
const hashLength = 16;

/** Folders in which editors keep the config of the project around them. */
const editorFolders = ['.vscode', '.cursor', '.claude'];

/** The config that is used when none is named: in the user's own config directory, never in the current one. */
export function defaultConfigPath(): string {
  return join(userFolders().config, configFileName);
}

/** The catalog of a config: in the user's data directory, named by a hash of the config's real path. */
export function defaultCatalogPath(configPath: string): string {
  const hash = createHash('sha256').update(realpathSync(configPath)).digest('hex').slice(0, hashLength);
  return join(userFolders().data, `catalog-${hash}.sqlite`);
}

/** Where logins are kept, for all configs of the user. */
export function defaultCredentialsPath(): string {
  return join(userFolders().data, 'credentials.json');
}

/** Where models from a hub are kept, unless told: they can be fetched again. */
export function defaultModelFolder(): string {
  return join(userFolders().cache, 'models');
}

/** The path of a catalog or of credentials as the user wrote it, taken from the folder of the config; `:memory:` stays. */
export function resolveCatalogPath(catalog: string, baseDirectory: string): string {
  return catalog === ':memory:' ? catalog : resolve(baseDirectory, catalog);
}

/** What `${workspaceFolder}` means unless told: the project that an editor's config lies in, else where we run. */
export function defaultWorkspaceFolder(configPath?: string): string {
  const folder = configPath === undefined ? undefined : dirname(configPath);
  if (folder !== undefined && editorFolders.includes(basename(folder))) return dirname(folder);
  return process.cwd();
}

/** The folders of the user that belong to toolcrib. */
export function userFolders(): { config: string; data: string; cache: string } {
  return envPaths('toolcrib', { suffix: '' });
}
