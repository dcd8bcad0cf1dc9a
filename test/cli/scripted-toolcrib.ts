import { ToolcribError } from '../../src/errors/index.ts';
import type {
  Budget,
  CallToApprove,
  DefinitionReview,
  ServerListing,
  Stats,
  SyncReport,
  TokenListing,
  Toolcrib,
  ToolDescription,
} from '../../src/model/index.ts';
import { scriptedQuality } from './scripted-quality.ts';

export const syncReports: SyncReport[] = [
  { server: 'github', state: 'ok', tools: 26, added: 26, changed: 0, removed: 0, durationMs: 1_234.4 },
  {
    server: 'broken',
    state: 'failed',
    tools: 0,
    added: 0,
    changed: 0,
    removed: 0,
    durationMs: 5,
    error: 'exited with 1',
  },
  { server: 'off', state: 'disabled', tools: 0, added: 0, changed: 0, removed: 0, durationMs: 0 },
];

export const servers: ServerListing[] = [
  {
    server: 'github',
    state: 'idle',
    tools: 26,
    listedAt: '2026-11-30T05:06:07.000Z',
    stale: true,
    era: 'legacy 2025-06-18',
  },
  { server: 'broken', state: 'failed', tools: 0, stale: false, problem: 'exited with 1' },
  { server: 'off', state: 'disabled', tools: 0, stale: false },
];

const description: ToolDescription = {
  name: 'github__get_issue',
  server: 'github',
  tool: 'get_issue',
  hash: 'ab12',
  status: 'ok',
  description: 'Gets an issue',
  signature: 'get_issue(number: integer, title?: string)',
  inputSchema: {
    type: 'object',
    properties: { number: { type: 'integer' }, title: { type: 'string' }, state: { enum: ['1', '2'] } },
  },
  annotationsTrusted: false,
  approval: 'runs at once',
  example: { number: 1 },
  text: 'github__get_issue\nGets an \u001b[31missue',
};

export const stats: Stats = {
  servers: 2,
  tools: 2_514,
  definitionTokens: 412_345,
  metaToolTokens: 580,
  savedPercent: 99.86,
  mode: 'discovery',
  modeReason: '412,345 tokens are more than 10,000',
  tokenizer: 'o200k_base',
  breakEvenSearches: 1_083,
  perServer: [{ server: 'github', tools: 26, definitionTokens: 5_000 }],
};

const budget: Budget = {
  tokenizer: 'o200k_base',
  contextWindow: 200_000,
  thresholdTokens: 10_000,
  definitionTokens: 412_345,
  metaToolTokens: 580,
  mode: 'discovery',
  listTokens: 580,
  listPercent: 0.29,
  searchTokens: 380,
  isSearchMeasured: false,
  breakEvenSearches: 1_083,
};

export const review: DefinitionReview = {
  name: 'github__a',
  server: 'github',
  tool: 'a',
  status: 'changed',
  problem: 'a parameter was added',
  beforeHash: 'a'.repeat(64),
  hash: 'b'.repeat(64),
  findings: [
    { rule: 'hides_from_user', level: 'high', reason: 'It hides.', where: '/description', excerpt: 'do not tell' },
  ],
  changes: [
    { path: '/description', kind: 'changed', before: 'Old.', after: 'New.\u001b[2J\u{E0041}' },
    { path: '/inputSchema/properties/note', kind: 'added', after: { type: 'string' } },
    { path: '/title', kind: 'removed', before: 'A' },
  ],
};

export const callToApprove: CallToApprove = {
  id: 'the-id',
  name: 'github__delete_repo',
  server: 'github',
  tool: 'delete_repo',
  caller: 'session:1',
  effect: 'destructive',
  isEffectKnown: false,
  arguments: { repo: 'octo/hello', note: 'line\n\u202eturned' },
  requestedAt: '2026-11-30T05:06:07.000Z',
  expiresAt: '2026-11-30T06:06:07.000Z',
};

const token: TokenListing = {
  id: '0011223344556677',
  name: 'ci',
  scopes: ['github:list_*', 'docs@read'],
  state: 'active',
  createdAt: '2026-11-30T05:06:07.000Z',
};

