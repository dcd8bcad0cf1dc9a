import { createHash, randomBytes } from 'node:crypto';
import { ToolcribError } from '../../errors/index.ts';
import type { NewTokenOptions, StoredToken } from '../../model/index.ts';
import { createCallerScope } from './scope.ts';

/** Names a token in lists; not secret. */
const idBytes = 8;
/** 256 bits: nobody guesses one, and a plain hash keeps it. */
const secretBytes = 32;
const tokenFormat = /^tcr_([0-9a-f]{16})_([A-Za-z0-9_-]{43})$/;

/** Callers stand in rules, lists and logs: letters that all of them can show. */
const nameFormat = /^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/;
/** A token is revoked by its name or its id: none is called like the id of another. */
const idFormat = /^[0-9a-f]{16}$/;
/** As many as anyone reads over. */
const scopesMax = 100;
const dayMs = 24 * 60 * 60_000;
/** Whoever wants longer wants a token that does not expire. */
const expiryMaxDays = 3_650;

/** A token of a caller, and what to keep of it. Throws `invalid_arguments`. */
export function newToken(
  name: string,
  { scopes, expiresInDays }: NewTokenOptions,
  now: number,
): { secret: string; stored: StoredToken } {
  check(name, scopes, expiresInDays);
  const id = randomBytes(idBytes).toString('hex');
  const secret = `tcr_${id}_${randomBytes(secretBytes).toString('base64url')}`;
  const stored = {
    id,
    name,
    scopes: [...new Set(scopes)],
    secretHash: hashOf(secret).toString('hex'),
    createdAt: now,
    ...(expiresInDays === undefined ? {} : { expiresAt: now + expiresInDays * dayMs }),
  };
  return { secret, stored };
}

/** The id of a token by its form; undefined for what is no token of ours. */
export function tokenIdOf(secret: string): string | undefined {
  return tokenFormat.exec(secret)?.[1];
}

export function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** Whether a token is in force. */
export function isInForce({ expiresAt, revokedAt }: StoredToken, now: number): boolean {
  return revokedAt === undefined && (expiresAt === undefined || expiresAt > now);
}

function check(name: unknown, scopes: unknown, expiresInDays: unknown): void {
  if (typeof name !== 'string' || !nameFormat.test(name) || idFormat.test(name)) {
    throw refused(
      `name must be 1 to 64 of letters, digits, ".", "_", "@" and "-", and not look like an id; got ${JSON.stringify(name)}`,
    );
  }
  if (!Array.isArray(scopes) || scopes.length === 0 || scopes.length > scopesMax) {
    throw refused(`scopes must be a list of 1 to ${scopesMax}; "*" is for everything`);
  }
  createCallerScope(scopes.map(String), () => false);
  if (expiresInDays === undefined) return;
  if (typeof expiresInDays === 'number' && expiresInDays > 0 && expiresInDays <= expiryMaxDays) return;
  throw refused(`expiresInDays must be above 0, up to ${expiryMaxDays}; got ${JSON.stringify(expiresInDays)}`);
}

function refused(why: string): ToolcribError {
  return new ToolcribError('invalid_arguments', `createToken: ${why}.`);
}
