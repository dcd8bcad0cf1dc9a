import { timingSafeEqual } from 'node:crypto';
import type { Caller, CallerCheck, CallerVerdict, StoredToken, TokenStore } from '../../model/index.ts';
import { RateWindow } from '../limits/rate-window.ts';
import { createCallerScope, everything } from './scope.ts';
import { hashOf, isInForce, tokenIdOf } from './token.ts';

export interface TokenCheckOptions {
  tokens: Pick<TokenStore, 'generation' | 'all'>;
  /** True for servers whose annotations count. */
  isTrusted: (serverId: string) => boolean;
  /** Whether each request needs a token. Default: once one was ever created, and for good. */
  isRequired?: boolean;
  now?: () => number;
}

/** Wrong tokens from one address within a minute: a host with an old one asks a few times, a guesser without end. */
const failuresMax = 20;
const failureSeconds = 60;

/** Compared with where there is no such token, so that an unknown id takes as long as a wrong secret. */
const noHash = Buffer.alloc(32);

/**
 * Knows callers by their tokens, which are read anew once any process has changed them: a revocation holds with the next
 * request. Failures are slowed down, and nothing else: many callers may share an address, and a good token always passes.
 */
export function createTokenCheck(options: TokenCheckOptions): CallerCheck {
  return new TokenCheck(options);
}

interface KnownToken {
  stored: StoredToken;
  hash: Buffer;
  caller: Caller;
}

/** Whoever has one address of IPv6 has all of its network (RFC 4291). */
function networkOf(address: string): string {
  const groups = address.split(':');
  return groups.length > networkGroups ? groups.slice(0, networkGroups).join(':') : address;
}

const networkGroups = 4;

class TokenCheck implements CallerCheck {
  readonly #options: TokenCheckOptions;
  readonly #now: () => number;
  readonly #failures = new RateWindow({ most: failuresMax, perSeconds: failureSeconds });
  #generation: number | undefined;
  #known = new Map<string, KnownToken>();

  constructor(options: TokenCheckOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  isRequired(): boolean {
    return this.#options.isRequired ?? this.tellsApart();
  }

  tellsApart(): boolean {
    return this.#tokens().size > 0;
  }

  async check(authorization: string | undefined, address: string): Promise<CallerVerdict> {
    // Without any token, a header says nothing: hosts also send what was meant for another server.
    const saysNothing = authorization === undefined || !this.tellsApart();
    if (saysNothing && !this.isRequired()) return { kind: 'open' };
    const caller = this.#callerOf(authorization);
    if (caller !== undefined) return { kind: 'known', caller };
    const retryAfterMs = await this.#failures.count(networkOf(address));
    if (retryAfterMs !== undefined) return { kind: 'slowed', retryAfterMs };
    return { kind: 'refused', hasToken: authorization !== undefined };
  }

  isCurrent(caller: Caller | undefined): boolean {
    if (caller === undefined) return !this.isRequired();
    const token = this.#tokens().get(caller.tokenId);
    return token !== undefined && isInForce(token.stored, this.#now());
  }

  #callerOf(authorization: string | undefined): Caller | undefined {
    const secret = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? '';
    const token = this.#tokens().get(tokenIdOf(secret) ?? '');
    const isRight = timingSafeEqual(hashOf(secret), token?.hash ?? noHash);
    return isRight && token !== undefined && isInForce(token.stored, this.#now()) ? token.caller : undefined;
  }

  #tokens(): ReadonlyMap<string, KnownToken> {
    const { tokens, isTrusted } = this.#options;
    const generation = tokens.generation();
    if (generation !== this.#generation) {
      this.#known = new Map(
        tokens.all().map((stored) => {
          const { id, name, scopes, secretHash } = stored;
          const scope = scopes.includes(everything) ? {} : { scope: createCallerScope(scopes, isTrusted) };
          const caller = { name, tokenId: id, ...scope };
          return [id, { stored, hash: Buffer.from(secretHash, 'hex'), caller }];
        }),
      );
      this.#generation = generation;
    }
    return this.#known;
  }
}
