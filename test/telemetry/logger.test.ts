import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { LogEntry } from '../../src/model/index.ts';
import { createLogger, type LoggerOptions } from '../../src/telemetry/index.ts';

function logTo(options: Partial<LoggerOptions> & { isTTY?: boolean } = {}) {
  const { isTTY = false, ...rest } = options;
  const lines: string[] = [];
  const entries: LogEntry[] = [];
  const logger = createLogger({
    level: 'info',
    destination: { isTTY, write: (text) => lines.push(text) },
    onEntry: (entry) => entries.push(entry),
    ...rest,
  });
  return { logger, lines, entries };
}

describe('createLogger', () => {
  it('writes one JSON object a line where nobody watches', () => {
    const { logger, lines } = logTo();
    logger.warn('server is slow', { server: 'github', durationMs: 5 });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/\}\n$/);
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      level: 'warn',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      server: 'github',
      durationMs: 5,
      message: 'server is slow',
    });
  });

  it('writes short lines for a person', () => {
    const { logger, lines } = logTo({ isTTY: true });
    logger.info('server is slow', { server: 'git hub', tools: 5, state: 'ok', era: { a: 1 }, error: new Error('no') });
    expect(lines[0]).toMatch(
      /^\d\d:\d\d:\d\d info {2}server is slow server="git hub" tools=5 state=ok era=\{"a":1\} error=no\n$/,
    );
  });

  it('keeps a terminal safe from texts of servers', () => {
    const { logger, lines } = logTo({ isTTY: true });
    logger.info('tool \u001b[31mred\u001b[0m\r\nnext \u202egnp\u0007', { name: '\u001b]0;title\u0007x' });
    expect(lines[0]).toMatch(/info {2}tool red next gnp name=x\n$/);
  });

  it.each([
    ['debug', ['debug', 'info', 'warn', 'error']],
    ['warn', ['warn', 'error']],
    ['silent', []],
  ] as const)('at level %s writes %j and hands on everything', (level, written) => {
    const { logger, lines, entries } = logTo({ level });
    for (const each of ['debug', 'info', 'warn', 'error'] as const) logger[each](each);
    expect(lines.map((line) => JSON.parse(line).level)).toEqual(written);
    expect(entries.map((entry) => entry.level)).toEqual(['debug', 'info', 'warn', 'error']);
  });

  it.each([[true], [false]])('takes secrets out of everything (terminal: %s)', (isTTY) => {
    const secret = 's3cr3t-value';
    const { logger, lines, entries } = logTo({ isTTY, secrets: [secret] });
    logger.error(`cannot use ${secret}`, { err: new Error(secret), nested: { list: [secret] }, [secret]: 1 });
    expect(lines.join('')).toContain('[redacted]');
    expect(lines.join('') + JSON.stringify(entries)).not.toContain(secret);
  });

  it('lets no field pass for the level, time or message', () => {
    const { logger, lines } = logTo();
    logger.warn('real', { level: 'fake', message: 'fake', time: 'fake' });
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'warn', message: 'real', level_: 'fake', time_: 'fake' });
    expect(lines[0]?.match(/"level":/g)).toHaveLength(1);
  });

  it('writes to stderr by default, and never to stdout', () => {
    const index = new URL('../../src/telemetry/index.ts', import.meta.url).href;
    const script = `
      import { createLogger } from ${JSON.stringify(index)};
      createLogger({ level: 'info' }).info('hello');`;
    const child = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', script], {
      encoding: 'utf8',
    });
    expect(child.stdout).toBe('');
    expect(JSON.parse(child.stderr)).toMatchObject({ level: 'info', message: 'hello' });
  });
});
