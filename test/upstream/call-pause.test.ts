import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/model/index.ts';
import { toCallPause } from '../../src/upstream/call-pause.ts';

const context = { serverId: 'srv', toolName: 'make', elicitation: { form: true, url: true } };
const form = { method: 'elicitation/create', params: { message: 'Who?', requestedSchema: { type: 'object' } } };
const url = { method: 'elicitation/create', params: { mode: 'url', message: 'Log in.', url: 'https://example.org/' } };
const of = (raw: JsonObject, elicitation = context.elicitation) => toCallPause(raw, { ...context, elicitation });

describe('what a server asks of a caller', () => {
  it('is passed on with its name, and with the state as it came', () => {
    const params = { ...form.params, message: 'Server "srv" (tool "make") asks: Who?' };
    expect(of({ inputRequests: { a: form }, requestState: '' })).toEqual({
      inputRequests: { a: { method: 'elicitation/create', params } },
      resume: { kind: 'server', requestState: '' },
    });
    expect(of({ inputRequests: { a: form } }).resume).toEqual({ kind: 'server' });
    expect(of({ inputRequests: { a: url } }).inputRequests.a?.params.url).toBe('https://example.org/');
  });

  it.each([
    [{ a: form }, { form: false, url: true }, 'Who?'],
    [{ a: url }, { form: true, url: false }, 'Log in.'],
    [{ a: form, b: { method: 'sampling/createMessage', params: {} } }, context.elicitation, 'sampling/createMessage'],
    [{ a: { method: 'roots/list' } }, context.elicitation, 'roots/list'],
  ])('is refused where the caller cannot do it: %j', (inputRequests, elicitation, named) => {
    expect(() => of({ inputRequests, requestState: 's' }, elicitation)).toThrow(
      expect.objectContaining({ code: 'input_unavailable', message: expect.stringContaining(named) }),
    );
  });

  it('is passed on untouched where the host itself can do it', () => {
    const model = { method: 'sampling/createMessage', params: { messages: [], maxTokens: 1, 'x-own': 1 } };
    const inputRequests = { a: form, model, roots: { method: 'roots/list' } };
    const pause = toCallPause({ inputRequests }, { ...context, hostCapabilities: { sampling: {}, roots: {} } });
    expect(Object.keys(pause.inputRequests)).toEqual(['a']);
    expect(pause.hostRequests).toEqual({ model, roots: { method: 'roots/list' } });
    const withoutRoots = { ...context, hostCapabilities: { sampling: {} } };
    expect(() => toCallPause({ inputRequests }, withoutRoots)).toThrow(
      expect.objectContaining({
        code: 'input_unavailable',
        details: expect.objectContaining({ requiredCapabilities: { roots: {} } }),
      }),
    );
  });

  it.each([
    [{}],
    [{ inputRequests: {} }],
    [{ inputRequests: [form] }],
    [{ inputRequests: { a: null } }],
    [{ inputRequests: { a: { method: 'elicitation/create' } } }],
    [{ inputRequests: { a: { method: 'elicitation/create', params: { message: 1 } } } }],
    [{ inputRequests: { a: { method: 'elicitation/create', params: { message: 'm', mode: 'voice' } } } }],
    [{ inputRequests: { a: { method: 'elicitation/create', params: { message: 'm', mode: 'url' } } } }],
    [{ inputRequests: { a: { method: 'elicitation/create', params: { message: 'm', requestedSchema: deep() } } } }],
    [{ inputRequests: { a: form }, requestState: 5 }],
    [{ requestState: 'x'.repeat(2 ** 20 + 1) }],
    [{ inputRequests: Object.fromEntries(Array.from({ length: 17 }, (_, key) => [key, form])) }],
  ])('is an error of the server when it is malformed', (raw) => {
    expect(() => of(raw as unknown as JsonObject)).toThrow(expect.objectContaining({ code: 'upstream_error' }));
  });
});

/** More levels than JSON of a sane server has. */
function deep(): JsonObject {
  let value: JsonObject = {};
  for (let level = 0; level < 10_000; level += 1) value = { properties: value };
  return value;
}
