import { describe, expect, it } from 'vitest';
import { configChainVariable, extendConfigChain } from '../../src/config/config-chain.ts';
import { temporaryFile } from './temporary-folder.ts';

describe('extendConfigChain', () => {
  it('tells servers which configs they were started from', () => {
    const outer = temporaryFile('outer.json', '{}');
    const inner = temporaryFile('inner.json', '{}');
    const first = extendConfigChain(outer, {});
    const second = extendConfigChain(inner, { [configChainVariable]: first });
    expect(second.split(',')).toHaveLength(2);
    expect(second.startsWith(first)).toBe(true);
  });

  it('refuses a config that lists toolcrib with itself, directly or through another', () => {
    const outer = temporaryFile('outer.json', '{}');
    const inner = temporaryFile('inner.json', '{}');
    const first = extendConfigChain(outer, {});
    const second = extendConfigChain(inner, { [configChainVariable]: first });
    for (const chain of [first, second]) {
      expect(() => extendConfigChain(outer, { [configChainVariable]: chain })).toThrow(
        expect.objectContaining({ code: 'config_invalid', message: expect.stringContaining('lists toolcrib itself') }),
      );
    }
  });
});
