import { randomUUID } from 'node:crypto';
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ElicitResult,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { messageOf } from '../errors/index.ts';
import {
  type ElicitationAnswer,
  type ElicitationModes,
  type ElicitationRequest,
  type HostCallOptions,
  isJsonObject,
  type JsonObject,
  type Logger,
} from '../model/index.ts';
import type { Era } from './face.ts';

/** How long a user has to answer; the call waits as long on its server. */
const answerMaxMs = 10 * 60_000;

interface Asking {
  era: Era;
  server: Server;
  mcpReq: ServerContext['mcpReq'];
  logger: Logger;
}

/**
 * How a call's host is asked what a server wants to know: from 2026-07-28 on with the result, and it calls again; before,
 * with a request of its own while the call runs. Only what the host declared is asked.
 */
export function elicitationOptions({ era, server, mcpReq, logger }: Asking): HostCallOptions {
  if (era === 'modern') {
    const { inputResponses } = mcpReq;
    const requestState = mcpReq.requestState();
    const declared = declaredCapabilities(mcpReq);
    const { sampling, roots } = declared;
    return {
      takesInputRequired: true,
      elicitation: modesOf(declared),
      hostCapabilities: { ...(sampling === undefined ? {} : { sampling }), ...(roots === undefined ? {} : { roots }) },
      ...(inputResponses === undefined ? {} : { inputResponses }),
      ...(typeof requestState === 'string' ? { requestState } : {}),
    };
  }
  const elicitation = modesOf(server.getClientCapabilities());
  return {
    elicitation,
    ...(elicitation.form || elicitation.url ? { onElicitation: (request) => ask(mcpReq, request) } : {}),
    onElicitationComplete: (elicitationId) => {
      server
        .notification({ method: 'notifications/elicitation/complete', params: { elicitationId } })
        .catch((error: unknown) => logger.debug('a completion could not be sent', { error: messageOf(error) }));
    },
  };
}

/** What a host of 2026-07-28 says with a request that it can do. */
export function declaredCapabilities({ envelope }: Pick<ServerContext['mcpReq'], 'envelope'>): JsonObject {
  const declared = (envelope as JsonObject | undefined)?.[CLIENT_CAPABILITIES_META_KEY];
  return isJsonObject(declared) ? declared : {};
}

/** An empty `elicitation` means forms: it was all there was before URLs came. */
function modesOf(capabilities: unknown): ElicitationModes {
  const elicitation = isJsonObject(capabilities) ? capabilities.elicitation : undefined;
  if (!isJsonObject(elicitation)) return {};
  const url = elicitation.url !== undefined;
  return { form: elicitation.form !== undefined || !url, url };
}

async function ask(
  mcpReq: ServerContext['mcpReq'],
  { params, signal }: ElicitationRequest,
): Promise<ElicitationAnswer> {
  // 2025-11-25 wants an id with a URL; later revisions have none.
  const id = params.mode === 'url' && params.elicitationId === undefined ? { elicitationId: randomUUID() } : {};
  const answer = await mcpReq.send(
    { method: 'elicitation/create', params: { ...params, ...id } },
    { timeout: answerMaxMs, signal },
  );
  return answerOf(answer);
}

function answerOf({ action, content }: ElicitResult): ElicitationAnswer {
  return { action, ...(content === undefined ? {} : { content }) };
}
