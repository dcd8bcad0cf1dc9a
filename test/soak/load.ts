import { PassThrough } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { ToolcribInstance } from '../../src/app/toolcrib-instance.ts';
import { createToolcrib } from '../../src/index.ts';
import { type HttpServing, serveHttp, serveStdio } from '../../src/server/index.ts';
import { connectHost, generations } from '../fixtures/hosts/index.ts';
import { fixtureServer, type StartedServer, startFixture } from '../fixtures/servers/start.ts';
import { keepingLogger } from '../server/keeping-logger.ts';

const pipes = ['a', 'b', 'c'];
const serverInfo = { name: 'toolcrib', version: '0' };
/** Hosts that left without a word are forgotten soon, so that what is kept of them shows as growth early. */
const sessionIdleMs = 2_000;
/** A result that is cut, and kept for reading on. */
const bigBytes = 150_000;

/** Something that a host or a server does, and how often beside the others. */
interface Act {
  name: string;
  weight: number;
  run(): Promise<unknown>;
}

/** A toolcrib over servers on pipes and over HTTP, served on both faces in this process, and what hosts do with it. */
export class Load {
  readonly counts: Record<string, number> = {};
  readonly #crib: ToolcribInstance;
  readonly #serving: HttpServing;
  readonly #random: () => number;
  #http: StartedServer;
  readonly #acts: readonly Act[] = [
    { name: 'call', weight: 30, run: () => this.#crib.call(`${this.#pipe()}__echo`, { text: 'hello' }) },
    { name: 'search', weight: 15, run: () => this.#crib.call('search_tools', { query: 'does echo for long runs' }) },
    { name: 'describe', weight: 10, run: () => this.#crib.call('describe_tool', { name: `${this.#pipe()}__echo` }) },
    { name: 'http call', weight: 10, run: () => this.#crib.call('http__array') },
    { name: 'progress', weight: 10, run: () => this.#crib.call(`${this.#pipe()}__slow`, {}, { onProgress: () => {} }) },
    { name: 'cancel', weight: 10, run: () => this.#cancelled() },
    { name: 'list changed', weight: 5, run: () => this.#crib.call(`${this.#pipe()}__change`) },
    { name: 'host', weight: 5, run: () => this.#host() },
    { name: 'pipe host', weight: 3, run: () => this.#pipeHost() },
    { name: 'big result', weight: 2, run: () => this.#crib.call(`${this.#pipe()}__big`, { bytes: bigBytes }) },
    { name: 'crash', weight: 1, run: () => this.#crib.call(`${this.#pipe()}__crash`) },
    { name: 'http restart', weight: 0.3, run: () => this.#restartHttp() },
  ];

  static async start(catalog: string, random: () => number): Promise<Load> {
    const http = await startFixture('modern-http.mjs', 'any', '0');
    const onPipe = { command: process.execPath, args: [fixtureServer('soak-server.mjs')] };
    const crib = createToolcrib({
      catalog,
      embedding: 'none',
      mode: 'discovery',
      policy: [{ action: 'allow' }],
      mcpServers: { ...Object.fromEntries(pipes.map((id) => [id, onPipe])), http: { url: http.url } },
    }) as ToolcribInstance;
    await crib.sync();
    const face = { serverInfo, logger: keepingLogger(), port: 0, limits: { sessionIdleMs } };
    return new Load(crib, await serveHttp(crib.router(), face), http, random);
  }

  private constructor(crib: ToolcribInstance, serving: HttpServing, http: StartedServer, random: () => number) {
    this.#crib = crib;
    this.#serving = serving;
    this.#http = http;
    this.#random = random;
  }

  /** One thing that hosts do, chosen at random; settles when it is over, whatever came of it. */
  async step(): Promise<void> {
    await this.#do(this.#choose());
  }

  /** Each of these things once. */
  async everything(): Promise<void> {
    for (const act of this.#acts) await this.#do(act);
  }

  async close(): Promise<void> {
    await this.#serving.close();
    await this.#crib.close();
    await this.#http.stop();
  }

  #choose(): Act {
    let left = this.#random() * this.#acts.reduce((sum, { weight }) => sum + weight, 0);
    const chosen = this.#acts.find(({ weight }) => {
      left -= weight;
      return left <= 0;
    });
    return chosen ?? (this.#acts[0] as Act);
  }

  async #do({ name, run }: Act): Promise<void> {
    try {
      await run();
      this.counts[name] = (this.counts[name] ?? 0) + 1;
    } catch {
      // Servers crash and restart all the time here; what matters is what stays behind.
      this.counts.failed = (this.counts.failed ?? 0) + 1;
    }
  }

  async #cancelled(): Promise<void> {
    const gone = new AbortController();
    const tool = this.#random() < 0.5 ? 'hang' : 'slow';
    const call = this.#crib.call(`${this.#pipe()}__${tool}`, {}, { signal: gone.signal });
    await delay(this.#random() * 30);
    gone.abort();
    await call;
  }

  /** Comes over HTTP, looks around, calls, and leaves in order or without a word. */
  async #host(): Promise<void> {
    const generation = generations[Math.floor(this.#random() * generations.length)] ?? 'v1';
    const host = await connectHost(generation, { kind: 'http', url: this.#serving.url });
    try {
      await host.listTools();
      await host.call('call_tool', { name: `${this.#pipe()}__echo`, arguments: { text: 'over HTTP' } });
    } finally {
      await host.close();
    }
  }

  async #pipeHost(): Promise<void> {
    const [input, output] = [new PassThrough(), new PassThrough()];
    output.resume();
    const serving = serveStdio(this.#crib.router(), { serverInfo, logger: keepingLogger(), input, output });
    const say = (message: object) => input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'pipe', version: '1' } };
    say({ id: 1, method: 'initialize', params });
    say({ method: 'notifications/initialized' });
    say({ id: 2, method: 'tools/call', params: { name: 'call_tool', arguments: { name: 'a__hang', arguments: {} } } });
    await delay(20);
    input.end();
    await serving.closed;
  }

  async #restartHttp(): Promise<void> {
    const { port } = new URL(this.#http.url);
    await this.#http.stop();
    this.#http = await startFixture('modern-http.mjs', 'any', port);
  }

  #pipe(): string {
    return pipes[Math.floor(this.#random() * pipes.length)] ?? 'a';
  }
}
