import type { ToolName } from '../../model/index.ts';
import type { Asked } from '../request.ts';
import type { Activity, Overview, ServerView } from '../shapes.ts';
import type { ConsoleSource } from '../source.ts';
import { waiting } from './approvals.ts';

const hourMs = 60 * 60_000;
const defaultHours = 24;
const maxHours = 24 * 30;
/** Bars of the chart: as many as can be told apart on a telephone. */
const stretchesShown = 24;
const missedShown = 20;

/** `GET api/overview?hours=24`: everything on the first page. Waits for no server and for no count. */
export async function overview(source: ConsoleSource, asked: Asked): Promise<Overview> {
  const sizes = source.catalog.definitionTokens();
  const sum = (of: (size: (typeof sizes)[number]) => number) => sizes.reduce((total, size) => total + of(size), 0);
  const { tokenizer, tokens: metaTools } = await source.metaTools();
  const { mode, reason } = source.mode();
  return {
    version: source.version,
    ...(source.configPath === undefined ? {} : { configPath: source.configPath }),
    servers: serverViews(source, sizes),
    tools: sum(({ tools }) => tools),
    mode: { mode, reason },
    tokens: {
      definitions: sum(({ tokens }) => tokens),
      metaTools,
      uncounted: sum(({ uncounted }) => uncounted),
      tokenizer,
    },
    activity: activityOf(source, Math.min(asked.number('hours') ?? defaultHours, maxHours)),
    missed: source.missedSearches(missedShown),
    waiting: waiting(source),
  };
}

function serverViews(
  source: ConsoleSource,
  sizes: ReturnType<ConsoleSource['catalog']['definitionTokens']>,
): ServerView[] {
  const tokens = new Map(sizes.map(({ serverId, tokens: count }) => [serverId, count]));
  const held = new Map<string, number>();
  for (const { serverId, status } of source.catalog.names()) {
    if (isHeld(status)) held.set(serverId, (held.get(serverId) ?? 0) + 1);
  }
  return source.crib.listServers().map((listing) => ({
    ...listing,
    definitionTokens: tokens.get(listing.server) ?? 0,
    held: held.get(listing.server) ?? 0,
  }));
}

function isHeld(status: ToolName['status']): boolean {
  return status !== 'ok' && status !== 'repaired';
}

function activityOf({ activity }: ConsoleSource, hours: number): Activity {
  const stretchMs = (hours * hourMs) / stretchesShown;
  const to = (Math.floor(Date.now() / stretchMs) + 1) * stretchMs;
  const from = to - stretchesShown * stretchMs;
  return { from, to, stretchMs, stretches: activity(from, stretchMs) };
}
