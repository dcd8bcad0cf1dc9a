import { isAbsolute, resolve } from 'node:path';
import {
  type DisabledServer,
  isJsonObject,
  type OAuthSettings,
  type ServerSpec,
  type ServerTransport,
} from '../model/index.ts';
import { check } from './check.ts';
import { isBaseVariable } from './environment.ts';
import { expandVariables, missingMessage, type Variables } from './expand.ts';
import { fingerprint } from './fingerprint.ts';
import { isHttpUrl } from './http-url.ts';
import { type ConfigProblem, formatProblem, type JsonPath } from './problem.ts';
import { type ServerValues, serverSchema } from './schema.ts';
import { secretsOf } from './secrets.ts';
import { type ConfigSource, problemAt } from './source.ts';
import { unknownKeyWarnings } from './unknown-keys.ts';

const defaultTimeoutMs = 60_000;
const defaultMaxTimeoutMs = 600_000;
/** `npx` may have to fetch a package before the server starts. */
const defaultConnectTimeoutMs = 30_000;

export interface ServerResult {
  /** Exactly one of `spec` and `disabled` is there. */
  spec?: ServerSpec;
  disabled?: DisabledServer;
  problems: ConfigProblem[];
  secrets: string[];
  /** False when the entry asks for names without the server's prefix. */
  prefix: boolean;
}

/** Makes one server out of its entry. An entry with an error becomes a disabled server that says why. */
export function readServer(
  source: ConfigSource,
  path: JsonPath,
  entry: { id: string; position: number; value: unknown },
  variables: Variables,
): ServerResult {
  const { id, position, value } = entry;
  const result: ServerResult = { problems: [], secrets: [], prefix: true };
  if (isSwitchedOff(value)) return { ...result, disabled: { id, position } };
  const { data, problems } = check(source, serverSchema, value, path);
  result.problems.push(...problems, ...unknownKeyWarnings(source, value, 'server', path));
  if (data !== undefined) {
    result.problems.push(...unknownKeyWarnings(source, data.tools, 'tools', [...path, 'tools']));
    result.problems.push(...unknownKeyWarnings(source, data.oauth, 'oauth', [...path, 'oauth']));
    result.prefix = data.prefix ?? true;
    const transport = readTransport({ source, path, variables, result }, data);
    if (transport !== undefined) result.spec = specOf(entry, data, transport);
  }
  const errors = result.problems.filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return result;
  const { spec, ...rest } = result;
  return { ...rest, disabled: { id, position, problem: errors.map(formatProblem).join('; ') } };
}

function isSwitchedOff(value: unknown): boolean {
  return isJsonObject(value) && (value.enabled === false || value.disabled === true);
}

interface Reading {
  source: ConfigSource;
  path: JsonPath;
  variables: Variables;
  result: ServerResult;
}

function readTransport(reading: Reading, values: ServerValues): ServerTransport | undefined {
  const misfit = transportMisfit(values);
  if (misfit !== undefined) {
    report(reading, [], 'error', misfit);
    return undefined;
  }
  const expanded: string[] = [];
  const expand = (text: string, ...at: (string | number)[]) => expandAt(reading, text, at, expanded);
  const transport = values.url === undefined ? stdioTransport(values, expand, reading) : httpTransport(values, expand);
  if (reading.result.problems.some(({ severity }) => severity === 'error')) return undefined;
  if (transport.kind === 'http' && !isHttpUrl(transport.url)) {
    report(reading, ['url'], 'error', 'expected a URL that starts with http:// or https://, got another text');
    return undefined;
  }
  if (transport.kind === 'stdio' && values.oauth !== undefined) {
    report(reading, ['oauth'], 'warning', '"oauth" is for servers with a "url"; it is ignored');
  }
  reading.result.secrets.push(...secretsOf(transport, expanded));
  return transport;
}

