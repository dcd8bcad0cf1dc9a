import { isToolcribError, ToolcribError } from '../../errors/index.ts';
import { type CatalogReader, isJsonObject, type JsonObject, type ToolName } from '../../model/index.ts';
import { diffDefinitions } from '../../policy/index.ts';
import type { Asked } from '../request.ts';
import type { ToolView, VersionView } from '../shapes.ts';
import type { ConsoleSource } from '../source.ts';

/** More than a person reads. */
const versionsShown = 20;

/** `GET api/tool?name=`: all that is known of one tool, those that models do not see included. */
export function tool(source: ConsoleSource, asked: Asked): ToolView {
  const { catalog } = source;
  const name = findTool(catalog, asked.text('name'));
  const found = catalog.tool(name);
  if (found === undefined) throw unknown(name.exposedName);
  const { exposedName, serverId, toolName, status, problem, hash, definition, inputSchema } = found;
  return {
    name: exposedName,
    server: serverId,
    tool: toolName,
    status,
    ...(problem === undefined ? {} : { problem }),
    hash,
    definition,
    inputSchema: isJsonObject(inputSchema) ? inputSchema : {},
    ...describe(source, exposedName),
    review: source.review(name),
    history: history(catalog, name),
    policy: { local: source.testPolicy(name, false), http: source.testPolicy(name, true) },
  };
}

/** By the full name. Throws `unknown_tool`. */
export function findTool(catalog: Pick<CatalogReader, 'names'>, name: string): ToolName {
  const found = catalog.names().find(({ exposedName }) => exposedName === name);
  if (found === undefined) throw unknown(name);
  return found;
}

function unknown(name: string): ToolcribError {
  return new ToolcribError('unknown_tool', `There is no tool ${JSON.stringify(name.slice(0, 200))}.`, {
    next: 'Look for it under Tools; tools that the config hides are not listed.',
  });
}

function describe({ crib }: ConsoleSource, name: string): Pick<ToolView, 'description'> {
  try {
    return { description: crib.describe(name) };
  } catch (error) {
    // Set aside or held back: what a model is told instead stands in `problem`.
    if (isToolcribError(error)) return {};
    throw error;
  }
}

function history(catalog: Pick<CatalogReader, 'history'>, id: ToolName): VersionView[] {
  const versions = catalog.history(id);
  return versions.slice(0, versionsShown).map((version, index) => {
    const { hash, definition, firstSeenAt, replacedAt, accepted, timesSeen } = version;
    const before = versions[index + 1];
    return {
      hash,
      firstSeenAt: new Date(firstSeenAt).toISOString(),
      ...(replacedAt === undefined ? {} : { replacedAt: new Date(replacedAt).toISOString() }),
      accepted,
      timesSeen,
      definition: asObject(definition),
      ...(before === undefined ? {} : { changes: diffDefinitions(asObject(before.definition), asObject(definition)) }),
    };
  });
}

/** A server may list anything in place of a definition. */
function asObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}
