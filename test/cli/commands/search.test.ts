import { describe, expect, it } from 'vitest';
import { run } from '../test-io.ts';

describe('toolcrib search', () => {
  it('prints tab-separated hits in a pipe, and notes on stderr', async () => {
    const { exitCode, stdout, stderr } = await run(['search', 'create an issue']);
    expect(exitCode).toBe(0);
    expect(stdout).toBe(
      'github__create_issue\t0.912\tcreate_issue(owner: string)\tCreates an issue now dne.\t{"vector":0.6,"keyword":0.3}\n' +
        'jira__new\t0.500\tnew()\tAdds 漢字 a ticket.\n',
    );
    expect(stderr).toBe('note: Ranked by keywords.\nMore with --cursor c2\n');
  });

  it('prints blocks on a terminal', async () => {
    const { stdout } = await run(['search', 'create an issue'], { isTTY: true });
    expect(stdout).toBe(
      [
        'github__create_issue  0.912',
        '  create_issue(owner: string)',
        '  Creates an issue now dne.',
        '  vector 0.600 + keyword 0.300',
        '',
        'jira__new  0.500',
        '  new()',
        '  Adds 漢字 a ticket.',
        '',
      ].join('\n'),
    );
  });

  it('colours only where colour is wanted', async () => {
    const introducer = '\u001b[';
    expect((await run(['search', 'x'], { isTTY: true })).stdout).not.toContain(introducer);
    expect((await run(['search', 'x'], { isTTY: true, color: true })).stdout).toContain(
      `${introducer}1mgithub__create_issue`,
    );
  });

  it.each([[true], [false]])('prints the whole result as JSON (terminal: %s)', async (isTTY) => {
    const { stdout, stderr } = await run(['search', 'create', 'an', 'issue', '--json'], { isTTY });
    const result = JSON.parse(stdout);
    expect(Object.keys(result)).toEqual(['query', 'confidence', 'hits', 'notes', 'nextCursor']);
    expect(Object.keys(result.hits[1])).toEqual(['name', 'server', 'tool', 'score', 'signature', 'summary']);
    expect(Object.keys(result.notes[0])).toEqual(['code', 'message']);
    expect(result.query).toBe('create an issue');
    expect(stdout).not.toContain('\u001b');
    expect(stdout).not.toContain('\u202e');
    expect(result.hits[0].summary).toContain('\u202e');
    expect(stderr).toBe('');
  });

  it('hands on what was asked', async () => {
    const { calls } = await run([
      ...['search', 'x', '--server', 'github', '--limit', '3', '--detail', 'schema'],
      ...['--arm', 'lexical', '--explain', '--cursor', 'c1'],
    ]);
    expect(calls).toContain(
      'search "x" {"server":"github","limit":3,"detail":"schema","arm":"lexical","explain":true,"cursor":"c1"}',
    );
  });

  it.each([
    [['--limit', '0'], 'Expected a whole number from 1 to 20.'],
    [['--limit', '21'], 'Expected a whole number from 1 to 20.'],
    [['--limit', '3x'], 'Expected a whole number from 1 to 20.'],
    [['--detail', 'all'], 'Allowed choices are name, summary, schema.'],
    [['--arm', 'leg'], 'Allowed choices are hybrid, lexical, embedding.'],
  ])('refuses %j', async (args, message) => {
    const { exitCode, stderr, opened } = await run(['search', 'x', ...args]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
    expect(opened).toEqual([]);
  });

  it.each([[true], [false]])('ends with 3 when nothing fits, and says why (terminal: %s)', async (isTTY) => {
    const none = { query: 'x', confidence: 'weak', hits: [] } as const;
    const reason = { code: 'catalog_empty', message: 'No server has been listed.' } as const;
    const silent = await run(['search', 'x'], {
      isTTY,
      toolcrib: { search: async () => ({ ...none, hits: [], notes: [] }) },
    });
    expect(silent).toMatchObject({ exitCode: 3, stdout: '', stderr: 'No tool fits.\n' });
    const noted = await run(['search', 'x'], {
      isTTY,
      toolcrib: { search: async () => ({ ...none, hits: [], notes: [reason] }) },
    });
    expect(noted).toMatchObject({ exitCode: 3, stdout: '', stderr: 'note: No server has been listed.\n' });
  });

  it.each([
    [[], true],
    [['--arm', 'embedding'], true],
    [['--arm', 'lexical'], undefined],
  ])('with %j starts the model at once: %s', async (args, needsModel) => {
    const { opened } = await run(['search', 'x', ...args]);
    expect(opened.map((options) => options.needsModel)).toEqual([needsModel]);
  });
});
