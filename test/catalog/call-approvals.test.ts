import { describe, expect, it } from 'vitest';
import { CallApprovalTable } from '../../src/catalog/call-approvals.ts';
import { openDatabase } from '../../src/catalog/database.ts';
import type { ApprovableCall } from '../../src/model/index.ts';
import { temporaryPath } from './harness.ts';

const callWith = (digest: string): ApprovableCall => ({
  serverId: 'srv',
  toolName: 'make',
  name: 'srv__make',
  caller: 'local',
  digest,
  effect: 'destructive',
  isEffectKnown: false,
  arguments: { of: 'oak' },
});

function setUp(path = ':memory:') {
  let now = 1_000;
  const database = openDatabase(path);
  const approvals = new CallApprovalTable(database, () => now);
  const pass = (ms: number) => {
    now += ms;
  };
  return { approvals, pass, database, later: (ms: number) => now + ms };
}

const hour = 60 * 60_000;

describe('calls that a person has to allow', () => {
  it('wait for an hour, each call once, oldest first', () => {
    const { approvals, pass } = setUp();
    const first = approvals.request(callWith('a'));
    pass(10);
    const second = approvals.request(callWith('b'));
    expect(approvals.request(callWith('a'))).toBe(first);
    expect(approvals.waiting().map(({ id }) => id)).toEqual([first, second]);
    expect(approvals.waiting()[0]).toEqual({
      id: first,
      serverId: 'srv',
      toolName: 'make',
      name: 'srv__make',
      caller: 'local',
      effect: 'destructive',
      isEffectKnown: false,
      arguments: { of: 'oak' },
      requestedAt: 1_000,
      expiresAt: 1_000 + hour,
    });
    pass(hour - 5);
    expect(approvals.waiting().map(({ id }) => id)).toEqual([second]);
    expect(approvals.grant(first, { isOnce: true, expiresAt: Number.MAX_SAFE_INTEGER })).toBeUndefined();
    expect(approvals.request(callWith('a'))).not.toBe(first);
  });

  it('make room for newer ones', () => {
    const { approvals } = setUp();
    const ids = Array.from({ length: 205 }, (_, index) => approvals.request(callWith(`d${index}`)));
    expect(approvals.waiting().map(({ id }) => id)).toEqual(ids.slice(5));
  });

  it('are granted once: the grant is used up by one call, and an id is good for one grant', () => {
    const { approvals, later } = setUp();
    const id = approvals.request(callWith('a'));
    expect(approvals.grant(id, { isOnce: true, expiresAt: later(1_000) })).toMatchObject({ id });
    expect(approvals.grant(id, { isOnce: true, expiresAt: later(1_000) })).toBeUndefined();
    expect(approvals.waiting()).toEqual([]);
    expect(approvals.take('b')).toBe(false);
    expect(approvals.take('a')).toBe(true);
    expect(approvals.take('a')).toBe(false);
  });

  it('are granted for a time', () => {
    const { approvals, pass, later } = setUp();
    approvals.grant(approvals.request(callWith('a')), { isOnce: false, expiresAt: later(1_000) });
    expect([approvals.take('a'), approvals.take('a')]).toEqual([true, true]);
    pass(1_000);
    expect(approvals.take('a')).toBe(false);
  });

  it('are not used up where they are allowed for a time as well', () => {
    const { approvals, pass, later } = setUp();
    approvals.allow('a', { isOnce: true, expiresAt: later(5_000) });
    approvals.allow('a', { isOnce: false, expiresAt: later(1_000) });
    expect(approvals.take('a')).toBe(true);
    pass(1_000);
    expect([approvals.take('a'), approvals.take('a')]).toEqual([true, false]);
  });

  it('expire when nobody used the grant', () => {
    const { approvals, pass, later } = setUp();
    approvals.grant(approvals.request(callWith('a')), { isOnce: true, expiresAt: later(1_000) });
    pass(1_000);
    expect(approvals.take('a')).toBe(false);
  });
});

describe('questions through a host', () => {
  it('take one answer, for their own call, and cannot be granted elsewhere', () => {
    const { approvals, later } = setUp();
    const id = approvals.ask(callWith('a'));
    expect(approvals.waiting()).toEqual([]);
    expect(approvals.grant(id, { isOnce: true, expiresAt: later(1_000) })).toBeUndefined();
    expect(approvals.takeQuestion(id, 'b')).toBe(false);
    expect(approvals.takeQuestion(id, 'a')).toBe(true);
    expect(approvals.takeQuestion(id, 'a')).toBe(false);
    expect(approvals.takeQuestion(approvals.request(callWith('a')), 'a')).toBe(false);
  });
});

it('what one process grants, another uses', () => {
  const path = temporaryPath();
  const [serving, terminal] = [setUp(path), setUp(path)];
  const id = serving.approvals.request(callWith('a'));
  expect(terminal.approvals.waiting()).toMatchObject([{ id }]);
  terminal.approvals.grant(id, { isOnce: true, expiresAt: terminal.later(1_000) });
  expect([serving.approvals.take('a'), terminal.approvals.take('a')]).toEqual([true, false]);
  serving.database.close();
  terminal.database.close();
});

describe('calls that a person refuses', () => {
  const once = (expiresAt: number) => ({ isOnce: true, expiresAt });
  const often = (expiresAt: number) => ({ isOnce: false, expiresAt });

  it('are refused once, and then wait anew', () => {
    const { approvals, later } = setUp();
    const id = approvals.request(callWith('a'));
    expect(approvals.refuse(id, once(later(hour)))).toMatchObject({ id, name: 'srv__make' });
    expect(approvals.waiting()).toEqual([]);
    expect(approvals.take('a')).toBe(false);
    expect(approvals.takeRefusal('b')).toBe(false);
    expect([approvals.takeRefusal('a'), approvals.takeRefusal('a')]).toEqual([true, false]);
    expect(approvals.request(callWith('a'))).not.toBe(id);
  });

  it('are refused for a time, and neither granted nor refused once more meanwhile', () => {
    const { approvals, pass, later } = setUp();
    const id = approvals.request(callWith('a'));
    approvals.refuse(id, often(later(hour)));
    expect([approvals.takeRefusal('a'), approvals.takeRefusal('a')]).toEqual([true, true]);
    expect(approvals.grant(id, once(later(hour)))).toBeUndefined();
    expect(approvals.refuse(id, once(later(hour)))).toBeUndefined();
    pass(hour + 1);
    expect(approvals.takeRefusal('a')).toBe(false);
  });
});
