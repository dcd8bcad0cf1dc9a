import type { ServerResponse } from 'node:http';
import { beginEvents } from './reply.ts';
import type { Topic } from './shapes.ts';
import type { ConsoleSource } from './source.ts';

/** How soon what another process has written is seen. */
const pollMs = 1_000;
/** Keeps the connection from looking dead. */
const heartbeatMs = 25_000;
/** Pages that are open at once; browsers open no more than six connections to one address. */
const streamsMax = 16;

/** Tells open pages what has changed, by this process or another one of the same catalog. Idle while nobody listens. */
export class LiveFeed {
  readonly #source: ConsoleSource;
  readonly #streams = new Set<ServerResponse>();
  #timers: NodeJS.Timeout[] = [];
  #stopListening: (() => void)[] = [];
  #seen = new Map<Topic, string>();

  constructor(source: ConsoleSource) {
    this.#source = source;
  }

  /** False where there are too many listeners already. */
  add(response: ServerResponse): boolean {
    if (this.#streams.size >= streamsMax) return false;
    beginEvents(response);
    response.write(': open\n\n');
    this.#streams.add(response);
    response.once('close', () => this.#remove(response));
    if (this.#streams.size === 1) this.#start();
    return true;
  }

  close(): void {
    for (const stream of [...this.#streams]) stream.end();
    this.#stop();
  }

  #remove(response: ServerResponse): void {
    this.#streams.delete(response);
    if (this.#streams.size === 0) this.#stop();
  }

  #start(): void {
    this.#seen = this.#look();
    this.#timers = [setInterval(() => this.#tell(), pollMs), setInterval(() => this.#send(': \n\n'), heartbeatMs)];
    const { crib } = this.#source;
    this.#stopListening = [crib.on('serverState', () => this.#tell()), crib.on('toolsChanged', () => this.#tell())];
  }

  #stop(): void {
    for (const timer of this.#timers) clearInterval(timer);
    for (const stop of this.#stopListening) stop();
    this.#timers = [];
    this.#stopListening = [];
  }

  #tell(): void {
    const now = this.#look();
    const topics = [...now].filter(([topic, state]) => this.#seen.get(topic) !== state).map(([topic]) => topic);
    this.#seen = now;
    if (topics.length > 0) this.#send(`data: ${JSON.stringify(topics)}\n\n`);
  }

  /** Each state as a text that differs from another one; a catalog that cannot be read for now has not changed. */
  #look(): Map<Topic, string> {
    const { crib, catalog } = this.#source;
    try {
      return new Map<Topic, string>([
        ['servers', JSON.stringify(crib.listServers())],
        ['tools', String(catalog.generation())],
        ['approvals', JSON.stringify(crib.callsToApprove().map(({ id }) => id))],
        ['log', String(crib.auditLog({ limit: 1 })[0]?.id)],
      ]);
    } catch {
      return this.#seen;
    }
  }

  #send(text: string): void {
    for (const stream of this.#streams) stream.write(text);
  }
}
