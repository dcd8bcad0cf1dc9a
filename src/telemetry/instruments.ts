import { createRequire } from 'node:module';
import type { CallRecord, SearchResult, ServerState } from '../model/index.ts';

/** What is measured of one toolcrib (OpenTelemetry): calls, searches, the size of the catalog, the state of servers. */
export interface Instruments {
  /** A call that has ended: a span under the caller's own (W3C Trace Context, from `_meta`), and its duration by outcome. */
  call(record: CallRecord): void;
  search(durationMs: number, result: Pick<SearchResult, 'hits' | 'confidence'>): void;
  close(): void;
}

/** What is read when the figures are collected. */
export interface ObservedState {
  tools(): number;
  /** Tokens that a model does not have to carry. */
  savedTokens(): number;
  servers(): readonly Pick<ServerState, 'id' | 'state'>[];
}

/** Where `@opentelemetry/api` 1.x keeps what an SDK registers, whichever copy of it the SDK uses. */
const registered = Symbol.for('opentelemetry.js.api.1');

/** Undefined where no OpenTelemetry SDK was registered before: then nothing is loaded, and nothing costs anything. */
export function createInstruments(state: ObservedState, version: string): Instruments | undefined {
  if ((globalThis as Record<symbol, unknown>)[registered] === undefined) return undefined;
  const api = createRequire(import.meta.url)('@opentelemetry/api') as typeof import('@opentelemetry/api');
  const tracer = api.trace.getTracer('toolcrib', version);
  const meter = api.metrics.getMeter('toolcrib', version);
  const calls = meter.createHistogram('toolcrib.call.duration', {
    unit: 'ms',
    description: 'Calls by server and outcome',
  });
  const searches = meter.createHistogram('toolcrib.search.duration', { unit: 'ms', description: 'Searches' });
  const empty = meter.createCounter('toolcrib.search.empty', { description: 'Searches without a hit' });
  const tools = meter.createObservableGauge('toolcrib.catalog.tools', { description: 'Tools that can be called' });
  const saved = meter.createObservableGauge('toolcrib.tokens.saved', { description: 'Tokens a model need not carry' });
  const servers = meter.createObservableGauge('toolcrib.server.state', {
    description: '1 for the state a server is in',
  });
  const observe: Parameters<typeof meter.addBatchObservableCallback>[0] = (result) => {
    result.observe(tools, state.tools());
    result.observe(saved, state.savedTokens());
    for (const { id, state: name } of state.servers()) result.observe(servers, 1, { server: id, state: name });
  };
  const observed = [tools, saved, servers];
  meter.addBatchObservableCallback(observe, observed);
  return {
    call: ({ time, durationMs, server, tool, outcome, caller, operationId, traceparent, tracestate }) => {
      calls.record(durationMs, { ...(server === undefined ? {} : { server }), outcome });
      const parent = api.propagation.extract(api.context.active(), { traceparent, tracestate });
      const attributes = {
        'mcp.method.name': 'tools/call',
        'gen_ai.tool.name': tool,
        'toolcrib.outcome': outcome,
        'toolcrib.caller': caller,
        'toolcrib.operation_id': operationId,
        ...(server === undefined ? {} : { 'toolcrib.server': server }),
      };
      const span = tracer.startSpan(`tools/call ${tool}`, { startTime: time, attributes }, parent);
      if (outcome !== 'ok' && outcome !== 'input_required') span.setStatus({ code: api.SpanStatusCode.ERROR });
      span.end(time + durationMs);
    },
    search: (durationMs, { hits, confidence }) => {
      searches.record(durationMs, { confidence });
      if (hits.length === 0) empty.add(1);
    },
    close: () => meter.removeBatchObservableCallback(observe, observed),
  };
}
