import { describe, expect, it } from 'vitest';
import { reportError } from '../../src/cli/report-error.ts';
import { ToolcribError } from '../../src/errors/index.ts';

function report(error: unknown, { json = false, color = false } = {}) {
  let text = '';
  const write = (chunk: string) => {
    text += chunk;
  };
  const exitCode = reportError(error, { write, isTTY: false, columns: 80, color }, json);
  return { exitCode, text };
}

describe('reportError', () => {
  it('tells title, message and next step', () => {
    const error = new ToolcribError('config_invalid', 'c.json has an error:\n  c.json:1:2: mode: bad');
    expect(report(error)).toEqual({
      exitCode: 2,
      text:
        'error: Config file has errors (config_invalid)\nc.json has an error:\n  c.json:1:2: mode: bad\n' +
        'next: Mend the places listed and run the command again.\n',
    });
  });

  it('is one JSON object with --json', () => {
    const error = new ToolcribError('config_invalid', 'bad', {
      details: { problems: [{ line: 1 }] },
      next: 'Mend it.',
    });
    const { text } = report(error, { json: true });
    expect(text.trimEnd()).not.toContain('\n');
    expect(JSON.parse(text)).toEqual({
      error: {
        code: 'config_invalid',
        title: 'Config file has errors',
        message: 'bad',
        next: 'Mend it.',
        details: { problems: [{ line: 1 }] },
      },
    });
    expect(Object.keys(JSON.parse(report(new Error('x'), { json: true }).text).error)).toEqual([
      ...['code', 'title', 'message', 'next'],
    ]);
  });

  it('keeps advice that was given on the spot', () => {
    expect(report(new ToolcribError('unknown_tool', 'x', { next: 'Try y.' })).text).toContain('next: Try y.\n');
    expect(report(new ToolcribError('unknown_tool', 'x')).text).toContain('next: Search for it: toolcrib search');
    const forModels = { next: 'Search: search_tools {"query":"x"}' };
    expect(report(new ToolcribError('unknown_tool', 'x', forModels)).text).toContain(
      'next: Search for it: toolcrib search',
    );
  });

  it('keeps the terminal safe from texts of servers', () => {
    expect(report(new ToolcribError('upstream_error', 'bad \u001b[2J\u0007\u202etext')).text).toContain('bad text\n');
  });

  it('shows the trace of a fault of our own, and of no other', () => {
    expect(report(new TypeError('x is not a function')).text).toContain('report-error.test.ts');
    expect(report(new ToolcribError('upstream_error', 'x', { cause: new Error('y') })).text).not.toContain('.test.ts');
  });

  it('takes anything that was thrown', () => {
    expect(report('just text')).toMatchObject({ exitCode: 1, text: expect.stringContaining('just text') });
    expect(report(undefined)).toMatchObject({ exitCode: 1 });
  });
});
