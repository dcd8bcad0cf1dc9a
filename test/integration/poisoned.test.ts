import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { createToolcrib } from '../../src/index.ts';
import type { JsonObject, Toolcrib } from '../../src/model/index.ts';
import { run } from '../cli/test-io.ts';

const definitions = readFileSync(new URL('../fixtures/poisoned/definitions.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line).definition as JsonObject);

/** Every kind of character that is not seen, wherever a text may stand. */
const hidden = 'x\u001b[31m\u0007\u009b1m\u202e\u2066\u200b\u2060\u00ad\ufeff\u{e0041}\u{e0101}\u3164y';
const everywhere: JsonObject = {
  name: `odd${hidden}`,
  title: hidden,
  description: `Opens ${hidden} the vault.\n${hidden}`,
  inputSchema: {
    type: 'object',
    properties: { [`key${hidden}`]: { type: 'string', description: hidden, enum: [hidden], default: hidden } },
  },
  outputSchema: { type: 'object', properties: { out: { type: 'string', description: hidden } } },
  annotations: { title: hidden },
};

const unseen = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}]|\p{Variation_Selector}|[\u115F\u1160\u3164\uFFA0]/u;

/** The tools of each definition's own server, approved by a person: even then nothing unseen is passed on. */
function filled(mode: 'direct' | 'discovery'): Toolcrib {
  const crib = createToolcrib({ mode, embedding: 'none' });
  for (const [index, definition] of [...definitions, everywhere].entries()) {
    crib.ingest(`p${index}`, [definition]);
    for (const { server, tool, hash } of crib.review(`p${index}`)) crib.approve({ server, tool }, hash);
  }
  afterAll(() => crib.close());
  return crib;
}

describe('what servers say with characters that nobody sees', () => {
  const crib = filled('discovery');
  const names = crib.listTools().map(({ name }) => name);

  it('reaches no model that searches and describes', async () => {
    expect(names).toHaveLength(definitions.length + 1);
    for (const name of names) {
      const shown = await crib.call('describe_tool', { name });
      expect(JSON.stringify(shown.content)).not.toMatch(unseen);
      expect(String(shown.content[0]?.text), name).not.toMatch(unseen);
    }
    for (const detail of ['name', 'summary', 'schema']) {
      for (const query of ['vault', 'file', 'user secrets', 'add numbers']) {
        const found = await crib.call('search_tools', { query, detail, limit: 20 });
        expect(String(found.content[0]?.text)).not.toMatch(unseen);
      }
    }
    const refused = await crib.call('call_tool', { name: names.at(-1), arguments: { other: 1 } });
    expect(String(refused.content[0]?.text)).not.toMatch(unseen);
  });

  it('reaches no model in direct mode, not as a key either', () => {
    const texts = (value: unknown): string[] =>
      typeof value === 'string'
        ? [value]
        : typeof value === 'object' && value !== null
          ? Object.entries(value).flatMap(([key, item]) => [key, ...texts(item)])
          : [];
    const listed = texts(filled('direct').tools());
    expect(listed.length).toBeGreaterThan(500);
    expect(listed.filter((text) => unseen.test(text))).toEqual([]);
  });

  const open = async () =>
    new Proxy(crib, {
      get: (target, key) => {
        const value = Reflect.get(target, key);
        return key === 'close' ? async () => undefined : typeof value === 'function' ? value.bind(target) : value;
      },
    });

  it.each([[[]], [['--json']]])('reaches no terminal %j', async (options) => {
    for (const isTTY of [true, false]) {
      const outputs = [
        await run(['list', 'tools', '--problems', '--no-sync', ...options], { isTTY, app: { open } }),
        await run(['search', 'vault file user', '--no-sync', '--limit', '20', ...options], { isTTY, app: { open } }),
      ];
      for (const name of names) {
        outputs.push(await run(['describe', name, '--no-sync', ...options], { isTTY, app: { open } }));
        outputs.push(await run(['diff', name, ...options], { isTTY, app: { open } }));
      }
      for (const { exitCode, stdout, stderr } of outputs) {
        expect([exitCode, stderr.match(unseen)]).toEqual([0, null]);
        expect(stdout.match(unseen)).toBeNull();
      }
    }
  });
});

it('leaves definitions without such characters as they are, with emoji and scripts that join', () => {
  const crib = createToolcrib({ mode: 'direct', embedding: 'none' });
  onTestFinished(() => crib.close());
  const description = 'Family 👨‍👩‍👧, warning ⚠️, keycap 1️⃣, Persian می‌خواهم, tab\there.\r\nNext.';
  crib.ingest('s', [{ name: 'a', description, inputSchema: { type: 'object', properties: { ключ: {} } } }]);
  expect(crib.tools().filter(({ name }) => name === 's__a')).toEqual([
    { name: 's__a', description, inputSchema: { type: 'object', properties: { ключ: {} } } },
  ]);
});
