import type { PolicyRule, ToolId } from '../../model/index.ts';
import { nameMatcher } from '../name-matcher.ts';

/**
 * Places, from 1, of the rules whose server and tool globs fit none of these tools: mostly a slip, such as the name that models
 * see in place of the server's own.
 */
export function idleRules(rules: readonly PolicyRule[], tools: readonly ToolId[]): number[] {
  return rules.flatMap(({ servers, tools: names }, index) => {
    const isServer = nameMatcher(servers);
    const isTool = nameMatcher(names);
    const isFit = tools.some(({ serverId, toolName }) => isServer(serverId) && isTool(toolName));
    return isFit ? [] : index + 1;
  });
}
