import { statSync } from 'node:fs';
import { formatProblem, type ResolvedConfig, type UserPlaces } from '../config/index.ts';
import { isToolcribError, messageOf } from '../errors/index.ts';
import type { Toolcrib } from '../model/index.ts';
import { idleRules } from '../policy/index.ts';
import { type Check, checkContext, checkHosts, checkServer } from '../setup/index.ts';
import { openEmbedder } from './open-embedder.ts';
import { type OpenOptions, openFromConfig } from './open-from-config.ts';
import { version } from './version.ts';

/**
 * Looks at everything that toolcrib stands on: each server is started and listed anew, the model loaded, the catalog opened,
 * the hosts read. `onCheck` hears of each result as it comes. Faults are results: it does not throw for them.
 */
export async function diagnose(
  options: OpenOptions,
  places: UserPlaces,
  onCheck: (check: Check) => void,
): Promise<void> {
  onCheck(checkProgram());
  const opened = await openFromConfig({ ...options, isOneShot: true }).catch((error: unknown) => {
    onCheck(faultOf('config', options.configPath ?? 'config', error));
  });
  if (opened === undefined) {
    for (const check of checkHosts(undefined, places)) onCheck(check);
    return;
  }
  const { crib, config } = opened;
  try {
    onCheck(checkConfig(config));
    // An error has switched its server off, and is told with that.
    for (const warning of config.warnings) if (warning.severity === 'warning') onCheck(warningOf(warning));
    await crib.sync(undefined, (report) => onCheck(checkServer(report, stateOf(crib, report.server))));
    onCheck(await checkModel(config));
    // What was just listed is then found by meaning as well.
    await crib.settled();
    onCheck(checkCatalog(crib, config));
    for (const check of checkRules(crib, config)) onCheck(check);
    const stats = await crib.stats();
    onCheck(checkContext(stats, config.contextWindow));
    // What a start from now on would do.
    const atNextStart = { ...stats, mode: stats.nextMode ?? stats.mode };
    for (const check of checkHosts(atNextStart, places)) onCheck(check);
  } finally {
    await crib.close();
  }
}

function checkProgram(): Check {
  const message = `Node ${process.versions.node} on ${process.platform} ${process.arch}`;
  return { area: 'program', subject: `toolcrib ${version}`, status: 'ok', message };
}

function checkConfig({ path, servers, disabled }: ResolvedConfig): Check {
  const check = { area: 'config', subject: path ?? 'options' } as const;
  const count = servers.length + disabled.length;
  if (count > 0) return { ...check, status: 'ok', message: `${count} ${count === 1 ? 'server' : 'servers'}` };
  const fix = 'Take over those of a host with `toolcrib import`, or write them under "mcpServers".';
  return { ...check, status: 'warning', message: 'it names no server', fix };
}

/** A rule that fits nothing protects nothing, and nobody would notice. */
function checkRules(crib: Toolcrib, { policy }: ResolvedConfig): Check[] {
  const tools = crib.listTools().map(({ server, tool }) => ({ serverId: server, toolName: tool }));
  if (tools.length === 0) return [];
  return idleRules(policy, tools).map((place) => ({
    area: 'config',
    subject: `policy rule ${place}`,
    status: 'warning',
    message: 'it fits no tool of any server',
    fix: 'Rules name tools as their server does ("delete_*", not "github__delete_*"), and servers apart, in the same case.',
  }));
}

function warningOf(problem: ResolvedConfig['warnings'][number]): Check {
  const fix = 'Mend the place named.';
  return { area: 'config', subject: problem.jsonPath, status: 'warning', message: formatProblem(problem), fix };
}

function stateOf(crib: Toolcrib, server: string) {
  return crib.listServers().find((listing) => listing.server === server)?.state ?? 'idle';
}

async function checkModel(config: ResolvedConfig): Promise<Check> {
  const check = { area: 'model', subject: config.embedding.provider } as const;
  const embedder = openEmbedder(config);
  if (embedder === undefined) return { ...check, status: 'ok', message: 'switched off: search goes by keywords alone' };
  const startedAt = performance.now();
  try {
    await embedder.ready();
    const [vector] = await embedder.embed(['create an issue'], 'query');
    const durationMs = performance.now() - startedAt;
    return { ...check, status: 'ok', message: `gives vectors of ${vector?.length} values`, durationMs };
  } catch (error) {
    // Search goes on by keywords.
    return { ...faultOf('model', config.embedding.provider, error), status: 'warning' };
  } finally {
    await embedder.close();
  }
}

function checkCatalog(crib: Toolcrib, { catalogPath }: ResolvedConfig): Check {
  const check = { area: 'catalog', subject: catalogPath } as const;
  const tools = crib.listTools();
  const held = tools.filter(({ status }) => status === 'changed' || status === 'quarantined').length;
  const bytes = statSync(catalogPath, { throwIfNoEntry: false })?.size ?? 0;
  const size = `${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}, ${(bytes / 1024 / 1024).toFixed(1)} MiB`;
  if (held === 0) return { ...check, status: 'ok', message: size };
  const fix = 'Look at them with `toolcrib list tools --problems`, then `toolcrib approve`.';
  return { ...check, status: 'warning', message: `${size}; ${held} held back until you have looked at them`, fix };
}

function faultOf(area: Check['area'], subject: string, error: unknown): Check {
  const fix = isToolcribError(error) ? { fix: error.next } : {};
  return { area, subject, status: 'error', message: messageOf(error), ...fix };
}
