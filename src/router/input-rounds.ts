import { setTimeout as delay } from 'node:timers/promises';
import { messageOf, ToolcribError } from '../errors/index.ts';
import type {
  CallPause,
  CallToolResult,
  ElicitationAnswer,
  HostCallOptions,
  InputRequest,
  InputRequired,
  JsonObject,
  Tool,
  ToolCaller,
  UpstreamCallOptions,
} from '../model/index.ts';
import { stripControls } from '../render/index.ts';
import { bindingOf } from './call-binding.ts';
import type { SealBinding, StateSeal } from './state-seal.ts';
import { untilAborted } from './until-aborted.ts';

/** Rounds of questions in one call: a server that goes on past it asks without end. */
const roundsMax = 32;
/** A server that asks nothing and only wants to be called again is called after this long, then twice as long … */
const againDelayMs = 250;
/** … up to this long … */
const againDelayMaxMs = 5_000;
/** … and this often: some minutes in all. */
const againMax = 100;

export interface InputRoundsDeps {
  caller: ToolCaller;
  seal: StateSeal;
}

/**
 * A call with the questions that its server puts to the user: a host that takes `InputRequired` gets them with a sealed
 * state and calls again; for any other the questions are put through `onElicitation`, round by round.
 */
export class InputRounds {
  readonly #caller: ToolCaller;
  readonly #seal: StateSeal;

  constructor({ caller, seal }: InputRoundsDeps) {
    this.#caller = caller;
    this.#seal = seal;
  }

  /** Throws what the caller throws, `input_state_invalid` for answers to no question, `input_unavailable`. */
  async call(tool: Tool, args: JsonObject, options: HostCallOptions): Promise<CallToolResult | InputRequired> {
    const binding = bindingOf(tool, args, options);
    const outcome = await this.#caller.call(tool, args, this.#upstreamOptions(options, binding));
    if (!('resume' in outcome)) return outcome;
    if (options.takesInputRequired) return this.#inputRequired(outcome, binding, options);
    return this.#converse(tool, args, outcome, options);
  }

  #upstreamOptions(options: HostCallOptions, binding: SealBinding): UpstreamCallOptions {
    const { inputResponses, requestState } = options;
    const isRetry = inputResponses !== undefined || requestState !== undefined;
    // A server that gave no state gets none.
    const resume = requestState === undefined ? { kind: 'server' as const } : this.#seal.open(requestState, binding);
    // Our own question came before the call, which starts now.
    if (resume.kind === 'approval') return commonOptions(options);
    return {
      ...commonOptions(options),
      ...(isRetry ? { resume } : {}),
      ...(inputResponses === undefined ? {} : { inputResponses }),
    };
  }

  #inputRequired(
    { inputRequests, hostRequests, resume }: CallPause,
    binding: SealBinding,
    { signal }: HostCallOptions,
  ) {
    if (signal?.aborted) this.#caller.abandon(resume);
    const hasState = resume.kind === 'parked' || resume.requestState !== undefined;
    const requests = { ...readable(inputRequests), ...hostRequests };
    const required: InputRequired = {
      resultType: 'input_required',
      ...(Object.keys(requests).length === 0 ? {} : { inputRequests: requests }),
      ...(hasState ? { requestState: this.#seal.seal(resume, binding) } : {}),
    };
    return required;
  }

  async #converse(tool: Tool, args: JsonObject, first: CallPause, options: HostCallOptions): Promise<CallToolResult> {
    let { resume } = first;
    let requests = readable(first.inputRequests);
    try {
      for (let [rounds, again] = [0, 0]; rounds < roundsMax && again < againMax; ) {
        const isQuestion = Object.keys(requests).length > 0;
        if (isQuestion) rounds += 1;
        else await delay(Math.min(againDelayMaxMs, againDelayMs * 2 ** again++), undefined, signalOf(options));
        const inputResponses = isQuestion ? { inputResponses: await this.#ask(tool, requests, options) } : {};
        const outcome = await this.#caller.call(tool, args, { ...commonOptions(options), resume, ...inputResponses });
        if (!('resume' in outcome)) return outcome;
        ({ resume } = outcome);
        requests = readable(outcome.inputRequests);
      }
      throw unavailable(tool, 'does not stop asking.');
    } catch (error) {
      // Whoever waits for an answer gets none any more.
      this.#caller.abandon(resume);
      if (options.signal?.aborted) throw cancelled(tool);
      throw error;
    }
  }

  /** One after the other: a person answers one question at a time. */
  async #ask(tool: Tool, requests: Record<string, InputRequest>, { onElicitation, signal }: HostCallOptions) {
    const answers: Record<string, ElicitationAnswer> = {};
    for (const [key, { params }] of Object.entries(requests)) {
      if (onElicitation === undefined) throw unavailable(tool, `asked: ${params.message}`);
      answers[key] = await untilAborted(signal, (given) =>
        onElicitation({ server: tool.serverId, tool: tool.exposedName, params, signal: given }),
      ).catch((error: unknown) => {
        throw unavailable(tool, `asked the user, which failed (${messageOf(error)}). The question: ${params.message}`);
      });
    }
    return answers;
  }
}

function commonOptions(options: HostCallOptions): UpstreamCallOptions {
  const { signal, onProgress, meta, principal, onElicitation, onElicitationComplete } = options;
  const { takesInputRequired, hostCapabilities } = options;
  const { elicitation = onElicitation === undefined ? {} : { form: true, url: true } } = options;
  return {
    ...(signal === undefined ? {} : { signal }),
    ...(onProgress === undefined ? {} : { onProgress }),
    ...(meta === undefined ? {} : { meta }),
    ...(principal === undefined ? {} : { principal }),
    ...(onElicitationComplete === undefined ? {} : { onElicitationComplete }),
    ...(takesInputRequired && hostCapabilities !== undefined ? { hostCapabilities } : {}),
    elicitation,
  };
}

/** Without the control characters with which a server could disguise what it asks. */
function readable(requests: Record<string, InputRequest>): Record<string, InputRequest> {
  return Object.fromEntries(
    Object.entries(requests).map(([key, { method, params }]) => [
      key,
      { method, params: { ...params, message: stripControls(params.message) } },
    ]),
  );
}

function signalOf({ signal }: HostCallOptions): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}

function unavailable({ serverId }: Tool, what: string): ToolcribError {
  const message = `Server "${serverId}" ${what} The call was ended; it may have run in part.`;
  return new ToolcribError('input_unavailable', message, { details: { server: serverId, mayHaveRun: true } });
}

function cancelled({ serverId }: Tool): ToolcribError {
  const message = `The call to server "${serverId}" was cancelled. It may have run all the same.`;
  return new ToolcribError('cancelled', message, { details: { server: serverId, mayHaveRun: true } });
}
