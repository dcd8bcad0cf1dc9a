import { describe, expect, it } from 'vitest';
import { CompileCache } from '../../src/validation/compile-cache.ts';

describe('CompileCache', () => {
  it('compiles a key once', () => {
    const cache = new CompileCache();
    expect(cache.get('a', { type: 'object' })).toBe(cache.get('a', { type: 'object' }));
    expect(cache.get('a', {})).not.toBe(cache.get('b', {}));
  });

  it('keeps two schemas of one id apart', () => {
    const cache = new CompileCache();
    const $id = 'https://example.com/same';
    const fits = (key: string, schema: object, value: unknown) => {
      const compilation = cache.get(key, { $id, ...schema });
      return 'skipped' in compilation ? compilation.skipped : compilation.check(value);
    };
    expect(fits('a', { type: 'string' }, 1)).toBe(false);
    expect(fits('b', { type: 'integer' }, 1)).toBe(true);
  });
});
