import { isToolcribError, ToolcribError } from '../errors/index.ts';
import {
  type ApprovableCall,
  type CallApprovals,
  type HostCallOptions,
  type InputRequired,
  type JsonObject,
  type PolicyDecision,
  reservedServerId,
  type Tool,
} from '../model/index.ts';
import { approvalQuestion, readApproval, timedApprovalMs } from './approval-question.ts';
import { bindingOf, callerOf, digestOf } from './call-binding.ts';
import { type StateSeal, sealedMaxMs } from './state-seal.ts';
import { untilAborted } from './until-aborted.ts';

/** The key of our question among those of a call. */
const questionKey = 'toolcrib_approval';

export interface ApprovalGateDeps {
  approvals: CallApprovals;
  seal: StateSeal;
  /** For calls that bring none. */
  onApproval?: HostCallOptions['onApproval'];
}

/**
 * Lets a call pass that a person allows: through the host, where it can ask, or elsewhere, by the id of the request. An
 * approval is good for this very call: the same caller, definition and arguments.
 */
export class ApprovalGate {
  readonly #approvals: CallApprovals;
  readonly #seal: StateSeal;
  readonly #onApproval: HostCallOptions['onApproval'];

  constructor({ approvals, seal, onApproval }: ApprovalGateDeps) {
    this.#onApproval = onApproval;
    this.#approvals = approvals;
    this.#seal = seal;
  }

  /**
   * Undefined when the call may run now; questions when its host has to put them first. Throws `denied`,
   * `approval_required`, `cancelled`, `input_state_invalid`, and `internal` where approvals cannot be read or kept: the call
   * does not run then.
   */
  async pass(
    tool: Tool,
    args: JsonObject,
    decision: PolicyDecision,
    options: HostCallOptions,
  ): Promise<InputRequired | undefined> {
    try {
      return await this.#pass(tool, args, decision, options);
    } catch (error) {
      throw isToolcribError(error) ? error : unusable(tool, error);
    }
  }

