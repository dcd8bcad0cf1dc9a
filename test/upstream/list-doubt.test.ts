import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ToolcribError } from '../../src/errors/index.ts';
import { ListDoubt } from '../../src/upstream/list-doubt.ts';

const answered = (rpcCode: number, message = 'no') =>
  new ToolcribError('upstream_error', message, { details: { rpcCode } });

describe('ListDoubt', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'Date'] }));
  afterEach(() => void vi.useRealTimers());

  it.each([
    ['a method that is not found', answered(-32601), true],
    ['an unknown tool', answered(-32602, 'Tool x not found'), true],
    ['wrong arguments', answered(-32602, 'x must be a number'), false],
    ['headers that do not fit', answered(-32020), true],
    ['another error of the server', answered(-32603), false],
    ['a lost connection', new ToolcribError('upstream_lost', 'Unknown end.'), false],
  ])('%s', (_, error, isDoubt) => {
    expect(new ListDoubt().isRaisedBy(error)).toBe(isDoubt);
  });

  it('is not raised again for a while', () => {
    const doubt = new ListDoubt();
    expect(doubt.isRaisedBy(answered(-32601))).toBe(true);
    vi.advanceTimersByTime(9_000);
    expect(doubt.isRaisedBy(answered(-32601))).toBe(false);
    vi.advanceTimersByTime(2_000);
    expect(doubt.isRaisedBy(answered(-32601))).toBe(true);
  });
});
