import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { streamOutput } from '../../src/cli/stream-output.ts';

function stream(properties: object = {}) {
  const chunks: string[] = [];
  const writable = new Writable({
    write: (chunk, _, done) => {
      chunks.push(String(chunk));
      done();
    },
  });
  return { stream: Object.assign(writable, properties) as unknown as NodeJS.WriteStream, chunks };
}

describe('streamOutput', () => {
  it.each([
    ['a pipe', {}, {}, { isTTY: false, columns: 80, color: false }, false],
    ['a terminal', { isTTY: true, columns: 120 }, {}, { isTTY: true, columns: 120, color: true }, true],
    ['a terminal of unknown width', { isTTY: true, columns: 0 }, {}, { columns: 80 }, true],
    ['NO_COLOR', { isTTY: true }, { NO_COLOR: '1' }, { isTTY: true, columns: 80, color: false }, true],
    ['an empty NO_COLOR', { isTTY: true }, { NO_COLOR: '' }, { isTTY: true, columns: 80, color: true }, true],
    ['a dumb terminal', { isTTY: true }, { TERM: 'dumb' }, { isTTY: true, columns: 80, color: false }, false],
    ['CI', { isTTY: true }, { CI: 'true' }, { isTTY: true, columns: 80, color: true }, false],
  ])('%s', (_, properties, env, expected, hasSpinner) => {
    const output = streamOutput(stream(properties).stream, env);
    expect(output).toMatchObject(expected);
    expect(output.spinnerStream !== undefined).toBe(hasSpinner);
  });

  it('drops what comes after the reader has gone', () => {
    const { stream: target, chunks } = stream();
    const output = streamOutput(target, {});
    output.write('one');
    target.emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
    output.write('two');
    expect(chunks).toEqual(['one']);
  });

  it('lets a command end well when its pipe is closed early', async () => {
    const source = new URL('../../src/cli/stream-output.ts', import.meta.url).href;
    const script = `
      import { streamOutput } from ${JSON.stringify(source)};
      const output = streamOutput(process.stdout);
      for (let line = 0; line < 2000; line += 1) {
        output.write('x'.repeat(1000) + '\\n');
        await new Promise((resolve) => setImmediate(resolve));
      }`;
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', script]);
    child.stdout.once('data', () => child.stdout.destroy());
    const [exitCode] = await once(child, 'exit');
    expect(exitCode).toBe(0);
  });
});
