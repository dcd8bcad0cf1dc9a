import type { Fault } from '../shapes.ts';

/** An answer that is not the one asked for, in words for people. */
export class ApiError extends Error {
  readonly fault: Fault['error'];
  readonly status: number;

  constructor(status: number, fault: Fault['error']) {
    super(fault.message);
    this.status = status;
    this.fault = fault;
  }
}

/** Throws `ApiError`; what is aborted throws an `AbortError`. */
export async function get<Value>(
  path: string,
  query: Record<string, string> = {},
  signal?: AbortSignal,
): Promise<Value> {
  const given = Object.entries(query).filter(([, value]) => value !== '');
  const search = new URLSearchParams(given).toString();
  return answer<Value>(
    fetch(`api/${path}${search === '' ? '' : `?${search}`}`, signal === undefined ? {} : { signal }),
  );
}

/** The header is what pages of other origins cannot send. Throws `ApiError`. */
export async function post<Value>(path: string, body: object, signal?: AbortSignal): Promise<Value> {
  return answer<Value>(
    fetch(`api/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-toolcrib-console': '1' },
      body: JSON.stringify(body),
      ...(signal === undefined ? {} : { signal }),
    }),
  );
}

async function answer<Value>(sent: Promise<Response>): Promise<Value> {
  const response = await sent.catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ApiError(0, gone);
  });
  const value: unknown = await response.json().catch(() => undefined);
  if (response.ok) return value as Value;
  const fault = (value as Fault | undefined)?.error;
  throw new ApiError(response.status, fault ?? { ...gone, message: `The console answered with ${response.status}.` });
}

const gone = {
  code: 'gone',
  title: 'No answer',
  message: 'The console does not answer: toolcrib may have ended.',
  next: 'Start it again with toolcrib console.',
};
