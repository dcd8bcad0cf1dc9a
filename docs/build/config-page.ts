import { isJsonObject, type JsonObject, type JsonValue } from '../../src/model/index.ts';

/** The page of every key of the config, made of its JSON schema. */
export function configPage(schema: JsonObject): string {
  const server = (schema.definitions as JsonObject).server as JsonObject;
  return `<!-- Made by \`npm run docs\` from src/config: change the text there. -->

# Config reference

\`--config FILE\` names the config; without it, \`toolcrib.json\` in your user config directory is used. A config is never taken from
the current directory on its own. Comments and trailing commas are allowed. An editor that knows JSON schemas checks the file and
completes its keys, by the \`$schema\` that \`toolcrib init\` writes; the schema is \`config.schema.json\` in the package.

Texts may hold \`\${VAR}\`, \`\${env:VAR}\`, \`\${VAR:-default}\`, \`\${workspaceFolder}\` and \`\${userHome}\`. A missing variable disables
that server, says which, and nothing else. \`\${workspaceFolder}\` is the project that a config in \`.vscode\`, \`.cursor\` or \`.claude\`
lies in, else the current directory; relative paths of files are taken from the folder of the config.

${sections('Top level', schema, '').join('\n\n')}

${sections('A server', server, 'mcpServers.ID').join('\n\n')}
`;
}

/** A table of the keys of an object, then one for each object among its values. */
function sections(title: string, schema: JsonObject, path: string): string[] {
  const keys = Object.entries(schema.properties as Record<string, JsonObject>).filter(([key]) => key !== '$schema');
  const required = Array.isArray(schema.required) ? schema.required : [];
  const rows = keys.map(([key, node]) => {
    const name = required.includes(key) ? `\`${key}\` (required)` : `\`${key}\``;
    return `| ${name} | ${takes(node)} | ${inTable(String(node.description ?? ''))} |`;
  });
  const head = `## ${title}\n\n| key | takes | meaning |\n| --- | --- | --- |\n${rows.join('\n')}`;
  const inner = keys.flatMap(([key, node]) => {
    const at = path === '' ? key : `${path}.${key}`;
    return objectsIn(node).flatMap(({ object, label }) => sections(`\`${at}\`${label}`, object, at));
  });
  return [head, ...inner];
}

/** Objects with known keys that a value may be, or may be a list of. */
function objectsIn(node: JsonObject): { object: JsonObject; label: string }[] {
  const branches = branchesOf(node);
  if (branches !== undefined) return branches.flatMap(objectsIn);
  if (isJsonObject(node.items)) return objectsIn(node.items).map(({ object }) => ({ object, label: ': each rule' }));
  if (!isJsonObject(node.properties)) return [];
  const { provider } = node.properties;
  const fixed = isJsonObject(provider) ? provider.const : undefined;
  if (isJsonObject(provider) && fixed === undefined) return [];
  return [{ object: node, label: fixed === undefined ? '' : ` with \`"provider": "${fixed}"\`` }];
}

function takes(node: JsonObject): string {
  const branches = branchesOf(node);
  if (branches !== undefined) return [...new Set(branches.map(takes))].join(', or ');
  if (Array.isArray(node.enum)) return node.enum.map(code).join(', ');
  if (node.const !== undefined) return code(node.const);
  switch (node.type) {
    case 'integer':
    case 'number':
      return range(node);
    case 'boolean':
      return '`true`, `false`';
    case 'array':
      return isJsonObject(node.items) ? `list of ${plural(takes(node.items))}` : 'list';
    case 'object':
      return 'object';
    default:
      return 'text';
  }
}

function plural(words: string): string {
  return words.replace(/^(text|object)$/, '$1s');
}

function range({ type, minimum, maximum }: JsonObject): string {
  const kind = type === 'integer' ? 'whole number' : 'number';
  if (maximum === undefined) return `${kind} from ${figure(minimum)}`;
  return `${kind} from ${figure(minimum)} to ${figure(maximum)}`;
}

function figure(value: JsonValue | undefined): string {
  return Number(value ?? 0).toLocaleString('en-US');
}

function branchesOf({ anyOf, oneOf }: JsonObject): JsonObject[] | undefined {
  const branches = anyOf ?? oneOf;
  return Array.isArray(branches) ? branches.filter(isJsonObject) : undefined;
}

function code(value: JsonValue): string {
  return `\`${JSON.stringify(value)}\``;
}

function inTable(text: string): string {
  return text.replaceAll('|', '\\|');
}
