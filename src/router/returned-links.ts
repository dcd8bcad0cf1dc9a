import { LRUCache } from 'lru-cache';
import { type CallToolResult, isJsonObject, type JsonValue } from '../model/index.ts';

/** URIs kept of one caller: more than one conversation looks back on; the longest unused make room. */
const urisMax = 1_000;
/** Callers of whom URIs are kept. */
const callersMax = 100;
/** Longer ones hold data rather than name it, and are not kept. */
const uriMaxChars = 4_096;
/** Who calls where one program calls for one person. */
const defaultPrincipal = 'local';

/**
 * Which servers named a URI in a result to a caller: only there it may be read, as a URI is a claim of its server and may be
 * a path or an address of another.
 */
export class ReturnedLinks {
  readonly #callers = new LRUCache<string, LRUCache<string, ReadonlySet<string>>>({ max: callersMax });

  /** Keeps the links and embedded resources of a result. */
  remember(principal: string | undefined, serverId: string, { content }: CallToolResult): void {
    const uris = content.flatMap((block) => {
      const uri = block.type === 'resource_link' ? block.uri : embeddedUri(block.resource);
      return typeof uri === 'string' && uri.length <= uriMaxChars ? [uri] : [];
    });
    if (uris.length === 0) return;
    const caller = principal ?? defaultPrincipal;
    const known = this.#callers.get(caller) ?? new LRUCache<string, ReadonlySet<string>>({ max: urisMax });
    this.#callers.set(caller, known);
    for (const uri of uris) known.set(uri, new Set([...(known.get(uri) ?? []), serverId]));
  }

  /** The servers whose results to this caller named the URI. */
  serversOf(principal: string | undefined, uri: string): string[] {
    return [...(this.#callers.get(principal ?? defaultPrincipal)?.get(uri) ?? [])];
  }
}

function embeddedUri(resource: JsonValue | undefined): JsonValue | undefined {
  return isJsonObject(resource) ? resource.uri : undefined;
}
