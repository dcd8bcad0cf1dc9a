import { ToolcribError } from '../errors/index.ts';
import {
  type ApprovalReport,
  type CatalogReader,
  type DefinitionApprovals,
  type DefinitionReview,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Tool,
  type ToolId,
  type VersionListing,
} from '../model/index.ts';
import { definitionPolicy, diffDefinitions } from '../policy/index.ts';

type Definitions = CatalogReader & DefinitionApprovals;

/** Every tool of a server that waits for a person. */
export function reviewServer(catalog: Definitions, serverId: string): DefinitionReview[] {
  return catalog
    .tools({ serverId, includeSetAside: true })
    .filter(({ status }) => status === 'changed' || status === 'quarantined')
    .map((tool) => review(catalog, tool));
}

export function reviewTool(catalog: Definitions, id: ToolId): DefinitionReview {
  return review(catalog, existing(catalog, id));
}

/** Throws `definition_changed` where the server lists another definition than that of the hash. */
export function approveDefinition(catalog: Definitions, id: ToolId, hash: string): ApprovalReport {
  const { exposedName: name, serverId: server, toolName: tool } = existing(catalog, id);
  if (!catalog.approve(id, hash)) throw changedSince(name);
  return { name, server, tool, hash };
}

/** Notes that a person does not want a definition that waits. Throws `definition_changed`, `unknown_tool`. */
export function refuseDefinition(catalog: Definitions, id: ToolId, hash: string): ApprovalReport {
  const { exposedName: name, serverId: server, toolName: tool } = existing(catalog, id);
  if (!catalog.refuse(id, hash)) throw changedSince(name);
  return { name, server, tool, hash };
}

function changedSince(name: string): ToolcribError {
  return new ToolcribError('definition_changed', `${name} has another definition by now than the one looked over.`, {
    next: 'Look it over once more, then decide.',
  });
}

export function versionsOf(catalog: CatalogReader, id: ToolId): VersionListing[] {
  return catalog.history(id).map(({ hash, firstSeenAt, replacedAt, accepted, timesSeen }) => ({
    hash,
    firstSeenAt: new Date(firstSeenAt).toISOString(),
    ...(replacedAt === undefined ? {} : { replacedAt: new Date(replacedAt).toISOString() }),
    accepted,
    timesSeen,
  }));
}

function existing(catalog: CatalogReader, id: ToolId): Tool {
  const tool = catalog.tool(id);
  if (tool === undefined) throw new ToolcribError('unknown_tool', `Server ${id.serverId} has no tool ${id.toolName}.`);
  return tool;
}

function review(catalog: Definitions, tool: Tool): DefinitionReview {
  const { exposedName: name, serverId: server, toolName, status, problem } = tool;
  const offered = catalog.offered(tool);
  const hash = offered?.hash ?? tool.hash;
  const definition = asObject(offered?.definition ?? tool.definition);
  const before = offered === undefined ? earlier(catalog, tool) : { hash: tool.hash, definition: tool.definition };
  return {
    name,
    server,
    tool: toolName,
    status,
    ...(problem === undefined ? {} : { problem }),
    ...(before === undefined ? {} : { beforeHash: before.hash }),
    hash,
    ...(catalog.isRefused(tool, hash) ? { isRefused: true } : {}),
    findings: offered === undefined ? (tool.findings ?? []) : definitionPolicy.scan(definition),
    changes: diffDefinitions(before && asObject(before.definition), definition),
  };
}

/** The version before the one in force. What was never accepted is looked over as a whole. */
function earlier(catalog: Definitions, tool: Tool): { hash: string; definition: JsonObject } | undefined {
  if (tool.status === 'quarantined') return undefined;
  return catalog.history(tool).find(({ hash }) => hash !== tool.hash);
}

function asObject(value: JsonValue): JsonObject {
  return isJsonObject(value) ? value : { value };
}