  async #pass(
    tool: Tool,
    args: JsonObject,
    decision: PolicyDecision,
    options: HostCallOptions,
  ): Promise<InputRequired | undefined> {
    const call = callOf(tool, args, decision, options);
    if (this.#approvals.take(call.digest)) return undefined;
    if (this.#approvals.takeRefusal(call.digest)) throw refused(call);
    const answer = this.#answerBrought(tool, args, call, options);
    if (answer !== undefined) return this.#settle(call, readApproval(answer.given));
    const { onApproval = this.#onApproval } = options;
    if (onApproval !== undefined) return this.#decide(call, decision, onApproval, options);
    const { onElicitation, elicitation = { form: onElicitation !== undefined }, takesInputRequired, signal } = options;
    const canShowForms = elicitation.form === true;
    if (canShowForms && takesInputRequired) return this.#question(tool, args, call, decision, options);
    if (!canShowForms || onElicitation === undefined) throw this.#elsewhere(call);
    const question = {
      server: reservedServerId,
      tool: tool.exposedName,
      params: approvalQuestion(call, decision.reason),
    };
    const given = await this.#answer(call, signal, (wanted) => onElicitation({ ...question, signal: wanted }));
    return this.#settle(call, readApproval(given));
  }

  /** The program around us has a way of its own to ask. */
  async #decide(
    call: ApprovableCall,
    { reason }: PolicyDecision,
    onApproval: NonNullable<HostCallOptions['onApproval']>,
    { signal }: HostCallOptions,
  ): Promise<undefined> {
    const { name, serverId: server, toolName: tool, caller, effect, isEffectKnown } = call;
    // A copy: what is approved is what is sent.
    const args = structuredClone(call.arguments);
    const shown = { name, server, tool, arguments: args, caller, effect, isEffectKnown, reason };
    const given = await this.#answer(call, signal, (wanted) => onApproval({ ...shown, signal: wanted }));
    return this.#settle(call, given === true || given === 'once' ? 'once' : given === 'timed' ? 'timed' : 'no');
  }

  /** Throws `cancelled`, and `approval_required` where a host says it can ask and fails at it. */
  async #answer(
    call: ApprovableCall,
    signal: AbortSignal | undefined,
    ask: (wanted: AbortSignal) => Promise<unknown>,
  ): Promise<unknown> {
    const given = await untilAborted(signal, ask).catch((error: unknown) => {
      if (signal?.aborted) throw cancelled(call);
      throw isToolcribError(error) ? error : this.#elsewhere(call);
    });
    if (signal?.aborted) throw cancelled(call);
    return given;
  }

  /** The call stopped for questions of its server: going on with the answers needs no second approval. */
  keepForRetry(tool: Tool, args: JsonObject, options: HostCallOptions): void {
    this.#approvals.allow(digestOf(tool, args, options), { isOnce: true, expiresAt: Date.now() + sealedMaxMs });
  }

  /** The answer to a question of ours: each is good once, and only with the state that went along. */
  #answerBrought(
    tool: Tool,
    args: JsonObject,
    { digest }: ApprovableCall,
    { inputResponses, requestState, ...options }: HostCallOptions,
  ): { given: unknown } | undefined {
    if (requestState === undefined || inputResponses === undefined) return undefined;
    if (!Object.hasOwn(inputResponses, questionKey)) return undefined;
    const point = this.#seal.open(requestState, bindingOf(tool, args, options));
    if (point.kind !== 'approval' || !this.#approvals.takeQuestion(point.id, digest)) return undefined;
    return { given: inputResponses[questionKey] };
  }

  #settle({ name, digest }: ApprovableCall, approval: ReturnType<typeof readApproval>): undefined {
    if (approval === 'no') throw refused({ name });
    if (approval === 'timed') this.#approvals.allow(digest, { isOnce: false, expiresAt: Date.now() + timedApprovalMs });
    return undefined;
  }

  #question(
    tool: Tool,
    args: JsonObject,
    call: ApprovableCall,
    { reason }: PolicyDecision,
    options: HostCallOptions,
  ): InputRequired {
    const id = this.#approvals.ask(call);
    return {
      resultType: 'input_required',
      inputRequests: { [questionKey]: { method: 'elicitation/create', params: approvalQuestion(call, reason) } },
      requestState: this.#seal.seal({ kind: 'approval', id }, bindingOf(tool, args, options)),
    };
  }

  #elsewhere(call: ApprovableCall): ToolcribError {
    const approvalId = this.#approvals.request(call);
    const message = `${call.name} was not run: a person has to allow this call, and the host cannot ask one. Request id: ${approvalId}.`;
    return new ToolcribError('approval_required', message, { details: { approvalId, mayHaveRun: false } });
  }
}

function callOf(tool: Tool, args: JsonObject, decision: PolicyDecision, options: HostCallOptions): ApprovableCall {
  return {
    serverId: tool.serverId,
    toolName: tool.toolName,
    name: tool.exposedName,
    caller: callerOf(options),
    digest: digestOf(tool, args, options),
    effect: decision.effect,
    isEffectKnown: decision.isEffectKnown,
    arguments: args,
  };
}

function refused({ name }: Pick<ApprovableCall, 'name'>): ToolcribError {
  return new ToolcribError('denied', `${name} was not run: the user does not allow this call.`, {
    next: 'Do not try to reach the same by other means; ask the user what they want instead.',
    details: { mayHaveRun: false },
  });
}

function unusable({ exposedName }: Tool, cause: unknown): ToolcribError {
  const message = `${exposedName} was not run: toolcrib could not look up or note the approval that it needs.`;
  return new ToolcribError('internal', message, {
    next: 'Tell the user; the log of toolcrib says why.',
    details: { mayHaveRun: false },
    cause,
  });
}

function cancelled({ name }: ApprovableCall): ToolcribError {
  return new ToolcribError('cancelled', `The call to ${name} was cancelled before it was allowed. Nothing was run.`, {
    details: { mayHaveRun: false },
  });
}
