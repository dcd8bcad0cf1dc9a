import { isToolcribError, messageOf, ToolcribError, unknownOutcomeNext } from '../errors/index.ts';
import type {
  AuditSink,
  CallLimits,
  CallPolicy,
  CallToolResult,
  HostCallOptions,
  InputRequired,
  JsonObject,
  JsonValue,
  LimitedCall,
  Logger,
  PolicyDecision,
  Tool,
} from '../model/index.ts';
import { capText, cleanText, parameterNames, signature } from '../render/index.ts';
import type { ArgumentValidator } from '../validation/index.ts';
import type { ApprovalGate } from './approval-gate.ts';
import { argumentProblems } from './argument-problems.ts';
import { callerOf } from './call-binding.ts';
import { CallTrace, outcomeOfError } from './call-trace.ts';
import type { InputRounds } from './input-rounds.ts';
import type { KeyedCall, KeyedCalls } from './keyed-calls.ts';
import { maskResult } from './mask-result.ts';
import { readResultName } from './meta-tools.ts';
import { isCallable } from './name-index.ts';
import { asDeclared, withWarning } from './output-check.ts';
import { passThrough } from './pass-through.ts';
import { type CallTarget, type ReadCall, readCall } from './read-call.ts';
import type { ResultLimiter } from './result-limiter.ts';
import { errorResult, faultResult, isForModels, outcomeIn } from './results.ts';
import type { ReturnedLinks } from './returned-links.ts';
import type { ToolLookup } from './tool-lookup.ts';

export interface CallPipelineDeps {
  /** Of what the caller may know of. */
  lookup: (options: HostCallOptions) => ToolLookup;
  rounds: InputRounds;
  validator: ArgumentValidator;
  policy: CallPolicy;
  gate: ApprovalGate;
  /** Told of each result, so that what it links to can be read. */
  links: ReturnedLinks;
  logger: Logger;
  /** Bounds how many calls are made and run; absent where nothing does. */
  limits?: CallLimits;
  /** Runs calls of one idempotency key once; absent where keys mean nothing. */
  keyed?: KeyedCalls;
  /** Takes the record of each call; absent where none is kept. */
  audit?: AuditSink;
  /** Takes secrets out of results; absent where they pass as they are. */
  maskJson?: (value: JsonValue) => JsonValue;
  /** Cuts results to size; absent where they pass whole. */
  limiter?: ResultLimiter;
  /** Runs `toolcrib__read_result`. */
  readResult: (args: JsonObject, options: HostCallOptions) => Promise<CallToolResult>;
  readResultTarget: CallTarget;
  /** True when also a result of `call_tool` must fit its output schema. */
  strictOutput: boolean;
}

/** What comes of a call: its result, or questions to the user of a host that takes them as such. */
export type CallAnswer = CallToolResult | InputRequired;

/**
 * The way of every call: read it, find the tool, check the arguments, run it, pass its result on. Throws
 * `input_state_invalid` for answers that belong to no call, and `input_unavailable` to hosts that take `InputRequired`.
 */
export class CallPipeline {
  readonly #deps: CallPipelineDeps;

  constructor(deps: CallPipelineDeps) {
    this.#deps = deps;
  }

  /** What came for `call_tool`, in whatever shape. */
  run(input: unknown, options: HostCallOptions = {}): Promise<CallAnswer> {
    return this.#recorded(options, async (trace) => {
      const lookup = this.#deps.lookup(options);
      const call = readCall(input, (name) => this.#target(name, lookup));
      if (!call.ok) return this.#unreadable(call, trace, lookup);
      if (call.name.trim() === readResultName) return this.#deps.readResult(call.args, options);
      trace.name = call.name;
      trace.args = call.args;
      trace.refused('unknown_tool');
      const tool = lookup.get(call.name);
      const answer = await this.#call(tool, call.args, options, trace);
      if (isInputRequired(answer)) return answer;
      const { strictOutput } = this.#deps;
      const checked = strictOutput ? asDeclared(tool, answer, this.#deps) : withWarning(tool, answer, this.#deps);
      return this.#limited(tool, checked, options, strictOutput);
    });
  }

