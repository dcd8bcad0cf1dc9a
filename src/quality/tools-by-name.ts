import type { Tool } from '../model/index.ts';

/** Tools by full name, by `server/tool`, and by bare name: those that a case may mean. */
export function toolsByName(tools: readonly Tool[]): Map<string, Tool[]> {
  const names = new Map<string, Tool[]>();
  for (const tool of tools) {
    for (const name of new Set([tool.exposedName, `${tool.serverId}/${tool.toolName}`, tool.toolName])) {
      names.set(name, [...(names.get(name) ?? []), tool]);
    }
  }
  // A full name is never ambiguous, whatever another server calls a tool.
  for (const tool of tools) names.set(tool.exposedName, [tool]);
  return names;
}
