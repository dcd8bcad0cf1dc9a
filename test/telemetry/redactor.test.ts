import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor } from '../../src/telemetry/index.ts';

describe('createRedactor', () => {
  it.each([
    ['as it is', 'a s3cr3t b', 'a [redacted] b'],
    ['the longer one of two first', 's3cr3t-and-more', '[redacted]'],
    ['in a URL', 'https://x/?q=p%40ss%2Fw', 'https://x/?q=[redacted]'],
    ['in JSON', '{"k":"a\\"b\\nc"}', '{"k":"[redacted]"}'],
    ['each time', 's3cr3ts3cr3t', '[redacted][redacted]'],
    ['not when too short to be one', 'abc', 'abc'],
  ])('%s', (_, text, expected) => {
    const redactor = createRedactor(['s3cr3t', 's3cr3t-and-more', 'p@ss/w', 'a"b\nc', 'abc', '']);
    expect(redactor.text(text)).toBe(expected);
  });

  it('takes characters of patterns as they are', () => {
    expect(createRedactor(['a.*b(c)|[d]']).text('axxb a.*b(c)|[d]')).toBe('axxb [redacted]');
  });

  it('goes through everything a log line can carry', () => {
    const secret = 's3cr3t-value';
    const redactor = createRedactor([secret, '123456']);
    const cycle: Record<string, unknown> = { secret };
    cycle.self = cycle;
    const error = Object.assign(new Error(`bad ${secret}`, { cause: new Error(secret) }), { detail: secret });
    const value = redactor.value({
      list: [secret, 1, null, undefined, true],
      [secret]: 'as a key',
      map: new Map([[secret, secret]]),
      set: new Set([secret]),
      url: new URL(`https://x.dev/${secret}`),
      date: new Date(0),
      bytes: Buffer.from(secret),
      big: 5n,
      number: 123456,
      call: () => secret,
      error,
      cycle,
    });
    const text = JSON.stringify(value);
    expect(text).not.toContain(secret);
    expect(text).not.toContain('123456');
    expect(value).toMatchObject({
      list: ['[redacted]', 1, null, undefined, true],
      map: { '[redacted]': '[redacted]' },
      date: '1970-01-01T00:00:00.000Z',
      bytes: `[${secret.length} bytes]`,
      big: '5',
      error: { name: 'Error', message: 'bad [redacted]', detail: '[redacted]', cause: { message: '[redacted]' } },
      cycle: { self: '[circular]' },
    });
  });

  it('cuts what is too deep, too long or too wide', () => {
    const redactor = createRedactor([]);
    const deep = { a: { a: { a: { a: { a: { a: { a: 1 } } } } } } };
    expect(JSON.stringify(redactor.value(deep))).toContain('[deep]');
    expect(redactor.text('x'.repeat(20_000)).length).toBeLessThan(10_010);
    expect(redactor.value(Array.from({ length: 5_000 }, () => 1))).toHaveLength(100);
  });

  it('leaves no secret in any text', () => {
    const secret = fc.string({ minLength: 4, maxLength: 12 }).filter((text) => !'[redacted]'.includes(text));
    fc.assert(
      fc.property(
        fc.array(secret, { minLength: 1, maxLength: 4 }),
        fc.string(),
        fc.string(),
        (secrets, before, after) => {
          const texts = secrets.map((one) => createRedactor(secrets).text(`${before} ${one} ${after}`));
          for (const [index, text] of texts.entries()) {
            const rest = text.replaceAll('[redacted]', '\u0000');
            expect(rest).not.toContain(secrets[index]);
          }
        },
      ),
    );
  });
});
