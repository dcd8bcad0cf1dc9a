import type { AuditSink, CatalogReader, Router, ToolSearcher, Upstream } from '../model/index.ts';
import { createInstruments, type Instruments } from '../telemetry/index.ts';
import { version } from './version.ts';

export interface Measured {
  catalog: Pick<CatalogReader, 'names'> & { definitionTokens(): { tokens: number }[] };
  upstream: Pick<Upstream, 'states'>;
  /** Undefined until it is first used. */
  router(): Router | undefined;
}

/** The instruments of one toolcrib; undefined where no OpenTelemetry SDK is there. */
export function measure({ catalog, upstream, router }: Measured): Instruments | undefined {
  const definitionTokens = () => catalog.definitionTokens().reduce((sum, { tokens }) => sum + tokens, 0);
  return createInstruments(
    {
      tools: () => catalog.names().length,
      savedTokens: () => (router()?.mode().mode === 'discovery' ? definitionTokens() : 0),
      servers: () => upstream.states(),
    },
    version,
  );
}

/** Tells the instruments of each search; the searcher itself where there are none. */
export function measuredSearcher(searcher: ToolSearcher, instruments: Instruments | undefined): ToolSearcher {
  if (instruments === undefined) return searcher;
  return {
    search: async (query, options, view) => {
      const startedAt = performance.now();
      const result = await searcher.search(query, options, view);
      instruments.search(performance.now() - startedAt, result);
      return result;
    },
  };
}

/** Tells both of each call. */
export function measuredSink(
  audit: AuditSink | undefined,
  instruments: Instruments | undefined,
): AuditSink | undefined {
  if (instruments === undefined) return audit;
  return {
    record: (entry) => {
      audit?.record(entry);
      if (entry.kind === 'call') instruments.call(entry);
    },
  };
}
