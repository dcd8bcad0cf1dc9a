import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Revisions whose requirements the suite knows. */
export const revisions = ['2025-11-25', '2026-07-28'] as const;
export type Revision = (typeof revisions)[number];

export interface SuiteRun {
  /** 0 when nothing failed but what is expected to, and all of that did. */
  code: number | null;
  output: string;
  /** What every check that did not pass has to say, expected ones included. */
  failures: string[];
}

const folder = fileURLToPath(new URL('.', import.meta.url));
const suite = fileURLToPath(
  new URL('../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
);

/** The scored and unscored scenarios of a revision against a server. `expected` is a file beside this one. */
export function testServer(url: string, revision: Revision, expected: string): Promise<SuiteRun> {
  return runSuite(['server', '--url', url, '--requirements', revision, '--expected-failures', join(folder, expected)]);
}

/** The scenarios of a revision, each of which starts the client beside this file. */
export function testClient(revision: Revision, expected: string): Promise<SuiteRun> {
  const command = `${process.execPath} --import tsx ${join(folder, 'client.mjs')}`;
  const timeout = String(clientTimeoutMs);
  const expectations = ['--expected-failures', join(folder, expected)];
  return runSuite(['client', '--command', command, '--requirements', revision, '--timeout', timeout, ...expectations]);
}

/** All scenarios are started at once, some forty processes: on a small machine each takes a while to come up. */
const clientTimeoutMs = 240_000;

async function runSuite(args: string[]): Promise<SuiteRun> {
  const results = await mkdtemp(join(tmpdir(), 'toolcrib-conformance-'));
  try {
    const child = spawn(
      process.execPath,
      ['--import', join(folder, 'loader.mjs'), suite, ...args, '--output-dir', results],
      { cwd: results, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    let output = '';
    const collect = (chunk: Buffer) => {
      output += chunk;
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
    return { code, output, failures: await failuresIn(results) };
  } finally {
    await rm(results, { recursive: true, force: true, maxRetries: 10 });
  }
}

interface Check {
  id: string;
  status: string;
  errorMessage?: string;
}

async function failuresIn(results: string): Promise<string[]> {
  const files = (await readdir(results, { recursive: true })).filter((file) => file.endsWith('checks.json'));
  const failures = files.map(async (file) => {
    const checks = JSON.parse(await readFile(join(results, file), 'utf8')) as Check[];
    const scenario = dirname(file)
      .replace(/^server-/, '')
      .replace(/-\d{4}-\d\d-\d\dT.*$/, '');
    return checks
      .filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
      .map(({ id, status, errorMessage = '' }) => `${scenario}:${id} ${status} ${errorMessage}`);
  });
  return (await Promise.all(failures)).flat();
}
