import { createHash, randomUUID } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { messageOf, ToolcribError } from '../../errors/index.ts';
import { isJsonObject } from '../../model/index.ts';
import type { CredentialKey, CredentialStore, ServerCredentials } from './credential-store.ts';
import { LockTimeoutError, withFileLock } from './file-lock.ts';

/** The shape of the file; another one is not touched. */
const fileVersion = 1;
/** The user alone may read it. */
const fileMode = 0o600;
/** A write takes milliseconds; whoever waits longer waits for something that is broken. */
const writeWaitMs = 10_000;
/** A refresh ends within the limits of its requests, see `guarded-fetch.ts`, and those who wait get what it brought. */
const refreshWaitMs = 60_000;

interface Contents {
  version: typeof fileVersion;
  servers: Record<string, ServerCredentials>;
}

/**
 * Credentials in one file that the user alone may read, shared by all processes of the user. Written whole and by
 * renaming, under a lock, so that nobody sees half of it and no process undoes what another wrote.
 */
export class CredentialFile implements CredentialStore {
  readonly #path: string;
  #seen: { mark: string; contents: Contents } | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  read(key: CredentialKey): ServerCredentials | undefined {
    const { servers } = this.#contents();
    const name = nameOf(key);
    return Object.hasOwn(servers, name) ? servers[name] : undefined;
  }

  update(
    key: CredentialKey,
    change: (now: ServerCredentials | undefined) => ServerCredentials | undefined,
  ): Promise<ServerCredentials | undefined> {
    return this.#locked(`${this.#path}.lock`, writeWaitMs, () => {
      const contents = this.#contents();
      const { [nameOf(key)]: now, ...others } = contents.servers;
      const next = change(structuredClone(now));
      const servers = next === undefined ? others : { ...others, [nameOf(key)]: next };
      this.#write({ ...contents, servers });
      return next;
    });
  }

  exclusively<T>(key: CredentialKey, work: () => Promise<T>): Promise<T> {
    const name = createHash('sha256').update(nameOf(key)).digest('hex').slice(0, 16);
    return this.#locked(`${this.#path}.${name}.lock`, refreshWaitMs, work);
  }

  async #locked<T>(path: string, waitMs: number, work: () => Promise<T> | T): Promise<T> {
    try {
      return await withFileLock(path, waitMs, work);
    } catch (error) {
      if (error instanceof LockTimeoutError || isSystemError(error)) throw this.#unusable(error);
      throw error;
    }
  }

  #contents(): Contents {
    let mark: string;
    try {
      // A renamed file has another inode, so that two writes within one tick of the clock are told apart.
      const { ino, mtimeMs, size } = statSync(this.#path);
      mark = `${ino}:${mtimeMs}:${size}`;
    } catch (error) {
      if (isSystemError(error) && error.code === 'ENOENT') return { version: fileVersion, servers: {} };
      throw this.#unusable(error);
    }
    if (this.#seen?.mark !== mark) this.#seen = { mark, contents: this.#parse() };
    return this.#seen.contents;
  }

  #parse(): Contents {
    let contents: unknown;
    try {
      contents = JSON.parse(readFileSync(this.#path, 'utf8'));
    } catch (error) {
      throw this.#unusable(error);
    }
    if (!isJsonObject(contents) || contents.version !== fileVersion || !isJsonObject(contents.servers)) {
      throw this.#unusable(new Error('it is no file of credentials of this version of toolcrib'));
    }
    return contents as unknown as Contents;
  }

  #write(contents: Contents): void {
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    const temporary = `${this.#path}.${randomUUID()}.tmp`;
    try {
      const file = openSync(temporary, 'wx', fileMode);
      try {
        writeSync(file, `${JSON.stringify(contents, undefined, 2)}\n`);
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      chmodSync(temporary, fileMode);
      renameSync(temporary, this.#path);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
    this.#seen = undefined;
  }

  /** The path is for people: `reason` is kept from models. */
  #unusable(error: unknown): ToolcribError {
    // What a parser says may repeat the contents.
    const why = error instanceof SyntaxError ? 'it is not valid JSON' : messageOf(error);
    return new ToolcribError('credentials_unusable', 'The file of credentials cannot be used.', {
      details: { reason: `(${this.#path}: ${why})` },
      cause: error,
    });
  }
}

function nameOf({ serverId, url }: CredentialKey): string {
  return JSON.stringify([serverId, url]);
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && typeof (error as NodeJS.ErrnoException).code === 'string' && 'syscall' in error;
}
