import { describe, expect, it } from 'vitest';
import { viewMarkdown } from '../../../src/cli/output/view-markdown.ts';

describe('viewMarkdown', () => {
  it('shows instructions, tools and descriptions, each text in a fence of its own', () => {
    const page = viewMarkdown({
      mode: 'direct',
      instructions: 'Use the tools.',
      tools: [{ name: 'a__b', description: 'Does b.', inputSchema: { type: 'object' } }],
      tokens: 1_234,
      tokenizer: 'o200k_base',
      descriptions: { a__b: 'All about b.' },
    });
    expect(page).toBe(
      [
        '# What a model sees: direct mode',
        '1 tool, 1,234 tokens (o200k_base).',
        '## Instructions',
        '```text\nUse the tools.\n```',
        '## Tools',
        '### a\\_\\_b',
        '```text\nDoes b.\n```',
        '```json\n{\n  "inputSchema": {\n    "type": "object"\n  }\n}\n```',
        '## What describe_tool answers',
        '### a\\_\\_b',
        '```text\nAll about b.\n```',
        '',
      ]
        .join('\n\n')
        .trimEnd()
        .concat('\n'),
    );
  });

  it('lets no text end its fence', () => {
    const description = 'Before\n```\n# Not a heading\n````';
    const page = viewMarkdown({
      mode: 'direct',
      instructions: '',
      tools: [{ name: 'a', description, inputSchema: {} }],
      tokens: 1,
      tokenizer: 't',
    });
    expect(page).toContain(`\`\`\`\`\`text\n${description}\n\`\`\`\`\`\n`);
  });
});
