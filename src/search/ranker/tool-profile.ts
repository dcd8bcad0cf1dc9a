import type { KeywordColumn, ToolName } from '../../model/index.ts';
import { vocabulary } from '../query/vocabulary.ts';
import { stem } from '../text/stem.ts';
import { wordsOf } from '../text/tokenize.ts';

/** The indexed terms of one column. */
export interface TermColumn {
  frequencies: ReadonlyMap<string, number>;
  length: number;
}

/** A tool as the ranking sees it: its analysed words, and what it does with what. */
export interface ToolProfile {
  columns: Record<KeywordColumn, TermColumn>;
  /** Terms of the name without those of the server's id, which all its tools share. */
  coreNameTerms: ReadonlySet<string>;
  /** Classes of the verb that says what the tool does; empty where none was found. */
  verbClasses: readonly string[];
}

/** Where a name has no verb, the description mostly begins with one ("Creates an issue"). */
const verbWords = 2;

/** Pure. `texts` are the tokens that the analyser made, separated by spaces. */
export function toolProfile({ serverId }: ToolName, texts: Record<KeywordColumn, string>): ToolProfile {
  const nameTerms = split(texts.name);
  const serverTerms = new Set(wordsOf(serverId).map(stem));
  const verbOf = (terms: readonly string[]) => terms.map(vocabulary().verbClasses).find(({ length }) => length > 0);
  return {
    columns: {
      name: column(nameTerms),
      title: column(split(texts.title)),
      description: column(split(texts.description)),
      parameters: column(split(texts.parameters)),
      server: column(split(texts.server)),
    },
    coreNameTerms: new Set(nameTerms.filter((term) => !serverTerms.has(term))),
    verbClasses: verbOf(nameTerms) ?? verbOf(split(texts.description).slice(0, verbWords)) ?? [],
  };
}

function split(text: string): string[] {
  return text === '' ? [] : text.split(' ');
}

function column(terms: readonly string[]): TermColumn {
  const frequencies = new Map<string, number>();
  for (const term of terms) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
  return { frequencies, length: terms.length };
}
