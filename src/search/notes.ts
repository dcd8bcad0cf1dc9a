import { distance } from 'fastest-levenshtein';
import type { SearchNote, ServerRecord, ServerState, Tool } from '../model/index.ts';
import { capText, cleanText, outageText } from '../render/index.ts';

/** Names listed in one note: enough to act on, few enough for a model's context. */
const maxNames = 5;
const maxReasonCharacters = 120;

export function vectorsPending(embedded: number, texts: number): SearchNote {
  return {
    code: 'vectors_pending',
    message: `Ranked mostly by keywords: ${embedded} of ${texts} descriptions are embedded so far. The same search gets better in a while.`,
  };
}

/** For readers who are not to know how much there is. */
export const someVectorsPending: SearchNote = {
  code: 'vectors_pending',
  message: 'Ranked mostly by keywords: some descriptions are not embedded yet. The same search gets better in a while.',
};

export const embeddingUnavailable: SearchNote = {
  code: 'embedding_unavailable',
  message: 'Ranked by keywords alone: the embedding model does not work. Use words that the tool itself would use.',
};

export const embeddingUnreachable: SearchNote = {
  code: 'embedding_unavailable',
  message:
    'Ranked by keywords alone: the embedding endpoint did not answer in time. Use words that the tool itself would use, or search again later.',
};

export const modelLoading: SearchNote = {
  code: 'vectors_pending',
  message:
    'Ranked by keywords alone: the embedding model is still being loaded. The same search gets better in a while.',
};

export const catalogEmpty: SearchNote = {
  code: 'catalog_empty',
  message: 'The catalog holds no tools yet.',
};

export const weakMatch: SearchNote = {
  code: 'weak_match',
  message: 'No close match. Try other words for one single capability, in English, or name the server.',
};

/** Queries in a language that the catalog does not speak find by luck alone. */
export function otherLanguage(language: string): SearchNote {
  return { code: 'other_language', message: `The tools are described in ${language}. Search again in ${language}.` };
}

/** Servers that fit better than the one that was asked for. */
export function otherServers(servers: readonly string[], asked: string): SearchNote {
  return {
    code: 'other_servers',
    message: `Other servers fit as well or better than ${asked}: ${listNames(servers)}. Search without the server to see them.`,
  };
}

export function noMatch(server: string | undefined): SearchNote {
  const where = server === undefined ? '' : ` on the server ${server}`;
  const elsewhere = server === undefined ? '' : ', or search without the server';
  return {
    code: 'no_match',
    message: `Nothing matches${where}. Try other words for one single capability, in English${elsewhere}.`,
  };
}

/** Names the ids that are nearest to the one asked for. */
export function serverUnknown(asked: string, servers: readonly ServerRecord[]): SearchNote {
  const lower = asked.toLowerCase();
  const nearest = servers
    .map(({ id }) => ({ id, edits: distance(lower, id.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits)
    .map(({ id }) => id);
  const known = nearest.length === 0 ? 'No server is known.' : `Nearest: ${listNames(nearest)}.`;
  return { code: 'server_unknown', message: `No server is called ${quote(asked)}. ${known}` };
}

/** Servers whose tools cannot be found because they were never listed. */
export function serversMissing(servers: readonly ServerRecord[], states: readonly ServerState[]): SearchNote[] {
  const stateOf = new Map(states.map((state) => [state.id, state]));
  const missing = servers.filter((server) => server.listedAt === undefined);
  const locked = missing.filter(({ id }) => stateOf.get(id)?.state === 'login_required');
  const unlisted = missing.filter((server) => !locked.includes(server));
  const failed = unlisted.filter(({ id, lastError }) => stateOf.get(id)?.state === 'failed' || lastError !== undefined);
  const pending = unlisted.filter((server) => !failed.includes(server));
  const notes: SearchNote[] = [];
  if (pending.length > 0) {
    const message = `Not searched, being listed for the first time: ${listNames(pending.map(({ id }) => id))}. Search again in a while.`;
    notes.push({ code: 'servers_pending', message });
  }
  if (failed.length > 0) {
    const reasons = failed.map(({ id, lastError }) => {
      const reason = stateOf.get(id)?.error ?? lastError ?? 'no reason given';
      return `${id} (${capText(cleanText(reason), maxReasonCharacters)})`;
    });
    notes.push({ code: 'servers_failed', message: `Not searched, these servers failed: ${listNames(reasons)}.` });
  }
  if (locked.length > 0) {
    // Only the user can help: the reader is told so, and given no way to do it for them.
    const message = `Not searched, since the user has to log in to these servers first: ${listNames(locked.map(({ id }) => id))}.`;
    notes.push({ code: 'servers_login_required', message });
  }
  return notes;
}

/** Servers with hits whose last list is an old one. */
export function serversStale(servers: readonly ServerRecord[], shown: ReadonlySet<string>): SearchNote[] {
  const stale = servers.filter(({ id, stale: isStale }) => isStale && shown.has(id));
  if (stale.length === 0) return [];
  const listed = stale.map(({ id, listedAt }) => `${id} (as of ${new Date(listedAt ?? 0).toISOString()})`);
  return [{ code: 'servers_stale', message: `Could not be listed again, shown as last known: ${listNames(listed)}.` }];
}

/** Servers with hits that are left alone after failures. */
export function serversUnavailable(states: readonly ServerState[], shown: ReadonlySet<string>): SearchNote[] {
  const outages = states.flatMap((state) => {
    const outage = shown.has(state.id) ? outageText(state) : undefined;
    return outage === undefined ? [] : [`${state.id} (${outage})`];
  });
  if (outages.length === 0) return [];
  return [{ code: 'servers_unavailable', message: `Calls to these servers fail for now: ${listNames(outages)}.` }];
}

/** Tools that the query names and that cannot be called. */
export function toolsSetAside(tools: readonly Tool[]): SearchNote[] {
  if (tools.length === 0) return [];
  const reasons = tools.map(
    ({ exposedName, problem = 'no reason recorded' }) =>
      `${exposedName} (${capText(cleanText(problem), maxReasonCharacters)})`,
  );
  return [{ code: 'tools_set_aside', message: `Exists but cannot be called: ${listNames(reasons)}.` }];
}

function listNames(names: readonly string[]): string {
  const rest = names.length - maxNames;
  return names.slice(0, maxNames).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}

function quote(text: string): string {
  return JSON.stringify(capText(cleanText(text), maxReasonCharacters));
}
