import { errorCatalog, isToolcribError, messageOf, ToolcribError } from '../../errors/index.ts';
import type { ServerSpec } from '../../model/index.ts';
import { sdk } from '../sdk.ts';
import { oneLine } from '../text.ts';

/** Longest text of an authorization server that is shown. */
const textMaxLength = 300;

/** The server answers nothing before its user has logged in. For a model it is a dead end; people get the command. */
export function loginRequired(serverId: string, isStepUp: boolean): ToolcribError {
  const what = isStepUp ? 'needs a login with wider permissions' : 'needs a login';
  return new ToolcribError('login_required', `Server "${serverId}" ${what}. Nothing was run.`, {
    details: { server: serverId, mayHaveRun: false, reason: `(Run \`toolcrib login ${shellWord(serverId)}\`.)` },
  });
}

/** A server for which its entry in the config leaves no login. */
export function loginUnsupported({ id, transport }: ServerSpec): ToolcribError {
  const why =
    transport.kind === 'stdio'
      ? 'is a program on this machine; it gets its credentials by "env"'
      : transport.oauth === false
        ? 'has "oauth": false in the config'
        : 'has a header "Authorization" in the config, which takes the place of a login';
  return new ToolcribError('login_unsupported', `Server "${id}" ${why}.`, {
    next: 'Change its entry in the config if it should be logged in to.',
    details: { server: id },
  });
}

/** A server that lets anybody in. */
export function takesNoLogin(serverId: string, status: number | undefined): ToolcribError {
  const answer = status === undefined ? '' : ` (it answers HTTP ${status})`;
  return new ToolcribError('login_unsupported', `Server "${serverId}" does not ask for a login${answer}.`, {
    details: { server: serverId },
  });
}

/** A login that would not be safe. */
export function loginRefused(serverId: string, why: string, next?: string): ToolcribError {
  return new ToolcribError('login_refused', `The login to server "${serverId}" is refused. ${why}`, {
    ...(next === undefined ? {} : { next }),
    details: { server: serverId },
  });
}

/** Whatever ended a login as a `ToolcribError`. */
export function loginFault(error: unknown, serverId: string): ToolcribError {
  const { IssuerMismatchError, AuthorizationServerMismatchError, InsecureTokenEndpointError, OAuthError } = sdk();
  const known = toolcribCause(error);
  if (known !== undefined) return known;
  if (
    error instanceof IssuerMismatchError ||
    error instanceof AuthorizationServerMismatchError ||
    error instanceof InsecureTokenEndpointError
  ) {
    return loginRefused(serverId, oneLine(messageOf(error), textMaxLength));
  }
  const why = error instanceof OAuthError ? `${error.code}: ${error.message}` : messageOf(deepest(error));
  return new ToolcribError(
    'login_failed',
    `The login to server "${serverId}" did not succeed: ${oneLine(why, textMaxLength)}`,
    { details: { server: serverId }, cause: error, next: errorCatalog.login_failed.next },
  );
}

/** The error that a checking `fetch` wrapped. */
function toolcribCause(error: unknown): ToolcribError | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    if (isToolcribError(at)) return at;
  }
  return undefined;
}

function deepest(error: unknown): unknown {
  let at = error;
  for (let depth = 0; at instanceof Error && at.cause !== undefined && depth < 5; depth += 1) at = at.cause;
  return at;
}

/** An id as it can be typed. */
function shellWord(text: string): string {
  return /^[\w.@/-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
