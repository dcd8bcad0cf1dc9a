import { ToolcribError } from '../errors/index.ts';
import { type CallPause, type InputResponses, isJsonObject, type UpstreamCallOptions } from '../model/index.ts';
import { type PauseContext, toCallPause } from './call-pause.ts';
import { readAnswer } from './questions.ts';
import { isProtocolError } from './sdk.ts';

/** MCP 2025-11-25 `URLElicitationRequiredError`: the user has to do something at these URLs, then the call is made again. */
const urlRequired = -32_042;

/**
 * The error as questions to the user, after which the call is made anew; undefined for any other error. Throws
 * `input_unavailable` for a caller who cannot be shown a URL, and when a call that was made anew is refused again: the
 * user agreed to open the URL, and is not done there.
 */
export function urlPause(error: unknown, options: UpstreamCallOptions, context: PauseContext): CallPause | undefined {
  if (!isProtocolError(error) || error.code !== urlRequired || !isJsonObject(error.data)) return undefined;
  const { elicitations } = error.data;
  if (!Array.isArray(elicitations) || elicitations.length === 0) return undefined;
  const requests = elicitations.map((params, index) => [`url-${index + 1}`, { method: 'elicitation/create', params }]);
  const pause = toCallPause({ inputRequests: Object.fromEntries(requests) }, context);
  if (options.resume?.kind !== 'server') return pause;
  const urls = Object.values(pause.inputRequests).map(({ params }) => String(params.url));
  throw new ToolcribError(
    'input_unavailable',
    `Server "${context.serverId}" did not run the call: its user has to finish at ${urls.join(', ')} first.`,
    {
      next: 'Ask the user to finish there, then call the tool again.',
      details: { server: context.serverId, mayHaveRun: false },
    },
  );
}

/** Throws `input_unavailable` unless the user agreed to all they were asked. */
export function throwIfDeclined(responses: InputResponses, serverId: string): void {
  if (Object.values(responses).every((response) => readAnswer(response)?.action === 'accept')) return;
  throw new ToolcribError(
    'input_unavailable',
    `The user did not agree to open what server "${serverId}" needs opened. The call did not run.`,
    { next: 'Ask the user how to go on.', details: { server: serverId, mayHaveRun: false } },
  );
}
