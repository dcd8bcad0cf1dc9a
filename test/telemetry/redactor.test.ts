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

describe('credentials that nobody configured', () => {
  const a = (length: number) => 'aB3'.repeat(length).slice(0, length);

  it.each([
    ['GitHub', `ghp_${a(36)}`],
    ['GitHub, fine-grained', `github_pat_${a(30)}_${a(20)}`],
    ['GitLab', `glpat-${a(20)}`],
    ['npm', `npm_${a(36)}`],
    ['OpenAI', `sk-${a(48)}`],
    ['OpenAI of a project', `sk-proj-${a(40)}`],
    ['Anthropic', `sk-ant-api03-${a(40)}`],
    ['AWS', `AKIA${'A1B2'.repeat(4)}`],
    ['Google', `AIza${a(35)}`],
    ['Slack', `xoxb-${a(30)}`],
    ['Stripe', `sk_live_${a(24)}`],
    ['SendGrid', `SG.${a(22)}.${a(43)}`],
    ['Hugging Face', `hf_${a(34)}`],
    ['a JSON web token', `eyJ${a(20)}.eyJ${a(40)}.${a(43)}`],
    ['a bearer token', 'Bearer 0123456789abcdef0123456789abcdef'],
    ['a private key', '-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc=\n-----END RSA PRIVATE KEY-----'],
    ['the password of an address', 'postgres://me:hunter2secret@db.example.org/x'],
  ])('%s', (_, secret) => {
    const text = createRedactor([]).mask(`before ${secret} after`);
    expect(text).toContain('[redacted]');
    expect(text).not.toMatch(/aB3aB3|A1B2|0123456789abcdef|MIIE|hunter2/);
    expect(text).toMatch(/^before .* after$/s);
  });

  it.each([
    'a task-forceful-and-very-long-name-of-something',
    'https://example.org:8080/path@home?x=1',
    'me@example.org wrote: sk-learn and hf_hub are libraries',
    'd41d8cd98f00b204e9800998ecf8427e is a hash, 123e4567-e89b-12d3-a456-426614174000 an id',
    'Bearer of good news',
  ])('leaves %s alone', (text) => expect(createRedactor([]).mask(text)).toBe(text));

  it('are taken out of arguments by their names too, also deep inside', () => {
    const args = { user: 'me', password: 'x', auth: [{ api_key: 'y', max_tokens: 5, apiToken: 'z' }], nextToken: null };
    expect(createRedactor([]).args(args)).toEqual({
      user: 'me',
      password: '[redacted]',
      auth: [{ api_key: '[redacted]', max_tokens: 5, apiToken: '[redacted]' }],
      nextToken: null,
    });
  });

  it('are taken out of results of any size, which stay as they are otherwise', () => {
    const long = 'x'.repeat(50_000);
    const value = { deep: [[[[[[[[long, `ghp_${a(36)}`]]]]]]]], n: 1, none: null };
    expect(createRedactor([]).maskJson(value)).toEqual({ ...value, deep: [[[[[[[[long, '[redacted]']]]]]]]] });
  });

  it('takes time in proportion to the text, whatever it holds', () => {
    const { mask } = createRedactor([]);
    for (const piece of ['eyJ', '-----BEGIN PRIVATE KEY-----', '://a:', 'Bearer ', 'sk-', 'a', '.']) {
      expect(mask(piece.repeat(30_000))).toBeTypeOf('string');
    }
  });
});
