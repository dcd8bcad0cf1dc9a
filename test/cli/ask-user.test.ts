import { describe, expect, it } from 'vitest';
import { askUser } from '../../src/cli/ask-user.ts';
import type { ElicitationParams, JsonObject } from '../../src/model/index.ts';

/** Plays a person who types these lines, then nothing more. */
async function ask(params: ElicitationParams, ...typed: string[]) {
  const written: string[] = [];
  const stderr = { write: (text: string) => void written.push(text), isTTY: true, columns: 80, color: false };
  const prompt = async (question: string) => {
    written.push(question);
    return typed.shift();
  };
  const signal = new AbortController().signal;
  const answer = await askUser({ stderr }, prompt, { server: 'srv', tool: 'srv__make', params, signal });
  return { answer, shown: written.join('') };
}

const form = (properties: JsonObject, required: string[] = []): ElicitationParams => ({
  message: 'Server "srv" asks:\u001b[2J what?',
  requestedSchema: { type: 'object', properties, required },
});

describe('a form at the terminal', () => {
  it('is asked field by field and sent when the person agrees', async () => {
    const fields = {
      name: { type: 'string', title: 'Full\u001b[2J name', description: 'as in the passport' },
      age: { type: 'integer' },
      share: { type: 'number', default: 0.5 },
      ok: { type: 'boolean' },
      size: { type: 'string', enum: ['s', 'm'] },
      colour: {
        type: 'string',
        oneOf: [
          { const: 'r', title: 'Red' },
          { const: 'g', title: 'Green' },
        ],
      },
      tools: { type: 'array', items: { type: 'string', enum: ['saw', 'axe'] } },
      note: { type: 'string' },
    };
    const { answer, shown } = await ask(form(fields, ['name']), 'Ada', '36', '', 'y', 'm', 'g', 'saw, axe', '', 'y');
    const content = { name: 'Ada', age: 36, share: 0.5, ok: true, size: 'm', colour: 'g', tools: ['saw', 'axe'] };
    expect(answer).toEqual({ action: 'accept', content });
    expect(shown).toContain('Server "srv" asks: what?');
    expect(shown).toContain('Full name (name) – as in the passport [string]');
    expect(shown).not.toContain('\u001b');
    expect(shown).toContain('one of s, m, optional');
    expect(shown).toContain('Send this to server "srv"?');
  });

  it('asks again for what does not fit, and gives up in the end', async () => {
    const fields = form({ age: { type: 'integer' } }, ['age']);
    const { answer, shown } = await ask(fields, 'old', '', '36', 'y');
    expect(answer).toEqual({ action: 'accept', content: { age: 36 } });
    expect(shown).toContain('Expected whole number.');
    expect((await ask(fields, 'a', 'b', 'c')).answer).toEqual({ action: 'cancel' });
  });

  it('is declined with anything but yes, and cancelled when nobody types any more', async () => {
    expect((await ask(form({ a: { type: 'string' } }), 'x', '')).answer).toEqual({ action: 'decline' });
    expect((await ask(form({ a: { type: 'string' } }), 'x')).answer).toEqual({ action: 'cancel' });
    expect((await ask(form({ a: { type: 'string' } }))).answer).toEqual({ action: 'cancel' });
  });
});

describe('a URL at the terminal', () => {
  const params = { mode: 'url', message: 'Log in.', url: 'https://example.org/a?b=c&d=%20e' };

  it('is shown whole', async () => {
    const { answer, shown } = await ask(params, 'y');
    expect(answer).toEqual({ action: 'accept' });
    expect(shown).toContain('https://example.org/a?b=c&d=%20e\n');
    expect((await ask(params, 'n')).answer).toEqual({ action: 'decline' });
  });
});