  /** A tool that is known, with arguments of its own. */
  runTool(tool: Tool, args: unknown, options: HostCallOptions = {}): Promise<CallAnswer> {
    return this.#recorded(options, async (trace) => {
      trace.name = tool.exposedName;
      trace.tool = tool;
      // The lookup by its exposed name always finds a listed tool again.
      const lookup = this.#deps.lookup(options);
      const call = readCall({ name: tool.exposedName, arguments: (args ?? {}) as JsonValue }, (name) =>
        this.#target(name, lookup),
      );
      if (!call.ok) return this.#unreadable(call, trace, lookup);
      trace.args = call.args;
      const answer = await this.#call(tool, call.args, options, trace);
      if (isInputRequired(answer)) return answer;
      return this.#limited(tool, asDeclared(tool, answer, this.#deps), options, true);
    });
  }

  /** `isStrict` where the host, or the config, holds the tool to its output schema. */
  #limited(tool: Tool, result: CallToolResult, options: HostCallOptions, isStrict: boolean) {
    const isDeclared = isStrict && tool.outputSchema !== undefined;
    const context = { principal: callerOf(options), toolName: tool.exposedName, isDeclared };
    return this.#deps.limiter?.limit(result, context) ?? result;
  }

  async #call(tool: Tool, args: JsonObject, options: HostCallOptions, trace: CallTrace): Promise<CallAnswer> {
    trace.tool = tool;
    if (!isCallable(tool)) {
      trace.refused('definition');
      throw uncallable(tool);
    }
    const { validator, links, logger, policy, gate } = this.#deps;
    const decision = policy.decide({ tool, caller: callerOf(options) });
    trace.decision = decision.action;
    trace.rule = decision.rule === undefined ? 'default' : `rule ${decision.rule}`;
    if (decision.action === 'deny') throw denied(tool, decision);
    const outcome = validator.validate(tool, args);
    if (!outcome.ok) return argumentProblems(tool.exposedName, { ...outcome, usage: usageOf(tool) });
    if (outcome.skipped !== undefined) {
      logger.warn('arguments were not checked', { tool: tool.exposedName, reason: outcome.skipped });
    }
    trace.args = outcome.value;
    const keyed = this.#deps.keyed?.of(tool, outcome.value, options);
    const earlier = keyed?.known();
    if (earlier !== undefined) {
      trace.rule = 'idempotency key';
      links.remember(options.principal, tool.serverId, earlier);
      return earlier;
    }
    await this.#deps.limits?.count(limitedCall(tool, options));
    const isAsked = decision.action === 'ask';
    const question = isAsked ? await gate.pass(tool, outcome.value, decision, options) : undefined;
    if (question !== undefined) return question;
    try {
      const answer = await this.#send(tool, outcome.value, options, keyed);
      if (isAsked && isInputRequired(answer)) gate.keepForRetry(tool, outcome.value, options);
      return answer;
    } catch (error) {
      // The person said yes to a call that then found no place.
      if (isAsked && isToolcribError(error, 'rate_limited')) gate.keepForRetry(tool, outcome.value, options);
      throw error;
    }
  }

  /** Sends the call as soon as there is a place for it. */
  async #send(
    tool: Tool,
    args: JsonObject,
    options: HostCallOptions,
    keyed: KeyedCall | undefined,
  ): Promise<CallAnswer> {
    const { rounds, links, limits, maskJson } = this.#deps;
    const leave = await limits?.enter(limitedCall(tool, options), options.signal);
    try {
      this.#throwIfHeld(tool, options);
      keyed?.begin();
      const answer = await rounds.call(tool, args, options).catch((error: unknown) => {
        keyed?.failed(error);
        throw error;
      });
      if (isInputRequired(answer)) {
        keyed?.paused();
        return answer;
      }
      links.remember(options.principal, tool.serverId, answer);
      const passed = passThrough(answer);
      const result = maskJson === undefined ? passed : maskResult(passed, maskJson);
      keyed?.done(result);
      return result;
    } finally {
      leave?.();
    }
  }

  /** A person or a place may have been waited for, and the definition may have changed meanwhile. */
  #throwIfHeld(tool: Tool, options: HostCallOptions): void {
    const status = this.#deps.lookup(options).statusOf(tool.exposedName);
    if (status === 'changed' || status === 'quarantined') throw uncallable({ ...tool, status });
  }

  /** Every call is recorded when it ends, however it ends; the record is written later. */
  async #recorded(options: HostCallOptions, run: (trace: CallTrace) => Promise<CallAnswer>): Promise<CallAnswer> {
    const { audit } = this.#deps;
    const trace = new CallTrace(options);
    const ended = (outcome: string) => audit && trace.ended(outcome, callerOf(options), audit);
    try {
      const answer = await this.#guarded(options, () => run(trace));
      ended(isInputRequired(answer) ? 'input_required' : outcomeIn(answer));
      return answer;
    } catch (error) {
      ended(outcomeOfError(error));
      throw error;
    }
  }

  async #guarded({ takesInputRequired }: HostCallOptions, run: () => Promise<CallAnswer>): Promise<CallAnswer> {
    try {
      return await run();
    } catch (error) {
      if (isToolcribError(error, 'input_state_invalid')) throw error;
      if (takesInputRequired && isToolcribError(error, 'input_unavailable')) throw error;
      if (isToolcribError(error, 'internal')) {
        this.#deps.logger.error('a call failed inside toolcrib', { error: messageOf(error.cause ?? error) });
      }
      if (isForModels(error)) return faultResult(error);
      this.#deps.logger.error('a call failed inside toolcrib', { error: messageOf(error) });
      return errorResult(
        'internal',
        `toolcrib itself failed during the call, which may have run. ${unknownOutcomeNext}`,
        { mayHaveRun: true },
      );
    }
  }

  /** The tool of a call of `call_tool` that a caller of a scope does not see; undefined where it sees it, or none is named. */
  hiddenTool(input: unknown, options: HostCallOptions): Tool | undefined {
    const everything = this.#deps.lookup({});
    const call = readCall(input, (name) => this.#target(name, everything));
    if (!call.ok || this.#deps.lookup(options).find(call.name) !== undefined) return undefined;
    return everything.find(call.name);
  }

  #target(name: string, lookup: ToolLookup): CallTarget | undefined {
    if (name.trim() === readResultName) return this.#deps.readResultTarget;
    const tool = lookup.find(name);
    if (tool === undefined) return undefined;
    return {
      parameters: parameterNames(tool.inputSchema),
      fits: (args) => this.#deps.validator.validate(tool, args).ok,
      isOpen: isOpen(tool.inputSchema),
      isNamed: (other) => other === tool.toolName || lookup.find(other)?.key === tool.key,
    };
  }

  #unreadable(
    { field, expected, got, name, misplaced }: Unreadable,
    trace: CallTrace,
    lookup: ToolLookup,
  ): CallToolResult {
    const tool = name === undefined ? undefined : lookup.find(name);
    trace.name ??= name;
    trace.tool ??= tool;
    const usage = tool === undefined ? 'Shape: call_tool {"name":"<full name>","arguments":{…}}' : usageOf(tool);
    const issues =
      misplaced === undefined
        ? [{ path: field, rule: 'type', expected, got: shownJson(got) }]
        : Object.entries(misplaced).map(([path, value]) => ({
            path: capText(path, gotMaxChars),
            rule: 'placement',
            expected: 'inside arguments',
            got: `${shownJson(value)} beside name`,
          }));
    return argumentProblems(tool?.exposedName ?? 'call_tool', {
      issues: issues.slice(0, misplacedShown),
      more: Math.max(0, issues.length - misplacedShown),
      usage,
    });
  }
}

