import { join } from 'node:path';
import { benchDataFolder } from '../../data/bench-data.ts';
import { loadTools } from '../../data/load-tools.ts';
import type { TrainingTexts } from './training-texts.ts';

/** Real tools that no query is labelled with: what they teach is not what is measured. */
const catalogs = ['catalog_toucan', 'catalog_docker'];

const sentenceEnd = /(?<=[.!?])\s+/u;
const minWords = 4;
const maxWords = 30;
/** Later sentences tell of details. */
const maxSentences = 2;

/** A tool in its server's words: the sentences that describe it, and the texts that stand for it, by place. */
export interface DescribedTool {
  server: string;
  sentences: number[];
  texts: number[];
}

/** The tools of the unlabelled catalogs whose descriptions say something. */
export function describedTools(texts: TrainingTexts): DescribedTool[] {
  return catalogs.flatMap((name) => {
    const { servers } = loadTools(join(benchDataFolder(), name, 'tools.jsonl.gz'));
    return servers.flatMap(({ server, tools }) =>
      tools.flatMap((tool) => {
        const sentences = sentencesOf(String(tool.description ?? '')).map((sentence) => texts.placeOf(sentence));
        return sentences.length === 0 ? [] : [{ server, sentences, texts: texts.placesOfTool(server, tool) }];
      }),
    );
  });
}

function sentencesOf(description: string): string[] {
  return description
    .replace(/\s+/gu, ' ')
    .split(sentenceEnd)
    .map((sentence) => sentence.trim().split(' '))
    .filter((words) => words.length >= minWords)
    .slice(0, maxSentences)
    .map((words) => words.slice(0, maxWords).join(' '));
}
