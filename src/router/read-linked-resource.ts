import { ToolcribError } from '../errors/index.ts';
import type { HostCallOptions, ReadResourceResult, ResourceReader } from '../model/index.ts';
import { capText, cleanText } from '../render/index.ts';
import { passResource } from './pass-through.ts';
import type { ReturnedLinks } from './returned-links.ts';

/**
 * Reads a resource from the one server whose results to this caller named it, as far as the caller may know of that server.
 * Throws `unknown_resource`, `ambiguous_resource`, and what the server answers.
 */
export async function readLinkedResource(
  uri: string,
  options: HostCallOptions,
  { links, resources }: { links: ReturnedLinks; resources: ResourceReader },
): Promise<ReadResourceResult> {
  const { principal, scope } = options;
  const named = links.serversOf(principal, uri);
  const [serverId, ...others] = named.filter((id) => scope?.knowsServer(id) ?? true);
  if (serverId === undefined || others.length > 0) throw unreadable(uri, serverId, others);
  return passResource(await resources.readResource(serverId, uri, options));
}

const uriShownMaxChars = 200;

function unreadable(uri: string, serverId: string | undefined, others: readonly string[]): ToolcribError {
  const shown = JSON.stringify(capText(cleanText(uri), uriShownMaxChars));
  if (serverId === undefined) return new ToolcribError('unknown_resource', `No tool result has named ${shown} so far.`);
  const servers = [serverId, ...others].join(', ');
  return new ToolcribError('ambiguous_resource', `Results of several servers named ${shown}: ${servers}.`);
}
