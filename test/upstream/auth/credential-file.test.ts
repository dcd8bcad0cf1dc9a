import { spawn } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CredentialFile } from '../../../src/upstream/auth/credential-file.ts';
import { withFileLock } from '../../../src/upstream/auth/file-lock.ts';
import { temporaryFolder } from '../harness.ts';

const key = { serverId: 'vault', url: 'https://mcp.example/mcp' };

describe('CredentialFile', () => {
  it('keeps each server apart, in a file for the user alone, also in a folder that is not there yet', async () => {
    const path = join(await temporaryFolder(), 'deeper', 'credentials.json');
    const file = new CredentialFile(path);
    expect(file.read(key)).toBeUndefined();
    await file.update(key, () => ({ issued: {}, challenge: { scope: 'a' } }));
    await file.update({ ...key, serverId: 'other' }, () => ({ issued: {}, challenge: { scope: 'b' } }));
    expect(new CredentialFile(path).read(key)).toEqual({ issued: {}, challenge: { scope: 'a' } });
    await file.update(key, () => undefined);
    expect(file.read(key)).toBeUndefined();
    expect(file.read({ ...key, serverId: 'other' })).toBeDefined();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(path, '..'))).toEqual(['credentials.json']);
  });

  it('sees at once what another process wrote', async () => {
    const path = join(await temporaryFolder(), 'credentials.json');
    const [one, other] = [new CredentialFile(path), new CredentialFile(path)];
    for (let round = 0; round < 20; round += 1) {
      await one.update(key, () => ({ issued: {}, challenge: { scope: String(round) } }));
      expect(other.read(key)?.challenge?.scope).toBe(String(round));
    }
  });

  it('loses no update of several processes', async () => {
    const path = join(await temporaryFolder(), 'credentials.json');
    const script = resolve(import.meta.dirname, '../../fixtures/servers/credential-writer.ts');
    const writers = ['a', 'b', 'c'].map(
      (name) =>
        new Promise<number | null>((done) =>
          spawn(process.execPath, ['--import', 'tsx', script, path, name, '25'], { stdio: 'inherit' }).once(
            'exit',
            done,
          ),
        ),
    );
    expect(await Promise.all(writers)).toEqual([0, 0, 0]);
    expect(new CredentialFile(path).read(key)?.challenge?.scope?.length).toBe(75);
  }, 60_000);

  it.each([
    { name: 'no JSON', text: '{"version": 1, "servers": secret-token' },
    { name: 'another version', text: '{"version": 2, "servers": {}}' },
    { name: 'no object', text: '[]' },
  ])('refuses a file that is $name, shows nothing of it, and leaves it as it is', async ({ text }) => {
    const path = join(await temporaryFolder(), 'credentials.json');
    writeFileSync(path, text);
    const file = new CredentialFile(path);
    const update = await file.update(key, () => ({ issued: {} })).catch((error: unknown) => error);
    expect(update).toMatchObject({ code: 'credentials_unusable' });
    expect(JSON.stringify(update)).not.toContain('secret-token');
    expect(() => file.read(key)).toThrow(expect.objectContaining({ code: 'credentials_unusable' }));
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  it('says so when the folder cannot be written', async () => {
    const folder = await temporaryFolder();
    writeFileSync(join(folder, 'file'), '');
    const file = new CredentialFile(join(folder, 'file', 'credentials.json'));
    const update = file.update(key, () => ({ issued: {} }));
    await expect(update).rejects.toMatchObject({ code: 'credentials_unusable' });
    chmodSync(folder, 0o700);
  });
});

describe('withFileLock', () => {
  it('lets one in at a time, and the next one after a failure', async () => {
    const path = join(await temporaryFolder(), 'lock');
    let inside = 0;
    let most = 0;
    const work = () =>
      withFileLock(path, 10_000, async () => {
        inside += 1;
        most = Math.max(most, inside);
        await new Promise((wait) => setTimeout(wait, 2));
        inside -= 1;
        throw new Error('failed inside');
      });
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, work));
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
    expect(most).toBe(1);
    expect(existsSync(path)).toBe(false);
  });

  it('takes over from a process that has died, one of many that wait', async () => {
    const path = join(await temporaryFolder(), 'lock');
    const child = spawn(process.execPath, ['-e', '']);
    await new Promise((exited) => child.once('exit', exited));
    writeFileSync(path, JSON.stringify({ id: 'dead', pid: child.pid, host: hostname() }));
    let inside = 0;
    let most = 0;
    const work = () =>
      withFileLock(path, 10_000, async () => {
        inside += 1;
        most = Math.max(most, inside);
        await new Promise((wait) => setTimeout(wait, 5));
        inside -= 1;
      });
    await Promise.all(Array.from({ length: 10 }, work));
    expect(most).toBe(1);
  });

  it('takes over from another machine only when it has given no sign of life for long', async () => {
    const path = join(await temporaryFolder(), 'lock');
    writeFileSync(path, JSON.stringify({ id: 'far', pid: 1, host: 'elsewhere' }));
    await expect(withFileLock(path, 100, () => 'in')).rejects.toMatchObject({ name: 'LockTimeoutError' });
    const longAgo = new Date(Date.now() - 120_000);
    utimesSync(path, longAgo, longAgo);
    await expect(withFileLock(path, 1_000, () => 'in')).resolves.toBe('in');
  });
});
