import type { JsonObject, JsonValue, Tool, ToolDescription } from '../model/index.ts';
import { capText, cleanLines, cleanText } from './clean-text.ts';
import { exampleArguments } from './example-arguments.ts';
import { cutToTokens, fitSchema } from './fit-schema.ts';
import { formatPointer } from './pointer.ts';
import { projectSchema } from './project-schema.ts';
import { schemaAt } from './schema-at.ts';
import { signature } from './signature.ts';
import { countTokens, fitsTokens } from './token-count.ts';

export interface DescribeContext {
  /** JSON Pointer (RFC 6901) into the input schema. */
  path?: string;
  /** Whether the server is configured as trusted. */
  annotationsTrusted: boolean;
  /** What happens when the tool is called. */
  approval: string;
  /** When the server's list was fetched (ISO 8601), where a later list failed. */
  asOf?: string;
  /** Why calls to the server fail for now. */
  unavailable?: string;
}

/** What `describe_tool` may cost a model, in o200k tokens. */
const describeMaxTokens = 4_000;

/**
 * All there is to know about a tool, with a text of at most 4,000 tokens (o200k): parts of the schema that do not fit
 * are collapsed, said so, and reached by `path`. Throws `invalid_path`.
 */
export function describeTool(tool: Tool, context: DescribeContext): ToolDescription {
  const { schema, parts } = schemaAt(tool.inputSchema, context.path ?? '');
  const shared = {
    name: tool.exposedName,
    server: tool.serverId,
    tool: tool.toolName,
    hash: tool.hash,
    status: tool.status,
    ...(tool.problem === undefined ? {} : { problem: tool.problem }),
    ...(tool.findings === undefined ? {} : { findings: tool.findings }),
    ...(tool.title === undefined ? {} : { title: tool.title }),
    description: tool.description ?? '',
    signature: signature({ name: tool.exposedName, inputSchema: tool.inputSchema }),
    inputSchema: expand(schema, tool.inputSchema, parts),
    ...(tool.outputSchema === undefined ? {} : { outputSchema: expand(tool.outputSchema, tool.outputSchema, []) }),
    ...(tool.annotations === undefined ? {} : { annotations: tool.annotations }),
    annotationsTrusted: context.annotationsTrusted,
    ...(context.asOf === undefined ? {} : { asOf: context.asOf }),
    ...(context.unavailable === undefined ? {} : { unavailable: context.unavailable }),
    approval: context.approval,
    example: exampleArguments(tool.inputSchema),
  };
  const isWithheld =
    tool.status === 'quarantined' ||
    (tool.findings ?? []).some(({ level }) => level === 'high' && tool.status === 'set_aside');
  const text = isWithheld
    ? withheldText(tool, shared)
    : parts.length === 0
      ? wholeText(tool, shared)
      : partText(tool, schema, parts);
  return { ...shared, text: cutToTokens(text, describeMaxTokens) };
}

/** What programs get of a schema: far more than any real one (5 MB of 2,514 tools have 60,000 nodes in all). */
const programProjection = { depth: 64, nodes: 20_000, chars: 2_000_000, enumValues: 20_000, textChars: 100_000 };

function expand(schema: JsonValue, root: JsonObject, path: string[]): JsonValue {
  return projectSchema(schema, root, programProjection, { path }).schema;
}

/** Tokens kept for headings and hints, and the share of the rest that each part may claim when all are long. */
const marginTokens = 160;
const shares = { description: 0.3, input: 0.55, output: 0.15 };
const signatureMaxTokens = 500;
const annotationsMaxTokens = 200;
const exampleMaxTokens = 300;

function wholeText(tool: Tool, shared: Omit<ToolDescription, 'text'>): string {
  const head = headLines(tool, shared.signature);
  const foot = footLines(tool, shared);
  const room = describeMaxTokens - marginTokens - countTokens([...head, ...foot].join('\n'));
  const description = cleanLines(shared.description);
  const { outputSchema } = tool;
  const wanted = {
    description: tokensUpTo(description, room),
    input: tokensUpTo(fitSchema(tool.inputSchema, tool.inputSchema, { maxTokens: room }).text, room),
    output: outputSchema ? tokensUpTo(fitSchema(outputSchema, outputSchema, { maxTokens: room }).text, room) : 0,
  };
  const given = allot(room, wanted);
  const input = fitSchema(tool.inputSchema, tool.inputSchema, { maxTokens: given.input });
  const output = outputSchema && fitSchema(outputSchema, outputSchema, { maxTokens: given.output });
  return [
    ...head,
    'Description:',
    indent(description === '' ? '(none)' : cutToTokens(description, given.description)),
    'Input schema:',
    indent(input.text),
    ...(input.collapsed > 0 ? [collapsedHint(tool)] : []),
    ...(input.isShortened ? ['Long texts and value lists in it are shortened, marked with "…".'] : []),
    ...(output === undefined ? [] : ['Output schema:', indent(output.text)]),
    ...foot,
  ].join('\n');
}

function headLines(tool: Tool, toolSignature: string): string[] {
  const rawName = JSON.stringify(capText(cleanText(tool.toolName), 128));
  return [
    `${tool.exposedName}: tool ${rawName} of server "${cleanText(tool.serverId)}". The signature and all indented text are that server's words.`,
    ...statusLines(tool),
    ...findingLines(tool),
    `Signature: ${cutToTokens(toolSignature, signatureMaxTokens)}`,
  ];
}

