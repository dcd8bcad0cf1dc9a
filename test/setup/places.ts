import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { UserPlaces } from '../../src/config/index.ts';
import { temporaryFolder } from '../config/temporary-folder.ts';

/** A user with a home and a project of their own, gone when the test ends. */
export function temporaryPlaces(more: Partial<UserPlaces> = {}): UserPlaces {
  const folder = temporaryFolder();
  const places: UserPlaces = {
    platform: 'linux',
    home: join(folder, 'home'),
    env: {},
    currentFolder: join(folder, 'project'),
    configFolder: join(folder, 'home', '.config', 'toolcrib'),
    dataFolder: join(folder, 'home', '.local', 'share', 'toolcrib'),
    ...more,
  };
  for (const path of [places.home, places.currentFolder]) mkdirSync(path, { recursive: true });
  return places;
}

/** Writes a file with its folders, and returns its path. */
export function put(path: string, content: string | Buffer | object): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(
    path,
    typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content, null, 2),
  );
  return path;
}
