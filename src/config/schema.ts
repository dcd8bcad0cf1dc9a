import { z } from 'zod';
import { embeddingKeys } from './embedding-schema.ts';
import { policySchema } from './policy-schema.ts';
import { choice, durationMs, durationOrNeverMs, text, whole, withShortForm } from './schema-parts.ts';

const callsMax = 1_000_000_000;
const bytesMax = Number.MAX_SAFE_INTEGER;

/* The message of every schema is what was expected, so that a problem reads "expected …, got …". */

const flag = z.boolean('true or false');
const texts = z.array(text, 'a list of texts');

const toolFilterSchema = z.looseObject(
  { include: texts.optional(), exclude: texts.optional() },
  'a list of globs, or an object with "include" and "exclude"',
);

/** `oauth` of a server over HTTP: what cannot be discovered. `false` is short for `{ "enabled": false }`. */
const oauthSchema = z.looseObject(
  {
    enabled: flag.optional(),
    clientId: text.optional(),
    clientSecret: text.optional(),
    clientMetadataUrl: text.optional(),
    scopes: texts.optional(),
    issuer: text.optional(),
    callbackPort: whole('', 1, 65_535).optional(),
    allowedHosts: texts.optional(),
  },
  'false or an object',
);

export const serverSchema = z.looseObject(
  {
    command: text.optional(),
    args: z.array(z.string('a text'), 'a list of texts').optional(),
    env: z.record(z.string(), scalar(), 'an object of variable names and texts').optional(),
    cwd: text.optional(),
    url: text.optional(),
    headers: z.record(z.string(), z.string('a text'), 'an object of header names and texts').optional(),
    oauth: withShortForm(
      z.preprocess((value) => (value === false ? { enabled: false } : value), oauthSchema),
      { const: false },
    ).optional(),
    type: choice('stdio', 'http', 'streamable-http', 'streamableHttp', 'sse').optional(),
    enabled: flag.optional(),
    disabled: flag.optional(),
    timeoutMs: durationMs.optional(),
    maxTimeoutMs: durationMs.optional(),
    connectTimeoutMs: durationMs.optional(),
    idleTimeoutMs: durationOrNeverMs.optional(),
    tools: withShortForm(
      z.preprocess((value) => (Array.isArray(value) ? { include: value } : value), toolFilterSchema),
      { type: 'array', items: { type: 'string' } },
    ).optional(),
    description: text.optional(),
    prefix: flag.optional(),
    isolation: choice('shared', 'perCaller').optional(),
    /** Another host has a flag of this name, which skips its questions: it says nothing about definitions. */
    trust: withShortForm(
      z.preprocess(
        (value) => (typeof value === 'boolean' ? undefined : value),
        choice('trusted', 'standard', 'quarantine').optional(),
      ),
      { type: 'boolean' },
    ).optional(),
  },
  'an object',
);

function scalar() {
  return z.union([z.string(), z.number(), z.boolean(), z.null()], 'a text');
}

/** 0 means never cut; below some hundred there would be no room for the words about the cut. */
const tokensOrNever = z.union(
  [z.literal(0), whole('tokens', 200, Number.MAX_SAFE_INTEGER)],
  '0, or a whole number of tokens from 200',
);

export const limitsSchema = z.looseObject(
  {
    parallelStarts: whole('servers', 1, 1_000).optional(),
    listMaxAgeMs: whole('milliseconds', 0, Number.MAX_SAFE_INTEGER).optional(),
    listMaxPages: whole('pages', 1, 1_000_000).optional(),
    listMaxTools: whole('tools', 1, 1_000_000).optional(),
    idleTimeoutMs: durationOrNeverMs.optional(),
    messageMaxBytes: whole('bytes', 1_024, bytesMax).optional(),
    resultMaxTokens: tokensOrNever.optional(),
    structuredMaxTokens: tokensOrNever.optional(),
    mediaMaxBytes: whole('bytes', 0, bytesMax).optional(),
    handleTtlMs: durationMs.optional(),
  },
  'an object of numbers',
);

