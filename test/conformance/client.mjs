// The client that the conformance suite starts for each client scenario: toolcrib's own upstream layer (src/upstream) over
// the real catalog, with the host's part played here. Gets the address of the server as its last argument.
import { myTurn } from './turn.mjs';

await myTurn();
const { openCatalog } = await import('../../src/catalog/index.ts');
const { createUpstream } = await import('../../src/upstream/index.ts');

const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? '';
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}');
const naming = { nameMaxLength: 64, prefix: false };
const server = {
  id: 'suite',
  position: 0,
  transport: { kind: 'http', url: process.argv.at(-1), headers: {}, oauth: oauthSettings(context) },
  timeoutMs: 120_000,
  maxTimeoutMs: 120_000,
  connectTimeoutMs: 120_000,
  tools: { include: [], exclude: [] },
  fingerprint: 'suite',
};
const say = (level) => (message, fields) =>
  process.stderr.write(`${level} ${message} ${JSON.stringify(fields ?? {})}\n`);
const logger = { debug: say('debug'), info: say('info'), warn: say('warn'), error: say('error') };

// Nothing is searched for.
const analyzer = {
  id: 'none',
  analyze: () => ({
    keywords: { name: '', title: '', description: '', parameters: '', server: '' },
    embeddingTexts: [],
  }),
};
const catalog = openCatalog({ path: ':memory:', analyzer, naming });
catalog.configure([server], naming);
const upstream = createUpstream({
  servers: [server],
  catalog,
  logger,
  baseEnv: {},
  clientInfo: { name: 'toolcrib-conformance', version: '1' },
  // The suite's authorization servers consent at once: their redirect is read in the place of a browser.
  authorizer: {
    redirectUrl: 'http://127.0.0.1:8976/callback',
    authorize: async (url) => {
      const response = await fetch(url, { redirect: 'manual' });
      return new URL(response.headers.get('location') ?? '').searchParams;
    },
  },
});

const [report] = await upstream.sync();
process.stderr.write(`sync ${JSON.stringify(report)}\n`);
for (const call of callsOf(catalog.tools())) await run(call);
await upstream.close();
catalog.close();

/** What a user would have configured: a registered client where the scenario gives one, else our metadata document. */
function oauthSettings({ client_id: clientId, client_secret: clientSecret, issuer }) {
  if (clientId !== undefined) return { clientId, clientSecret, ...(issuer === undefined ? {} : { issuer }) };
  return { clientMetadataUrl: 'https://conformance-test.local/client-metadata.json' };
}

/** What the scenario asks to be called, else every tool once. */
function callsOf(tools) {
  if (Array.isArray(context.toolCalls)) {
    return context.toolCalls.map((call) => ({ tool: tools.find(({ toolName }) => toolName === call.name), ...call }));
  }
  return tools.map((tool) => ({ tool, arguments: argumentsFor(tool, tools) }));
}

function argumentsFor({ toolName }, tools) {
  if (toolName === 'add_numbers') return { a: 5, b: 3 };
  if (scenario === 'http-invalid-tool-headers') return { region: 'us-west1' };
  if (toolName === 'json_schema_echo') {
    return { schema: tools.find((tool) => tool.toolName === 'json_schema_2020_12_tool')?.inputSchema };
  }
  if (toolName === 'lookup_user') return { id: 'ada' };
  return {};
}

async function run({ tool, arguments: args }) {
  try {
    const result = await conversation(tool, args);
    process.stderr.write(`result ${JSON.stringify(result).slice(0, 500)}\n`);
  } catch (error) {
    process.stderr.write(`error ${error.code} ${error.message}\n`);
  }
}

/** Calls until there is a result; every question is answered. */
async function conversation(tool, args) {
  const elicitation = { form: true, url: true };
  let outcome = await upstream.call(tool, args, { elicitation });
  while ('resume' in outcome) {
    const { resume, inputRequests } = outcome;
    const inputResponses = Object.fromEntries(
      Object.entries(inputRequests).map(([key, { params }]) => [key, { action: 'accept', content: filledIn(params) }]),
    );
    outcome = await upstream.call(tool, args, { elicitation, resume, inputResponses });
  }
  return outcome;
}

/** A form as it is sent by a user who changes nothing, with something in the fields that have to be filled in. */
function filledIn({ requestedSchema: { properties = {}, required = [] } = {} }) {
  const values = Object.entries(properties).flatMap(([name, { type, default: value }]) => {
    if (value !== undefined) return [[name, value]];
    return required.includes(name) ? [[name, type === 'boolean' ? true : type === 'string' ? 'text' : 1]] : [];
  });
  return Object.fromEntries(values);
}
