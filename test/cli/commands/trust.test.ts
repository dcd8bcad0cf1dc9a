import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { review } from '../scripted-toolcrib.ts';
import { run } from '../test-io.ts';

const shown = [
  'github__a (changed): a parameter was added',
  `  ${'a'.repeat(16)} → ${'b'.repeat(16)}`,
  '  ! high hides_from_user at /description: It hides. "do not tell"',
  '  ~ /description',
  '      - "Old."',
  '      + "New.\\u001b[2J\\u{E0041}"',
  '  + /inputSchema/properties/note: {"type":"string"}',
  '  - /title: "A"',
  '',
].join('\n');

function lockPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'toolcrib-lock-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'toolcrib.lock.json');
}

describe('toolcrib approve', () => {
  it('shows the difference, asks, and accepts what was shown', async () => {
    const { exitCode, stdout, stderr, calls } = await run(['approve', 'github__a'], { typed: ['y'] });
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'github__a is accepted.\n' });
    expect(stderr).toBe(shown);
    expect(calls).toContain(`approve {"server":"github","tool":"a"} ${JSON.stringify(review.hash)}`);
  });

  it.each([['n'], [''], ['nay'], []])('accepts nothing when the answer is %j', async (...typed) => {
    const { exitCode, calls } = await run(['approve', 'github__a'], { typed });
    expect(exitCode).toBe(1);
    expect(calls.some((call) => call.startsWith('approve'))).toBe(false);
  });

  it.each([[[]], [['--yes']]])('needs a terminal, %j', async (options) => {
    const { exitCode, stderr, calls } = await run(['approve', 'github__a', '--json', ...options]);
    expect(exitCode).toBe(2);
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'terminal_required' } });
    expect(calls.some((call) => call.startsWith('approve'))).toBe(false);
  });

  it('with --yes shows and accepts, with JSON', async () => {
    const { stdout, stderr } = await run(['approve', 'github', '--yes', '--json'], { typed: [] });
    expect(stderr).toBe(shown);
    expect(JSON.parse(stdout)).toEqual([{ name: 'github__a', server: 'github', tool: 'a', hash: review.hash }]);
  });

  it('says when nothing waits', async () => {
    const toolcrib = { review: () => [{ ...review, status: 'ok' as const }] };
    expect(await run(['approve', 'github__a'], { typed: ['y'], toolcrib })).toMatchObject({ exitCode: 3 });
  });
});

describe('toolcrib diff', () => {
  it('shows the fields, with nothing unseen in them', async () => {
    expect(await run(['diff', 'github__a'])).toMatchObject({ exitCode: 0, stdout: shown, stderr: '' });
  });

  it('prints JSON', async () => {
    const { stdout } = await run(['diff', 'github__a', '--json']);
    expect(JSON.parse(stdout)).toEqual([review]);
    expect(stdout).not.toMatch(/(?!\n)\p{C}/u);
  });
});

describe('toolcrib history', () => {
  it('lists versions with time and hash', async () => {
    const { stdout } = await run(['history', 'github__a']);
    expect(stdout.split('\n')).toEqual([
      `2026-11-30T05:06:07.000Z\t\t${'b'.repeat(64)}\tno\t3`,
      `2026-11-29T05:06:07.000Z\t2026-11-30T05:06:07.000Z\t${'a'.repeat(64)}\trules\t1`,
      '',
    ]);
    expect(JSON.parse((await run(['history', 'github__a', '--json'])).stdout)).toHaveLength(2);
  });
});

describe('toolcrib lock and sync --locked', () => {
  it('writes the lock, and passes while nothing differs', async () => {
    const path = lockPath();
    const { stdout } = await run(['lock', '--lock-file', path, '--json']);
    expect(JSON.parse(stdout)).toEqual({ path, servers: 1, tools: 1 });
    const lock = { lockVersion: 1, servers: { github: { a: { definition: 'd', annotations: 'n' } } } };
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(lock);
    const { exitCode, calls } = await run(['sync', 'github', '--locked', '--lock-file', path], {
      toolcrib: { sync: async () => [] },
    });
    expect(exitCode).toBe(0);
    expect(calls).toContain(`compareLock ${JSON.stringify(lock)} ["github"]`);
  });

  it('fails with the list of differences', async () => {
    const path = lockPath();
    writeFileSync(path, '{}');
    const differences = [{ server: 'github', tool: 'a', kind: 'definition_changed' as const }];
    const toolcrib = { compareLock: () => differences, sync: async () => [] };
    const argv = ['sync', '--locked', '--lock-file', path];
    const { exitCode, stderr } = await run(argv, { toolcrib });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('github "a": another definition');
    const json = await run([...argv, '--json'], { toolcrib });
    expect(JSON.parse(json.stderr.trim().split('\n').at(-1) ?? '')).toMatchObject({
      error: { code: 'lock_differs', details: { differences } },
    });
  });

  it.each([undefined, 'no JSON'])('fails before any server is asked when the lock is %s', async (content) => {
    const path = lockPath();
    if (content !== undefined) writeFileSync(path, content);
    const { exitCode, stderr, calls } = await run(['sync', '--locked', '--lock-file', path]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('lock_unusable');
    expect(calls.some((call) => call.startsWith('sync'))).toBe(false);
  });
});
