import { randomUUID } from 'node:crypto';
import { isToolcribError, outcomeOf } from '../errors/index.ts';
import type { AuditSink, CallRecord, HostCallOptions, JsonObject, Tool } from '../model/index.ts';
import { callerOf } from './call-binding.ts';
import { idempotencyKeyMeta } from './keyed-calls.ts';

/** Longer ones hold data rather than name something. */
const idMaxChars = 200;

/** What becomes known of a call on its way, and is recorded when it ends. */
export class CallTrace {
  /** What the call named; a call that named nothing is not recorded. */
  name: string | undefined;
  tool: Tool | undefined;
  args: JsonObject | undefined;
  decision: CallRecord['decision'] = 'allow';
  rule = 'default';
  readonly operationId: string;
  readonly #options: HostCallOptions;
  readonly #time = Date.now();
  readonly #start = performance.now();

  constructor(options: HostCallOptions) {
    this.#options = options;
    const key = options.meta?.[idempotencyKeyMeta];
    this.operationId = typeof key === 'string' ? key.slice(0, idMaxChars) : randomUUID();
  }

  /** Unless something else is decided later. */
  refused(rule: string): void {
    this.decision = 'deny';
    this.rule = rule;
  }

  ended(outcome: string, principal: string, sink: AuditSink): void {
    if (this.name === undefined) return;
    const { tool, args } = this;
    const { requestId, meta = {} } = this.#options;
    const { traceparent, tracestate } = meta;
    sink.record({
      kind: 'call',
      time: this.#time,
      caller: principal,
      tool: tool?.toolName ?? this.name.slice(0, idMaxChars),
      ...(tool === undefined ? {} : { server: tool.serverId, hash: tool.hash }),
      ...(args === undefined ? {} : { args }),
      decision: this.decision,
      rule: this.rule,
      operationId: this.operationId,
      outcome,
      durationMs: Math.round((performance.now() - this.#start) * 1_000) / 1_000,
      ...(typeof traceparent === 'string' ? { traceparent } : {}),
      ...(typeof tracestate === 'string' ? { tracestate } : {}),
      ...(requestId === undefined ? {} : { requestId: requestId.slice(0, idMaxChars) }),
    });
  }
}

/** A call that was refused before it was read, since its caller lacks a scope. */
export function recordOutOfScope(tool: Tool, options: HostCallOptions, sink: AuditSink): void {
  const trace = new CallTrace(options);
  trace.name = tool.exposedName;
  trace.tool = tool;
  trace.refused('scope');
  trace.ended('not_authorized', callerOf(options), sink);
}

export function outcomeOfError(error: unknown): string {
  if (!isToolcribError(error)) return outcomeOf('internal', true);
  return outcomeOf(error.code, error.details.mayHaveRun === true);
}
