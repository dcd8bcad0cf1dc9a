import { homedir } from 'node:os';
import { ToolcribError } from '../errors/index.ts';
import type { DisabledServer, Naming, PolicyRule, ServerSpec } from '../model/index.ts';
import { check } from './check.ts';
import { type EmbeddingSettings, readEmbedding } from './embedding-entry.ts';
import { processEnvironment } from './environment.ts';
import type { Variables } from './expand.ts';
import type { AuditOptions, HttpOptions, Limits, RateLimits, ToolcribOptions } from './options.ts';
import { defaultCredentialsPath, defaultWorkspaceFolder, resolveCatalogPath } from './paths.ts';
import { type ConfigProblem, formatProblem } from './problem.ts';
import { type QualityModel, readQuality } from './quality-entry.ts';
import { type ConfigValues, configSchema, knownKeys } from './schema.ts';
import { readServer, type ServerResult } from './server-entry.ts';
import { type ConfigSource, optionsSource, problemAt } from './source.ts';
import { unknownKeyWarnings } from './unknown-keys.ts';

/** A config with all defaults filled in and every server ready to be started. */
export interface ResolvedConfig {
  /** Absolute path of the config file; absent for options. */
  path?: string;
  /** Enabled servers without problems, in config order. */
  servers: ServerSpec[];
  /** Servers that are not started, with the reason unless the user switched them off. */
  disabled: DisabledServer[];
  /** Everything that a person should know; errors in it have disabled one server each. */
  warnings: ConfigProblem[];
  mode: 'auto' | 'direct' | 'discovery';
  /** Tokens. */
  contextWindow: number;
  /** 0–100. */
  thresholdPercent: number;
  /** Tokens; goes before `thresholdPercent`. */
  thresholdTokens?: number;
  liveModeSwitch: boolean;
  outputSchema: 'warn' | 'strict';
  /** Exposed names. */
  pinned: string[];
  naming: Naming;
  /** Absolute path, or `:memory:`. */
  catalogPath: string;
  /** Absolute path of the file that keeps logins, or `:memory:`. */
  credentialsPath: string;
  embedding: EmbeddingSettings;
  /** Who may call what: the first that fits decides. */
  policy: PolicyRule[];
  redactResults: boolean;
  /** Only what the config sets. */
  audit: AuditOptions;
  /** Only what the config sets. */
  limits: Limits;
  /** Only what the config sets. */
  rateLimits: RateLimits;
  /** Only what the config sets. */
  http: HttpOptions;
  /** The model that evaluation cases are run through; absent where none is configured. */
  qualityModel?: QualityModel;
  /** Variables that tell a server which configs it was started from, should it be a toolcrib itself. */
  markEnv: Record<string, string>;
  /** What must never be shown: values of env, headers and variables. */
  secrets: string[];
}

export interface ResolveContext {
  /** Where variables are looked up. Default: the environment of this process. */
  env?: Readonly<Record<string, string | undefined>>;
  /** What `${workspaceFolder}` means. Default: the project that an editor's config lies in, else the current directory. */
  workspaceFolder?: string;
}

/**
 * Checks options of a program and fills in the defaults. The catalog is in memory unless `catalog` names a file.
 * Throws `config_invalid` with all problems.
 */
export function resolveOptions(options: ToolcribOptions, context: ResolveContext = {}): ResolvedConfig {
  return resolveConfig(optionsSource(options), context, {
    baseDirectory: process.cwd(),
    defaultCatalog: () => ':memory:',
  });
}

