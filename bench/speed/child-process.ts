import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryFolder } from '../data/bench-data.ts';
import { BenchError } from '../data/bench-error.ts';

/** The built executable. Throws BenchError where nothing was built. */
export function builtExecutable(): string {
  const path = join(repositoryFolder, 'dist/bin.js');
  if (!existsSync(path)) throw new BenchError(`${path} is missing: run npm run build.`);
  return path;
}

/** The environment with a home of its own, so that no config of the user's takes part. */
export function isolatedEnvironment(home: string): NodeJS.ProcessEnv {
  const { PATH, NODE_OPTIONS: _options, ...others } = process.env;
  const homes = [
    'HOME',
    'USERPROFILE',
    'APPDATA',
    'LOCALAPPDATA',
    'XDG_CONFIG_HOME',
    'XDG_DATA_HOME',
    'XDG_CACHE_HOME',
  ];
  return { ...others, PATH, ...Object.fromEntries(homes.map((name) => [name, home])) };
}
