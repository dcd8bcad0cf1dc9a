import { messageOf, ToolcribError } from '../../errors/index.ts';
import { boundedText } from '../../model/index.ts';
import { capText, cleanText } from '../../render/index.ts';
import { createRedactor } from '../../telemetry/index.ts';
import { BadAnswerError } from './endpoint-answer.ts';

export interface EndpointAddress {
  /** The URL that `/embeddings` is put behind, such as `http://127.0.0.1:8080/v1`. */
  baseUrl: string;
  /** Sent as a bearer token. */
  apiKey?: string;
}

/** Why a request came to nothing, as far as it decides what to do next. */
export interface RequestFailure {
  error: ToolcribError;
  /** `later`: the same request may work in a while. `smaller`: fewer or shorter texts may. `never`: neither. */
  retry: 'later' | 'smaller' | 'never';
  /** How long the endpoint asks to be left alone. */
  retryAfterMs?: number;
}

export class EndpointError extends Error {
  override readonly name = 'EndpointError';
  readonly failure: RequestFailure;

  constructor(failure: RequestFailure) {
    super(failure.error.message);
    this.failure = failure;
  }
}

/** 512 vectors of 4,096 values, as JSON, are about 45 MB. */
const answerMaxBytes = 64 * 1024 * 1024;
/** Enough of an error's body to tell what is wrong. */
const errorMaxBytes = 16 * 1024;
const errorMaxCharacters = 200;

/** Sends one request to an OpenAI-compatible endpoint and returns the parsed body. */
export class EndpointClient {
  readonly #url: URL;
  readonly #headers: Record<string, string>;
  readonly #redact: (text: string) => string;

  constructor({ baseUrl, apiKey }: EndpointAddress) {
    this.#url = embeddingsUrl(baseUrl);
    this.#headers = {
      'content-type': 'application/json',
      accept: 'application/json',
      ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
    };
    this.#redact = createRedactor(apiKey === undefined ? [] : [apiKey]).text;
  }

  /** For messages: without whatever the query of the URL holds. */
  get name(): string {
    return this.#url.origin + this.#url.pathname;
  }

  /** @throws EndpointError. Once `signal` is aborted, its reason. */
  async post<Result>(request: {
    body: object;
    timeoutMs: number;
    signal: AbortSignal;
    read: (body: unknown) => Result;
  }): Promise<Result> {
    const { body, timeoutMs, signal, read } = request;
    const limit = AbortSignal.timeout(timeoutMs);
    try {
      const response = await fetch(this.#url, {
        method: 'POST',
        headers: this.#headers,
        body: JSON.stringify(body),
        // Texts and key are meant for this address and no other.
        redirect: 'manual',
        signal: AbortSignal.any([signal, limit]),
      });
      if (!response.ok) throw await this.#statusError(response);
      return read(JSON.parse(await readText(response, answerMaxBytes)));
    } catch (cause) {
      if (signal.aborted) throw signal.reason;
      if (cause instanceof EndpointError) throw cause;
      if (limit.aborted) throw this.#unavailable(`did not answer within ${timeoutMs} ms`, {});
      if (cause instanceof BadAnswerError) throw this.#refused(`gave an answer that cannot be used: ${cause.message}`);
      if (cause instanceof SyntaxError) throw this.#refused('gave an answer that is no JSON');
      throw this.#unavailable(`cannot be reached: ${this.#reason(cause)}`, {});
    }
  }

  async #statusError(response: Response): Promise<EndpointError> {
    const { status } = response;
    if (status >= 300 && status < 400) {
      await response.body?.cancel();
      return this.#refused(
        `answered ${status}, a redirect, which is not followed: name the final address as "baseUrl"`,
      );
    }
    const words = await this.#words(response);
    const said = `answered ${status}${words === '' ? '' : `: ${words}`}`;
    if (status === 408 || status === 425 || status === 429 || status >= 500) {
      return this.#unavailable(said, retryAfter(response.headers));
    }
    const isAboutSize = status === 400 || status === 413 || status === 422;
    return this.#refused(said, isAboutSize ? 'smaller' : 'never');
  }

  /** What the endpoint says about its error, fit to be shown. */
  async #words(response: Response): Promise<string> {
    const text = await readText(response, errorMaxBytes).catch(() => '');
    return capText(cleanText(this.#redact(messageIn(text))), errorMaxCharacters);
  }

  #unavailable(what: string, more: Pick<RequestFailure, 'retryAfterMs'>): EndpointError {
    const error = new ToolcribError('embedding_endpoint_unavailable', `${this.name} ${what}.`);
    return new EndpointError({ error, retry: 'later', ...more });
  }

  #refused(what: string, retry: RequestFailure['retry'] = 'never'): EndpointError {
    return new EndpointError({
      error: new ToolcribError('embedding_endpoint_refused', `${this.name} ${what}.`),
      retry,
    });
  }

  /** `fetch` hides the reason ("ECONNREFUSED") one level down. */
  #reason(error: unknown): string {
    const inner = error instanceof Error && error.cause !== undefined ? error.cause : error;
    const code = (inner as { code?: unknown }).code;
    return this.#redact(messageOf(inner) || String(code ?? 'no reason given'));
  }
}

function embeddingsUrl(baseUrl: string): URL {
  const url = new URL(baseUrl);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/embeddings`;
  return url;
}

async function readText(response: Response, maxBytes: number): Promise<string> {
  const text = response.body === null ? '' : await boundedText(response.body, maxBytes);
  if (text === undefined) throw new BadAnswerError(`it has more than ${maxBytes} bytes`);
  return text;
}

/** `{"error": {"message": "…"}}` as OpenAI has it, `{"error": "…"}` and `{"message": "…"}` as others do; else the body. */
function messageIn(text: string): string {
  try {
    const { error, message } = JSON.parse(text) as { error?: unknown; message?: unknown };
    const words = [(error as { message?: unknown } | undefined)?.message, error, message];
    return words.find((word) => typeof word === 'string') ?? text;
  } catch {
    return text;
  }
}

/** Seconds or a date (RFC 9110, 10.2.3). */
function retryAfter(headers: Headers): Pick<RequestFailure, 'retryAfterMs'> {
  const value = headers.get('retry-after')?.trim() ?? '';
  const milliseconds = /^\d+(\.\d+)?$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return Number.isFinite(milliseconds) ? { retryAfterMs: Math.max(0, milliseconds) } : {};
}
