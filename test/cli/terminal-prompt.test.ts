import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { terminalPrompt } from '../../src/cli/terminal-prompt.ts';

function setUp() {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const prompt = terminalPrompt(input as unknown as NodeJS.ReadStream, output as unknown as NodeJS.WriteStream);
  return { input, output, prompt };
}

describe('a prompt', () => {
  it('shows the question and gives the line that is typed', async () => {
    const { input, output, prompt } = setUp();
    const first = prompt('Name? ');
    input.write('Ada\n');
    expect(await first).toBe('Ada');
    expect(String(output.read())).toBe('Name? ');
    const second = prompt('Age? ');
    input.write('36\n');
    expect(await second).toBe('36');
  });

  it('gives nothing when the input ends, or when the answer is no longer wanted', async () => {
    const ended = setUp();
    const answer = ended.prompt('Name? ');
    ended.input.end();
    expect(await answer).toBeUndefined();
    const controller = new AbortController();
    const unwanted = setUp().prompt('Name? ', controller.signal);
    controller.abort();
    expect(await unwanted).toBeUndefined();
    expect(await setUp().prompt('Name? ', controller.signal)).toBeUndefined();
  });
});
