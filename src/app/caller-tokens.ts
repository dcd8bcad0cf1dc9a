import { ToolcribError } from '../errors/index.ts';
import type { NewToken, NewTokenOptions, StoredToken, TokenListing, TokenStore } from '../model/index.ts';
import { isInForce, newToken } from '../policy/index.ts';

/** Throws `invalid_arguments`, `token_exists`. */
export function createToken(tokens: TokenStore, name: string, options: NewTokenOptions): NewToken {
  const { secret, stored } = newToken(name, options, Date.now());
  if (tokens.add(stored)) return { ...toListing(stored), secret };
  throw new ToolcribError('token_exists', `A token of ${JSON.stringify(name)} is in force already.`);
}

export function listTokens(tokens: TokenStore): TokenListing[] {
  return tokens.all().map(toListing);
}

/** Throws `token_unknown`. */
export function revokeToken(tokens: TokenStore, idOrName: string): TokenListing {
  const revoked = tokens.revoke(idOrName);
  if (revoked !== undefined) return toListing(revoked);
  throw new ToolcribError('token_unknown', `No token in force has the id or the name ${JSON.stringify(idOrName)}.`);
}

function toListing(token: StoredToken): TokenListing {
  const { id, name, scopes, createdAt, expiresAt, revokedAt } = token;
  const isActive = isInForce(token, Date.now());
  return {
    id,
    name,
    scopes,
    state: isActive ? 'active' : revokedAt === undefined ? 'expired' : 'revoked',
    createdAt: new Date(createdAt).toISOString(),
    ...(expiresAt === undefined ? {} : { expiresAt: new Date(expiresAt).toISOString() }),
    ...(revokedAt === undefined ? {} : { revokedAt: new Date(revokedAt).toISOString() }),
  };
}
