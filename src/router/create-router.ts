import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { messageOf, ToolcribError } from '../errors/index.ts';
import type {
  AuditSink,
  CallApprovals,
  CallerScope,
  CallLimits,
  CallOptions,
  CallPolicy,
  CallToolResult,
  CatalogReader,
  CatalogView,
  DescribeOptions,
  DispatchOptions,
  HostCallOptions,
  JsonObject,
  JsonValue,
  Logger,
  ModeChange,
  ModeDecision,
  PolicyDecision,
  ReadResourceResult,
  ResourceReader,
  Router,
  SearchOptions,
  ServerState,
  Tool,
  ToolCaller,
  ToolDefinition,
  ToolDescription,
  ToolSearcher,
} from '../model/index.ts';
import { asOf, capText, cleanText, describeTool, outageText, parameterNames, toolListing } from '../render/index.ts';
import { type ArgumentValidator, createArgumentValidator } from '../validation/index.ts';
import { ApprovalGate } from './approval-gate.ts';
import { argumentProblems } from './argument-problems.ts';
import { callerOf } from './call-binding.ts';
import { type CallAnswer, CallPipeline, isInputRequired } from './call-pipeline.ts';
import { recordOutOfScope } from './call-trace.ts';
import { InputRounds } from './input-rounds.ts';
import { KeyedCalls, type KeyedCallsDeps } from './keyed-calls.ts';
import {
  instructions,
  isReservedName,
  metaInputSchema,
  metaTools,
  readResultName,
  readResultTool,
} from './meta-tools.ts';
import type { ModeFacts, ModeSettings } from './mode.ts';
import { isCallable } from './name-index.ts';
import { passResource } from './pass-through.ts';
import { type CallTarget, readCall } from './read-call.ts';
import { type ReadResultInput, readResult } from './read-result.ts';
import { defaultResultLimits, ResultLimiter, type ResultLimits } from './result-limiter.ts';
import { ResultStore } from './result-store.ts';
import { errorResult, faultResult, hitsMetaKey, isForModels, textResult } from './results.ts';
import { ReturnedLinks } from './returned-links.ts';
import { ScopedCatalog } from './scoped-catalog.ts';
import { searchText } from './search-answer.ts';
import { StateSeal } from './state-seal.ts';
import type { CountTokens } from './token-budget.ts';
import { ToolList } from './tool-list.ts';
import { ToolLookup } from './tool-lookup.ts';

export interface RouterDeps {
  catalog: CatalogReader & ModeFacts['catalog'];
  approvals: CallApprovals;
  /** Default: everything may be called. */
  policy?: CallPolicy;
  searcher: ToolSearcher;
  caller: ToolCaller;
  resources: ResourceReader;
  serverStates: () => ServerState[];
  modeSettings: ModeSettings;
  logger: Logger;
  /** True for servers whose annotations count. Default: none. */
  isTrusted?: (serverId: string) => boolean;
  /** True when a result that breaks its tool's output schema is an error in every mode. Default false: a warning. */
  strictOutput?: boolean;
  /** Decides about calls that need a person's yes, where a call brings nobody who does. */
  onApproval?: CallOptions['onApproval'];
  /** Told when the list was switched, before anyone gets the other one. */
  onModeChanged?: (change: ModeChange) => void;
  /** Given each answer to a search of a model. */
  onSearchAnswer?: (text: string) => void;
  /** Called before the catalog is read for a model, to start a refresh in the background. Returns at once. */
  beforeRead?: () => void;
  /** Bounds how many calls are made and run. Default: nothing does. */
  limits?: CallLimits;
  /** Keeps what came of calls with an idempotency key. Absent: keys are only recorded. */
  operations?: Pick<KeyedCallsDeps, 'store' | 'owner' | 'mayLive'>;
  /** Takes the record of each call. */
  audit?: AuditSink;
  /** Takes secrets out of results. Absent: they pass as they are. */
  maskJson?: (value: JsonValue) => JsonValue;
  /** Counts the tokens of results that may be too large. Absent: results pass whole, whatever their size. */
  countTokens?: CountTokens;
  /** What of results passes. A limit of 0 tokens leaves all results whole. */
  resultLimits?: Partial<ResultLimits>;
  /** At least 32 bytes from which states are sealed, asked for at first use. Default: random, good for this process. */
  stateSecret?: () => Uint8Array;
}

/** Decides the mode on the catalog as it is, and answers a model's side from then on. */
export function createRouter(deps: RouterDeps): Router {
  return new CatalogRouter(deps);
}

