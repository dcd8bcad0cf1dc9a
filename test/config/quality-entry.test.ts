import { describe, expect, it } from 'vitest';
import { resolveOptions } from '../../src/config/resolve.ts';

const model = { baseUrl: 'http://127.0.0.1:8080/v1', model: 'small' };
const resolve = (entry: object, env: Record<string, string> = {}) =>
  resolveOptions({ quality: { model: { ...model, ...entry } } }, { env });

describe('quality.model', () => {
  it('is absent unless configured, and has a time limit', () => {
    expect(resolveOptions({}).qualityModel).toBeUndefined();
    expect(resolve({}).qualityModel).toEqual({ ...model, timeoutMs: 60_000 });
  });

  it('expands variables and keeps the key out of sight', () => {
    const { qualityModel, secrets } = resolve(
      { apiKey: `\${MODEL_KEY}`, timeoutMs: 5_000 },
      { MODEL_KEY: 'sk-12345678' },
    );
    expect(qualityModel).toEqual({ ...model, apiKey: 'sk-12345678', timeoutMs: 5_000 });
    expect(secrets).toContain('sk-12345678');
  });

  it('is left out with a warning while a variable is missing', () => {
    const { qualityModel, warnings } = resolve({ apiKey: `\${MODEL_KEY}` });
    expect(qualityModel).toBeUndefined();
    expect(warnings.map(({ message }) => message).join()).toMatch(/MODEL_KEY.*until then no cases are run/);
  });

  it.each([[{ baseUrl: 'ftp://x' }], [{ model: '' }], [{ timeoutMs: 0 }]])('refuses %j', (entry) => {
    expect(() => resolve(entry)).toThrow(expect.objectContaining({ code: 'config_invalid' }));
  });

  it('warns of keys that mean nothing', () => {
    expect(
      resolve({ apikey: 'x' })
        .warnings.map(({ message }) => message)
        .join(),
    ).toContain('did you mean "apiKey"?');
  });
});
