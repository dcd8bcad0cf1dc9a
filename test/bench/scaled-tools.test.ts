import { describe, expect, it } from 'vitest';
import type { ServerTools } from '../../bench/data/load-tools.ts';
import { scaledTools } from '../../bench/data/scaled-tools.ts';
import { varyTool } from '../../bench/data/vary-tool.ts';

const base: ServerTools[] = [
  {
    server: 'mail',
    tools: [
      { name: 'send_mail', description: 'Send one mail now', inputSchema: { type: 'object' } },
      { name: 'send_mail', description: 'Send one mail again', inputSchema: { type: 'object' } },
    ],
  },
  {
    server: 'files',
    tools: [{ name: 'read_file', description: 'Read a whole file', inputSchema: { type: 'object' } }],
  },
];

function namesOf(servers: readonly ServerTools[]): string[] {
  return servers.flatMap(({ server, tools }) => tools.map(({ name }) => `${server}/${name}`));
}

describe('scaledTools', () => {
  it.each([1, 3, 4, 50])('gives exactly %i tools, no two alike', (count) => {
    const names = namesOf(scaledTools(count, base));
    expect(names).toHaveLength(count);
    expect(new Set(names).size).toBe(count);
  });

  it('takes the originals first, and the same variations each time', () => {
    expect(namesOf(scaledTools(3, base))).toEqual(['mail/send_mail', 'mail/send_mail_2', 'files/read_file']);
    expect(scaledTools(40, base)).toEqual(scaledTools(40, base));
    expect(scaledTools(3, base)[1]).toEqual(base[1]);
  });

  it('a larger catalog holds the smaller one', () => {
    expect(namesOf(scaledTools(20, base))).toEqual(expect.arrayContaining(namesOf(scaledTools(7, base))));
  });

  it('finds something to scale in the repository alone', () => {
    expect(namesOf(scaledTools(500))).toHaveLength(500);
  });
});

it('a variation takes the second half of name and description from its donor', () => {
  const donor = { name: 'list_old_files', description: 'List every file there is', inputSchema: { type: 'string' } };
  expect(varyTool(base[0]?.tools[0] ?? {}, donor)).toEqual({
    name: 'send_old_files',
    description: 'Send one file there is',
    inputSchema: { type: 'object' },
  });
});
