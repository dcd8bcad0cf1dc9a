import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { loadTokenCounter } from '../../src/render/index.ts';
import { metaTools } from '../../src/router/index.ts';
import { rawTool, servers, setUp } from './harness.ts';

describe('the three meta-tools', () => {
  const json = JSON.stringify(metaTools);

  it('are these bytes: hosts cache prompts by them', () => {
    expect(createHash('sha256').update(json).digest('hex')).toBe(
      '2ae4aef7524b46df190d6ebfd020de83cca2797697a6e81bb041eba0b928d637',
    );
  });

  it('cost at most 600 tokens together', async () => {
    expect((await loadTokenCounter())(json)).toBeLessThanOrEqual(600);
  });

  it('stay the same whatever the catalog holds and in whatever order servers came', () => {
    const one = setUp();
    const other = setUp({ tools: Object.fromEntries(Object.entries(servers).reverse()) });
    const before = JSON.stringify(one.router.listTools());
    one.ingest('github', [rawTool('something_new')]);
    expect(JSON.stringify(one.router.listTools())).toBe(before);
    expect(JSON.stringify(other.router.listTools())).toBe(before);
    expect(before).toBe(json);
  });

  it('have schemas that every provider takes: plain types, no unions, no references', () => {
    expect(json).not.toMatch(/anyOf|oneOf|allOf|\$ref|"type":\[/);
    for (const { inputSchema } of metaTools) {
      for (const property of Object.values(inputSchema.properties as object)) expect(property).toHaveProperty('type');
    }
  });

  it('say how they act: only call_tool may change the world', () => {
    expect(metaTools.map(({ name, annotations }) => [name, annotations])).toEqual([
      ['search_tools', { readOnlyHint: true, openWorldHint: false }],
      ['describe_tool', { readOnlyHint: true, openWorldHint: false }],
      ['call_tool', { destructiveHint: true, openWorldHint: true }],
    ]);
  });
});
