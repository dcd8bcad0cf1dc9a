import { isToolcribError } from '../errors/index.ts';
import {
  type CallOutcome,
  type CallPause,
  type ElicitationAnswer,
  type ElicitationParams,
  type JsonObject,
  type Logger,
  type ReadResourceResult,
  type ServerSpec,
  steadyNow,
  type Tool,
  type UpstreamCallOptions,
} from '../model/index.ts';
import { callTool } from './call-tool.ts';
import { NotExecutedError } from './faults.ts';
import type { Link } from './link.ts';
import type { ParkedCalls } from './parked-calls.ts';
import { modeOf, namingAsker, readElicitation } from './questions.ts';
import { type ReadOptions, readResource } from './read-resource.ts';
import { asked, RunningCall } from './running-call.ts';
import { sdk } from './sdk.ts';
import type { Session } from './session.ts';

/** Of a URL question: how long the notice that its errand is done may take, and how many such are remembered. */
const completionMaxMs = 60 * 60_000;
const completionsMax = 100;

export interface CallLaneDeps {
  parked: ParkedCalls<CallLane>;
  logger: Logger;
  /** Aborted when toolcrib closes. */
  closing: AbortSignal;
  /** Lets a call wait for what its server has to say first. Rejects where the tool may not be called any more. */
  ready: (tool: Tool, signal: AbortSignal) => Promise<void>;
}

/**
 * The calls on one line to a server, and what the server asks during them. A server of an older revision does not say
 * which call a question belongs to: it goes to a caller only while all calls are of one principal.
 */
export class CallLane {
  readonly #spec: ServerSpec;
  readonly #deps: CallLaneDeps;
  readonly #link: () => Link;
  readonly #running = new Set<RunningCall>();
  /** Until when a call that ended without an answer may still lead to a question, by principal. */
  readonly #lingering = new Map<string, number>();
  readonly #completions = new Map<string, { tell: (id: string) => void; until: number }>();
  #openQuestions = 0;

  constructor(spec: ServerSpec, link: () => Link, deps: CallLaneDeps) {
    this.#spec = spec;
    this.#link = link;
    this.#deps = deps;
  }

  get isIdle(): boolean {
    return this.#running.size === 0;
  }

