import { nameWords } from '../../name-words.ts';
import type { LintRule, LintSubject } from '../rule.ts';

const missingDescription: LintRule = {
  code: 'missing_description',
  level: 'error',
  title: 'no description',
  why: 'A model has the name alone to go by, and search has no words to find the tool with.',
  fix: 'Say in two or three sentences what it does, when to use it, and what comes back.',
  *check({ description }) {
    if (description === '') yield { field: 'description', message: 'There is none.' };
  },
};

const thinDescription: LintRule = {
  code: 'thin_description',
  level: 'info',
  title: 'description says no more than the name',
  why: 'It costs tokens and answers nothing: what the values are, what comes back, when another tool is the better one.',
  fix: 'Add what the name cannot say.',
  *check({ tool, description, action }) {
    if (description !== '' && repeatsName(description, [...action.words, ...nameWords(tool.serverId)])) {
      yield { field: 'description', message: `"${description}"` };
    }
  },
};

/** Words that add nothing to a name. */
const fillers = new Set(
  'a an the of for to in on by from and or with all this that your new given api tool function'.split(' '),
);

function repeatsName(description: string, known: readonly string[]): boolean {
  if (description.length > 120) return false;
  const stems = new Set(known.map(stemmed));
  return nameWords(description).every((word) => fillers.has(word) || stems.has(stemmed(word)));
}

function stemmed(word: string): string {
  return word.replace(/(?:ies|es|s|e|ing|ed|y)$/, '');
}

const copiedDescription: LintRule = {
  code: 'copied_description',
  level: 'warning',
  title: 'description of another tool',
  why: 'Two tools with the same words cannot be told apart but by name.',
  fix: 'Say in each what the other does not do.',
  *check(subject, catalog) {
    if (subject.description === '') return;
    const { serverId } = subject.tool;
    const others = catalog.withDescription(subject).filter((other) => other.serverId === serverId);
    const [first] = others;
    if (first === undefined) return;
    const more = others.length > 1 ? ` and ${others.length - 1} more` : '';
    yield { field: 'description', message: `${first.toolName}${more} has the same description, word for word.` };
  },
};

const noBounds: LintRule = {
  code: 'no_when_not',
  level: 'info',
  title: 'no word on when not to use it, beside a similar tool',
  why: 'Where two tools do nearly the same, the model needs to read which is for what.',
  fix: 'Add a sentence such as "To … use … instead."',
  *check(subject, catalog) {
    if (subject.description === '' || boundaries.test(subject.description)) return;
    const neighbour = catalog.neighbourOf(subject);
    if (neighbour === undefined) return;
    yield {
      field: 'description',
      message: `It could be taken for ${neighbour.toolName}, and does not say when to use which.`,
      fix: `Say when to use ${neighbour.toolName} instead.`,
    };
  },
};

/** How descriptions draw a line to other tools. */
const boundaries =
  /\b(?:do not|don't|does not|doesn't|not (?:for|to be|intended|meant|suitable)|never|instead|rather than|unlike|prefer|only (?:if|when|for|use)|avoid|except|cannot|can't|use (?:this|it|the|\W?\w+\W?)?[^.]{0,40}\b(?:when|if|for)|as opposed to|without|alternative)\b/i;

const noEffects: LintRule = {
  code: 'no_effects',
  level: 'warning',
  title: 'no word on the effects',
  why: 'A model that does not know what is lost or overwritten cannot warn its user, and may try again after a success.',
  fix: 'Say what changes, whether it can be undone, and what happens to what was there.',
  *check(subject) {
    const { action, description } = subject;
    const { verb, effect, words } = action;
    if (description === '' || subject.tool.annotations?.readOnlyHint === true) return;
    // What is taken out of something can be put back.
    if (effect === 'delete' && !words.includes('from') && !finality.test(allWords(subject))) {
      yield {
        field: 'description',
        message: `The name says "${verb}", and nothing says whether that can be undone or what else goes.`,
      };
    } else if (overwriting.has(verb ?? '') && !replacement.test(allWords(subject))) {
      yield {
        field: 'description',
        level: 'info',
        message: `The name says "${verb}", and nothing says what becomes of values that are left out or already there.`,
      };
    }
  },
};

const finality =
  /\b(?:permanent\w*|irrevers\w*|undo\w*|undone|recover\w*|restor\w*|trash\w*|archiv\w*|soft\W?delet\w*|revers\w*|cascad\w*|destructive|(?:cannot|can't) be|also (?:deletes?|removes?)|all (?:its|of its|associated|related)|(?:does|do|will) not|without (?:deleting|removing)|still exists?|no longer|stops?|immediately|only removes|forever|bin|caution|warning|careful\w*)\b/i;
const overwriting = new Set(['update', 'edit', 'modify', 'replace', 'write', 'patch', 'upsert']);
const replacement =
  /\b(?:overwrit\w*|replac\w*|merg\w*|partial\w*|only (?:the|provided|specified|fields|those)|unchanged|existing|keep\w*|preserv\w*|leav\w*|omit\w*|unset|clear\w*|append\w*|optional\w*|creates?|if (?:it|they|not|omitted|provided)|null|fields? (?:to|you)|entire|full\w*|complete\w*|new \w+ (?:for|of))\b/i;

function allWords({ description, parameters }: LintSubject): string {
  return [description, ...parameters.map((parameter) => parameter.description)].join(' ');
}

export const descriptionRules: readonly LintRule[] = [
  missingDescription,
  thinDescription,
  copiedDescription,
  noBounds,
  noEffects,
];
