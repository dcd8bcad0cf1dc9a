/** What variables stand for. */
export interface Variables {
  env: Readonly<Record<string, string | undefined>>;
  workspaceFolder: string;
  userHome: string;
}

export interface Expansion {
  text: string;
  /** Variables without a value, as written between the braces. */
  missing: string[];
  /** Environment variables that were put in. */
  used: { name: string; value: string }[];
}

/**
 * Puts values in place of `${VAR}`, `${VAR:-default}` (for a variable that is unset or empty), `${env:VAR}`,
 * `${workspaceFolder}` and `${userHome}`. Values are put in as they are, never expanded again; a default is expanded.
 * `${input:…}` and other prefixes count as missing; anything else in braces is no variable and stays as it is.
 */
export function expandVariables(text: string, variables: Variables): Expansion {
  const result: Expansion = { text: '', missing: [], used: [] };
  let at = 0;
  while (at < text.length) {
    const open = text.indexOf('${', at);
    const close = open === -1 ? -1 : closingBrace(text, open + 2);
    if (close === -1) break;
    result.text += text.slice(at, open) + expandOne(text.slice(open + 2, close), variables, result);
    at = close + 1;
  }
  result.text += text.slice(at);
  return result;
}

/** What is wrong with a variable that `missing` names. */
export function missingMessage(name: string): string {
  const variable = `variable \${${name}}`;
  if (!name.includes(':')) return `${variable} is not set; set it, or give a default: \${${name}:-default}`;
  if (name.startsWith('env:')) return `${variable} is not set`;
  if (!name.startsWith('input:')) return `${variable} is of a kind that toolcrib does not know`;
  return `${variable} is asked for by the editor, which toolcrib cannot do; use an environment variable instead`;
}

/** The end of a variable: braces inside of it, as in a default, come in pairs. */
function closingBrace(text: string, from: number): number {
  let depth = 1;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '{') depth += 1;
    if (text[at] === '}') depth -= 1;
    if (depth === 0) return at;
  }
  return -1;
}

const variablePattern = /^(?:(?<scheme>[A-Za-z][\w.-]*):(?!-))?(?<name>.*?)(?::-(?<fallback>.*))?$/s;
const bareName = /^[A-Za-z_]\w*$/;

function expandOne(body: string, variables: Variables, result: Expansion): string {
  const { scheme, name = '', fallback } = variablePattern.exec(body)?.groups ?? {};
  if (scheme !== undefined && scheme !== 'env') {
    result.missing.push(body);
    return `\${${body}}`;
  }
  if (scheme === undefined && !bareName.test(name)) return `\${${body}}`;
  if (scheme === undefined && name === 'workspaceFolder') return variables.workspaceFolder;
  if (scheme === undefined && name === 'userHome') return variables.userHome;
  const value = Object.hasOwn(variables.env, name) ? variables.env[name] : undefined;
  if (fallback !== undefined && (value === undefined || value === '')) return expandInto(fallback, variables, result);
  if (value === undefined) {
    result.missing.push(body);
    return `\${${body}}`;
  }
  result.used.push({ name, value });
  return value;
}

function expandInto(text: string, variables: Variables, result: Expansion): string {
  const inner = expandVariables(text, variables);
  result.missing.push(...inner.missing);
  result.used.push(...inner.used);
  return inner.text;
}
