import { ownNameWords } from './name-words.ts';

export type Effect = 'read' | 'write' | 'delete';

/** What a tool does, as its name says. */
export interface ToolAction {
  /** All words of the name but those of the server's id that it begins with. */
  words: readonly string[];
  /** The first word that is a plain verb; undefined where there is none. */
  verb: string | undefined;
  /** Equal for verbs that are used for one another, such as "list" and "search". */
  kind: string | undefined;
  effect: Effect | undefined;
  /** The words besides the verb and version numbers. */
  nouns: readonly string[];
}

interface VerbKind {
  /** `own`: each is a kind of its own. */
  kind: string;
  /** Absent where the verb may mean any. */
  effect?: Effect;
  verbs: string;
}

/** Verbs that names of tools begin with. Words that are nouns as often ("post", "record", "file") are left out. */
const verbKinds: readonly VerbKind[] = [
  { kind: 'get', effect: 'read', verbs: 'get read fetch retrieve describe view show' },
  { kind: 'search', effect: 'read', verbs: 'search find list lookup browse query' },
  { kind: 'count', effect: 'read', verbs: 'count' },
  { kind: 'create', effect: 'write', verbs: 'create add insert register' },
  { kind: 'update', effect: 'write', verbs: 'update edit modify patch rename replace upsert' },
  { kind: 'send', effect: 'write', verbs: 'send publish reply invite' },
  { kind: 'write', effect: 'write', verbs: 'write append' },
  {
    kind: 'own',
    effect: 'write',
    verbs: 'upload move assign unassign schedule enable disable activate deactivate install uninstall',
  },
  { kind: 'delete', effect: 'delete', verbs: 'delete remove destroy drop purge erase wipe truncate' },
  {
    kind: 'own',
    verbs:
      'take archive unarchive mark unmark stop cancel start restart run execute set unset check validate close open merge convert generate wait apply attach detach link unlink connect disconnect submit approve reject trigger sync import export download copy clone duplicate restore revert reset lock unlock share unshare subscribe unsubscribe follow unfollow mute unmute pin unpin block unblock',
  },
];

const kinds = new Map(verbKinds.flatMap((entry) => entry.verbs.split(' ').map((verb) => [verb, entry] as const)));

/** `prefix`: a word that the server puts before all of its names, and that so says nothing. */
export function toolAction(name: string, serverId: string, prefix?: string): ToolAction {
  const own = ownNameWords(name, serverId);
  const words = own.length > 1 && own[0] === prefix ? own.slice(1) : own;
  const verb = words.find((word) => kinds.has(word));
  const { kind, effect } = (verb === undefined ? undefined : kinds.get(verb)) ?? {};
  return {
    words,
    verb,
    kind: kind === 'own' ? verb : kind,
    effect,
    nouns: words.filter((word) => word !== verb && !/^(?:v|\d+)$/.test(word)),
  };
}

export function effectOfVerb(word: string): Effect | undefined {
  return kinds.get(word)?.effect;
}

/** Fewer tools, or a smaller share of them, begin alike by chance. */
const prefixMin = { tools: 4, share: 0.6 };

/** The word that most names of a server begin with (`browser_click`, `browser_type`), by server id. */
export function namePrefixes(tools: readonly { serverId: string; toolName: string }[]): Map<string, string> {
  const counts = new Map<string, Map<string, number>>();
  for (const { serverId, toolName } of tools) {
    const [first = ''] = ownNameWords(toolName, serverId);
    const own = counts.get(serverId) ?? new Map<string, number>();
    counts.set(serverId, own.set(first, (own.get(first) ?? 0) + 1));
  }
  const prefixes = [...counts].flatMap(([serverId, own]) => {
    const total = [...own.values()].reduce((sum, count) => sum + count, 0);
    const most = [...own].find(
      ([word, count]) => !kinds.has(word) && count >= prefixMin.tools && count >= prefixMin.share * total,
    );
    return most === undefined ? [] : [[serverId, most[0]] as const];
  });
  return new Map(prefixes);
}
