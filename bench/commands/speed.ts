import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createToolcrib, type Toolcrib } from 'toolcrib';
import { toolText } from '../arms/documents.ts';
import { Fts5Arm } from '../arms/fts5-arm.ts';
import { defaultSet } from '../data/bench-data.ts';
import { fillVectors } from '../data/fill-vectors.ts';
import { loadQueries } from '../data/load-queries.ts';
import type { ServerTools } from '../data/load-tools.ts';
import { scaledTools } from '../data/scaled-tools.ts';
import { round } from '../metrics/score.ts';
import { coldSearchMs } from '../speed/cold-search.ts';
import { longestBlock } from '../speed/event-loop.ts';
import { type Latency, measureArm, measureLatency, warmUpQueriesFrom } from '../speed/latency.ts';
import { residentMb } from '../speed/resident-memory.ts';

/** Speed at one size of catalog; times in milliseconds unless named otherwise. */
export interface SpeedReport {
  tools: number;
  /** All lists into an empty catalog file, one server after the other: searchable by keyword from then on. */
  ingestMs: number;
  /** The same lists again. */
  reingestUnchangedMs: number;
  /** Texts embedded a second, in the background, from the end of ingest; a tool has up to three. */
  vectorsPerSecond: number;
  /** `toolcrib search` as a new process, wall time, median of three. */
  coldFirstSearchMs: number;
  /** After a thousand others, each query once. `fts5`: plain FTS5 in a file, the same tools and text, stop words dropped from the query. */
  searchMs: { hybrid: Latency; lexical: Latency; fts5: Latency };
  /** `toolcrib serve` with its embedding process, indexes and model loaded. */
  rssMb: number;
  /** The catalog file with its write-ahead log. */
  catalogMb: number;
  /** Longest time for which one call of ingest (a server's whole list) or background work held up the event loop. */
  eventLoopMaxMs: number;
  /** The same for embedding and token counting alone. */
  settleEventLoopMaxMs: number;
  /** Share of vectors made up from real ones (see `fill-vectors.ts`), 0–1: above a minute of embedding the rest is not awaited. */
  madeUpVectors: number;
}

export interface SpeedOptions {
  sizes: readonly number[];
  onReport?: (report: SpeedReport) => void;
}

/** Real embedding goes on for this long at each size; what is missing then is made up. */
const embedBudgetMs = 60_000;
const coldSearches = 3;

/** Measures each size in a catalog file of its own, next to plain FTS5. Needs a build. */
export async function measureSpeed({ sizes, onReport }: SpeedOptions): Promise<SpeedReport[]> {
  const queries = [...new Set(loadQueries(defaultSet().queries).map(({ query }) => query))];
  const reports: SpeedReport[] = [];
  for (const size of sizes) {
    const report = await measureSize(size, queries);
    onReport?.(report);
    reports.push(report);
  }
  return reports;
}

