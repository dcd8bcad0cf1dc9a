import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { builtExecutable, isolatedEnvironment } from './child-process.ts';

/**
 * Resident memory in MB of `toolcrib serve` with its embedding process, after it has answered these searches, so with the
 * catalog's indexes and the model loaded: what a user's machine gives for one running toolcrib. Pages that the two processes
 * share count twice.
 */
export async function residentMb(catalog: string, queries: readonly string[], home: string): Promise<number> {
  const config = join(home, 'serve.json');
  writeFileSync(config, JSON.stringify({ mcpServers: {}, mode: 'discovery', catalog }));
  const server = spawn(process.execPath, [builtExecutable(), 'serve', '--config', config], {
    cwd: home,
    env: isolatedEnvironment(home),
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  try {
    const session = new Session(server);
    await session.request('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'bench', version: '1' },
    });
    session.notify('notifications/initialized');
    for (const query of queries) {
      await session.request('tools/call', { name: 'search_tools', arguments: { query } });
    }
    const pid = server.pid as number;
    return [pid, ...childrenOf(pid)].reduce((sum, member) => sum + residentKb(member), 0) / 1024;
  } finally {
    const ended = once(server, 'exit');
    server.stdin?.end();
    await ended;
  }
}

/** JSON-RPC over the standard streams, a line a message: as much of MCP as this measurement needs. */
class Session {
  readonly #server: ChildProcess;
  readonly #pending = new Map<number, { resolve(): void; reject(error: Error): void }>();
  #lastId = 0;

  constructor(server: ChildProcess) {
    this.#server = server;
    createInterface({ input: server.stdout as NodeJS.ReadableStream }).on('line', (line) => this.#receive(line));
    server.on('exit', (code) => this.#fail(new Error(`toolcrib serve ended with ${code}`)));
  }

  request(method: string, params: object): Promise<void> {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#send({ jsonrpc: '2.0', id, method, params });
    });
  }

  notify(method: string): void {
    this.#send({ jsonrpc: '2.0', method });
  }

  #send(message: object): void {
    this.#server.stdin?.write(`${JSON.stringify(message)}\n`);
  }

  #receive(line: string): void {
    const { id, error, result } = JSON.parse(line);
    const waiting = this.#pending.get(id);
    this.#pending.delete(id);
    if (error !== undefined || result?.isError) waiting?.reject(new Error(`toolcrib serve answered ${line}`));
    else waiting?.resolve();
  }

  #fail(error: Error): void {
    for (const { reject } of this.#pending.values()) reject(error);
  }
}

function childrenOf(pid: number): number[] {
  const file = `/proc/${pid}/task/${pid}/children`;
  const text = existsSync(file) ? readFileSync(file, 'utf8') : childrenByPs(pid);
  return text.split(/\s+/u).filter(Boolean).map(Number);
}

/** Where there is no /proc: macOS, BSD. */
function childrenByPs(pid: number): string {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).split('\n');
  const pairs = rows.map((row) => row.trim().split(/\s+/u));
  return pairs
    .filter(([, parent]) => parent === String(pid))
    .map(([child]) => child)
    .join(' ');
}

function residentKb(pid: number): number {
  const file = `/proc/${pid}/status`;
  if (existsSync(file)) return Number(/^VmRSS:\s+(\d+) kB/mu.exec(readFileSync(file, 'utf8'))?.[1] ?? 0);
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }).trim());
}