/** A toolcrib that gives fixed answers and notes what it was asked. */
export function scriptedToolcrib(calls: string[], overrides: Partial<Toolcrib> = {}): Toolcrib {
  const scripted: Toolcrib = {
    ingest: () => ({
      serverId: '',
      accepted: true,
      added: [],
      changed: [],
      removed: [],
      unchanged: 0,
      repaired: 0,
      setAside: 0,
    }),
    sync: async (_, onReport) => {
      for (const report of syncReports) onReport?.(report);
      return syncReports;
    },
    tools: () => [],
    auditLog: () => [],
    complete: async () => [],
    search: async (query) => ({
      query,
      confidence: 'strong',
      hits: [
        {
          name: 'github__create_issue',
          server: 'github',
          tool: 'create_issue',
          score: 0.91234,
          signature: 'create_issue(owner: string)',
          summary: 'Creates an\tissue \u001b[31mnow\u001b[0m \u202edne.',
          explain: { vector: 0.6, keyword: 0.3 },
        },
        {
          name: 'jira__new',
          server: 'jira',
          tool: 'new',
          score: 0.5,
          signature: 'new()',
          summary: 'Adds 漢字 a ticket.',
        },
      ],
      notes: [{ code: 'vectors_pending', message: 'Ranked by keywords.' }],
      nextCursor: 'c2',
    }),
    describe: (name) => {
      if (name === 'nope') throw new ToolcribError('unknown_tool', 'There is no tool "nope". Nearest: "node".');
      return { ...description, name };
    },
    call: async () => ({ content: [{ type: 'text', text: 'done \u001b[31mred' }] }),
    stats: async () => stats,
    budget: async () => budget,
    conversation: () => scripted,
    listTools: () => [
      { name: 'github__a', server: 'github', tool: 'a', status: 'ok' },
      { name: 'x__b', server: 'x', tool: 'b', status: 'repaired', problem: 'type "object"\nwas added' },
    ],
    listServers: () => servers,
    review: () => [review],
    approve: ({ server, tool }, hash) => ({ name: `${server}__${tool}`, server, tool, hash }),
    history: () => [
      { hash: 'b'.repeat(64), firstSeenAt: '2026-11-30T05:06:07.000Z', accepted: 'no', timesSeen: 3 },
      {
        hash: 'a'.repeat(64),
        firstSeenAt: '2026-11-29T05:06:07.000Z',
        replacedAt: '2026-11-30T05:06:07.000Z',
        accepted: 'rules',
        timesSeen: 1,
      },
    ],
    lock: () => ({ lockVersion: 1, servers: { github: { a: { definition: 'd', annotations: 'n' } } } }),
    compareLock: () => [],
    testPolicy: (name, { caller = 'local', isOverHttp = false } = {}) => ({
      name,
      server: 'github',
      tool: 'delete_repo',
      caller,
      action: isOverHttp ? 'ask' : 'deny',
      rule: 2,
      reason: 'rule 2 of the policy says so',
      effect: 'destructive',
      isEffectKnown: false,
    }),
    callsToApprove: () => [callToApprove],
    grantCall: () => callToApprove,
    createToken: (name, { scopes }) => ({ ...token, name, scopes, secret: 'tcr_0011223344556677_secret' }),
    tokens: () => [token],
    revokeToken: () => ({ ...token, state: 'revoked' }),
    quality: () => scriptedQuality,
    login: async (server, { onAuthorizationUrl }) => {
      onAuthorizationUrl('https://login.example/authorize?state=abc');
      return { server, issuer: 'https://login.example', scope: 'read', isRenewable: true, tools: 3 };
    },
    logout: async (server) => ({ server, wasLoggedIn: true, isRevoked: true }),
    on: () => () => undefined,
    indexed: async () => undefined,
    settled: async (onProgress) => onProgress?.({ embedded: 5, texts: 10 }),
    close: async () => undefined,
    ...overrides,
  };
  return noteCalls(scripted, calls);
}

function noteCalls(toolcrib: Toolcrib, calls: string[]): Toolcrib {
  const noted = Object.entries(toolcrib).map(([name, method]) => [
    name,
    (...args: unknown[]) => {
      const shown = args
        .filter((arg) => arg !== undefined && typeof arg !== 'function')
        .map((arg) => JSON.stringify(arg));
      calls.push([name, ...shown].join(' '));
      return method(...args);
    },
  ]);
  return Object.fromEntries(noted) as Toolcrib;
}
