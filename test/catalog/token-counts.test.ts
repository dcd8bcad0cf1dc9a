import { describe, expect, it } from 'vitest';
import { meta, open, rawTool, rawTools, wanted } from './harness.ts';

describe('token counts', () => {
  const filled = () => {
    const catalog = open();
    catalog.configure([wanted('b', 0), wanted('a', 1), wanted('empty', 2)]);
    catalog.ingest('a', [...rawTools('x', 'y'), rawTool('z', { inputSchema: { type: 'string' } })], meta());
    catalog.ingest('b', rawTools('w'), meta());
    return catalog;
  };
  const count = (catalog: ReturnType<typeof filled>, tokens: number) =>
    catalog.setTokenCounts(catalog.uncountedTools(100).map(({ key, hash }) => ({ key, hash, tokens })));

  it('are estimated from the size until they are counted', () => {
    const catalog = filled();
    expect(
      catalog
        .uncountedTools(100)
        .map(({ toolName }) => toolName)
        .sort(),
    ).toEqual(['w', 'x', 'y']);
    expect(catalog.uncountedTools(2)).toHaveLength(2);
    const characters = JSON.stringify(rawTool('w')).length;
    expect(catalog.definitionTokens()).toEqual([
      { serverId: 'b', tools: 1, tokens: Math.round(characters / 4.25), uncounted: 1 },
      { serverId: 'a', tools: 2, tokens: Math.round((2 * characters) / 4.25), uncounted: 2 },
    ]);
    count(catalog, 10);
    expect(catalog.uncountedTools(100)).toEqual([]);
    expect(catalog.definitionTokens()).toEqual([
      { serverId: 'b', tools: 1, tokens: 10, uncounted: 0 },
      { serverId: 'a', tools: 2, tokens: 20, uncounted: 0 },
    ]);
  });

  it('go with the definition they belong to', () => {
    const catalog = filled();
    const old = catalog.uncountedTools(100);
    count(catalog, 10);
    catalog.ingest('b', [rawTool('w', { description: 'Other.' })], meta());
    expect(catalog.uncountedTools(100).map(({ toolName }) => toolName)).toEqual(['w']);
    catalog.setTokenCounts(old.map(({ key, hash }) => ({ key, hash, tokens: 99 })));
    expect(catalog.definitionTokens()[0]).toMatchObject({ serverId: 'b', uncounted: 1 });
  });
});
