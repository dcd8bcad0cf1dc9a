/** The built program as users run it: a child process with a config and a catalog of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connectHost, type Endpoint, type Generation, type Host, type HostOptions } from '../fixtures/hosts/index.ts';
import { runInTerminal, type TerminalRun } from '../fixtures/terminal.ts';

const programPath = fileURLToPath(new URL('../../dist/bin.js', import.meta.url));
const rawServerPath = fileURLToPath(new URL('../fixtures/servers/raw-server.mjs', import.meta.url));

if (!existsSync(programPath)) throw new Error(`${programPath} is missing: run \`npm run build\` before these tests.`);

/** A child never sees more of this environment than it needs: no config or key of the user changes a test. */
const environment = { PATH: process.env.PATH ?? '', NO_COLOR: '1' };

export interface CliResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A folder of its own with a config, a catalog and everything that was started from it. */
export class Workspace {
  readonly folder: string;
  readonly configPath: string;
  readonly catalogPath: string;
  readonly #endings: (() => Promise<unknown>)[] = [];

  static async create(config: object): Promise<Workspace> {
    const workspace = new Workspace(await mkdtemp(join(tmpdir(), 'toolcrib-e2e-')));
    await workspace.writeConfig(config);
    return workspace;
  }

  private constructor(folder: string) {
    this.folder = folder;
    this.configPath = join(folder, 'toolcrib.json');
    this.catalogPath = join(folder, 'catalog.db');
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  /** Everything may be called over HTTP as well, unless the config has a policy of its own. */
  async writeConfig(config: object): Promise<void> {
    const withPolicy = { policy: [{ action: 'allow' }], ...config };
    await writeFile(this.configPath, JSON.stringify(withPolicy, null, 2));
  }

  /** Runs one command to its end. */
  async cli(...args: string[]): Promise<CliResult> {
    const child = this.#spawn([...args, ...this.#places()]);
    child.stdin?.end();
    return resultOf(child);
  }

  /** The same without `--config` and `--catalog`. */
  async bareCli(...args: string[]): Promise<CliResult> {
    const child = this.#spawn(args);
    child.stdin?.end();
    return resultOf(child);
  }

  /** The parsed output of a command that succeeds. */
  async json<Value>(...args: string[]): Promise<Value> {
    const { code, stdout, stderr } = await this.cli(...args, '--json');
    if (code !== 0) throw new Error(`toolcrib ${args.join(' ')} ended with ${code}: ${stderr}${stdout}`);
    return JSON.parse(stdout) as Value;
  }

  /** Starts a command that is talked to while it runs. */
  start(...args: string[]): { child: ChildProcess; result: Promise<CliResult> } {
    const child = this.#spawn([...args, ...this.#places()]);
    return { child, result: resultOf(child) };
  }

  /** The same before a person: with a terminal of its own. */
  startInTerminal(...args: string[]): TerminalRun {
    const command = [process.execPath, programPath, ...args, ...this.#places()];
    const run = runInTerminal(command, { env: environment, cwd: this.folder });
    this.#endWith(run.child);
    return run;
  }

  /** `serve` on stdio with this test as its host, on the level of lines. */
  serveRaw(...args: string[]): ChildProcess {
    return this.#spawn(['serve', ...this.#places(), ...args]);
  }

  /** `serve`, and a host that is connected to it. */
  async serve(
    kind: 'stdio' | 'http',
    generation: Generation,
    options: HostOptions = {},
  ): Promise<{ host: Host; pid: number }> {
    if (kind === 'stdio') {
      const host = await this.connect(generation, this.stdioEndpoint(), options);
      return { host, pid: Number(host.pid) };
    }
    const { url, pid } = await this.serveHttp();
    return { host: await this.connect(generation, { kind: 'http', url }, options), pid };
  }

  async serveHttp(): Promise<{ url: string; pid: number; child: ChildProcess }> {
    const child = this.serveRaw('--http', '0');
    let stderr = '';
    const url = await new Promise<string>((resolve, reject) => {
      child.stderr?.on('data', (chunk) => {
        stderr += chunk;
        const found = /listening on (http:\S+)/i.exec(stderr)?.[1];
        if (found) resolve(found);
      });
      child.once('exit', (code) => reject(new Error(`serve --http ended with ${code}: ${stderr}`)));
    });
    return { url, pid: Number(child.pid), child };
  }

  stdioEndpoint(): Endpoint {
    const args = [programPath, 'serve', ...this.#places()];
    return { kind: 'stdio', command: process.execPath, args, env: environment };
  }

  /** Ends what runs, then removes the folder. */
  async remove(): Promise<void> {
    for (const end of this.#endings.reverse()) await end();
    await rm(this.folder, { recursive: true, force: true, maxRetries: 10 });
  }

  async connect(generation: Generation, endpoint: Endpoint, options: HostOptions = {}): Promise<Host> {
    const host = await connectHost(generation, endpoint, options);
    this.#endings.push(() => host.close().catch(() => undefined));
    return host;
  }

  #spawn(args: string[]): ChildProcess {
    const child = spawn(process.execPath, [programPath, ...args], { env: environment, cwd: this.folder });
    this.#endWith(child);
    return child;
  }

  #endWith(child: ChildProcess): void {
    const exited = new Promise((resolve) => child.once('exit', resolve));
    this.#endings.push(() => {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
      return exited;
    });
  }

  #places(): string[] {
    return ['--config', this.configPath, '--catalog', this.catalogPath];
  }
}

/** A server that can be told to misbehave; `record` names a file in which it notes its pids and messages. */
export function rawServer(settings: object = {}): { command: string; args: string[] } {
  return { command: process.execPath, args: [rawServerPath, JSON.stringify(settings)] };
}

/** What a raw server has noted so far. */
export async function readRecord(path: string): Promise<Record<string, unknown>[]> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function resultOf(child: ChildProcess): Promise<CliResult> {
  let [stdout, stderr] = ['', ''];
  child.stdout?.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })));
}