function limitedCall({ serverId, toolName, exposedName: name }: Tool, options: HostCallOptions): LimitedCall {
  return { serverId, toolName, name, caller: callerOf(options) };
}

export function isInputRequired(answer: CallAnswer): answer is InputRequired {
  return 'resultType' in answer && answer.resultType === 'input_required';
}

type Unreadable = Extract<ReadCall, { ok: false }>;

function shownJson(value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing';
  try {
    return capText(cleanText(JSON.stringify(value)), gotMaxChars);
  } catch {
    return 'a value that nests too deep to show';
  }
}

const gotMaxChars = 120;
const misplacedShown = 8;

function usageOf(tool: Tool): string {
  return `Signature: ${signature({ name: tool.exposedName, inputSchema: tool.inputSchema })}`;
}

/** The reasons of the trust rules are for people: they would tell a server's text to the model, or what to change next. */
function uncallable({ exposedName, status, problem = 'no reason recorded' }: Tool): ToolcribError {
  if (status === 'quarantined')
    return new ToolcribError(
      'quarantined',
      `${exposedName} was not called: its definition is held back as unsafe or unapproved.`,
    );
  if (status === 'changed')
    return new ToolcribError(
      'definition_changed',
      `${exposedName} was not called: its server changed the definition after it was accepted.`,
    );
  return new ToolcribError('tool_set_aside', `${exposedName} cannot be called: ${capText(cleanText(problem), 300)}.`);
}

function denied({ exposedName }: Tool, { reason }: PolicyDecision): ToolcribError {
  return new ToolcribError('denied', `${exposedName} was not called: ${reason}.`, { details: { mayHaveRun: false } });
}

/** Keywords that admit parameters which no list of names shows. */
const openingKeywords = ['patternProperties', 'unevaluatedProperties', 'if', 'then', 'else'];

/** A schema that leaves `additionalProperties` out only did not think of others. */
function isOpen(schema: JsonObject): boolean {
  const { additionalProperties = false } = schema;
  return additionalProperties !== false || openingKeywords.some((keyword) => schema[keyword] !== undefined);
}
