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
 * What the ranker reaches on queries that it was not trained on, from its own provenance. The shipped one has seen the
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
    '## Queries that the ranker has not seen',
    'Figures of the suite `all` are of the very queries that the shipped ranker was trained on, and flatter it; those of `own` are not. This table is about unseen queries, recall@1 / recall@5, hybrid: with plain weighted fusion; out of fold (trained on the other queries of all sets, so its tools are known, which is the case of the halves that were kept aside); and with all sets over the same tools left out of the training (the case of a catalog of your own).',
    table(['set', 'queries', 'plain fusion', 'out of fold', 'left out'], rows),
  ].join('\n\n');
}

function pair(recall: Recall | undefined): string {
  return recall === undefined ? '' : `${shareText(recall.recall1)} / ${shareText(recall.recall5)}`;
}