async function measureSize(size: number, queries: readonly string[]): Promise<SpeedReport> {
  const folder = mkdtempSync(join(tmpdir(), 'toolcrib-speed-'));
  try {
    const catalog = join(folder, 'catalog.sqlite');
    const servers = scaledTools(size);
    const filling = await fillCatalog(catalog, servers);
    const asked = { queries, warmUp: warmUpQueriesFrom(servers) };
    const searching = await searchCatalog(catalog, servers, asked);
    const fts5 = await searchFts5(join(folder, 'fts5.sqlite'), servers, asked);
    const { reingestUnchangedMs, ...searchMs } = searching;
    return {
      tools: size,
      ingestMs: filling.ingestMs,
      reingestUnchangedMs,
      vectorsPerSecond: filling.vectorsPerSecond,
      coldFirstSearchMs: round(await coldSearchMs(catalog, queries.slice(0, coldSearches), folder)),
      searchMs: { ...searchMs, fts5 },
      rssMb: round(await residentMb(catalog, queries.slice(0, coldSearches), folder)),
      catalogMb: catalogMb(catalog),
      eventLoopMaxMs: filling.eventLoopMaxMs,
      settleEventLoopMaxMs: filling.settleEventLoopMaxMs,
      madeUpVectors: filling.madeUpVectors,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Ingests and embeds, really for as long as the budget lasts, and completes the vectors. */
async function fillCatalog(catalog: string, servers: readonly ServerTools[]) {
  const crib = createToolcrib({ catalog });
  let embedding: Embedding = { embedded: 0, texts: 0, perSecond: 0 };
  let ingest = { totalMs: 0, longestCallMs: 0 };
  let indexMs = 0;
  let settleBlockMs = 0;
  try {
    ingest = ingestAll(crib, servers);
    const start = performance.now();
    const indexBlockMs = await longestBlock(() => crib.indexed());
    indexMs = performance.now() - start;
    ingest.longestCallMs = Math.max(ingest.longestCallMs, indexBlockMs);
    settleBlockMs = await longestBlock(async () => {
      embedding = await embedWithin(crib);
    });
  } finally {
    await crib.close();
  }
  const isComplete = embedding.embedded === embedding.texts;
  const madeUp = isComplete ? 0 : fillVectors(catalog);
  return {
    ingestMs: round(ingest.totalMs + indexMs),
    vectorsPerSecond: round(embedding.perSecond),
    eventLoopMaxMs: round(Math.max(ingest.longestCallMs, settleBlockMs)),
    settleEventLoopMaxMs: round(settleBlockMs),
    madeUpVectors: embedding.texts === 0 ? 0 : round(madeUp / embedding.texts),
  };
}

/** One synchronous call a server, and nothing in between: no background work takes part yet. */
function ingestAll(crib: Toolcrib, servers: readonly ServerTools[]): { totalMs: number; longestCallMs: number } {
  const callsMs = servers.map(({ server, tools }) => {
    const start = performance.now();
    crib.ingest(server, tools);
    return performance.now() - start;
  });
  return {
    totalMs: callsMs.reduce((sum, ms) => sum + ms, 0),
    longestCallMs: callsMs.reduce((a, b) => Math.max(a, b), 0),
  };
}

interface Embedding {
  embedded: number;
  texts: number;
  perSecond: number;
}

/** Embeds until everything has its vector or the budget is spent. The rate is that between the first and the last progress. */
async function embedWithin(crib: Toolcrib): Promise<Embedding> {
  const seen: { embedded: number; texts: number; at: number }[] = [];
  const settled = crib.settled((progress) => seen.push({ ...progress, at: performance.now() }));
  let timer: NodeJS.Timeout | undefined;
  const budget = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, embedBudgetMs);
  });
  await Promise.race([settled, budget]);
  clearTimeout(timer);
  const [first] = seen;
  const last = seen.at(-1);
  if (first === undefined || last === undefined) return { embedded: 0, texts: 0, perSecond: 0 };
  const { embedded, texts } = last;
  return { embedded, texts, perSecond: (1000 * (embedded - first.embedded)) / Math.max(1, last.at - first.at) };
}

/** What every arm is asked: first, uncounted, to warm up. */
interface Queries {
  queries: readonly string[];
  warmUp: readonly string[];
}

async function searchCatalog(catalog: string, servers: readonly ServerTools[], { queries, warmUp }: Queries) {
  const hybrid = await measureArm('hybrid', catalog, queries, warmUp);
  const lexical = await measureArm('lexical', catalog, queries, warmUp);
  const crib = createToolcrib({ catalog });
  try {
    await crib.settled();
    return { hybrid, lexical, reingestUnchangedMs: round(ingestAll(crib, servers).totalMs) };
  } finally {
    await crib.close();
  }
}

async function searchFts5(
  file: string,
  servers: readonly ServerTools[],
  { queries, warmUp }: Queries,
): Promise<Latency> {
  const arm = new Fts5Arm({ file, dropStopWords: true });
  try {
    arm.add(documentsOf(servers));
    return await measureLatency((query, limit) => arm.search(query, limit), queries, warmUp);
  } finally {
    await arm.close();
  }
}

function* documentsOf(servers: readonly ServerTools[]) {
  for (const { server, tools } of servers) {
    for (const tool of tools) yield { label: `${server}/${tool.name}`, ...toolText(server, tool) };
  }
}

function catalogMb(catalog: string): number {
  const bytes = ['', '-wal'].reduce(
    (sum, suffix) => sum + (statSync(`${catalog}${suffix}`, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
  return round(bytes / 1024 ** 2);
}
