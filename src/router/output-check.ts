import type { CallToolResult, Logger, Tool } from '../model/index.ts';
import type { ArgumentValidator } from '../validation/index.ts';

/** Metadata for programs: the result breaks what its tool promises. */
const outputSchemaMetaKey = 'dev.toolcrib/outputSchema';

export interface OutputCheckDeps {
  validator: Pick<ArgumentValidator, 'fits'>;
  logger: Logger;
}

/** Whether a result has the structured content that the tool's `outputSchema` promises; what cannot be checked has. */
function mismatch({ outputSchema, hash }: Tool, result: CallToolResult, { validator }: OutputCheckDeps) {
  if (outputSchema === undefined || result.isError) return undefined;
  const { structuredContent } = result;
  if (structuredContent === undefined) return 'lacks the structured content that its output schema promises';
  const fits = validator.fits(`output ${hash}`, outputSchema, structuredContent);
  return fits ? undefined : 'does not fit its output schema';
}

/**
 * For a result whose schema the host knows: hosts refuse the whole of one that breaks it, so it goes out as an error
 * that holds what came as text.
 */
export function asDeclared(tool: Tool, result: CallToolResult, deps: OutputCheckDeps): CallToolResult {
  const problem = mismatch(tool, result, deps);
  return problem === undefined ? result : withoutStructure(tool, result, problem);
}

/** For a result whose schema the host does not know: it passes as it is, and a mismatch is told to programs and the log. */
export function withWarning(tool: Tool, result: CallToolResult, deps: OutputCheckDeps): CallToolResult {
  const problem = mismatch(tool, result, deps);
  if (problem === undefined) return result;
  deps.logger.warn(`a result ${problem}`, { tool: tool.exposedName, server: tool.serverId });
  const warning = { tool: tool.exposedName, problem: `the result ${problem}` };
  return { ...result, _meta: { ...result._meta, [outputSchemaMetaKey]: warning } };
}

function withoutStructure({ exposedName }: Tool, result: CallToolResult, problem: string): CallToolResult {
  const { structuredContent, content, ...rest } = result;
  const note = `${exposedName} ran, but its result ${problem}. What it returned:`;
  const json = structuredContent === undefined ? undefined : JSON.stringify(structuredContent);
  const isThere = json === undefined || content.some(({ type, text }) => type === 'text' && text === json);
  const blocks = [{ type: 'text', text: note }, ...content, ...(isThere ? [] : [{ type: 'text', text: json }])];
  return { ...rest, content: blocks, isError: true };
}
