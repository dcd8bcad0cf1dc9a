import { type Attributes, context, metrics, propagation, trace } from '@opentelemetry/api';
import { afterEach, describe, expect, it } from 'vitest';
import { createToolcrib, type Toolcrib } from '../../src/index.ts';

interface Point {
  name: string;
  value: number;
  attributes: Attributes | undefined;
}

/** The least of an SDK: notes what it is told. */
class NotingSdk {
  readonly points: Point[] = [];
  readonly spans: { name: string; attributes: Attributes; parent: unknown }[] = [];
  readonly #callbacks = new Set<
    (result: { observe(gauge: { name: string }, value: number, more?: Attributes): void }) => void
  >();

  register(): void {
    const note = (name: string) => (value: number, attributes?: Attributes) =>
      this.points.push({ name, value, attributes });
    const meter = {
      createHistogram: (name: string) => ({ record: note(name) }),
      createCounter: (name: string) => ({ add: note(name) }),
      createObservableGauge: (name: string) => ({ name }),
      addBatchObservableCallback: (callback: never) => this.#callbacks.add(callback),
      removeBatchObservableCallback: (callback: never) => this.#callbacks.delete(callback),
    };
    metrics.setGlobalMeterProvider({ getMeter: () => meter } as never);
    const startSpan = (
      name: string,
      { attributes }: { attributes: Attributes },
      parent: { getValue(key: symbol): unknown },
    ) => {
      this.spans.push({ name, attributes, parent: parent.getValue(parentKey) });
      return { setStatus: () => {}, end: () => {} };
    };
    trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan }) } as never);
    propagation.setGlobalPropagator({
      inject: () => {},
      extract: (into, carrier) => into.setValue(parentKey, (carrier as { traceparent?: string }).traceparent),
      fields: () => ['traceparent'],
    });
  }

  collect(): void {
    for (const callback of this.#callbacks) {
      callback({ observe: ({ name }, value, attributes) => this.points.push({ name, value, attributes }) });
    }
  }
}

const parentKey = Symbol('parent');
const open: Toolcrib[] = [];

afterEach(async () => {
  for (const crib of open.splice(0)) await crib.close();
  metrics.disable();
  trace.disable();
  propagation.disable();
  context.disable();
});

describe('with an OpenTelemetry SDK', () => {
  it('calls, searches, the catalog and servers are measured, until it is closed', async () => {
    const sdk = new NotingSdk();
    sdk.register();
    const crib = createToolcrib({ embedding: 'none', mode: 'discovery' });
    open.push(crib);
    crib.ingest('notes', [{ name: 'write_note', inputSchema: { type: 'object' } }]);
    await crib.search('write a note');
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    await crib.call('call_tool', { name: 'notes__write_note', arguments: {} }, { meta: { traceparent } });
    sdk.collect();
    const named = (name: string) => sdk.points.filter((point) => point.name === name);
    expect(named('toolcrib.search.duration')).toHaveLength(1);
    expect(named('toolcrib.call.duration')).toMatchObject([
      { attributes: { server: 'notes', outcome: 'upstream_unavailable' } },
    ]);
    expect(named('toolcrib.catalog.tools')).toMatchObject([{ value: 1 }]);
    expect(named('toolcrib.tokens.saved')[0]?.value).toBeGreaterThan(0);
    expect(sdk.spans).toMatchObject([
      { name: 'tools/call write_note', parent: traceparent, attributes: { 'toolcrib.server': 'notes' } },
    ]);
    await crib.close();
    const before = sdk.points.length;
    sdk.collect();
    expect(sdk.points).toHaveLength(before);
  });
});
