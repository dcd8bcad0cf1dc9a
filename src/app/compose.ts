import { type Catalog, openCatalog } from '../catalog/index.ts';
import { baseEnvironment, type ResolvedConfig } from '../config/index.ts';
import {
  builtFile,
  type CallerCheck,
  type CallOptions,
  type CallPolicy,
  type Embedder,
  type Logger,
  type ModeChange,
  type Router,
  type Tool,
  type ToolSearcher,
  type Upstream,
} from '../model/index.ts';
import { createCallPolicy, createTokenCheck, definitionPolicy } from '../policy/index.ts';
import { firstSentence, signature } from '../render/index.ts';
import { createRouter } from '../router/index.ts';
import { createHostEmbedder } from '../search/embedders.ts';
import {
  createEmbeddingBackfill,
  createToolAnalyzer,
  createToolSearcher,
  type EmbeddingBackfill,
  TypeAhead,
} from '../search/index.ts';
import { createRedactor, type Instruments, type Redactor } from '../telemetry/index.ts';
import { CredentialFile, createUpstream } from '../upstream/index.ts';
import type { AuditTrail } from './audit-trail.ts';
import { callLimitsOf } from './call-limits.ts';
import type { HostHooks } from './host-hooks.ts';
import { measure, measuredSearcher, measuredSink } from './measure.ts';
import { notingMisses } from './missed-searches.ts';
import { openAudit } from './open-audit.ts';
import { openEmbedder } from './open-embedder.ts';
import { mayLive, processOwner } from './process-owner.ts';
import { RecentAnswers } from './recent-answers.ts';
import { rerankedSearcher } from './rerank.ts';
import { SlicedWork } from './sliced-work.ts';
import { stateSecret } from './state-secret.ts';
import { chooseTokenCounter, type TokenCounterChoice } from './token-counter.ts';
import { TokenCounting } from './token-counting.ts';
import { startTokenThread } from './token-thread.ts';
import { version } from './version.ts';
import { WarmTokenThread } from './warm-token-thread.ts';

/** Every collaborator of one toolcrib, put together. */
export interface Parts {
  catalog: Catalog;
  upstream: Upstream;
  searcher: ToolSearcher;
  typeAhead: TypeAhead;
  backfill: EmbeddingBackfill | undefined;
  embedder: Embedder | undefined;
  textIndexing: SlicedWork;
  scanning: SlicedWork;
  counter: TokenCounterChoice;
  /** What models read of their last searches. */
  answers: RecentAnswers;
  tokenCounting: TokenCounting;
  /** Undefined where the config wants none. */
  audit: AuditTrail | undefined;
  /** Undefined where no OpenTelemetry SDK is there. */
  instruments: Instruments | undefined;
  /** Counts what results take; ends by itself when unused. */
  resultTokens: WarmTokenThread;
  /** Connects, in the background, servers whose list is missing or old. Returns at once. */
  refresh(): void;
  /** Who may call what, for calls that come to this process, or as if they came over HTTP. */
  callPolicy(isOverHttp?: boolean): CallPolicy;
  /** True for servers whose annotations count. */
  isTrusted(serverId: string): boolean;
  /** Tells HTTP callers apart by their tokens. */
  callers(): CallerCheck;
  /** Made at first use, so that the mode is decided on a catalog that is filled by then. */
  router(): Router;
  /** Undefined before the first use. */
  routerInUse(): Router | undefined;
}

export interface ComposeOptions {
  /** True for a command that answers and ends: it starts no server behind its answer. */
  isOneShot?: boolean;
  /** True for callers over HTTP: a person is asked by default before anything changes. */
  isOverHttp?: boolean;
  /** The config's embedder, where it was started already. */
  embedder?: Embedder;
  /** At least 32 bytes from which states are sealed that pass through hosts. Default: kept beside the catalog. */
  stateSecret?: Uint8Array;
  /** For calls that bring none. */
  onElicitation?: CallOptions['onElicitation'];
  /** What the program around us does itself. */
  hooks?: HostHooks;
  onModeChanged?: (change: ModeChange) => void;
}

