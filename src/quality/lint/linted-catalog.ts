import type { Tool } from '../../model/index.ts';
import { toolListing } from '../../render/index.ts';
import type { LintedCatalog, LintSubject } from './rule.ts';

export interface LintedOptions {
  nameMaxLength: number;
  countTokens(text: string): number;
}

/** What rules ask about all tools, looked up once for the whole catalog. */
export function linted(subjects: readonly LintSubject[], { nameMaxLength, countTokens }: LintedOptions): LintedCatalog {
  const byDescription = groupBy(subjects, ({ description }) => normalised(description));
  const byObject = groupBy(subjects, objectKey);
  const perServer = groupBy(subjects, ({ tool }) => tool.serverId);
  const required = countRequired(subjects);
  return {
    nameMaxLength,
    withDescription: ({ tool, description }) => othersOf(tool, byDescription.get(normalised(description))),
    neighbourOf: (subject) =>
      subject.action.kind === undefined ? undefined : othersOf(subject.tool, byObject.get(objectKey(subject)))[0],
    demand: (serverId, parameter) => ({
      tools: required.get(JSON.stringify([serverId, parameter])) ?? 0,
      of: perServer.get(serverId)?.length ?? 0,
    }),
    tokensOf: (tool) => countTokens(JSON.stringify(toolListing(tool))),
  };
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}

function normalised(description: string): string {
  return description.replace(/\s+/g, ' ').toLowerCase();
}

/** Equal for tools of one server that do the same kind of thing to the same nouns: `list_issues`, `search_issues`. */
function objectKey({ tool, action: { kind, nouns } }: LintSubject): string {
  return JSON.stringify([tool.serverId, kind ?? '', ...[...nouns].sort()]);
}

function othersOf(tool: Tool, group: readonly LintSubject[] = []): Tool[] {
  return group.filter((other) => other.tool.key !== tool.key).map((other) => other.tool);
}

function countRequired(subjects: readonly LintSubject[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { tool, parameters } of subjects) {
    for (const { name, depth, isRequired } of parameters) {
      if (depth > 0 || !isRequired) continue;
      const key = JSON.stringify([tool.serverId, name]);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  return counts;
}
