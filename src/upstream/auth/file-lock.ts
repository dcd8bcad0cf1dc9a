import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';

/** How often one who waits looks again, on average: as long as a write to the file takes a few times. */
const pollMs = 25;
/** A holder says this often that it lives. */
const heartbeatMs = 5_000;
/** A lock without a sign of life for this long is taken over, whoever held it: longer than a laptop takes to wake up. */
const staleMs = 30_000;
/** Taking over is a few system calls; whoever needs longer has died over it. */
const takeoverStaleMs = 5_000;

interface Owner {
  id: string;
  pid: number;
  host: string;
}

/** The lock could not be had in time. */
export class LockTimeoutError extends Error {
  override readonly name = 'LockTimeoutError';
}

/**
 * Runs `work` while no other process (and no other caller in this one) holds the lock, a file at `path` that exists
 * while it is held. A lock whose process has died is taken over. Rejects with `LockTimeoutError` after `waitMs`.
 */
export async function withFileLock<T>(path: string, waitMs: number, work: () => Promise<T> | T): Promise<T> {
  const owner: Owner = { id: randomUUID(), pid: process.pid, host: hostname() };
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  for (const end = Date.now() + waitMs; !tryTake(path, owner); ) {
    breakIfStale(path);
    if (Date.now() >= end) throw new LockTimeoutError(`${path} is held by another process.`);
    // Uneven, so that those who wait do not look in step.
    await new Promise((resolve) => setTimeout(resolve, pollMs * (0.5 + Math.random())));
  }
  const heartbeat = setInterval(() => touch(path), heartbeatMs).unref();
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    release(path, owner);
  }
}

function tryTake(path: string, owner: Owner): boolean {
  try {
    writeFileSync(path, JSON.stringify(owner), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/** Only the own lock is removed: a holder that slept may have lost it. */
function release(path: string, owner: Owner): void {
  if (readOwner(path)?.id === owner.id) rmSync(path, { force: true });
}

/**
 * Removes a lock whose holder is gone. Two who find it stale must not both remove it, or the second would remove the
 * lock that the first then took: taking over has a lock of its own, and looks again under it.
 */
function breakIfStale(path: string): void {
  if (!isStale(path, staleMs)) return;
  const takeover = `${path}.takeover`;
  const owner: Owner = { id: randomUUID(), pid: process.pid, host: hostname() };
  if (!tryTake(takeover, owner)) {
    if (isStale(takeover, takeoverStaleMs)) rmSync(takeover, { force: true });
    return;
  }
  try {
    if (isStale(path, staleMs)) rmSync(path, { force: true });
  } finally {
    release(takeover, owner);
  }
}

function isStale(path: string, maxAgeMs: number): boolean {
  try {
    const { mtimeMs } = statSync(path);
    if (Date.now() - mtimeMs > maxAgeMs) return true;
  } catch {
    return false;
  }
  const owner = readOwner(path);
  return owner !== undefined && owner.host === hostname() && !isAlive(owner.pid);
}

/** Undefined for a lock that is gone, or was created and not written yet. */
function readOwner(path: string): Owner | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Owner;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
}

function touch(path: string): void {
  try {
    const now = new Date();
    utimesSync(path, now, now);
  } catch {
    // It was taken over: nothing to keep alive.
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === code;
}
