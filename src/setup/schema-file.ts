import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { UserPlaces } from '../config/index.ts';
import { packageFile } from '../model/index.ts';

const schemaName = 'config.schema.json';

/**
 * What `$schema` of a new config says: the copy in the user's config directory. What npx fetched is gone some day, and an
 * editor should need no network.
 */
export function schemaReference(configPath: string, { configFolder }: UserPlaces): string {
  return dirname(configPath) === configFolder ? `./${schemaName}` : pathToFileURL(join(configFolder, schemaName)).href;
}

/** Puts the copy there, or a newer one in its place. An editor goes without where that fails. */
export function copySchema({ configFolder }: UserPlaces): void {
  const shipped = packageFile(schemaName);
  if (!existsSync(shipped)) return;
  try {
    mkdirSync(configFolder, { recursive: true });
    const copy = join(configFolder, schemaName);
    // One that was copied from a read-only installation is read-only itself.
    rmSync(copy, { force: true });
    copyFileSync(shipped, copy);
  } catch {
    // The config itself does not depend on it.
  }
}