type ModelCallOptions = HostCallOptions & DispatchOptions;

function randomSecret(): Uint8Array {
  return randomBytes(32);
}

const inWords = {
  ok: 'usable',
  repaired: 'usable',
  set_aside: 'set aside',
  changed: 'waiting for a person to look at its new definition',
  quarantined: 'waiting for a person to look at its definition',
} as const satisfies Record<Tool['status'], string>;

/** Without a policy, nothing is held back by toolcrib itself. */
const freePolicy: CallPolicy = {
  decide: () => ({ action: 'allow', reason: 'there is no policy', effect: 'destructive', isEffectKnown: false }),
};

function approvalText({ action, rule, reason }: PolicyDecision): string {
  if (action === 'deny') return `refused: ${reason}`;
  if (action === 'ask') return `a person is asked before each call: ${reason}`;
  return `runs at once${rule === undefined ? '' : ` (${reason})`}; the host may ask its user first`;
}

/** Callers of the same scope share one. */
const scopesMax = 100;

/** The catalog, or the part of it that a caller may know of. */
interface Sight {
  catalog: CatalogReader;
  view?: CatalogView;
  lookup: ToolLookup;
}

class CatalogRouter implements Router {
  readonly #deps: RouterDeps;
  readonly #validator: ArgumentValidator = createArgumentValidator();
  readonly #whole: Sight;
  /** By the key of a scope. */
  readonly #scoped = new LRUCache<string, Sight>({ max: scopesMax });
  readonly #list: ToolList;
  readonly #links = new ReturnedLinks();
  readonly #policy: CallPolicy;
  readonly #pipeline: CallPipeline;
  readonly #limits: ResultLimits;
  readonly #results: ResultStore;