/** The common part of files and options. `earlier` are problems that reading the source has brought up. */
export function resolveConfig(
  source: ConfigSource,
  context: ResolveContext,
  catalog: { baseDirectory: string; defaultCatalog: () => string },
  earlier: readonly ConfigProblem[] = [],
): ResolvedConfig {
  const { data, problems } = check(source, configSchema, source.value, []);
  const variables = variablesOf(source, context);
  const servers = data === undefined ? [] : readServers(source, data, variables);
  const embedding = readEmbedding(source, data?.embedding, variables, catalog.baseDirectory);
  const quality = readQuality(source, data?.quality ?? {}, variables);
  const bothKeys = data?.mcpServers !== undefined && data.servers !== undefined;
  const invalid = [
    ...[...earlier, ...problems, ...embedding.problems, ...quality.problems].filter(
      ({ severity }) => severity === 'error',
    ),
    ...(bothKeys ? [problemAt(source, ['servers'], bothKeysProblem)] : []),
    ...prefixProblems(source, servers),
  ];
  if (data === undefined || invalid.length > 0) throw invalidConfig(source, invalid);
  return {
    ...(source.path !== undefined && { path: source.path }),
    servers: servers.flatMap(({ result }) => result.spec ?? []),
    disabled: servers.flatMap(({ result }) => result.disabled ?? []),
    warnings: [
      ...earlier,
      ...topLevelWarnings(source, data),
      ...embedding.problems,
      ...quality.problems,
      ...servers.flatMap(({ result }) => result.problems),
    ],
    mode: data.mode,
    contextWindow: data.contextWindow,
    thresholdPercent: data.thresholdPercent,
    ...(data.thresholdTokens !== undefined && { thresholdTokens: data.thresholdTokens }),
    liveModeSwitch: data.liveModeSwitch,
    outputSchema: data.outputSchema,
    pinned: data.pinned,
    naming: { nameMaxLength: data.nameMaxLength, prefix: servers.every(({ result }) => result.prefix) },
    catalogPath:
      data.catalog === undefined ? catalog.defaultCatalog() : resolveCatalogPath(data.catalog, catalog.baseDirectory),
    credentialsPath:
      data.credentials === undefined
        ? defaultCredentialsPath()
        : resolveCatalogPath(data.credentials, catalog.baseDirectory),
    embedding: embedding.settings,
    policy: data.policy,
    redactResults: data.redactResults,
    audit: pickKnown(data.audit, knownKeys.audit),
    limits: pickKnown(data.limits, knownKeys.limits),
    rateLimits: pickKnown(data.rateLimits, knownKeys.rateLimits) as RateLimits,
    http: pickKnown(data.http, knownKeys.http),
    ...(quality.model === undefined ? {} : { qualityModel: quality.model }),
    markEnv: {},
    secrets: [
      ...new Set([...servers.flatMap(({ result }) => result.secrets), ...embedding.secrets, ...quality.secrets]),
    ],
  };
}

interface ServerAt {
  path: string[];
  result: ServerResult;
}

function readServers(source: ConfigSource, data: ConfigValues, variables: Variables): ServerAt[] {
  const key = data.mcpServers === undefined ? 'servers' : 'mcpServers';
  return Object.entries(data[key] ?? {}).map(([id, value], position) => {
    const path = [key, id];
    return { path, result: readServer(source, path, { id, position, value }, variables) };
  });
}

function variablesOf(source: ConfigSource, context: ResolveContext): Variables {
  return {
    env: context.env ?? processEnvironment(),
    workspaceFolder: context.workspaceFolder ?? defaultWorkspaceFolder(source.path),
    userHome: homedir(),
  };
}

const bothKeysProblem = {
  severity: 'error',
  message: 'expected either "mcpServers" or "servers", got both',
} as const;

/** Names would collide or change with a second server; servers that only have a problem count as well. */
function prefixProblems(source: ConfigSource, servers: readonly ServerAt[]): ConfigProblem[] {
  const enabled = servers.filter(({ result }) => !(result.disabled && result.disabled.problem === undefined));
  if (enabled.length < 2) return [];
  const message = `"prefix": false is allowed with exactly one enabled server, got ${enabled.length}`;
  return enabled
    .filter(({ result }) => !result.prefix)
    .map(({ path }) => problemAt(source, [...path, 'prefix'], { severity: 'error', message }));
}

function topLevelWarnings(source: ConfigSource, data: ConfigValues): ConfigProblem[] {
  return [
    ...unknownKeyWarnings(source, data, 'config', []),
    ...unknownKeyWarnings(source, data.limits, 'limits', ['limits']),
    ...unknownKeyWarnings(source, data.rateLimits, 'rateLimits', ['rateLimits']),
    ...(['caller', 'server', 'tool'] as const).flatMap((kind) =>
      unknownKeyWarnings(source, data.rateLimits[kind] ?? {}, 'callLimit', ['rateLimits', kind]),
    ),
    ...unknownKeyWarnings(source, data.http, 'http', ['http']),
    ...unknownKeyWarnings(source, data.audit, 'audit', ['audit']),
    ...unknownKeyWarnings(source, data.quality, 'quality', ['quality']),
    ...unknownKeyWarnings(source, data.quality.model, 'qualityModel', ['quality', 'model']),
  ];
}

function invalidConfig(source: ConfigSource, problems: readonly ConfigProblem[]): ToolcribError {
  const subject = source.path ?? 'The object of options';
  const count = problems.length === 1 ? 'an error' : `${problems.length} errors`;
  const lines = problems.map((problem) => `  ${formatProblem(problem)}`);
  return new ToolcribError('config_invalid', [`${subject} has ${count}:`, ...lines].join('\n'), {
    details: { problems },
    ...(source.path === undefined && { next: 'Mend the options named.' }),
  });
}

type Present<Values> = { [Key in keyof Values]: Exclude<Values[Key], undefined> };

/** Unknown keys have got their warning and go no further. */
function pickKnown<Values extends object>(values: Values, keys: readonly string[]): Present<Values> {
  const known = Object.entries(values).filter(([key, value]) => value !== undefined && keys.includes(key));
  return Object.fromEntries(known) as Present<Values>;
}
