import {
  type ElicitationAnswer,
  type ElicitationModes,
  type ElicitationParams,
  isJsonObject,
  isNestedDeeper,
  type JsonObject,
} from '../model/index.ts';
import { nestingMaxLevels } from './nesting.ts';

/** Questions of one call that wait at the same time: more than anyone would answer. */
export const questionsMax = 16;

/** What is said of `elicitation` in MCP's client capabilities. */
export function elicitationCapability(modes: ElicitationModes | undefined): JsonObject {
  const { form, url } = modes ?? {};
  if (!form && !url) return {};
  return { elicitation: { ...(form ? { form: {} } : {}), ...(url ? { url: {} } : {}) } };
}

/** The params of an `elicitation/create`, or what is wrong with them, in words that follow the name of the server. */
export function readElicitation(params: unknown): ElicitationParams | string {
  if (!isJsonObject(params) || typeof params.message !== 'string') return 'asked the user without a message';
  if (isNestedDeeper(params, nestingMaxLevels)) return 'asked the user with a form that is nested too deep to pass on';
  const { mode = 'form' } = params;
  if (mode !== 'form' && mode !== 'url') return `asked the user in a way that is not known: ${JSON.stringify(mode)}`;
  if (mode === 'url' && typeof params.url !== 'string') return 'asked the user to open a URL without naming it';
  return params as ElicitationParams;
}

export function modeOf({ mode }: ElicitationParams): 'form' | 'url' {
  return mode === 'url' ? 'url' : 'form';
}

/** The question with the one who asks: several servers stand behind one host (MCP "Elicitation", "Security"). */
export function namingAsker(params: ElicitationParams, serverId: string, toolName?: string): ElicitationParams {
  const during = toolName === undefined ? '' : ` (tool "${toolName}")`;
  return { ...params, message: `Server "${serverId}"${during} asks: ${params.message}` };
}

/** An answer as a caller sent it; undefined for what is none, so that the question is put again. */
export function readAnswer(value: unknown): ElicitationAnswer | undefined {
  if (!isJsonObject(value)) return undefined;
  const { action, content } = value;
  if (action !== 'accept' && action !== 'decline' && action !== 'cancel') return undefined;
  return { action, ...(isJsonObject(content) ? { content } : {}) };
}