  constructor(deps: RouterDeps) {
    this.#deps = deps;
    this.#whole = { catalog: deps.catalog, lookup: new ToolLookup(deps.catalog) };
    this.#list = new ToolList(deps);
    this.#limits = { ...defaultResultLimits, ...deps.resultLimits };
    this.#results = new ResultStore({ ttlMs: this.#limits.handleTtlMs });
    const limiter = this.#limiter();
    this.#policy = deps.policy ?? freePolicy;
    const seal = new StateSeal(deps.stateSecret ?? randomSecret);
    this.#pipeline = new CallPipeline({
      ...(limiter === undefined ? {} : { limiter }),
      ...(deps.audit === undefined ? {} : { audit: deps.audit }),
      ...(deps.maskJson === undefined ? {} : { maskJson: deps.maskJson }),
      readResult: (args, options) => this.#readResult(args, options),
      readResultTarget: this.#metaTarget(readResultName),
      ...(deps.limits === undefined ? {} : { limits: deps.limits }),
      ...(deps.operations === undefined ? {} : { keyed: new KeyedCalls({ ...deps.operations, logger: deps.logger }) }),
      lookup: ({ scope }) => this.#sightOf(scope).lookup,
      rounds: new InputRounds({ caller: deps.caller, seal }),
      policy: this.#policy,
      gate: new ApprovalGate({
        approvals: deps.approvals,
        seal,
        ...(deps.onApproval === undefined ? {} : { onApproval: deps.onApproval }),
      }),
      links: this.#links,
      validator: this.#validator,
      logger: deps.logger,
      strictOutput: deps.strictOutput ?? false,
    });
  }

  get instructions(): string {
    return instructions[this.#list.mode().mode];
  }

  get isFollowed(): boolean {
    return this.#list.isFollowed;
  }

  listTools(scope?: CallerScope): ToolDefinition[] {
    // In discovery the list is fixed; reading it needs no server.
    if (this.#list.mode().mode === 'direct') this.#deps.beforeRead?.();
    return this.#list.definitions(this.#sightOf(scope).view);
  }

  toolsNamed(names: readonly string[]): ToolDefinition[] {
    return names.flatMap((name) => {
      const meta = [...metaTools, readResultTool].find((tool) => tool.name === name);
      if (meta !== undefined) return meta;
      const tool = this.#whole.lookup.find(name);
      return tool !== undefined && isCallable(tool) ? toolListing(tool) : [];
    });
  }

  async callTool(name: string, args: unknown, options: HostCallOptions = {}): Promise<CallAnswer> {
    const tool = this.#list.listedTool(name, this.#sightOf(options.scope).view);
    if (tool !== undefined) return this.#pipeline.runTool(tool, args, options);
    if (isReservedName(name)) return this.#run(name, args, options);
    if (this.#list.isMetaTool(name)) return this.#runMetaTool(name, args, options);
    throw new ToolcribError('unknown_tool', `No tool ${JSON.stringify(name)} is listed.`);
  }

  async dispatch(name: string, args: unknown, options: DispatchOptions = {}): Promise<CallToolResult> {
    const answer = await this.#run(name, args, { ...options, takesInputRequired: false });
    if (isInputRequired(answer)) throw new Error('Questions were given to a caller who does not take them.');
    return answer;
  }

  async readResource(uri: string, options: HostCallOptions = {}): Promise<ReadResourceResult> {
    const { scope } = options;
    const named = this.#links.serversOf(options.principal, uri);
    const [serverId, ...others] = named.filter((id) => scope?.knowsServer(id) ?? true);
    if (serverId === undefined || others.length > 0) throw unreadable(uri, serverId, others);
    return passResource(await this.#deps.resources.readResource(serverId, uri, options));
  }

  describe(name: string, options: DescribeOptions = {}): ToolDescription {
    return this.#describe(name, options, {});
  }

  missingScope(name: string, args: unknown, options: HostCallOptions): string | undefined {
    if (options.scope === undefined) return undefined;
    const tool = this.#hiddenTool(name, args, options);
    if (tool === undefined) return undefined;
    const { audit } = this.#deps;
    if (audit !== undefined) recordOutOfScope(tool, options, audit);
    return `${tool.serverId}:${tool.toolName}`;
  }

  #hiddenTool(name: string, args: unknown, options: HostCallOptions): Tool | undefined {
    const listed = this.#list.listedTool(name);
    if (listed !== undefined)
      return this.#list.listedTool(name, this.#sightOf(options.scope).view) ? undefined : listed;
    const isNaming = this.#list.isMetaTool(name) && (name === 'call_tool' || name === 'describe_tool');
    return isNaming ? this.#pipeline.hiddenTool(args, options) : undefined;
  }

  #describe(name: string, options: DescribeOptions, { scope, ...call }: HostCallOptions): ToolDescription {
    const tool = this.#sightOf(scope).lookup.get(name);
    return describeTool(tool, {
      ...options,
      ...this.#serverContext(tool),
      annotationsTrusted: this.#deps.isTrusted?.(tool.serverId) ?? false,
      approval: isCallable(tool)
        ? approvalText(this.#policy.decide({ tool, caller: callerOf(call) }))
        : `refused: the tool is ${inWords[tool.status]}`,
    });
  }

  mode(): ModeDecision {
    return this.#list.mode();
  }

  nextMode(): ModeDecision {
    return this.#list.nextMode();
  }

  onListChanged(listener: () => void): () => void {
    return this.#list.onChanged(listener);
  }

  async #run(name: string, args: unknown, options: ModelCallOptions): Promise<CallAnswer> {
    if (metaTools.some((tool) => tool.name === name)) return this.#runMetaTool(name, args, options);
    return this.#pipeline.run({ name, arguments: args ?? {} }, options);
  }

  async #runMetaTool(name: string, args: unknown, options: ModelCallOptions): Promise<CallAnswer> {
    if (name === 'call_tool') return this.#pipeline.run(args, options);
    const isSearch = name === 'search_tools';
    return this.#answer(name, args, async (input) => {
      await this.#deps.limits?.countRequest(callerOf(options));
      return isSearch ? this.#search(input, options) : this.#show(input, options);
    });
  }

  /** What a caller may know of: worked out once for all of the same scope. */
  #sightOf(scope: CallerScope | undefined): Sight {
    if (scope === undefined) return this.#whole;
    const known = this.#scoped.get(scope.key);
    if (known !== undefined) return known;
    const view = new ScopedCatalog(this.#deps.catalog, scope);
    const sight = { catalog: view, view, lookup: new ToolLookup(view) };
    this.#scoped.set(scope.key, sight);
    return sight;
  }

  #limiter(): ResultLimiter | undefined {
    const { countTokens: count } = this.#deps;
    const isOff = count === undefined || this.#limits.resultMaxTokens === 0;
    if (isOff) return undefined;
    return new ResultLimiter({ store: this.#results, limits: this.#limits, count, mode: () => this.#list.mode().mode });
  }

  #readResult(args: JsonObject, options: HostCallOptions): Promise<CallToolResult> {
    return this.#answer(readResultName, args, (input) => {
      const { countTokens: count = countNothing } = this.#deps;
      const { resultMaxTokens: maxTokens } = this.#limits;
      const deps = { store: this.#results, count, maxTokens, mode: () => this.#list.mode().mode };
      return readResult(deps, input as unknown as ReadResultInput, callerOf(options));
    });
  }

  /** Checks the input of search_tools or describe_tool and turns faults into words for the model. */
  async #answer(
    name: string,
    args: unknown,
    answer: (input: JsonObject) => CallToolResult | Promise<CallToolResult>,
  ): Promise<CallToolResult> {
    try {
      this.#deps.beforeRead?.();
      const tool = { hash: `meta ${name}`, inputSchema: metaInputSchema(name) };
      const input = metaInput(name, args, this.#metaTarget(name));
      const outcome = this.#validator.validate(tool, input);
      if (!outcome.ok) return argumentProblems(name, { ...outcome, usage: metaUsage[name] ?? '' });
      return await answer(outcome.value);
    } catch (error) {
      if (isForModels(error)) return faultResult(error);
      this.#deps.logger.error(`${name} failed inside toolcrib`, { error: messageOf(error) });
      return errorResult('internal', `toolcrib itself failed in ${name}; nothing was run. Try again once.`);
    }
  }

  #metaTarget(name: string): CallTarget {
    const inputSchema = metaInputSchema(name);
    const tool = { hash: `meta ${name}`, inputSchema };
    return {
      parameters: parameterNames(inputSchema),
      isNamed: (other) => other === name,
      fits: (given) => this.#validator.validate(tool, given).ok,
      isOpen: false,
    };
  }

  async #search(input: JsonObject, { searches, scope }: ModelCallOptions): Promise<CallToolResult> {
    // The input was checked against the meta-tool's schema.
    const { query, ...options } = input as unknown as { query: string } & SearchOptions;
    const { cursor } = options;
    const { catalog, view } = this.#sightOf(scope);
    const result = await this.#deps.searcher.search(query, searchOptions(options), view);
    const isRepeated = (bestName: string) =>
      cursor === undefined && searches?.isRepeated({ query, ...options }, bestName) === true;
    const text = searchText(result, options, catalog, isRepeated);
    this.#deps.onSearchAnswer?.(text);
    return textResult(text, { [hitsMetaKey]: result as unknown as JsonObject });
  }

  /** What a reader should know of the tool's server before calling it. */
  #serverContext({ serverId }: Tool): { asOf?: string; unavailable?: string } {
    const record = this.#deps.catalog.servers().find(({ id }) => id === serverId);
    const unavailable = outageText(this.#deps.serverStates().find(({ id }) => id === serverId));
    return { ...asOf(record), ...(unavailable === undefined ? {} : { unavailable }) };
  }

  #show(input: JsonObject, options: HostCallOptions): CallToolResult {
    const { name, path } = input as { name: string; path?: string };
    return textResult(this.#describe(name, path === undefined ? {} : { path }, options).text);
  }
}

