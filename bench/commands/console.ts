import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { createToolcrib } from 'toolcrib';
import { defaultSet, repositoryFolder } from '../data/bench-data.ts';
import { BenchError } from '../data/bench-error.ts';
import { openCatalogFile } from '../data/catalog-cache.ts';
import { loadQueries } from '../data/load-queries.ts';
import { loadTools } from '../data/load-tools.ts';
import { percentile, round } from '../metrics/score.ts';
import { chromiumPath, chromiumPlaces, launchChromium } from '../speed/chromium.ts';
import { startConsole } from '../speed/console-process.ts';

export interface ConsoleOptions {
  /** Default: real66 where the labelled sets are present, else the repository's own set. Both or none. */
  tools?: string;
  queries?: string;
}

/** How soon the console shows something, in milliseconds, as the browser itself sees it. */
export interface ConsoleReport {
  set: string;
  tools: number;
  /** From the start of loading to the painted table of servers, in browsers that saw nothing of it before. */
  firstViewMs: { n: number; p50: number; max: number };
  /** From a key to the painted hits of what stands in the field then. */
  keyMs: { n: number; p50: number; p95: number; max: number };
  /** Keys after which the next one came before their hits. */
  overtaken: number;
}

const clockPath = join(repositoryFolder, 'bench/speed/page-clock.js');
const firstViews = 5;
const queriesTyped = 12;
/** Caches and compiler warm up with the first one. */
const queriesWarmingUp = 1;
/** A fast typist; each key is answered before the next. */
const keyDelayMs = 120;

/** Needs a build and a Chromium. */
export async function measureConsole(options: ConsoleOptions): Promise<ConsoleReport> {
  if (chromiumPath === undefined) throw new BenchError(`No Chromium is at ${chromiumPlaces.join(', ')}.`);
  const { tools, queries } = filesOf(options);
  const folder = mkdtempSync(join(tmpdir(), 'toolcrib-console-'));
  const catalog = openCatalogFile(tools, true);
  const count = await fill(catalog.path, tools);
  const running = startConsole(['--catalog', catalog.path], folder);
  const browser = await launchChromium();
  try {
    const views = await measureFirstViews(browser, () => running.nextLink());
    const keys = await measureKeys(browser, await running.nextLink(), texts(queries));
    return { set: basename(dirname(queries)), tools: count, firstViewMs: views, ...keys };
  } finally {
    await browser.close();
    await running.stop();
    catalog.release();
    rmSync(folder, { recursive: true, force: true });
  }
}

function filesOf({ tools, queries }: ConsoleOptions): { tools: string; queries: string } {
  if (tools === undefined && queries === undefined) return defaultSet();
  if (tools !== undefined && queries !== undefined) return { tools, queries };
  throw new BenchError('Give --tools and --queries together, or neither.');
}

/** Listed, indexed, embedded and counted, as a catalog is that was used before. */
async function fill(catalog: string, file: string): Promise<number> {
  const { servers, toolCount } = loadTools(file);
  const crib = createToolcrib({ catalog });
  try {
    for (const { server, tools, ...about } of servers) crib.ingest(server, tools, about);
    await crib.settled();
    return toolCount;
  } finally {
    await crib.close();
  }
}

function texts(file: string): string[] {
  const queries = loadQueries(file).map(({ query }) => query);
  const step = Math.max(1, Math.floor(queries.length / queriesTyped));
  return queries.filter((_, index) => index % step === 0).slice(0, queriesTyped);
}

async function measureFirstViews(browser: Browser, nextLink: () => Promise<string>) {
  const times: number[] = [];
  for (let i = 0; i < firstViews; i += 1) {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.addInitScript({ path: clockPath });
    await page.goto(await nextLink());
    await page.getByRole('table').waitFor();
    await page.waitForTimeout(keyDelayMs);
    times.push((await readClock(page)).shownAt ?? Number.NaN);
    await context.close();
  }
  return { n: times.length, p50: round(percentile(times, 0.5)), max: round(Math.max(...times)) };
}

async function measureKeys(browser: Browser, link: string, queries: readonly string[]) {
  const page = await browser.newPage();
  await page.addInitScript({ path: clockPath });
  await page.goto(link);
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await page.goto(new URL('./#/search', page.url()).href);
  await page.getByRole('searchbox').waitFor();
  const times: number[] = [];
  let keys = 0;
  for (const [index, query] of queries.entries()) {
    const typed = await typeIn(page, query);
    if (index < queriesWarmingUp) continue;
    times.push(...typed);
    keys += [...query].length;
  }
  const spread = {
    n: times.length,
    p50: round(percentile(times, 0.5)),
    p95: round(percentile(times, 0.95)),
    max: round(Math.max(...times)),
  };
  return { keyMs: spread, overtaken: keys - times.length };
}

/** Types a query key by key and gives the times of those that were answered before the next. */
async function typeIn(page: Page, query: string): Promise<number[]> {
  const field = page.getByRole('searchbox');
  await field.fill('');
  const before = (await readClock(page)).keyTimes.length;
  await field.pressSequentially(query, { delay: keyDelayMs });
  await page.waitForTimeout(5 * keyDelayMs);
  return (await readClock(page)).keyTimes.slice(before);
}

/** What `page-clock.js` keeps in the page. */
interface Clock {
  shownAt?: number;
  keyTimes: number[];
}

function readClock(page: Page): Promise<Clock> {
  return page.evaluate(() => (globalThis as unknown as { benchClock: Clock }).benchClock);
}
