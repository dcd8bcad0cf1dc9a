import { writeFileSync } from 'node:fs';
import { benchDataFolder } from '../../data/bench-data.ts';
import { loadTools } from '../../data/load-tools.ts';
import { handWeights } from '../arms.ts';
import { SetReader } from '../collect.ts';
import { ranked } from '../figures.ts';
import { foldOf } from '../folds.ts';
import { wholeSets } from '../sets.ts';
import { describedTools } from './described-tools.ts';
import { openEncoder } from './open-encoder.ts';
import { TrainingTexts } from './training-texts.ts';

/** A query to learn from; numbers are places in `texts`, or among the candidates. */
interface TrainingQuery {
  family: string;
  fold: number;
  text: number;
  /** The texts of each candidate, the likeliest candidate first by what was known before anything was learned. */
  candidates: number[][];
  /** The right ones: any of a group will do. */
  groups: number[][];
  /** Neither right nor wrong. */
  neither: number[];
}

/**
 * Writes what the encoder learns from to the file `target`, one JSON object: `texts`, the token ids of each text; `queries`
 * (`TrainingQuery`); `tools`, unlabelled ones (`DescribedTool`).
 */
export async function exportTraining(target: string): Promise<void> {
  const { embedder, modelDir, variantFolder } = await openEncoder(undefined);
  const texts = new TrainingTexts(modelDir);
  const queries: TrainingQuery[] = [];
  for (const files of wholeSets(benchDataFolder())) {
    const reader = await SetReader.open(files, embedder, variantFolder);
    const { servers, labelOf } = loadTools(files.tools);
    const placesByLabel = new Map(
      servers.flatMap(({ server, tools }) =>
        tools.map((tool) => [labelOf(server, String(tool.name)), texts.placesOfTool(server, tool)]),
      ),
    );
    for (const query of await reader.collect(() => true)) {
      const labels = ranked(query, handWeights.hybrid);
      const placesOf = (others: readonly string[]) =>
        others.map((label) => labels.indexOf(label)).filter((place) => place !== -1);
      queries.push({
        family: files.family,
        fold: foldOf(query.id),
        text: texts.placeOf(query.text),
        candidates: labels.map((label) => placesByLabel.get(label) ?? []),
        groups: query.groups.map(placesOf).filter((group) => group.length > 0),
        neither: placesOf(query.helpful),
      });
    }
    reader.close();
    process.stderr.write(`${files.name}: ${queries.length} queries, ${texts.ids.length} texts\n`);
  }
  await embedder.close();
  writeFileSync(target, JSON.stringify({ queries, tools: describedTools(texts), texts: texts.ids }));
}