/** Opens the catalog and wires the folders together. Starts no server and loads no model. */
export function compose(config: ResolvedConfig, logger: Logger, options: ComposeOptions = {}): Parts {
  const catalog = openCatalog({
    path: config.catalogPath,
    analyzer: createToolAnalyzer(),
    policy: definitionPolicy,
    naming: config.naming,
  });
  catalog.configure(config.servers, config.naming);
  const isTrusted = trustIn(config);
  const callPolicy = (isOverHttp = options.isOverHttp ?? false) =>
    createCallPolicy({ rules: config.policy, isTrusted, unmatched: isOverHttp ? 'askUnlessRead' : 'allow' });
  const redactor = createRedactor(config.secrets);
  const audit = openAudit(config, { store: catalog.audit, redactor, logger });
  let router: Router | undefined;
  const upstream = createUpstream({
    servers: config.servers,
    disabled: config.disabled,
    catalog,
    logger,
    baseEnv: { ...baseEnvironment(), ...config.markEnv },
    limits: config.limits,
    secrets: config.secrets,
    onSpawn: (server, command) => audit?.record({ kind: 'spawn', time: Date.now(), server, command }),
    clientInfo: { name: 'toolcrib', version },
    needsNotices: () => router?.isFollowed ?? false,
    ...(config.credentialsPath === ':memory:' ? {} : { credentials: new CredentialFile(config.credentialsPath) }),
  });
  const { hooks = {}, embedder = chooseEmbedder(config, hooks) } = options;
  const counter = chooseTokenCounter(hooks.count);
  catalog.useTokenizer(counter.tokenizer);
  const textIndexing = new SlicedWork((limitMs) => catalog.indexPending(limitMs));
  const scanning = new SlicedWork((limitMs) => catalog.scanPending(limitMs));
  const instruments = measure({ catalog, upstream, router: () => router });
  const sink = measuredSink(audit, instruments);
  const ranked = openSearcher({ catalog, upstream, embedder, logger, textIndexing, hooks });
  const searcher = measuredSearcher(ranked, instruments);
  const answers = new RecentAnswers();
  const resultTokens = new WarmTokenThread(() => startTokenThread(builtFile('app/token-worker')));
  const refresh = options.isOneShot ? () => undefined : () => upstream.refreshInBackground();
  return {
    catalog,
    upstream,
    searcher,
    typeAhead: new TypeAhead(catalog),
    embedder,
    refresh,
    resultTokens,
    callPolicy,
    isTrusted,
    callers: () => createTokenCheck({ tokens: catalog.callerTokens, isTrusted, ...requirement(config) }),
    audit,
    instruments,
    backfill: embedder && createEmbeddingBackfill({ vectors: catalog, embedder, logger }),
    textIndexing,
    scanning,
    counter,
    answers,
    tokenCounting: new TokenCounting(catalog, () => counter.start()),
    routerInUse: () => router,
    router: (): Router => {
      router ??= createRouter({
        catalog,
        approvals: catalog.callApprovals,
        policy: callPolicy(),
        searcher: notingMisses(searcher, { misses: catalog.missedSearches, redactor, logger }),
        caller: upstream,
        resources: upstream,
        serverStates: () => upstream.states(),
        modeSettings: config,
        logger,
        isTrusted,
        strictOutput: config.outputSchema === 'strict',
        beforeRead: refresh,
        ...callBounds(config, catalog),
        ...resultOptions(config, options, { redactor, resultTokens }),
        ...(sink === undefined ? {} : { audit: sink }),
        ...hookOptions(options),
        onSearchAnswer: (text) => answers.add(text),
        stateSecret: () => options.stateSecret ?? stateSecret(config.catalogPath, logger),
      });
      return router;
    },
  };
}

/** Whose annotations count. */
function trustIn({ servers }: ResolvedConfig): (serverId: string) => boolean {
  const trusted = new Set(servers.filter(({ trust }) => trust === 'trusted').map(({ id }) => id));
  return (serverId) => trusted.has(serverId);
}

function requirement({ http: { requireToken } }: ResolvedConfig): { isRequired?: boolean } {
  return requireToken === undefined ? {} : { isRequired: requireToken };
}

interface SearcherParts {
  catalog: Catalog;
  upstream: Upstream;
  embedder: Embedder | undefined;
  logger: Logger;
  textIndexing: SlicedWork;
  hooks: HostHooks;
}

/** Ranked by us, then in the order of the host where it has one. */
function openSearcher({ catalog, upstream, embedder, logger, textIndexing, hooks }: SearcherParts): ToolSearcher {
  const ranked = createToolSearcher({
    catalog,
    keywords: catalog,
    vectors: catalog,
    ...(embedder === undefined ? {} : { embedder }),
    serverStates: () => upstream.states(),
    describeHit,
    logger,
  });
  const searcher = afterIndexing(ranked, textIndexing);
  const { rerank, rerankTimeoutMs: timeoutMs } = hooks;
  if (rerank === undefined) return searcher;
  return rerankedSearcher(searcher, { rerank, logger, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
}

function hookOptions({ hooks: { onApproval } = {}, onModeChanged }: ComposeOptions) {
  return {
    ...(onApproval === undefined ? {} : { onApproval }),
    ...(onModeChanged === undefined ? {} : { onModeChanged }),
  };
}

/** What holds a call back besides the policy, and what makes one of several. */
function callBounds(config: ResolvedConfig, catalog: Catalog) {
  return {
    limits: callLimitsOf(config),
    operations: { store: catalog.operations, owner: processOwner(), mayLive },
  };
}

function afterIndexing(ranked: ToolSearcher, textIndexing: SlicedWork): ToolSearcher {
  return {
    search: async (query, searchOptions, view) => {
      await textIndexing.wait(maxIndexingWaitMs);
      return ranked.search(query, searchOptions, view);
    },
  };
}

function chooseEmbedder(config: ResolvedConfig, { embed }: HostHooks): Embedder | undefined {
  return embed === undefined ? openEmbedder(config) : createHostEmbedder(embed);
}

function resultOptions(
  { limits, redactResults }: ResolvedConfig,
  { isOneShot }: ComposeOptions,
  { redactor, resultTokens }: { redactor: Redactor; resultTokens: WarmTokenThread },
) {
  return {
    resultLimits: limits,
    ...(redactResults ? { maskJson: redactor.maskJson } : {}),
    // A handle would end with the command, whose output people and programs read.
    ...(isOneShot ? {} : { countTokens: (texts: string[]) => resultTokens.count(texts).catch(estimates(texts)) }),
  };
}

/** A counter that broke must not cost a result; most text has more than three bytes a token. */
function estimates(texts: readonly string[]): () => number[] {
  return () => texts.map((text) => Math.ceil(Buffer.byteLength(text) / 3));
}

/** How long a search waits for tools that were just listed: time for some thousands. */
const maxIndexingWaitMs = 1_000;

const summaryMaxChars = 160;

export function describeHit(tool: Tool): { signature: string; summary: string } {
  return {
    signature: signature({ name: tool.exposedName, inputSchema: tool.inputSchema }),
    summary: firstSentence(tool.description ?? tool.title ?? '', summaryMaxChars),
  };
}
