import { randomBytes } from 'node:crypto';
import { ToolcribError } from '../errors/index.ts';
import type {
  AuditSink,
  CallApprovals,
  CallerScope,
  CallLimits,
  CallOptions,
  CallPolicy,
  CallToolResult,
  CatalogReader,
  DescribeOptions,
  DispatchOptions,
  HostCallOptions,
  JsonValue,
  Logger,
  ModeChange,
  ModeDecision,
  ReadResourceResult,
  ResourceReader,
  Router,
  ServerState,
  Tool,
  ToolCaller,
  ToolDefinition,
  ToolDescription,
  ToolSearcher,
} from '../model/index.ts';
import { toolListing } from '../render/index.ts';
import { createArgumentValidator } from '../validation/index.ts';
import { ApprovalGate } from './approval-gate.ts';
import { type CallAnswer, CallPipeline, isInputRequired } from './call-pipeline.ts';
import { recordOutOfScope } from './call-trace.ts';
import { CallerSights } from './caller-sights.ts';
import { CutResults } from './cut-results.ts';
import { InputRounds } from './input-rounds.ts';
import { KeyedCalls, type KeyedCallsDeps } from './keyed-calls.ts';
import { MetaToolRunner, type ModelCallOptions } from './meta-tool-runner.ts';
import { instructions, isReservedName, metaTools, readResultName, readResultTool } from './meta-tools.ts';
import type { ModeFacts, ModeSettings } from './mode.ts';
import { isCallable } from './name-index.ts';
import { readLinkedResource } from './read-linked-resource.ts';
import type { ResultLimits } from './result-limiter.ts';
import { ReturnedLinks } from './returned-links.ts';
import { StateSeal } from './state-seal.ts';
import type { CountTokens } from './token-budget.ts';
import { ToolDescriptions } from './tool-descriptions.ts';
import { ToolList } from './tool-list.ts';

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

class CatalogRouter implements Router {
  readonly #deps: RouterDeps;
  readonly #sights: CallerSights;
  readonly #list: ToolList;
  readonly #links = new ReturnedLinks();
  readonly #descriptions: ToolDescriptions;
  readonly #metaTools: MetaToolRunner;
  readonly #pipeline: CallPipeline;

  constructor(deps: RouterDeps) {
    this.#deps = deps;
    this.#sights = new CallerSights(deps.catalog);
    this.#list = new ToolList(deps);
    const cutResults = new CutResults({ ...deps, mode: () => this.#list.mode().mode });
    const validator = createArgumentValidator();
    const policy = deps.policy ?? freePolicy;
    const shared = { ...deps, sights: this.#sights, policy, validator, cutResults };
    this.#descriptions = new ToolDescriptions(shared);
    this.#metaTools = new MetaToolRunner({ ...shared, descriptions: this.#descriptions });
    const seal = new StateSeal(deps.stateSecret ?? randomSecret);
    this.#pipeline = new CallPipeline({
      ...(cutResults.limiter === undefined ? {} : { limiter: cutResults.limiter }),
      ...(deps.audit === undefined ? {} : { audit: deps.audit }),
      ...(deps.maskJson === undefined ? {} : { maskJson: deps.maskJson }),
      readResult: (args, options) => this.#metaTools.readResult(args, options),
      readResultTarget: this.#metaTools.target(readResultName),
      ...(deps.limits === undefined ? {} : { limits: deps.limits }),
      ...(deps.operations === undefined ? {} : { keyed: new KeyedCalls({ ...deps.operations, logger: deps.logger }) }),
      lookup: ({ scope }) => this.#sights.of(scope).lookup,
      rounds: new InputRounds({ caller: deps.caller, seal }),
      policy,
      gate: new ApprovalGate({
        approvals: deps.approvals,
        seal,
        ...(deps.onApproval === undefined ? {} : { onApproval: deps.onApproval }),
      }),
      links: this.#links,
      validator,
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
    return this.#list.definitions(this.#sights.of(scope).view);
  }

  toolsNamed(names: readonly string[]): ToolDefinition[] {
    return names.flatMap((name) => {
      const meta = [...metaTools, readResultTool].find((tool) => tool.name === name);
      if (meta !== undefined) return meta;
      const tool = this.#sights.whole.lookup.find(name);
      return tool !== undefined && isCallable(tool) ? toolListing(tool) : [];
    });
  }

  async callTool(name: string, args: unknown, options: HostCallOptions = {}): Promise<CallAnswer> {
    const tool = this.#list.listedTool(name, this.#sights.of(options.scope).view);
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

  readResource(uri: string, options: HostCallOptions = {}): Promise<ReadResourceResult> {
    return readLinkedResource(uri, options, { links: this.#links, resources: this.#deps.resources });
  }

  describe(name: string, options: DescribeOptions = {}): ToolDescription {
    return this.#descriptions.describe(name, options, {});
  }

  missingScope(name: string, args: unknown, options: HostCallOptions): string | undefined {
    if (options.scope === undefined) return undefined;
    const tool = this.#hiddenTool(name, args, options);
    if (tool === undefined) return undefined;
    const { audit } = this.#deps;
    if (audit !== undefined) recordOutOfScope(tool, options, audit);
    return `${tool.serverId}:${tool.toolName}`;
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

  #hiddenTool(name: string, args: unknown, options: HostCallOptions): Tool | undefined {
    const listed = this.#list.listedTool(name);
    if (listed !== undefined)
      return this.#list.listedTool(name, this.#sights.of(options.scope).view) ? undefined : listed;
    const isNaming = this.#list.isMetaTool(name) && (name === 'call_tool' || name === 'describe_tool');
    return isNaming ? this.#pipeline.hiddenTool(args, options) : undefined;
  }

  async #run(name: string, args: unknown, options: ModelCallOptions): Promise<CallAnswer> {
    if (metaTools.some((tool) => tool.name === name)) return this.#runMetaTool(name, args, options);
    return this.#pipeline.run({ name, arguments: args ?? {} }, options);
  }

  #runMetaTool(name: string, args: unknown, options: ModelCallOptions): Promise<CallAnswer> {
    if (name === 'call_tool') return this.#pipeline.run(args, options);
    if (name === 'search_tools') return this.#metaTools.searchTools(args, options);
    return this.#metaTools.describeTool(args, options);
  }
}

/** Without a policy, nothing is held back by toolcrib itself. */
const freePolicy: CallPolicy = {
  decide: () => ({ action: 'allow', reason: 'there is no policy', effect: 'destructive', isEffectKnown: false }),
};

function randomSecret(): Uint8Array {
  return randomBytes(32);
}
