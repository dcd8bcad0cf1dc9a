import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const repositoryFolder = fileURLToPath(new URL('../../', import.meta.url));

/** Where the labelled public sets are looked for; they are not part of the repository. */
export function benchDataFolder(): string {
  return resolve(repositoryFolder, process.env.TOOLCRIB_BENCH_DATA ?? '../shared/bench-data');
}

/** A labelled set on disk. */
export interface SetFiles {
  set: string;
  tools: string;
  queries: string;
}

/** real66 where the labelled sets are present, else the repository's own set. */
export function defaultSet(): SetFiles {
  const real66: SetFiles = {
    set: 'real66',
    tools: resolve(benchDataFolder(), 'real66/servers.jsonl.gz'),
    queries: resolve(benchDataFolder(), 'real66/queries.dev.jsonl'),
  };
  return existsSync(real66.tools) && existsSync(real66.queries) ? real66 : ownSet();
}

/** The set that is part of the repository. */
export function ownSet(): SetFiles {
  return {
    set: 'own',
    tools: resolve(repositoryFolder, 'bench/own/tools.jsonl'),
    queries: resolve(repositoryFolder, 'bench/own/queries.jsonl'),
  };
}
