import { describe, expect, it } from 'vitest';
import { createToolAnalyzer } from '../../../src/search/text/analyzer.ts';

const tool = {
  serverId: 'issue-tracker',
  toolName: 'createIssue',
  title: 'Create an issue',
  description: 'Opens a new issue in a repository.',
  inputSchema: { type: 'object', properties: { assigneeId: { type: 'string' } } },
  serverDescription: 'Our bugs',
};

describe('createToolAnalyzer', () => {
  it('fills a column each from name, title, description, parameters and server', () => {
    expect(createToolAnalyzer().analyze(tool).keywords).toEqual({
      name: 'creat issu createissu',
      title: 'creat an issu',
      description: 'open a new issu in a repositori',
      parameters: 'assigne id assigneeid',
      server: 'issu tracker our bug',
    });
  });

  it('embeds the whole and the name, both without the schema', () => {
    expect(createToolAnalyzer().analyze(tool).embeddingTexts).toEqual([
      'issue tracker Create an issue. Opens a new issue in a repository.',
      'create Issue',
    ]);
  });

  it('holds a 34,000-character description within its limits', () => {
    const { keywords, embeddingTexts } = createToolAnalyzer().analyze({ ...tool, description: 'word '.repeat(7_000) });
    expect(keywords.description.length).toBeLessThanOrEqual(4_000);
    expect(embeddingTexts[0]?.length).toBeLessThan(600);
  });

  it('takes a tool of which only the ids are there', () => {
    const bare = createToolAnalyzer().analyze({ serverId: 's', toolName: '_', inputSchema: {} });
    expect(bare.keywords).toEqual({ name: '', title: '', description: '', parameters: '', server: 's' });
    expect(bare.embeddingTexts.every((text) => text !== '')).toBe(true);
  });

  it('has an id that names its version', () => {
    expect(createToolAnalyzer().id).toMatch(/^toolcrib-analyzer\/\d+$/);
  });
});
