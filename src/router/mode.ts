import type { CatalogReader, ModeDecision, ServerState } from '../model/index.ts';
import { formatCount, plural } from '../render/index.ts';

export interface ModeSettings {
  mode: 'auto' | 'direct' | 'discovery';
  /** Tokens. */
  contextWindow: number;
  /** 0–100. */
  thresholdPercent: number;
  /** Tokens; goes before `thresholdPercent`. */
  thresholdTokens?: number;
  /** Lets the mode change while running. */
  liveModeSwitch: boolean;
  /** Exposed names of tools that discovery lists beside the meta-tools. */
  pinned: readonly string[];
}

/** What the mode is decided on. */
export interface ModeFacts {
  catalog: Pick<CatalogReader, 'servers'> & {
    definitionTokens(): { serverId: string; tools: number; tokens: number; uncounted: number }[];
    /** The mode that an earlier start chose by size: the hysteresis holds over restarts. */
    rememberedMode(): ModeDecision['mode'] | undefined;
    rememberMode(mode: ModeDecision['mode']): void;
  };
  serverStates: () => ServerState[];
  modeSettings: ModeSettings;
}

/** Back to direct only below this share of the threshold, so that a list near it does not flap. */
const backToDirectShare = 0.8;
/** Servers named in a reason. */
const serversNamed = 3;

/**
 * Which list the model gets: as set, or by size, or discovery while any enabled server has never been listed.
 * `current` is the mode in force, for the hysteresis.
 */
export function decideMode(facts: ModeFacts, current?: ModeDecision['mode']): ModeDecision {
  const { mode, contextWindow, thresholdPercent, thresholdTokens: fixedTokens } = facts.modeSettings;
  const perServer = facts.catalog.definitionTokens();
  const definitionTokens = perServer.reduce((sum, { tokens }) => sum + tokens, 0);
  const tools = perServer.reduce((sum, server) => sum + server.tools, 0);
  const isEstimated = perServer.some(({ uncounted }) => uncounted > 0);
  const thresholdTokens = fixedTokens ?? Math.floor((contextWindow * thresholdPercent) / 100);
  const sizes = { definitionTokens, thresholdTokens };
  if (mode !== 'auto') return { mode, reason: `"mode" is set to ${mode}`, ...sizes };

  const unlisted = neverListed(facts);
  const size = `definitions of ${plural(tools, 'tool')} take ${isEstimated ? 'about ' : ''}${formatCount(definitionTokens)} tokens`;
  const share = `${thresholdPercent} % of a context of ${formatCount(contextWindow)} (${formatCount(thresholdTokens)})`;
  const threshold = fixedTokens === undefined ? share : `the threshold of ${formatCount(fixedTokens)} tokens`;
  if (unlisted.length > 0) {
    const rest = unlisted.length > serversNamed ? ` and ${unlisted.length - serversNamed} more` : '';
    const names = `${unlisted.slice(0, serversNamed).join(', ')}${rest}`;
    return { mode: 'discovery', reason: `not listed yet: ${names}; so far ${size}`, ...sizes };
  }
  if (definitionTokens > thresholdTokens) {
    return { mode: 'discovery', reason: `${size}, more than ${threshold}`, ...sizes };
  }
  if (current === 'discovery' && definitionTokens >= thresholdTokens * backToDirectShare) {
    const below = `${backToDirectShare * 100} % of the threshold`;
    return { mode: 'discovery', reason: `${size}, not yet below ${below} of ${threshold}`, ...sizes };
  }
  return { mode: 'direct', reason: `${size}, at most ${threshold}`, ...sizes };
}

/** True when the size of the definitions decides, and not a setting or a server that is still to come. */
export function isDecidedBySize(facts: ModeFacts): boolean {
  return facts.modeSettings.mode === 'auto' && neverListed(facts).length === 0;
}

/** Enabled servers without any list, not even an old one. */
function neverListed({ catalog, serverStates }: ModeFacts): string[] {
  const records = catalog.servers();
  const known = new Set(records.map(({ id }) => id));
  const missing = serverStates().filter(({ id, state }) => state !== 'disabled' && !known.has(id));
  return [...records.filter(({ listedAt }) => listedAt === undefined), ...missing].map(({ id }) => id);
}
