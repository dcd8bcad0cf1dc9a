import { ToolcribError } from '../../src/errors/index.ts';
import type {
  CallOptions,
  CallToolResult,
  JsonObject,
  ModeDecision,
  ReadResourceResult,
  Router,
} from '../../src/model/index.ts';

/** Content that the SDK knows, each with a key that it does not know. */
export const knownBlocks: JsonObject[] = [
  { type: 'text', text: 'plain', 'x-extra': { kept: true } },
  { type: 'image', data: 'aGk=', mimeType: 'image/png', 'x-extra': 1 },
  { type: 'audio', data: 'aGk=', mimeType: 'audio/wav', annotations: { audience: ['user'], priority: 0.5 } },
  { type: 'resource_link', uri: 'file:///a.txt', name: 'a.txt', 'x-extra': [1] },
  { type: 'resource', resource: { uri: 'file:///b.txt', text: 'b', mimeType: 'text/plain' } },
];

const schema = { type: 'object', properties: {} };

/** A router of the real shape whose tools do one thing each; what it was asked is kept for the test. */
export class FakeRouter implements Router {
  readonly instructions = 'Search first, then call.';
  readonly calls: { name: string; args: unknown; meta: JsonObject | undefined }[] = [];
  readonly #listeners = new Set<() => void>();
  readonly #mode: ModeDecision['mode'];
  readonly #extra: string[] = [];
  /** Resolves when a `hang` call has been cancelled. */
  readonly cancelled: Promise<void>;
  #markCancelled: () => void = () => {};
  /** Ends the `slow` call that is running. */
  #release: () => void = () => {};

  constructor(mode: ModeDecision['mode'] = 'discovery') {
    this.#mode = mode;
    this.cancelled = new Promise((resolve) => {
      this.#markCancelled = resolve;
    });
  }

  get isFollowed(): boolean {
    return this.#mode === 'direct' && this.#listeners.size > 0;
  }

  get listenerCount(): number {
    return this.#listeners.size;
  }

  listTools() {
    const names = ['echo', 'blocks', 'odd', 'array', 'slow', 'release', 'hang', 'fault', 'crash', ...this.#extra];
    const plain = names.map((name) => ({ name, description: `Does ${name}.`, inputSchema: schema, 'x-own': name }));
    const outputSchema = { type: 'array', items: { type: 'number' } };
    return [...plain, { name: 'numbers', description: 'Does numbers.', inputSchema: schema, outputSchema }];
  }

  toolsNamed(names: readonly string[]) {
    return this.listTools().filter(({ name }) => names.includes(name));
  }

  missingScope(): string | undefined {
    return undefined;
  }

  addTool(name: string): void {
    this.#extra.push(name);
    for (const listener of this.#listeners) listener();
  }

  async readResource(uri: string): Promise<ReadResourceResult> {
    switch (uri) {
      case 'file:///known.txt':
        return { contents: [{ uri, text: 'known' }], _meta: { 'example.org/age': 1, 'io.modelcontextprotocol/x': 1 } };
      case 'file:///away.txt':
        throw new ToolcribError('upstream_unavailable', 'Server "a" could not be reached.');
      case 'file:///crash.txt':
        throw new Error('secret inner details');
      default:
        throw new ToolcribError('unknown_resource', `No tool result has named "${uri}" so far.`);
    }
  }

  async callTool(name: string, args: unknown, options: CallOptions = {}): Promise<CallToolResult> {
    this.calls.push({ name, args, meta: options.meta });
    switch (name) {
      case 'echo':
        return { ...text(JSON.stringify(args)), _meta: { 'example.org/cost': 3, 'io.modelcontextprotocol/x': 1 } };
      case 'blocks':
        return { content: knownBlocks };
      case 'odd':
        return { content: [{ type: 'hologram', size: 2 }, { type: 'text' }, { type: 'text', text: 'after' }] };
      case 'array':
      case 'numbers':
        return { content: [], structuredContent: [1, 2] };
      case 'slow':
        for (const progress of [1, 2, 2, 3]) options.onProgress?.({ progress, total: 3, message: `step ${progress}` });
        await new Promise<void>((resolve) => {
          this.#release = resolve;
        });
        return text('done');
      case 'release':
        this.#release();
        return text('released');
      case 'hang':
        options.onProgress?.({ progress: 1 });
        return new Promise((resolve) => {
          const end = () => {
            this.#markCancelled();
            resolve(text('cancelled'));
          };
          options.signal?.addEventListener('abort', end, { once: true });
        });
      case 'fault':
        throw new ToolcribError('upstream_unavailable', 'Server "github" cannot be reached.');
      case 'crash':
        throw new TypeError('secret-token is undefined');
      default:
        throw new ToolcribError('unknown_tool', `No tool "${name}".`);
    }
  }

  describe(): never {
    throw new Error('not served');
  }

  async dispatch(): Promise<CallToolResult> {
    throw new Error('not served');
  }

  nextMode(): ModeDecision {
    return this.mode();
  }

  mode(): ModeDecision {
    return { mode: this.#mode, reason: 'as the test asks', definitionTokens: 0, thresholdTokens: 0 };
  }

  onListChanged(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

function text(value: string): CallToolResult {
  return { content: [{ type: 'text', text: value }] };
}
