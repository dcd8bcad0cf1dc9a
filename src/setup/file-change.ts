import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { UserPlaces } from '../config/index.ts';
import { messageOf, ToolcribError } from '../errors/index.ts';
import { readBytes } from './host-config.ts';

/** What was written, and where the former content lies. */
export interface FileChange {
  path: string;
  /** Absent where there was no file before. */
  backup?: string;
}

interface ChangeRecord extends FileChange {
  /** ISO 8601. */
  changedAt: string;
  /** SHA-256 of the content that was written. */
  afterHash: string;
}

/** Configs and backups hold secrets: for the user alone. */
const privateFile = 0o600;
const privateFolder = 0o700;

export interface FileEdit {
  /** The content that was read and decided by; undefined where there is no file. */
  now: Buffer | undefined;
  /** What `restoreFile` will put back. Default: the content now. */
  before?: { bytes?: Buffer };
  text: string;
}

/**
 * Replaces the content of a file, after a copy of the former content was put into the user's data directory; a link is followed,
 * and the mode of the file kept. Throws `file_changed` when the file is not what it was `now`, and `host_file_unusable`.
 */
export function changeFile(path: string, { now, before, text }: FileEdit, places: UserPlaces): FileChange {
  const target = realPath(path);
  const former = before === undefined ? now : before.bytes;
  if (!isSame(readBytes(target), now)) {
    throw new ToolcribError('file_changed', `${path} was changed while this command ran.`, { next: 'Run it again.' });
  }
  return orUnusable(path, () => {
    const folder = backupFolder(target, places);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true, mode: privateFolder });
    const backup = join(folder, basename(target));
    if (former !== undefined) writeFileSync(backup, former, { mode: privateFile });
    const change = { path: target, ...(former === undefined ? {} : { backup }) };
    const record: ChangeRecord = { ...change, changedAt: new Date().toISOString(), afterHash: hashOf(text) };
    writeFileSync(join(folder, recordName), `${JSON.stringify(record, null, 2)}\n`, { mode: privateFile });
    replace(target, Buffer.from(text));
    return change;
  });
}

/**
 * Puts the bytes back that a file had before `changeFile`, and removes a file that was not there. Throws `nothing_to_restore`,
 * and `file_changed` when the file holds anything but what was written then.
 */
export function restoreFile(path: string, places: UserPlaces): FileChange {
  const target = realPath(path);
  const record = readRecord(target, places);
  if (record === undefined) {
    throw new ToolcribError('nothing_to_restore', `${path} was not changed by toolcrib, or was put back already.`);
  }
  const now = readBytes(target);
  const before = record.backup === undefined ? undefined : readBytes(record.backup);
  if (before === undefined && record.backup !== undefined) {
    throw new ToolcribError('nothing_to_restore', `The backup of ${path} is gone: ${record.backup}.`, {
      next: 'Mend the file by hand.',
    });
  }
  if (!isSame(now, before)) {
    if (now === undefined || hashOf(now) !== record.afterHash) {
      throw new ToolcribError(
        'file_changed',
        `${path} was changed since ${record.changedAt}, when toolcrib wrote it.`,
        {
          details: { path, ...(record.backup === undefined ? {} : { backup: record.backup }) },
        },
      );
    }
    orUnusable(path, () => (before === undefined ? rmSync(target) : replace(target, before)));
  }
  forgetChange(target, places);
  return { path: target };
}

export interface FormerContent {
  /** Absent where there was no file. */
  bytes?: Buffer;
  /** True while the file is as toolcrib wrote it. */
  isStillOurs: boolean;
}

/** The content that a file had before toolcrib changed it; undefined when it did not. */
export function contentBefore(path: string, places: UserPlaces): FormerContent | undefined {
  const target = realPath(path);
  const record = readRecord(target, places);
  if (record === undefined) return undefined;
  const now = readBytes(target);
  const bytes = record.backup === undefined ? undefined : readBytes(record.backup);
  return {
    ...(bytes === undefined ? {} : { bytes }),
    // Without its backup it is not ours to replace.
    isStillOurs:
      now !== undefined && hashOf(now) === record.afterHash && !(record.backup !== undefined && bytes === undefined),
  };
}

/** Drops the backup of a file. */
export function forgetChange(path: string, places: UserPlaces): void {
  rmSync(backupFolder(realPath(path), places), { recursive: true, force: true });
}

const recordName = 'change.json';

/** Whole or not at all. A new file is for the user alone. */
function replace(target: string, bytes: Buffer): void {
  const mode = statSync(target, { throwIfNoEntry: false })?.mode;
  const draft = `${target}.${process.pid}.tmp`;
  mkdirSync(dirname(target), { recursive: true });
  try {
    writeFileSync(draft, bytes, { mode: privateFile });
    if (mode !== undefined) chmodSync(draft, mode);
    renameSync(draft, target);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

function readRecord(target: string, places: UserPlaces): ChangeRecord | undefined {
  try {
    return JSON.parse(readFileSync(join(backupFolder(target, places), recordName), 'utf8')) as ChangeRecord;
  } catch {
    return undefined;
  }
}

function backupFolder(target: string, { dataFolder }: UserPlaces): string {
  return join(dataFolder, 'backups', hashOf(target).slice(0, hashLength));
}

const hashLength = 16;

function hashOf(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

function isSame(one: Buffer | undefined, other: Buffer | undefined): boolean {
  return one === undefined || other === undefined ? one === other : one.equals(other);
}

/** Of a file that is not there yet: that of its folder. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const folder = dirname(path);
    return folder === path ? path : join(realPath(folder), basename(path));
  }
}

function orUnusable<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw new ToolcribError('host_file_unusable', `${path} cannot be written: ${messageOf(error)}.`, { cause: error });
  }
}
