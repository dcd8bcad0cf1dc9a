import { type Catalog, ingestFingerprint, openCatalog } from '../../src/catalog/index.ts';
import type {
  CallOptions,
  CallOutcome,
  CallPolicy,
  CallToolResult,
  JsonObject,
  Logger,
  ReadResourceResult,
  ResourceReader,
  ResumePoint,
  Router,
  SearchHit,
  SearchOptions,
  SearchResult,
  ServerState,
  Tool,
  ToolCaller,
  ToolSearcher,
  UpstreamCallOptions,
} from '../../src/model/index.ts';
import { firstSentence, signature } from '../../src/render/index.ts';
import { createRouter } from '../../src/router/index.ts';
import type { ModeSettings } from '../../src/router/mode.ts';
import type { ResultLimits } from '../../src/router/result-limiter.ts';
import { createToolAnalyzer } from '../../src/search/index.ts';

export const auto: ModeSettings = {
  mode: 'auto',
  contextWindow: 200_000,
  thresholdPercent: 5,
  liveModeSwitch: false,
  pinned: [],
};
export const discovery: ModeSettings = { ...auto, mode: 'discovery' };
export const direct: ModeSettings = { ...auto, mode: 'direct' };

/** Whoever takes no `InputRequired` gets results alone. */
export type PlainRouter = {
  callTool(name: string, args: unknown, options?: CallOptions): Promise<CallToolResult>;
} & Router;

/** A server that notes what it was asked and answers with it. */
export class EchoCaller implements ToolCaller, ResourceReader {
  readonly reads: { serverId: string; uri: string }[] = [];
  readonly calls: { tool: string; args: JsonObject; options: UpstreamCallOptions | undefined }[] = [];
  readonly abandoned: ResumePoint[] = [];
  answer: (tool: Tool, args: JsonObject, options?: UpstreamCallOptions) => CallOutcome = (tool, args) => ({
    content: [{ type: 'text', text: `${tool.toolName} ${JSON.stringify(args)}` }],
  });

  async readResource(serverId: string, uri: string): Promise<ReadResourceResult> {
    this.reads.push({ serverId, uri });
    return { contents: [{ uri, text: `\u001b[31mfrom ${serverId}` }], _meta: { 'dev.toolcrib/x': 1 } };
  }

  async call(tool: Tool, args: JsonObject, options?: UpstreamCallOptions): Promise<CallOutcome> {
    this.calls.push({ tool: tool.toolName, args, options });
    return this.answer(tool, args, options);
  }

  abandon(resume: ResumePoint): void {
    this.abandoned.push(resume);
  }
}

/** Every tool whose name holds a word of the query, in catalog order. */
class WordSearcher implements ToolSearcher {
  readonly #catalog: Catalog;
  readonly asked: (SearchOptions & { query: string })[] = [];
  notes: SearchResult['notes'] = [];

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
  }

  async search(query: string, options: SearchOptions = {}): Promise<SearchResult> {
    this.asked.push({ query, ...options });
    const words = query.toLowerCase().split(/\s+/);
    const found = this.#catalog.tools().filter(({ toolName }) => words.some((word) => toolName.includes(word)));
    const hits = found.slice(0, options.limit ?? 5).map((tool) => toHit(tool, options));
    const more = found.length > hits.length ? { nextCursor: 'next-page' } : {};
    return { query, confidence: 'strong', hits, notes: this.notes, ...more };
  }
}

function toHit(tool: Tool, { detail }: SearchOptions): SearchHit {
  const isBare = detail === 'name';
  return {
    name: tool.exposedName,
    server: tool.serverId,
    tool: tool.toolName,
    score: 1,
    signature: isBare ? '' : signature({ name: tool.exposedName, inputSchema: tool.inputSchema }),
    summary: isBare ? '' : firstSentence(tool.description ?? '', 160),
    ...(detail === 'schema' ? { inputSchema: tool.inputSchema } : {}),
  };
}

