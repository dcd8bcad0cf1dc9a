import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isJsonObject } from '../../../src/model/index.ts';
import { lintCatalog } from '../../../src/quality/index.ts';
import '../../property-seed.ts';
import { filledCatalog } from '../../search/fixture.ts';
import { goodTool, object } from '../definitions.ts';

describe('lintCatalog', () => {
  it('counts findings by level and by rule, most first', async () => {
    const catalog = filledCatalog({
      a: [goodTool('execute', { description: '' }), goodTool('process')],
      b: [goodTool('get_weather')],
    });
    const report = await lintCatalog(catalog, { nameMaxLength: 64 });
    expect(report).toMatchObject({
      tools: 3,
      levels: { error: 1, warning: 2, info: 0 },
      rules: [
        { rule: 'vague_name', findings: 2, tools: 2 },
        { rule: 'missing_description', findings: 1, tools: 1 },
      ],
    });
    expect(report.findings.map(({ name, rule }) => `${name} ${rule}`)).toEqual([
      'a__execute vague_name',
      'a__execute missing_description',
      'a__process vague_name',
    ]);
    expect(await lintCatalog(catalog, { nameMaxLength: 64, server: 'b' })).toMatchObject({ tools: 1, findings: [] });
    catalog.close();
  });

  it('tells of tools that were set aside', async () => {
    const catalog = filledCatalog({ a: [goodTool('get_a', { inputSchema: { type: 'string' } })] });
    const { findings } = await lintCatalog(catalog, { nameMaxLength: 64 });
    expect(findings).toMatchObject([{ rule: 'broken_definition', level: 'error' }]);
    catalog.close();
  });

  it('ends on schemas that refer to themselves', async () => {
    const node = object({ next: { $ref: '#/$defs/node' }, others: { type: 'array', items: { $ref: '#/$defs/node' } } });
    const catalog = filledCatalog({
      a: [goodTool('get_a', { inputSchema: { ...object({ root: { $ref: '#/$defs/node' } }), $defs: { node } } })],
    });
    const { findings } = await lintCatalog(catalog, { nameMaxLength: 64 });
    expect(findings.map(({ rule }) => rule)).toEqual(['undocumented_parameter']);
    catalog.close();
  });

  it('takes any definition', async () => {
    const definition = fc
      .record({
        name: fc.string(),
        description: fc.anything(),
        inputSchema: fc.jsonValue(),
        annotations: fc.jsonValue(),
      })
      .filter(isJsonObject);
    await fc.assert(
      fc.asyncProperty(fc.array(definition, { maxLength: 4 }), async (tools) => {
        const catalog = filledCatalog({ a: tools });
        await lintCatalog(catalog, { nameMaxLength: 64 });
        catalog.close();
      }),
      { numRuns: 60 },
    );
  });
});
