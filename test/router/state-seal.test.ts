import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ResumePoint } from '../../src/model/index.ts';
import { type SealBinding, StateSeal, sealedMaxMs } from '../../src/router/state-seal.ts';

const secret = randomBytes(32);
const binding: SealBinding = { principal: 'ada', serverId: 'srv', toolName: 'make', argumentsHash: 'h' };
const resume: ResumePoint = { kind: 'server', requestState: 'upstream state' };
const refused = expect.objectContaining({ code: 'input_state_invalid' });

describe('a sealed state', () => {
  it('opens for the call it was sealed for, byte for byte, in another process with the same secret', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), fc.string(), (requestState, principal, argumentsHash) => {
        const bound = { ...binding, principal, argumentsHash };
        const sealed = new StateSeal(() => secret).seal({ kind: 'server', requestState }, bound);
        expect(new StateSeal(() => secret).open(sealed, bound)).toEqual({ kind: 'server', requestState });
      }),
    );
  });

  it('keeps a state that is absent apart from an empty one', () => {
    const seal = new StateSeal(() => secret);
    expect(seal.open(seal.seal({ kind: 'server' }, binding), binding)).toEqual({ kind: 'server' });
  });

  it.each(['principal', 'serverId', 'toolName', 'argumentsHash'] as const)('opens for no other %s', (key) => {
    const seal = new StateSeal(() => secret);
    const sealed = seal.seal(resume, binding);
    expect(() => seal.open(sealed, { ...binding, [key]: 'other' })).toThrow(refused);
  });

  it('does not open when anything in it was altered, or under another secret', () => {
    const seal = new StateSeal(() => secret);
    const sealed = seal.seal(resume, binding);
    for (let at = 0; at < sealed.length; at += 1) {
      const swapped = sealed[at] === 'A' ? 'Q' : 'A';
      const altered = sealed.slice(0, at) + swapped + sealed.slice(at + 1);
      if (Buffer.from(altered.slice(4), 'base64url').equals(Buffer.from(sealed.slice(4), 'base64url'))) continue;
      expect(() => seal.open(altered, binding)).toThrow(refused);
    }
    expect(() => new StateSeal(() => randomBytes(32)).open(sealed, binding)).toThrow(refused);
  });

  it('is refused, whatever else comes', () => {
    const seal = new StateSeal(() => secret);
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.base64String().map((text) => `tc1.${text}`),
        ),
        (text) => {
          expect(() => seal.open(text, binding)).toThrow(refused);
        },
      ),
    );
  });

  it('expires', () => {
    let now = 1_000;
    const seal = new StateSeal(
      () => secret,
      () => now,
    );
    const sealed = seal.seal(resume, binding);
    now += sealedMaxMs;
    expect(seal.open(sealed, binding)).toEqual(resume);
    now += 1;
    expect(() => seal.open(sealed, binding)).toThrow(/expired/);
  });

  it('shows its bearer nothing', () => {
    const sealed = new StateSeal(() => secret).seal(resume, binding);
    expect(Buffer.from(sealed.slice(4), 'base64url').toString('latin1')).not.toContain('upstream');
  });
});
