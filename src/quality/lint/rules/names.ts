import type { LintRule } from '../rule.ts';

/** Words that say that something is done, but not what. */
const vagueVerbs = words(
  'execute process manage handle run do perform operate invoke call dispatch action tool utility util helper misc main api request generic custom',
);
/** Nouns that any tool could be about. */
const vagueNouns = words(
  'data item items object objects thing things resource resources entity entities info information stuff operation operations action actions task tasks tool tools input content all it one by the a any generic custom action',
);
/** Verbs that stand for reading, changing and deleting at once. */
const manyVerbs = words('manage handle process');

const vagueName: LintRule = {
  code: 'vague_name',
  level: 'warning',
  title: 'name says not what the tool does',
  why: 'A model picks tools by name first; a vague one is taken for everything or for nothing.',
  fix: 'Name it by one verb and its object, such as create_invoice; split a tool that does several things.',
  *check({ tool, action: { words: own } }) {
    const [first = ''] = own;
    const letters = own.filter((word) => !/^(?:v|\d+)$/.test(word));
    if (
      letters.every((word) => vagueVerbs.has(word) || vagueNouns.has(word)) &&
      letters.some((word) => vagueVerbs.has(word))
    ) {
      yield { field: 'name', message: `"${tool.toolName}" has no word that tells it from other tools.` };
    } else if (manyVerbs.has(first)) {
      yield { field: 'name', message: `"${first}" may mean reading, changing or deleting.` };
    }
  },
};

/** The limit of the model APIs in use (`^[a-zA-Z0-9_-]{1,64}$`). */
const apiNameMax = 64;

const longName: LintRule = {
  code: 'long_name',
  level: 'warning',
  title: `name over ${apiNameMax} characters`,
  why: 'Model APIs refuse names over 64 characters, and hosts put a prefix before them; what is longer is cut and gets a hash.',
  fix: 'Shorten the name; 40 characters leave room for prefixes.',
  *check({ tool }, { nameMaxLength }) {
    const { toolName, serverId } = tool;
    const full = `${serverId}__${toolName}`;
    if (toolName.length > apiNameMax) {
      yield { field: 'name', level: 'error', message: `The name has ${toolName.length} characters.` };
    } else if (full.length > nameMaxLength) {
      yield {
        field: 'name',
        message: `With the server's id it has ${full.length} characters, so it is shown as ${tool.exposedName}.`,
      };
    }
  },
};

const oddName: LintRule = {
  code: 'odd_name',
  level: 'warning',
  title: 'name with characters that model APIs refuse',
  why: 'Model APIs take letters, digits, "_" and "-" alone; other characters are replaced, and the name gets a hash.',
  fix: 'Use letters, digits, "_" and "-".',
  *check({ tool: { toolName, exposedName } }) {
    if (!/^[\w-]*$/.test(toolName)) yield { field: 'name', message: `It is shown as ${exposedName}.` };
  },
};

export const nameRules: readonly LintRule[] = [vagueName, longName, oddName];

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(' '));
}