  /** Calls a tool, up to its result or to questions. Throws a `ToolcribError` with an upstream code. */
  call(tool: Tool, args: JsonObject, options: UpstreamCallOptions): Promise<CallOutcome> {
    const { closing, ready } = this.#deps;
    const call = new RunningCall(tool, options, (running) => {
      const use = async (session: Session) => {
        await ready(tool, running.signal);
        // The list that it waited for may have found the session forgotten.
        if (!this.#link().isCurrent(session)) throw new NotExecutedError('its session was given up');
        return callTool(session, { running, args, options, closing }, this.#spec);
      };
      return this.#link().run('call', use, { signal: running.signal });
    });
    this.#running.add(call);
    return this.goOn(call, options);
  }

  /** Reads a resource. Throws a `ToolcribError` with an upstream code. */
  read(uri: string, { signal }: ReadOptions): Promise<ReadResourceResult> {
    const { closing } = this.#deps;
    const use = (session: Session) => readResource(session, { uri, signal, closing }, this.#spec);
    return this.#link().run('call', use, { signal });
  }

  /** Goes on with a call that was parked. */
  async goOn(call: RunningCall, options: UpstreamCallOptions): Promise<CallOutcome> {
    try {
      for (;;) {
        const outcome = await call.round(options);
        if (outcome !== asked) {
          this.drop(call);
          if ('resume' in outcome) this.#rememberCompletions(outcome, call);
          return outcome;
        }
        const handle = this.#deps.parked.add(call, this);
        if (handle !== undefined) return { inputRequests: call.requests, resume: { kind: 'parked', handle } };
        this.#deps.logger.warn('Too many calls wait for their users; a question is answered with "cancel".');
        call.dismissQuestions();
      }
    } catch (error) {
      if (isToolcribError(error, 'cancelled') || isToolcribError(error, 'upstream_timeout_unknown_outcome')) {
        this.#linger(call);
      }
      this.drop(call);
      throw error;
    }
  }

  drop(call: RunningCall): void {
    this.#running.delete(call);
    if (call.signal.aborted) this.#linger(call);
  }

  /** Answers an `elicitation/create` of the server. Rejects with what the server is told when nobody can be asked. */
  async elicit(rawParams: unknown, signal: AbortSignal): Promise<ElicitationAnswer> {
    const { ProtocolError, ProtocolErrorCode } = sdk();
    const params = readElicitation(rawParams);
    if (typeof params === 'string') throw new ProtocolError(ProtocolErrorCode.InvalidParams, `The server ${params}.`);
    const calls = [...this.#running];
    const why = this.#unattributable(calls);
    if (why !== undefined) {
      this.#deps.logger.warn(`A question of the server was declined: ${why}.`, {
        hint: 'Set "isolation": "perCaller" on the server to give each caller a connection of their own.',
      });
      return { action: 'decline' };
    }
    const mode = modeOf(params);
    const call = calls.findLast(({ elicitation }) => elicitation[mode] === true);
    if (call === undefined) {
      const what = `Nobody was asked: the caller cannot be shown a ${mode === 'url' ? 'URL' : 'form'}.`;
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${what} The question: ${params.message}`);
    }
    if (!call.hasRoom) {
      const what = 'Nobody was asked: too many questions wait for an answer already.';
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, what);
    }
    return this.#ask(call, calls, params, signal);
  }

  /** What a URL question was for is done, the server says. */
  elicitationComplete(id: string): void {
    const found = this.#completions.get(id);
    this.#completions.delete(id);
    if (found !== undefined && found.until > steadyNow()) found.tell(id);
  }

  /** The process or session is gone, and its questions with it. */
  lineEnded(): void {
    this.#lingering.clear();
    this.#completions.clear();
  }

  async #ask(
    call: RunningCall,
    calls: readonly RunningCall[],
    params: ElicitationParams,
    signal: AbortSignal,
  ): Promise<ElicitationAnswer> {
    // Of several calls, or with one that was given up, it may be another's question.
    const toolName = calls.length === 1 && this.#lingering.size === 0 ? call.tool.toolName : undefined;
    this.#rememberCompletion(params, call);
    this.#openQuestions += 1;
    for (const { clock } of this.#running) clock?.stop();
    try {
      return await call.ask(namingAsker(params, this.#spec.id, toolName), signal);
    } finally {
      this.#openQuestions -= 1;
      if (this.#openQuestions === 0) for (const { clock } of this.#running) clock?.start();
    }
  }

  /** Why nobody can tell who is meant; undefined when it is clear. */
  #unattributable(calls: readonly RunningCall[]): string | undefined {
    if (calls.length === 0) return 'no call is in flight';
    this.#forgetLingering();
    const principals = new Set([...calls.map(({ principal }) => principal), ...this.#lingering.keys()]);
    return principals.size > 1 ? `calls of ${principals.size} callers are in flight` : undefined;
  }

  #linger({ principal, startedAt }: RunningCall): void {
    this.#forgetLingering();
    this.#lingering.set(principal, startedAt + this.#spec.maxTimeoutMs);
  }

  #forgetLingering(): void {
    const now = steadyNow();
    for (const [principal, until] of this.#lingering) if (until <= now) this.#lingering.delete(principal);
  }

  #rememberCompletions({ inputRequests }: CallPause, call: RunningCall): void {
    for (const { params } of Object.values(inputRequests)) this.#rememberCompletion(params, call);
  }

  #rememberCompletion({ elicitationId: id }: ElicitationParams, call: RunningCall): void {
    if (typeof id !== 'string') return;
    this.#completions.set(id, { tell: call.elicitationComplete, until: steadyNow() + completionMaxMs });
    if (this.#completions.size <= completionsMax) return;
    const [oldest] = this.#completions.keys();
    if (oldest !== undefined) this.#completions.delete(oldest);
  }
}
