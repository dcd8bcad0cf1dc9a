import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryFolder } from '../data/bench-data.ts';
import { shareText, table } from './table.ts';

interface Recall {
  recall1: number;
  recall5: number;
}

type Figures = Record<string, { hybrid: Recall }>;

interface Provenance {
  queries: Record<string, number>;
  plainFusion: Figures;
  outOfFold: Figures;
  leftOut: Figures;
}

/**
 * What encoder and ranker reach on queries that they were not trained on, from the ranker's provenance. The shipped ones have seen the
 * development halves, so what a suite measures on them says how well it remembers.
 */
export function trainingSection(file = join(repositoryFolder, 'index-data/ranker.json')): string {
  const { queries, plainFusion, outOfFold, leftOut } = JSON.parse(readFileSync(file, 'utf8')).provenance as Provenance;
  const rows = Object.entries(queries).map(([set, count]) => [
    set,
    String(count),
    ...[plainFusion, outOfFold, leftOut].map((figures) => pair(figures[set]?.hybrid)),
  ]);
  return [
    '## Queries that training has not seen',
    'Figures of the suite `all` are of the very queries that the shipped encoder and ranker were trained on, and flatter them; those of `own` are not. This table is about unseen queries, recall@1 / recall@5, hybrid: with the encoder as it was published and plain weighted fusion; out of fold (both trained on the other queries of all sets, so the tools are known, which is the case of the halves that were kept aside); and with all sets over the same tools, and some more, left out of the training (the case of a catalog of your own).',
    table(['set', 'queries', 'untrained', 'out of fold', 'left out'], rows),
  ].join('\n\n');
}

function pair(recall: Recall | undefined): string {
  return recall === undefined ? '' : `${shareText(recall.recall1)} / ${shareText(recall.recall5)}`;
}