function unreadable(uri: string, serverId: string | undefined, others: readonly string[]): ToolcribError {
  const shown = JSON.stringify(capText(cleanText(uri), uriShownMaxChars));
  if (serverId === undefined) return new ToolcribError('unknown_resource', `No tool result has named ${shown} so far.`);
  const servers = [serverId, ...others].join(', ');
  return new ToolcribError('ambiguous_resource', `Results of several servers named ${shown}: ${servers}.`);
}

const uriShownMaxChars = 200;

/** Only the options of the meta-tool: others, such as `arm`, are for programs. */
function searchOptions({ server, limit, detail, cursor }: SearchOptions): SearchOptions {
  const options = Object.entries({ server, limit, detail, cursor }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(options);
}

const metaUsage: Record<string, string | undefined> = {
  search_tools: 'Example: search_tools {"query":"create github issue"}',
  describe_tool: 'Example: describe_tool {"name":"github__create_issue"}',
  [readResultName]: `Example: ${readResultName} {"handle":"<handle of the cut result>","offset":0}`,
};

/** The input of a meta-tool in whatever shape; what cannot be read counts as empty, and the check says what is missing. */
function metaInput(name: string, args: unknown, target: CallTarget): JsonObject {
  const call = readCall({ name, arguments: (args ?? {}) as JsonValue }, () => target);
  return call.ok ? call.args : {};
}

/** Without a counter nothing is cut, and so no page is too large. */
async function countNothing(texts: string[]): Promise<number[]> {
  return texts.map(() => 0);
}