function transportMisfit({ command, url, type }: ServerValues): string | undefined {
  if (command === undefined && url === undefined) return 'expected "command" or "url", got neither';
  if (command !== undefined && url !== undefined) return 'expected either "command" or "url", got both';
  if (type === undefined) return undefined;
  if (type === 'stdio' && command === undefined) return 'type "stdio" needs "command", got "url"';
  if (type !== 'stdio' && url === undefined) return `type "${type}" needs "url", got "command"`;
  return undefined;
}

type Expand = (text: string, ...at: (string | number)[]) => string;

function stdioTransport(values: ServerValues, expand: Expand, { variables }: Reading): ServerTransport {
  const env = Object.entries(values.env ?? {}).filter(([, value]) => value !== null);
  const cwd = values.cwd === undefined ? undefined : expand(values.cwd, 'cwd');
  return {
    kind: 'stdio',
    command: expand(values.command ?? '', 'command'),
    args: (values.args ?? []).map((argument, index) => expand(argument, 'args', index)),
    env: Object.fromEntries(env.map(([name, value]) => [name, expand(String(value), 'env', name)])),
    ...(cwd !== undefined && { cwd: isAbsolute(cwd) ? cwd : resolve(variables.workspaceFolder, cwd) }),
  };
}

function httpTransport(values: ServerValues, expand: Expand): ServerTransport {
  const headers = Object.entries(values.headers ?? {});
  return {
    kind: 'http',
    url: expand(values.url ?? '', 'url'),
    headers: Object.fromEntries(headers.map(([name, value]) => [name, expand(value, 'headers', name)])),
    ...(values.type === 'sse' && { sse: true }),
    ...(values.oauth !== undefined && { oauth: values.oauth.enabled !== false && oauthSettings(values.oauth, expand) }),
  };
}

function oauthSettings(values: NonNullable<ServerValues['oauth']>, expand: Expand): OAuthSettings {
  const texts = (['clientId', 'clientSecret', 'clientMetadataUrl', 'issuer'] as const).flatMap((key) => {
    const value = values[key];
    return value === undefined ? [] : [[key, expand(value, 'oauth', key)]];
  });
  const { scopes, callbackPort, allowedHosts } = values;
  return {
    ...Object.fromEntries(texts),
    ...(scopes !== undefined && { scopes: scopes.map((scope, index) => expand(scope, 'oauth', 'scopes', index)) }),
    ...(callbackPort !== undefined && { callbackPort }),
    ...(allowedHosts !== undefined && { allowedHosts }),
  };
}

/** Variables such as HOME are everywhere in paths and no secret; all others could be one. */
function expandAt(reading: Reading, text: string, at: JsonPath, expanded: string[]): string {
  const expansion = expandVariables(text, reading.variables);
  expanded.push(...expansion.used.filter(({ name }) => !isBaseVariable(name)).map(({ value }) => value));
  for (const name of expansion.missing) report(reading, at, 'error', missingMessage(name));
  return expansion.text;
}

function report(reading: Reading, at: JsonPath, severity: ConfigProblem['severity'], message: string): void {
  reading.result.problems.push(problemAt(reading.source, [...reading.path, ...at], { severity, message }));
}

function specOf(
  { id, position }: { id: string; position: number },
  values: ServerValues,
  transport: ServerTransport,
): ServerSpec {
  return {
    id,
    position,
    transport,
    timeoutMs: values.timeoutMs ?? defaultTimeoutMs,
    maxTimeoutMs: values.maxTimeoutMs ?? Math.max(defaultMaxTimeoutMs, values.timeoutMs ?? 0),
    connectTimeoutMs: values.connectTimeoutMs ?? defaultConnectTimeoutMs,
    ...(values.idleTimeoutMs !== undefined && { idleTimeoutMs: values.idleTimeoutMs }),
    tools: { include: values.tools?.include ?? [], exclude: values.tools?.exclude ?? [] },
    ...(values.description !== undefined && { description: values.description }),
    ...(values.trust !== undefined && { trust: values.trust }),
    ...(values.isolation !== undefined && { isolation: values.isolation }),
    fingerprint: fingerprint(transport),
  };
}
