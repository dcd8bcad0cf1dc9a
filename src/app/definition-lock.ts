import { canonicalHash } from '../catalog/index.ts';
import { ToolcribError } from '../errors/index.ts';
import {
  type CatalogReader,
  type DefinitionApprovals,
  type DefinitionLock,
  isJsonObject,
  type JsonObject,
  type LockDifference,
  type LockedTool,
  type Tool,
} from '../model/index.ts';

type Definitions = CatalogReader & DefinitionApprovals;

/** Every tool that can be used, or could once a person has approved it, by the definition that is accepted or waits. */
export function lockDefinitions(catalog: Definitions): DefinitionLock {
  return { lockVersion: 1, servers: lockedServers(catalog, ({ definition }) => definition) };
}

/** Throws `lock_unusable`. */
export function compareLock(catalog: Definitions, lock: unknown, serverIds?: readonly string[]): LockDifference[] {
  const locked = checked(lock).servers;
  const listed = lockedServers(catalog, (tool) => {
    const offered = tool.status === 'changed' ? catalog.offered(tool)?.definition : undefined;
    return isJsonObject(offered) ? offered : tool.definition;
  });
  const servers = sorted([...new Set([...Object.keys(locked), ...Object.keys(listed)])]);
  return servers
    .filter((server) => serverIds === undefined || serverIds.includes(server))
    .flatMap((server) => serverDifferences(server, own(locked, server) ?? {}, own(listed, server) ?? {}));
}

function serverDifferences(
  server: string,
  locked: Record<string, LockedTool>,
  listed: Record<string, LockedTool>,
): LockDifference[] {
  const tools = sorted([...new Set([...Object.keys(locked), ...Object.keys(listed)])]);
  return tools.flatMap((tool) => {
    const kind = difference(own(locked, tool), own(listed, tool));
    return kind === undefined ? [] : [{ server, tool, kind }];
  });
}

function difference(locked?: LockedTool, listed?: LockedTool): LockDifference['kind'] | undefined {
  if (locked === undefined) return 'added';
  if (listed === undefined) return 'removed';
  if (locked.definition !== listed.definition) return 'definition_changed';
  return locked.annotations === listed.annotations ? undefined : 'annotations_changed';
}

function lockedServers(
  catalog: CatalogReader,
  definitionOf: (tool: Tool) => JsonObject,
): Record<string, Record<string, LockedTool>> {
  const tools = catalog.tools({ includeSetAside: true }).filter(({ status }) => status !== 'set_aside');
  const servers = new Map<string, [string, LockedTool][]>();
  for (const tool of tools) {
    const entries = servers.get(tool.serverId) ?? [];
    entries.push([tool.toolName, lockedTool(definitionOf(tool))]);
    servers.set(tool.serverId, entries);
  }
  return Object.fromEntries(
    sorted([...servers.keys()]).map((server) => [
      server,
      Object.fromEntries((servers.get(server) ?? []).sort(([a], [b]) => (a < b ? -1 : 1))),
    ]),
  );
}

const pinnedFields = ['name', 'title', 'description', 'inputSchema', 'outputSchema'];

function lockedTool(definition: JsonObject): LockedTool {
  const fields = Object.entries(definition).filter(([key]) => pinnedFields.includes(key));
  return {
    definition: canonicalHash(Object.fromEntries(fields)),
    annotations: canonicalHash(definition.annotations ?? {}),
  };
}

function checked(lock: unknown): DefinitionLock {
  if (!isJsonObject(lock) || !isJsonObject(lock.servers)) throw unusable('it is not the lock of a toolcrib');
  if (lock.lockVersion !== 1) throw unusable(`its version is ${JSON.stringify(lock.lockVersion)}, not 1`);
  const entries = Object.values(lock.servers).flatMap((tools) => (isJsonObject(tools) ? Object.values(tools) : [null]));
  const isUsable = entries.every(
    (entry) => isJsonObject(entry) && typeof entry.definition === 'string' && typeof entry.annotations === 'string',
  );
  if (!isUsable) throw unusable('it holds an entry without hashes');
  return lock as unknown as DefinitionLock;
}

function unusable(reason: string): ToolcribError {
  return new ToolcribError('lock_unusable', `The lock cannot be used: ${reason}.`);
}

/** Names come from servers: one may be called like what every object has. */
function own<Value>(values: Record<string, Value>, key: string): Value | undefined {
  return Object.hasOwn(values, key) ? values[key] : undefined;
}

function sorted(names: readonly string[]): string[] {
  return [...names].sort();
}
