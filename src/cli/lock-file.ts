import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { messageOf, ToolcribError } from '../errors/index.ts';
import type { DefinitionLock } from '../model/index.ts';

/** In the current directory, to be committed with the project. It is compared with, never followed. */
export const defaultLockFile = 'toolcrib.lock.json';

/** Throws `lock_unusable`; what is in it is checked by whoever compares it. */
export function readLock(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new ToolcribError('lock_unusable', `${path} cannot be read: ${messageOf(error)}.`, { cause: error });
  }
}

/** Whole or not at all. Throws `lock_unusable`. */
export function writeLock(path: string, lock: DefinitionLock): void {
  const draft = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(draft, `${JSON.stringify(lock, null, 2)}\n`);
    renameSync(draft, path);
  } catch (error) {
    throw new ToolcribError('lock_unusable', `${path} cannot be written: ${messageOf(error)}.`, { cause: error });
  }
}
