import { describe, expect, it } from 'vitest';
import { ToolcribError } from '../../src/errors/index.ts';
import { Circuit } from '../../src/upstream/circuit.ts';

const failure = new ToolcribError('upstream_unavailable', 'Server "s" could not be reached.', {
  details: { reason: '(ECONNREFUSED)' },
});
const crash = new ToolcribError('upstream_lost', 'Server "s" ended by itself.');

describe('Circuit', () => {
  it('lets the first restart through at once, the second after a pause, and none after the third failure', () => {
    const circuit = new Circuit('s', () => 0);
    circuit.startFailed(failure, 0);
    expect([circuit.pauseMs(0), circuit.outage(0)]).toEqual([0, undefined]);
    circuit.startFailed(failure, 0);
    expect([circuit.pauseMs(0), circuit.pauseMs(600), circuit.outage(0)]).toEqual([1_000, 400, undefined]);
    circuit.startFailed(failure, 0);
    expect(circuit.outage(9_999)).toEqual({ reason: failure.message, retryAt: 10_000 });
    expect(circuit.outage(10_000)).toBeUndefined();
  });

  it('is open for twice as long each time its probe fails, five minutes at most', () => {
    const circuit = new Circuit('s', () => 0);
    const times = Array.from({ length: 12 }, () => {
      circuit.startFailed(failure, 0);
      return circuit.outage(0)?.retryAt ?? 0;
    });
    expect(times.slice(2, 6)).toEqual([10_000, 20_000, 40_000, 80_000]);
    expect(times.at(-1)).toBe(300_000);
  });

  it('is closed by what works', () => {
    const circuit = new Circuit('s', () => 0);
    for (let i = 0; i < 3; i += 1) circuit.startFailed(failure, 0);
    circuit.succeeded('list');
    expect(circuit.outage(0)).toBeUndefined();
    circuit.startFailed(failure, 0);
    expect(circuit.outage(0)).toBeUndefined();
  });

  it('is not closed by lists while the server ends at every call', () => {
    const circuit = new Circuit('s', () => 0);
    for (let i = 0; i < 3; i += 1) {
      circuit.crashed(crash, 500, 0);
      circuit.succeeded('list');
    }
    expect(circuit.outage(0)).toBeDefined();
    circuit.succeeded('call');
    expect(circuit.outage(0)).toBeUndefined();
  });

  it('counts anew for a connection that held', () => {
    const circuit = new Circuit('s', () => 0);
    for (let i = 0; i < 5; i += 1) circuit.crashed(crash, 60_000, 0);
    expect(circuit.outage(0)).toBeUndefined();
  });

  it('does not open for a missing login', () => {
    const circuit = new Circuit('s', () => 0);
    const login = new ToolcribError('login_required', 'Log in.');
    for (let i = 0; i < 5; i += 1) circuit.startFailed(login, 0);
    expect([circuit.outage(0), circuit.pauseMs(0)]).toEqual([undefined, 0]);
  });

  it('refuses with the reason, and with what is for people kept apart', () => {
    const circuit = new Circuit('s', () => 0);
    for (let i = 0; i < 3; i += 1) circuit.startFailed(failure, 0);
    const outage = circuit.outage(500);
    expect(outage && circuit.refusal(outage, 500)).toMatchObject({
      code: 'upstream_unavailable',
      message:
        'Server "s" failed 3 times in a row and is left alone for another 10 s; nothing was run. Last failure: Server "s" could not be reached.',
      details: { server: 's', mayHaveRun: false, retryAt: 10_000, reason: '(ECONNREFUSED)' },
    });
  });
});
