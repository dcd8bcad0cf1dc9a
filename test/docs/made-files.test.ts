import { readdirSync, readFileSync } from 'node:fs';
import Ajv from 'ajv';
import { describe, expect, it } from 'vitest';
import { configJsonSchema } from '../../docs/build/config-schema.ts';
import { errorsFolder, madeFiles } from '../../docs/build/pages.ts';
import { parseJsonc } from '../../src/config/parse-jsonc.ts';
import { knownKeys } from '../../src/config/schema.ts';

const root = new URL('../../', import.meta.url);
const files = madeFiles();

describe('what is made of the sources', () => {
  it.each([...files])('%s is as the sources say; if not, run `npm run docs`', (path, text) => {
    expect(readFileSync(new URL(path, root), 'utf8')).toBe(text);
  });

  it('is all that there is of errors', () => {
    const made = [...files.keys()].filter((path) => path.startsWith(errorsFolder));
    expect(readdirSync(new URL(errorsFolder, root)).map((name) => errorsFolder + name)).toEqual(made.sort());
  });
});

describe('the JSON schema of the config', () => {
  const ajv = new Ajv.default({ strict: false });
  const validate = ajv.compile(configJsonSchema());
  const isValid = (config: unknown) => validate(config);

  it('knows every key that the check knows, with words for each', () => {
    const { properties, definitions } = configJsonSchema() as never as {
      properties: Record<string, { description?: string }>;
      definitions: { server: { properties: Record<string, { description?: string }> } };
    };
    expect(Object.keys(properties).filter((key) => key !== '$schema')).toEqual(knownKeys.config);
    expect(Object.keys(definitions.server.properties)).toEqual(knownKeys.server);
    for (const node of Object.values(definitions.server.properties)) expect(node.description).toMatch(/\w/);
  });

  it.each(['claude-code.mcp.json', 'claude_desktop_config.json', 'cursor-mcp.json', 'vscode-mcp.json'])(
    'takes %s',
    (name) => {
      const path = new URL(`../fixtures/hosts/${name}`, import.meta.url);
      expect(isValid(parseJsonc(name, readFileSync(path, 'utf8')).source.value)).toBe(true);
    },
  );

  it.each([
    { $schema: './config.schema.json', mode: 'direct' },
    { mcpServers: { a: { url: 'http://h', oauth: false, tools: ['get_*'], trust: true } } },
    {
      policy: [
        { action: 'deny', tool: 'delete_*', effect: 'write' },
        { action: 'allow', tool: ['a', 'b'] },
      ],
    },
    { embedding: 'none' },
    { embedding: { provider: 'openai', baseUrl: 'http://h', model: 'm' } },
    { limits: { resultMaxTokens: 0 } },
  ])('takes %j', (config) => {
    expect(isValid(config)).toBe(true);
  });

  it.each([
    { mode: 'sometimes' },
    { contextWindow: '200000' },
    { mcpServers: { a: { timeoutMs: 0 } } },
    { mcpServers: { a: 'command' } },
    { policy: [{ action: 'deny', tools: 'misspelt' }] },
    { embedding: { provider: 'openai' } },
    { limits: { resultMaxTokens: 5 } },
  ])('does not take %j', (config) => {
    expect(isValid(config)).toBe(false);
  });
});