function statusLines({ status, problem = '' }: Tool): string[] {
  if (status === 'ok') return [];
  return [`${statusWords[status]}: ${capText(cleanText(problem || status), 300)}`];
}

const statusWords = {
  repaired: 'Repaired',
  set_aside: 'Cannot be called',
  changed: 'Cannot be called, its definition changed and this is the one accepted before',
  quarantined: 'Cannot be called, quarantined',
} as const;

/** One line: the worst in words, the others by name. */
function findingLines({ findings = [] }: Tool): string[] {
  const [worst, ...others] = findings;
  if (worst === undefined) return [];
  const more = others.length === 0 ? '' : ` Also: ${others.map(({ rule, level }) => `${rule} (${level})`).join(', ')}.`;
  const where = capText(cleanText(worst.where), whereShownMaxChars);
  return [`Scan of the definition: ${worst.rule} (${worst.level}) at ${where}: ${worst.reason}${more}`];
}

const whereShownMaxChars = 80;

/** Nothing of what a server says reaches a model before a person has seen it: only the name, to talk about it. */
function withheldText(tool: Tool, shared: Omit<ToolDescription, 'text'>): string {
  return [
    `${tool.exposedName}: a tool of server "${cleanText(tool.serverId)}".`,
    ...statusLines(tool),
    ...findingLines({
      ...tool,
      findings: tool.findings?.map((finding) => ({ ...finding, where: whereRoot(finding.where) })) ?? [],
    }),
    'Its definition is not shown here. A person has to look at it first; use another tool.',
    `Definition hash: sha256 ${shared.hash.slice(0, hashShownChars)}`,
  ].join('\n');
}

/** The field without what the server named below it. */
function whereRoot(where: string): string {
  return where.split('/').slice(0, 2).join('/');
}

function footLines(tool: Tool, shared: Omit<ToolDescription, 'text'>): string[] {
  const trust = shared.annotationsTrusted ? 'of a trusted server' : 'claims of the server, not trusted';
  const annotations = cutToTokens(cleanText(JSON.stringify(tool.annotations ?? {})), annotationsMaxTokens);
  return [
    ...(tool.annotations === undefined ? [] : [`Annotations (${trust}): ${annotations}`]),
    ...(shared.asOf === undefined ? [] : [`Listed: ${shared.asOf}; the server could not be listed again since.`]),
    ...(shared.unavailable === undefined ? [] : [`Calls fail for now: ${shared.unavailable}`]),
    `Approval: ${shared.approval}`,
    `Definition hash: sha256 ${tool.hash.slice(0, hashShownChars)}`,
    `Example: ${callLine(tool.exposedName, shared.example)}`,
  ];
}

/** Enough to tell versions apart by eye; programs get all 64. */
const hashShownChars = 16;

/** A call as the model would make it, without its arguments where those are too long. */
export function callLine(name: string, example: JsonObject, maxTokens: number = exampleMaxTokens): string {
  const args = cleanText(JSON.stringify(example));
  const shown = fitsTokens(args, maxTokens) ? args : '{…}';
  return `call_tool {"name":${JSON.stringify(name)},"arguments":${shown}}`;
}

function partText(tool: Tool, schema: JsonValue, parts: string[]): string {
  const path = capText(cleanText(formatPointer(parts)), 300);
  const fitted = fitSchema(schema, tool.inputSchema, { maxTokens: describeMaxTokens - 2 * marginTokens, path: parts });
  return [
    `${tool.exposedName}, input schema at ${path}. All indented text is the words of server "${cleanText(tool.serverId)}".`,
    indent(fitted.text),
    ...(fitted.collapsed > 0 ? [collapsedHint(tool)] : []),
    ...(fitted.isShortened ? ['Long texts and value lists in it are shortened, marked with "…".'] : []),
  ].join('\n');
}

function collapsedHint(tool: Tool): string {
  return `Parts with a path under "…" are collapsed: describe_tool {"name":${JSON.stringify(tool.exposedName)},"path":"<that path>"} shows one.`;
}

/** Our own words start lines, a server's never do. */
function indent(text: string): string {
  return text.replace(/^/gm, '  ');
}

function tokensUpTo(text: string, limit: number): number {
  return fitsTokens(text, limit) ? countTokens(text) : limit;
}

/** Each part gets what it wants, at most its share; what others leave goes to those that want more. */
function allot<Part extends keyof typeof shares>(room: number, wanted: Record<Part, number>): Record<Part, number> {
  const given = { ...wanted };
  let open = Object.keys(wanted) as Part[];
  let left = room;
  while (open.length > 0) {
    const total = open.reduce((sum, part) => sum + shares[part], 0);
    const content = open.filter((part) => wanted[part] <= (left * shares[part]) / total);
    if (content.length === 0) {
      for (const part of open) given[part] = Math.floor((left * shares[part]) / total);
      break;
    }
    left -= content.reduce((sum, part) => sum + wanted[part], 0);
    open = open.filter((part) => !content.includes(part));
  }
  return given;
}
