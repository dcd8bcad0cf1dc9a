import type { JsonObject } from './json.ts';
import type { Tool, ToolId } from './tool.ts';

/** What becomes of a call: it runs, a person is asked first, or it is refused. */
export type PolicyAction = 'allow' | 'ask' | 'deny';

/** What a tool may do to the world, from the least to the worst. */
export type ToolEffect = 'read' | 'write' | 'destructive';

/** One rule of the config. Every condition that it has must hold; one without conditions fits every call. */
export interface PolicyRule {
  action: PolicyAction;
  /** Globs over server ids. */
  servers?: string[];
  /** Globs over raw tool names. */
  tools?: string[];
  /** Annotations with these values. Only servers of `trust: "trusted"` have any: what others say does not count. */
  annotations?: Record<string, boolean>;
  effects?: ToolEffect[];
  /** Globs over callers: see `principal` of a call. */
  callers?: string[];
}

/** The part of a call that rules are about. */
export interface PolicyCall {
  tool: Pick<Tool, 'serverId' | 'toolName' | 'annotations'>;
  caller: string;
}

export interface PolicyDecision {
  action: PolicyAction;
  /** Place of the rule that decided, from 1; absent where none fits and the default does. */
  rule?: number;
  /** In words for people and models. */
  reason: string;
  /** `destructive` where it is not known. */
  effect: ToolEffect;
  /** Only the annotations of trusted servers tell. */
  isEffectKnown: boolean;
}

/** Who may call what. Owned by `policy`, asked by the router at every call. Pure, and fast. */
export interface CallPolicy {
  decide(call: PolicyCall): PolicyDecision;
}

/** One exact call, as a person approves it. */
export interface ApprovableCall extends ToolId {
  /** Full name of the tool. */
  name: string;
  caller: string;
  /** SHA-256 (hex) over caller, server, tool, definition and arguments: an approval is good for nothing else. */
  digest: string;
  effect: ToolEffect;
  isEffectKnown: boolean;
  arguments: JsonObject;
}

/** A call that waits for a person. */
export interface ApprovalRequest extends Omit<ApprovableCall, 'digest'> {
  /** Cannot be guessed. */
  id: string;
  /** Milliseconds since the epoch. */
  requestedAt: number;
  expiresAt: number;
}

/** What persons allow, call by call. Kept by the catalog; several processes share it. */
export interface CallApprovals {
  /** Notes a call that a person has to allow elsewhere, and gives its id: the same one while it waits. */
  request(call: ApprovableCall): string;
  /** Notes a question that goes through a host; its id is good for one answer. */
  ask(call: ApprovableCall): string;
  /** True once for each question of `ask` about this very call. */
  takeQuestion(id: string, digest: string): boolean;
  /** True where the call is allowed. What is allowed once is used up by it. */
  take(digest: string): boolean;
  /** Allows a call: once, until `expiresAt`, or every time until then. */
  allow(digest: string, grant: { isOnce: boolean; expiresAt: number }): void;
  /** Calls that wait, oldest first. */
  waiting(): ApprovalRequest[];
  /** True where a person refused this very call. A refusal for once is used up by it. */
  takeRefusal(digest: string): boolean;
  /** Refuses a call that waits, once or every time until `expiresAt`; undefined where no such one does. */
  refuse(id: string, refusal: { isOnce: boolean; expiresAt: number }): ApprovalRequest | undefined;
  /** Allows a call that waits; undefined where no such one does. */
  grant(id: string, grant: { isOnce: boolean; expiresAt: number }): ApprovalRequest | undefined;
}

/** A call that waits for a person, as it is shown to them. */
export interface CallToApprove {
  id: string;
  /** Full name of the tool. */
  name: string;
  server: string;
  /** Raw name. */
  tool: string;
  caller: string;
  effect: ToolEffect;
  isEffectKnown: boolean;
  arguments: JsonObject;
  /** ISO 8601. */
  requestedAt: string;
  /** ISO 8601: from then on the call has to be requested anew. */
  expiresAt: string;
}

/** How far a call is allowed. */
export interface CallGrant {
  /** True for as often as it is made within the time. Default false: once. */
  isRepeatable?: boolean;
  /** For how long, up to a day. Default 15. */
  minutes?: number;
}

export interface PolicyTestOptions {
  /** Checked as a call would check them; rules do not read them. */
  args?: JsonObject;
  /** Default `local`. */
  caller?: string;
  /** With the default that holds over HTTP. */
  isOverHttp?: boolean;
}

/** What would happen to a call. */
export interface PolicyTest extends PolicyDecision {
  name: string;
  server: string;
  /** Raw name. */
  tool: string;
  caller: string;
  /** Why the call would fail all the same. */
  problem?: string;
}
