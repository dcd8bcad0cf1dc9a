import { spawnSync } from 'node:child_process';
import { hostname } from 'node:os';
import { expect, it } from 'vitest';
import { mayLive, processOwner } from '../../src/app/process-owner.ts';

it('knows processes of this machine that are gone, and nothing of others', () => {
  const { pid } = spawnSync(process.execPath, ['--version']);
  expect(mayLive(`${hostname()}/${pid}/aa`)).toBe(false);
  expect(mayLive(`${hostname()}/${process.ppid}/aa`)).toBe(true);
  expect(mayLive(`elsewhere/${pid}/aa`)).toBe(true);
  // The same id as ours, and not us: it was there before.
  expect(mayLive(processOwner())).toBe(false);
});
