import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { JsonObject } from '../../src/model/index.ts';

const folder = process.env.TOOLCRIB_BENCH_DATA ?? '../shared/bench-data';

/** For `it.skipIf`, with the reason in the name of the test. */
export const isBenchDataAbsent = !existsSync(join(folder, 'real66'));
export const benchDataHint = isBenchDataAbsent ? ' (skipped: no TOOLCRIB_BENCH_DATA)' : '';

export interface RecordedServer {
  server: string;
  tools: JsonObject[];
}

/** The 66 servers of `real66` with their raw lists. */
export const readReal66 = () => readLines<RecordedServer>('real66/servers.jsonl.gz');

/** The 16,285 tools of `catalog_toucan`. */
export const readToucan = () => readLines<{ server: string; name: string }>('catalog_toucan/tools.jsonl.gz');

function readLines<Line>(file: string): Line[] {
  const text = gunzipSync(readFileSync(join(folder, file))).toString('utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
}
