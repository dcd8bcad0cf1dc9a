import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { ToolcribError } from '../errors/index.ts';
import { isJsonObject, type ResumePoint } from '../model/index.ts';

/** Answers are taken this long after the question: a form or a login in a browser is done by then. */
export const sealedMaxMs = 60 * 60_000;

/** A place of a call to go on from, or a question of ours by its id. */
export type SealedPoint = ResumePoint | { kind: 'approval'; id: string };

/** What a state is for; it opens for nothing else. */
export interface SealBinding {
  principal: string;
  serverId: string;
  /** Raw name. */
  toolName: string;
  /** SHA-256 of the arguments. */
  argumentsHash: string;
}

const prefix = 'tc1.';
const cipher = 'aes-256-gcm';
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;

/**
 * Seals where a call goes on for its way through a host (MCP 2026-07-28: `requestState` comes back from whoever likes).
 * AES-256-GCM: a host can neither read nor alter it, and the binding goes into the tag.
 */
export class StateSeal {
  readonly #secret: () => Uint8Array;
  readonly #now: () => number;
  #key: Buffer | undefined;

  /** `secret` is asked for at first use: at least 32 bytes, the same for every process that may see the answer. */
  constructor(secret: () => Uint8Array, now: () => number = Date.now) {
    this.#secret = secret;
    this.#now = now;
  }

  seal(resume: SealedPoint, binding: SealBinding): string {
    const nonce = randomBytes(nonceBytes);
    const encryption = createCipheriv(cipher, this.#derivedKey(), nonce, { authTagLength: tagBytes });
    encryption.setAAD(boundTo(binding));
    const text = JSON.stringify({ until: this.#now() + sealedMaxMs, resume });
    const sealed = [nonce, encryption.update(text, 'utf8'), encryption.final(), encryption.getAuthTag()];
    return prefix + Buffer.concat(sealed).toString('base64url');
  }

  /** Throws `input_state_invalid` for a state that was altered, has expired, or was sealed for another call or caller. */
  open(state: string, binding: SealBinding): SealedPoint {
    const { until, resume } = this.#decrypt(state, binding);
    const leftMs = until - this.#now();
    // More than was given when it was sealed: the clock was set back since.
    if (leftMs < 0 || leftMs > sealedMaxMs) {
      const minutes = sealedMaxMs / 60_000;
      throw invalid(`its requestState has expired: answers are taken for ${minutes} minutes.`);
    }
    return resume;
  }

  #decrypt(state: string, binding: SealBinding): { until: number; resume: SealedPoint } {
    try {
      if (!state.startsWith(prefix)) throw new Error('another format');
      const sealed = Buffer.from(state.slice(prefix.length), 'base64url');
      const nonce = sealed.subarray(0, nonceBytes);
      const decryption = createDecipheriv(cipher, this.#derivedKey(), nonce, { authTagLength: tagBytes });
      decryption.setAAD(boundTo(binding));
      decryption.setAuthTag(sealed.subarray(-tagBytes));
      const text = decryption.update(sealed.subarray(nonceBytes, -tagBytes));
      const content: unknown = JSON.parse(Buffer.concat([text, decryption.final()]).toString('utf8'));
      if (!isJsonObject(content)) throw new Error('another content');
      return content as unknown as { until: number; resume: SealedPoint };
    } catch (error) {
      throw invalid(
        'its requestState does not belong to this call: it was altered, or made for another tool, other arguments or another caller.',
        error,
      );
    }
  }

  #derivedKey(): Buffer {
    this.#key ??= Buffer.from(hkdfSync('sha256', this.#secret(), '', 'toolcrib requestState', keyBytes));
    return this.#key;
  }
}

function boundTo({ principal, serverId, toolName, argumentsHash }: SealBinding): Buffer {
  return Buffer.from(JSON.stringify([principal, serverId, toolName, argumentsHash]));
}

function invalid(why: string, cause?: unknown): ToolcribError {
  return new ToolcribError('input_state_invalid', `The answer was refused: ${why} Nothing was run.`, {
    details: { mayHaveRun: false },
    ...(cause === undefined ? {} : { cause }),
  });
}
