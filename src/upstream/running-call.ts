import {
  type CallOutcome,
  type ElicitationAnswer,
  type ElicitationModes,
  type ElicitationParams,
  type InputRequest,
  type InputResponses,
  type Progress,
  steadyNow,
  type Tool,
  type UpstreamCallOptions,
} from '../model/index.ts';
import { questionsMax, readAnswer } from './questions.ts';

interface Question {
  params: ElicitationParams;
  answer(answer: ElicitationAnswer): void;
}

/** Who calls where there is only one. */
export const defaultPrincipal = 'local';

/** Stands for a round that ended with questions. */
export const asked = Symbol('asked');

/**
 * A call that runs on a server, however many requests of a host it takes. While a server of an older revision waits for
 * an answer to `elicitation/create`, the call stays open, and the host's request is answered with the questions.
 */
export class RunningCall {
  readonly tool: Tool;
  readonly principal: string;
  readonly startedAt = steadyNow();
  readonly #cancel = new AbortController();
  readonly #questions = new Map<string, Question>();
  readonly #outcome: Promise<CallOutcome>;
  /** Of the round under way. */
  #options: UpstreamCallOptions;
  #wake: () => void = () => {};
  #asked = 0;
  /** What keeps the time of the call; it stands still while a user is asked. */
  clock: { start(): void; stop(): void } | undefined;

  constructor(tool: Tool, options: UpstreamCallOptions, run: (call: RunningCall) => Promise<CallOutcome>) {
    this.tool = tool;
    this.principal = options.principal ?? defaultPrincipal;
    this.#options = options;
    this.#outcome = run(this);
    // While the call is parked nobody listens.
    this.#outcome.catch(() => {});
  }

  /** Aborted when nobody wants the call any more. */
  get signal(): AbortSignal {
    return this.#cancel.signal;
  }

  get isWaiting(): boolean {
    return this.#questions.size > 0;
  }

  /** False while so many wait that nobody would answer one more. */
  get hasRoom(): boolean {
    return this.#questions.size < questionsMax;
  }

  get elicitation(): ElicitationModes {
    return this.#options.elicitation ?? {};
  }

  /** The questions that wait for an answer. */
  get requests(): Record<string, InputRequest> {
    return Object.fromEntries(
      [...this.#questions].map(([key, { params }]) => [key, { method: 'elicitation/create', params }]),
    );
  }

  readonly progress = (progress: Progress): void => this.#options.onProgress?.(progress);

  readonly elicitationComplete = (id: string): void => this.#options.onElicitationComplete?.(id);

  /** Puts a question of the server; resolves with the answer, rejects when `signal` aborts. */
  ask(params: ElicitationParams, signal: AbortSignal): Promise<ElicitationAnswer> {
    const key = `question-${++this.#asked}`;
    return new Promise((resolve, reject) => {
      const settle = () => {
        signal.removeEventListener('abort', withdrawn);
        this.#questions.delete(key);
      };
      const withdrawn = () => {
        settle();
        reject(new Error('The server withdrew its question.'));
      };
      const answer = (given: ElicitationAnswer) => {
        settle();
        resolve(given);
      };
      signal.addEventListener('abort', withdrawn, { once: true });
      this.#questions.set(key, { params, answer });
      this.#wake();
    });
  }

  /** Until there is a result or a question; `options` are those of the request that waits for it. */
  async round(options: UpstreamCallOptions): Promise<CallOutcome | typeof asked> {
    this.#options = options;
    const { signal, inputResponses = {} } = options;
    const onAbort = () => this.cancel();
    signal?.addEventListener('abort', onAbort, { once: true });
    if (signal?.aborted) onAbort();
    else this.#answer(inputResponses);
    try {
      return await this.#next(signal);
    } finally {
      signal?.removeEventListener('abort', onAbort);
      // The request that was answered with questions must not hear of progress any more.
      const { onProgress: _, ...rest } = options;
      if (this.isWaiting) this.#options = rest;
    }
  }

  /** Questions come before the outcome: they may be of another call, which still waits. */
  async #next(signal: AbortSignal | undefined): Promise<CallOutcome | typeof asked> {
    const isAsking = () => this.isWaiting && !signal?.aborted;
    for (;;) {
      if (isAsking()) return asked;
      const woken = new Promise<typeof asked>((resolve) => {
        this.#wake = () => resolve(asked);
      });
      try {
        const outcome = await Promise.race([this.#outcome, woken]);
        // A question that woke us may have been withdrawn at once.
        if (outcome !== asked && !isAsking()) return outcome;
      } catch (error) {
        if (!isAsking()) throw error;
      }
    }
  }

  /** Ends the call: what it still asks is answered with `cancel`, and the server is told. */
  cancel(): void {
    this.dismissQuestions();
    this.#cancel.abort();
  }

  /** Answers all that is asked as a user does who closes the dialog. */
  dismissQuestions(): void {
    for (const { answer } of [...this.#questions.values()]) answer({ action: 'cancel' });
  }

  #answer(responses: InputResponses): void {
    for (const [key, { answer }] of [...this.#questions]) {
      const given = Object.hasOwn(responses, key) ? readAnswer(responses[key]) : undefined;
      if (given !== undefined) answer(given);
    }
  }
}
