import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { CallOptions, JsonObject, Tool } from '../model/index.ts';
import type { SealBinding } from './state-seal.ts';

/** Who calls where one program calls for one person. */
const defaultPrincipal = 'local';

export function callerOf({ principal }: Pick<CallOptions, 'principal'>): string {
  return principal ?? defaultPrincipal;
}

/** The call that a state is sealed for. */
export function bindingOf({ serverId, toolName }: Tool, args: JsonObject, options: CallOptions): SealBinding {
  return {
    principal: callerOf(options),
    serverId,
    toolName,
    get argumentsHash() {
      return hashOf(args);
    },
  };
}

/** The call that a person approves: this caller, this definition, these arguments. */
export function digestOf({ serverId, toolName, hash }: Tool, args: JsonObject, options: CallOptions): string {
  return hashOf([callerOf(options), serverId, toolName, hash, args]);
}

/** The call that an idempotency key is for. */
export function operationDigest({ serverId, toolName }: Tool, args: JsonObject): string {
  return hashOf([serverId, toolName, args]);
}

function hashOf(value: unknown): string {
  return createHash('sha256')
    .update(canonicalize(value) ?? '')
    .digest('hex');
}