export class KeepingLogger implements Logger {
  readonly lines: string[] = [];
  debug(): void {}
  info(message: string): void {
    this.lines.push(message);
  }
  warn(message: string): void {
    this.lines.push(message);
  }
  error(message: string): void {
    this.lines.push(message);
  }
}

export const text = { type: 'string' };

export function rawTool(name: string, properties: JsonObject = {}, required: string[] = [], more: JsonObject = {}) {
  const inputSchema = { type: 'object', properties, required, additionalProperties: false };
  return { name, description: `Does ${name}. And more.`, inputSchema, ...more };
}

/** Two servers that share a name, a tool with awkward parameters, one without any, one that cannot be called. */
export const servers: Record<string, unknown[]> = {
  github: [
    rawTool('create_issue', { owner: text, repo: text, title: text, labels: { type: 'array', items: text } }, [
      'owner',
      'repo',
      'title',
    ]),
    rawTool('run_workflow', { name: text, arguments: { type: 'object' } }, ['name']),
  ],
  linear: [
    rawTool('create_issue', { title: text }, ['title']),
    rawTool('listTeams'),
    { name: 'free_form', description: 'Takes anything.', inputSchema: { type: 'object' } },
    { name: 'needs_tasks', inputSchema: { type: 'object' }, execution: { taskSupport: 'required' } },
  ],
};

export interface Setup {
  catalog: Catalog;
  caller: EchoCaller;
  searcher: WordSearcher;
  logger: KeepingLogger;
  router: PlainRouter;
  /** Another router over the same catalog, as the next start makes one. */
  restart(): PlainRouter;
  ingest(serverId: string, tools: readonly unknown[]): void;
  /** The text of what a tool of the list answers. */
  ask(name: string, args: unknown): Promise<{ text: string; isError: boolean; meta: JsonObject | undefined }>;
}

/** Four characters are a token, as in usual text. */
export async function countWords(texts: string[]): Promise<number[]> {
  return texts.map((one) => Math.ceil(one.length / 4));
}

/** A router over a real catalog in memory. */
export function setUp(
  options: {
    settings?: ModeSettings;
    tools?: Record<string, unknown[]>;
    states?: ServerState[];
    strictOutput?: boolean;
    policy?: CallPolicy;
    beforeRead?: () => void;
    resultLimits?: Partial<ResultLimits>;
  } = {},
): Setup {
  const logger = new KeepingLogger();
  const catalog = openCatalog({ path: ':memory:', analyzer: createToolAnalyzer() });
  const ingest = (serverId: string, tools: readonly unknown[]) => {
    catalog.ingest(serverId, tools, { fingerprint: ingestFingerprint, listedAt: Date.now(), trigger: 'list_changed' });
  };
  for (const [serverId, tools] of Object.entries(options.tools ?? servers)) ingest(serverId, tools);
  const caller = new EchoCaller();
  const searcher = new WordSearcher(catalog);
  const start = (): PlainRouter =>
    createRouter({
      catalog,
      approvals: catalog.callApprovals,
      searcher,
      caller,
      resources: caller,
      serverStates: () => options.states ?? [],
      modeSettings: options.settings ?? discovery,
      logger,
      ...(options.strictOutput === undefined ? {} : { strictOutput: options.strictOutput }),
      countTokens: countWords,
      ...(options.resultLimits === undefined ? {} : { resultLimits: options.resultLimits }),
      ...(options.policy === undefined ? {} : { policy: options.policy }),
      ...(options.beforeRead === undefined ? {} : { beforeRead: options.beforeRead }),
    }) as PlainRouter;
  const router = start();
  return {
    catalog,
    caller,
    searcher,
    logger,
    router,
    restart: start,
    ingest,
    ask: async (name, args) => {
      const { content, isError = false, _meta } = await router.callTool(name, args);
      return { text: content.map((block) => String(block.text)).join('\n'), isError, meta: _meta };
    },
  };
}
