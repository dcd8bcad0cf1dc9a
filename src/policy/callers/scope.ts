import { ToolcribError } from '../../errors/index.ts';
import type { CallerScope, ToolEffect } from '../../model/index.ts';
import { effectOf } from '../calls/effect.ts';
import { nameMatcher } from '../name-matcher.ts';

/** The scope that leaves nothing out. */
export const everything = '*';

/** Longer ones name nothing that there is. */
const scopeMaxChars = 300;

/**
 * What a token is good for. Each scope is `server[:tool][@effect]`: globs over the id of a server and the name that it
 * gives a tool, and the worst effect that the tool may have (`read`, `write`, `destructive`, as annotations of trusted
 * servers say). `github` is all of a server, `github:create_*` some of it, `*@read` whatever is known to only read. One
 * that fits is enough; none allows nothing. Throws `invalid_arguments` for a text that is no scope.
 */
export function createCallerScope(scopes: readonly string[], isTrusted: (serverId: string) => boolean): CallerScope {
  const sorted = [...new Set(scopes)].sort();
  const grants = sorted.map(readScope);
  return {
    key: JSON.stringify(sorted),
    knowsServer: (serverId) => grants.some(({ isServer }) => isServer(serverId)),
    allows: ({ serverId, toolName }, annotations) =>
      grants.some(
        ({ isServer, isTool, worst }) =>
          isServer(serverId) &&
          isTool(toolName) &&
          (worst === undefined ||
            rank(effectOf(isTrusted(serverId) ? annotations() : undefined).effect) <= rank(worst)),
      ),
  };
}

interface Grant {
  isServer: (serverId: string) => boolean;
  isTool: (toolName: string) => boolean;
  worst: ToolEffect | undefined;
}

const pattern = /^([^:@\s][^:\s]*?)(?::(\S+?))?(?:@(read|write|destructive))?$/;

function readScope(scope: string): Grant {
  const [, server, tool, worst] = (scope.length <= scopeMaxChars && pattern.exec(scope)) || [];
  if (server === undefined) {
    const shown = JSON.stringify(scope.slice(0, scopeMaxChars));
    throw new ToolcribError(
      'invalid_arguments',
      `${shown} is no scope: expected server[:tool][@read|@write|@destructive], such as github, github:create_* or *@read.`,
    );
  }
  return {
    isServer: nameMatcher([server]),
    isTool: nameMatcher(tool === undefined ? undefined : [tool]),
    worst: worst as ToolEffect | undefined,
  };
}

const effects: readonly ToolEffect[] = ['read', 'write', 'destructive'];

function rank(effect: ToolEffect): number {
  return effects.indexOf(effect);
}
