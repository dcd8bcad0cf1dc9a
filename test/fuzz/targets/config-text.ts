import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { loadConfig } from '../../../src/config/index.ts';
import { isToolcribError } from '../../../src/errors/index.ts';
import type { JsonValue } from '../../../src/model/index.ts';
import { mutated, mutatedText, texts } from '../mutations.ts';
import { type FuzzTarget, must } from '../target.ts';

const good: JsonValue = {
  mcpServers: {
    files: { command: 'npx', args: ['-y', 'server', `\${HOME}`], env: { TOKEN: `\${TOKEN:-none}` }, timeoutMs: 5_000 },
    remote: { url: 'https://example.org/mcp', headers: { Authorization: `Bearer \${TOKEN}` }, trust: 'trusted' },
    old: { type: 'sse', url: 'http://127.0.0.1:1/sse', tools: ['a*', '!b'], idleTimeoutMs: 1 },
  },
  mode: 'auto',
  contextWindow: 100_000,
  thresholdPercent: 5,
  pinned: ['files__read'],
  nameMaxLength: 49,
  catalog: './catalog.db',
  embedding: { provider: 'endpoint', baseUrl: 'https://example.org', model: 'm', apiKey: `\${TOKEN}` },
  policy: [{ action: 'deny', tool: 'delete_*', effect: ['destructive'] }, { action: 'allow' }],
  limits: { resultTokens: 1_000 },
  http: { port: 0, host: '127.0.0.1' },
};

const written = mutated(fc.constant(good), 5).map((value) => JSON.stringify(value, undefined, 2));
const cases = fc.oneof(
  { weight: 4, arbitrary: written },
  { weight: 4, arbitrary: mutatedText(written.map((text) => `// mine\n${text.replace(/\n}$/, ',\n}')}`)) },
  texts,
);

/** Config files: they are read, or refused with every place that is wrong. */
export function configTarget(): FuzzTarget<string> {
  const folder = mkdtempSync(join(tmpdir(), 'toolcrib-fuzz-'));
  const path = join(folder, 'toolcrib.json');
  const run = async (text: string) => {
    writeFileSync(path, text);
    try {
      loadConfig({ path, env: { HOME: '/home/ann', TOKEN: 'very-secret-token' } });
    } catch (error) {
      must(isToolcribError(error), `not one of our errors: ${String((error as Error).stack)}`);
      must(error.code.startsWith('config_'), `an error that is not about the config: ${error.code}`);
      must(error.next !== '', 'nothing to do next');
      must(!error.message.includes('very-secret-token'), 'a secret in the message');
    }
    must(Object.keys(Object.prototype).length === 0, 'the prototype of all objects was changed');
  };
  return { name: 'config', cases, run, close: async () => rmSync(folder, { recursive: true }) };
}
