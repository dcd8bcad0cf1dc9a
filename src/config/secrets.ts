import type { ServerTransport } from '../model/index.ts';

/** Values that stand in half of all log lines and give nothing away. */
const harmless = /^(true|false|yes|no|on|off|null|none|info|debug|warn|error|production|development|test|\d{1,4})$/i;

const secretFlag = /(key|token|secret|passw|auth|credential)/i;

/**
 * Everything about a server that must not be shown: values of env and headers, expanded variables, and what an
 * argument or the URL seems to carry as a credential.
 */
export function secretsOf(transport: ServerTransport, expandedValues: readonly string[]): string[] {
  const found =
    transport.kind === 'stdio'
      ? [...Object.values(transport.env), ...secretArguments(transport.args)]
      : [
          ...Object.values(transport.headers).flatMap(headerSecrets),
          ...urlSecrets(transport.url),
          ...(transport.oauth && transport.oauth.clientSecret !== undefined ? [transport.oauth.clientSecret] : []),
        ];
  return onlySecrets([...found, ...expandedValues]);
}

/** What must not be shown of an endpoint: its key, and what its URL seems to carry. */
export function endpointSecrets(url: string, apiKey: string | undefined): string[] {
  return [...(apiKey === undefined ? [] : [apiKey]), ...urlSecrets(url)];
}

/** Each once, without values that give nothing away. */
export function onlySecrets(values: readonly string[]): string[] {
  return [...new Set(values.filter((value) => value !== '' && !harmless.test(value)))];
}

/** `Bearer abc` is a secret, and so is `abc` alone. */
function headerSecrets(value: string): string[] {
  const credential = /^\w+\s+(?<credential>\S+)$/.exec(value)?.groups?.credential;
  return credential === undefined ? [value] : [value, credential];
}

/** `--token abc` and `--token=abc`. */
function secretArguments(args: readonly string[]): string[] {
  return args.flatMap((argument, index) => {
    const flag = /^--?(?<name>[\w-]+)(?:=(?<value>.*))?$/s.exec(argument)?.groups;
    if (flag?.name === undefined || !secretFlag.test(flag.name)) return [];
    const value = flag.value ?? args[index + 1];
    return value === undefined ? [] : [value];
  });
}

function urlSecrets(url: string): string[] {
  const { username, password, searchParams } = new URL(url);
  const credentials = [...searchParams].filter(([name]) => secretFlag.test(name)).map(([, value]) => value);
  return [decodeURIComponent(username), decodeURIComponent(password), ...credentials];
}
