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
  { kind: 'write', effect: 'write', verbs: 'write append upload' },
  { kind: 'move', effect: 'write', verbs: 'move assign schedule enable disable' },
  { kind: 'delete', effect: 'delete', verbs: 'delete remove destroy drop purge erase wipe truncate' },
  {
    kind: 'other',
    verbs:
      'archive unarchive mark unmark stop cancel start restart run execute set unset check validate close open merge convert generate wait apply attach detach link unlink connect disconnect submit approve reject trigger sync import export download copy clone duplicate restore revert reset lock unlock share unshare',
  },
];

const kinds = new Map(verbKinds.flatMap((entry) => entry.verbs.split(' ').map((verb) => [verb, entry] as const)));

export function toolAction(name: string, serverId: string): ToolAction {
  const words = ownNameWords(name, serverId);
  const verb = words.find((word) => kinds.has(word));
  const { kind, effect } = (verb === undefined ? undefined : kinds.get(verb)) ?? {};
  return {
    words,
    verb,
    kind: kind === 'other' ? verb : kind,
    effect,
    nouns: words.filter((word) => word !== verb && !/^(?:v|\d+)$/.test(word)),
  };
}

export function effectOfVerb(word: string): Effect | undefined {
  return kinds.get(word)?.effect;
}
