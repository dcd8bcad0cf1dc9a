import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { stateSecret } from '../../src/app/state-secret.ts';
import { recordingLogger } from '../upstream/harness.ts';

describe('the secret of sealed states', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'toolcrib-secret-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
  });

  it('lies beside the catalog, for its owner alone, and stays the same', () => {
    const logger = recordingLogger();
    const catalog = join(folder, 'deep', 'catalog.db');
    const secret = stateSecret(catalog, logger);
    expect(secret).toHaveLength(32);
    expect(statSync(`${catalog}.key`).mode & 0o777).toBe(0o600);
    expect(stateSecret(catalog, logger)).toEqual(secret);
    expect(readdirSync(join(folder, 'deep'))).toEqual(['catalog.db.key']);
    expect(stateSecret(join(folder, 'other.db'), logger)).not.toEqual(secret);
    expect(logger.lines).toEqual([]);
  });

  it('is one of this process for a catalog in memory', () => {
    expect(stateSecret(':memory:', recordingLogger())).toHaveLength(32);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is one of this process, with a warning, where it cannot be kept or what is kept is none', () => {
    const logger = recordingLogger();
    const broken = join(folder, 'broken.db');
    writeFileSync(`${broken}.key`, 'short');
    expect(stateSecret(broken, logger)).toHaveLength(32);
    expect(readFileSync(`${broken}.key`, 'utf8')).toBe('short');
    writeFileSync(join(folder, 'file'), '');
    expect(stateSecret(join(folder, 'file', 'catalog.db'), logger)).toHaveLength(32);
    expect(logger.lines.map(({ level }) => level)).toEqual(['warn', 'warn']);
  });
});
