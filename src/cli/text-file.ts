import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { messageOf, ToolcribError } from '../errors/index.ts';

/** A UTF-8 file that the user named. Throws `file_unusable`. */
export function readTextFile(path: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    throw new ToolcribError('file_unusable', `${path} cannot be read: ${messageOf(error)}.`, { cause: error });
  }
}

/** A file that the user named as JSON. Throws `file_unusable`; `isNot` says what it is not, as "is not JSON". */
export function readJsonFile(path: string, isNot = 'is not JSON'): unknown {
  const text = readTextFile(path);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ToolcribError('file_unusable', `${path} ${isNot}: ${messageOf(error)}.`, { cause: error });
  }
}

/** Whole or not at all. Throws `file_unusable`. */
export function writeTextFile(path: string, text: string): void {
  const draft = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(draft, text);
    renameSync(draft, path);
  } catch (error) {
    throw new ToolcribError('file_unusable', `${path} cannot be written: ${messageOf(error)}.`, { cause: error });
  }
}
