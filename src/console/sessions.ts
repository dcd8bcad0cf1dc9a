import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** 256 bits cannot be guessed. */
const secretBytes = 32;
/** A working day without opening the page ends a login; the next one takes a new link. */
const idleMs = 12 * 60 * 60_000;
/** Browsers of one person; the one unused for longest makes room. */
const sessionsMax = 16;

/** Who may use the console: whoever opened the link, which is good for one browser. Kept in memory alone, as hashes. */
export class Sessions {
  readonly #now: () => number;
  /** By the hash of the cookie's value: when it ends. In order of last use. */
  readonly #sessions = new Map<string, number>();
  #linkHash = '';

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** A new secret for a link; the one before is no longer good. */
  newLinkToken(): string {
    const token = newSecret();
    this.#linkHash = hashOf(token);
    return token;
  }

  /** The cookie for the secret of the link, which is thereby used up; undefined for any other. */
  exchange(token: string, port: number): string | undefined {
    if (token === '' || hashOf(token) !== this.#linkHash) return undefined;
    this.#linkHash = '';
    const secret = newSecret();
    this.#touch(hashOf(secret));
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > sessionsMax && oldest !== undefined) this.#sessions.delete(oldest);
    return `${cookieName(port)}=${secret}; Path=/console; HttpOnly; SameSite=Strict`;
  }

  isKnown(request: IncomingMessage): boolean {
    const secret = cookieOf(request, cookieName(Number(request.socket.localPort)));
    if (secret === undefined) return false;
    const hash = hashOf(secret);
    const endsAt = this.#sessions.get(hash);
    if (endsAt === undefined) return false;
    this.#sessions.delete(hash);
    if (endsAt < this.#now()) return false;
    this.#touch(hash);
    return true;
  }

  #touch(hash: string): void {
    this.#sessions.set(hash, this.#now() + idleMs);
  }
}

/** Cookies do not tell ports apart: two consoles would log each other out. */
function cookieName(port: number): string {
  return `toolcrib_console_${port}`;
}

function cookieOf({ headers }: IncomingMessage, name: string): string | undefined {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}

function newSecret(): string {
  return randomBytes(secretBytes).toString('base64url');
}

/** Compared by hashes, the time that it takes tells nothing of the secret. */
function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
