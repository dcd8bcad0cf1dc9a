import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { messageOf } from '../errors/index.ts';
import type { Logger } from '../model/index.ts';

const secretBytes = 32;

/**
 * The secret from which states that pass through hosts are sealed. It lies beside the catalog, for its owner alone, so
 * that an answer still fits after a restart and in another process of the same config. A catalog in memory, and a folder
 * that cannot be written, have one for this process.
 */
export function stateSecret(catalogPath: string, logger: Logger): Uint8Array {
  if (catalogPath === ':memory:') return randomBytes(secretBytes);
  const path = `${catalogPath}.key`;
  try {
    return read(path) ?? create(path);
  } catch (error) {
    logger.warn('The key for questions to users cannot be kept; answers will not outlast this process.', {
      path,
      error: messageOf(error),
    });
    return randomBytes(secretBytes);
  }
}

function read(path: string): Uint8Array | undefined {
  try {
    const secret = readFileSync(path);
    if (secret.length !== secretBytes) throw new Error(`it has ${secret.length} bytes instead of ${secretBytes}`);
    return secret;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Appears whole or not at all: of several processes that start together, one makes it and the others read it. */
function create(path: string): Uint8Array {
  const draft = `${path}.${process.pid}-${randomBytes(6).toString('hex')}`;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(draft, randomBytes(secretBytes), { mode: 0o600, flag: 'wx' });
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(draft);
  }
  const secret = read(path);
  if (secret === undefined) throw new Error('it vanished');
  return secret;
}
