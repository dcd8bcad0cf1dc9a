import { describe, expect, it } from 'vitest';
import type { ServerRecord, ServerState } from '../../src/model/index.ts';
import { decideMode, type ModeSettings } from '../../src/router/mode.ts';
import { auto } from './harness.ts';

function decide(
  tokens: number,
  options: {
    settings?: Partial<ModeSettings>;
    unlisted?: string[];
    states?: ServerState[];
    current?: 'direct' | 'discovery';
  } = {},
) {
  const record = (id: string, listed: boolean): ServerRecord => ({
    id,
    position: 0,
    fingerprint: '',
    stale: false,
    toolCount: 3,
    ...(listed ? { listedAt: 1 } : {}),
  });
  const catalog = {
    servers: () => [record('a', true), ...(options.unlisted ?? []).map((id) => record(id, false))],
    rememberedMode: () => undefined,
    rememberMode: () => undefined,
    definitionTokens: () => [{ serverId: 'a', tools: 3, tokens, uncounted: 0 }],
  };
  const facts = { catalog, serverStates: () => options.states ?? [], modeSettings: { ...auto, ...options.settings } };
  return decideMode(facts, options.current);
}

describe('decideMode', () => {
  it.each<[string, ReturnType<typeof decide>, 'direct' | 'discovery', RegExp]>([
    ['at the threshold', decide(10_000), 'direct', /3 tools take 10,000 tokens, at most 5 % of a context of 200,000/],
    ['above it', decide(10_001), 'discovery', /10,001 tokens, more than 5 % .* \(10,000\)/],
    ['another window', decide(600, { settings: { contextWindow: 10_000 } }), 'discovery', /10,000 \(500\)/],
    ['set to direct', decide(99_999, { settings: { mode: 'direct' } }), 'direct', /"mode" is set to direct/],
    ['set to discovery', decide(1, { settings: { mode: 'discovery' } }), 'discovery', /set to discovery/],
    ['a server never listed', decide(1, { unlisted: ['b'] }), 'discovery', /not listed yet: b/],
    ['a server only known by state', decide(1, { states: [{ id: 'c', state: 'idle' }] }), 'discovery', /listed yet: c/],
    ['a disabled server', decide(1, { states: [{ id: 'c', state: 'disabled' }] }), 'direct', /at most/],
    ['just below, from discovery', decide(8_000, { current: 'discovery' }), 'discovery', /not yet below 80 %/],
    ['well below, from discovery', decide(7_999, { current: 'discovery' }), 'direct', /at most/],
    ['just below, from direct', decide(9_999, { current: 'direct' }), 'direct', /at most/],
  ])('%s', (_, { mode, reason }, expectedMode, expectedReason) => {
    expect(mode).toBe(expectedMode);
    expect(reason).toMatch(expectedReason);
  });
});