const callLimitSchema = z.looseObject(
  { perMinute: whole('calls', 0, callsMax).optional(), atOnce: whole('calls', 0, callsMax).optional() },
  'an object with "perMinute" and "atOnce"',
);

const rateLimitsSchema = z.looseObject(
  {
    caller: callLimitSchema.optional(),
    server: callLimitSchema.optional(),
    tool: callLimitSchema.optional(),
    queueMax: whole('calls', 0, callsMax).optional(),
    queueMaxWaitMs: durationMs.optional(),
  },
  'an object',
);

const auditSchema = z.looseObject(
  {
    enabled: flag.optional(),
    maxAgeDays: whole('days', 1, 36_500).optional(),
    maxBytes: whole('bytes', 65_536, Number.MAX_SAFE_INTEGER).optional(),
  },
  'an object',
);

export const httpSchema = z.looseObject(
  {
    port: whole('', 0, 65_535).optional(),
    host: text.optional(),
    bodyMaxBytes: whole('bytes', 1_024, bytesMax).optional(),
    maxSessions: whole('sessions', 1, 1_000_000).optional(),
    requireToken: flag.optional(),
    outOfScope: choice('hide', 'challenge').optional(),
    allowedHosts: texts.optional(),
    allowedOrigins: texts.optional(),
  },
  'an object',
);

const qualitySchema = z.looseObject(
  {
    model: z
      .looseObject(
        { baseUrl: text, model: text, apiKey: text.optional(), timeoutMs: durationMs.default(60_000) },
        'an object with "baseUrl" and "model"',
      )
      .optional(),
  },
  'an object',
);

const serversSchema = z.record(z.string(), z.unknown(), 'an object of servers by id');

/** A config without its server entries, which are checked one by one: a bad one takes no other with it. */
export const configSchema = z.looseObject(
  {
    mcpServers: serversSchema.optional(),
    servers: serversSchema.optional(),
    mode: choice('auto', 'direct', 'discovery').default('auto'),
    contextWindow: whole('tokens', 1, Number.MAX_SAFE_INTEGER).default(200_000),
    thresholdPercent: z.number(percent()).min(0, percent()).max(100, percent()).default(5),
    thresholdTokens: whole('tokens', 0, Number.MAX_SAFE_INTEGER).optional(),
    liveModeSwitch: flag.default(false),
    pinned: texts.default([]),
    nameMaxLength: whole('characters', 16, 128).default(64),
    outputSchema: choice('warn', 'strict').default('warn'),
    catalog: text.optional(),
    credentials: text.optional(),
    /** Checked by `readEmbedding`, each provider by its own schema. */
    embedding: z.unknown().optional(),
    policy: policySchema.default([]),
    redactResults: flag.default(false),
    audit: auditSchema.default({}),
    limits: limitsSchema.default({}),
    rateLimits: rateLimitsSchema.default({}),
    http: httpSchema.default({}),
    quality: qualitySchema.default({}),
  },
  'an object',
);

function percent(): string {
  return 'a number from 0 to 100';
}

export type ConfigValues = z.output<typeof configSchema>;
export type QualityValues = z.output<typeof qualitySchema>;
export type ServerValues = z.output<typeof serverSchema>;

/** The keys that mean something, by the object they stand in. */
export const knownKeys = {
  config: Object.keys(configSchema.shape),
  server: Object.keys(serverSchema.shape),
  tools: Object.keys(toolFilterSchema.shape),
  limits: Object.keys(limitsSchema.shape),
  rateLimits: Object.keys(rateLimitsSchema.shape),
  callLimit: Object.keys(callLimitSchema.shape),
  http: Object.keys(httpSchema.shape),
  audit: Object.keys(auditSchema.shape),
  quality: Object.keys(qualitySchema.shape),
  qualityModel: Object.keys(qualitySchema.shape.model.unwrap().shape),
  oauth: Object.keys(oauthSchema.shape),
  ...embeddingKeys,
};
