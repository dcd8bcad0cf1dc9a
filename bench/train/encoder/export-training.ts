import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Tokenizer } from '@huggingface/tokenizers';
import { isJsonObject, type JsonObject } from '../../../src/model/index.ts';
import { embeddingTexts, spell } from '../../../src/search/training.ts';
import { benchDataFolder } from '../../data/bench-data.ts';
import { loadTools } from '../../data/load-tools.ts';
import { type SetFiles, SetReader } from '../collect.ts';
import { foldOf } from '../folds.ts';
import { trainingSets } from '../sets.ts';
import { openEncoder } from './open-encoder.ts';

const maxTokens = 256;
const maxParameters = 12;

/**
 * Writes what the encoder learns from to the file `target`, one JSON object: `texts`, the token ids of each text; `queries`, each
 * with its set, family and fold, its text, the texts of its candidates as the encoder finds them that was published, the groups
 * of right ones among them, and those that are neither right nor wrong.
 */
export async function exportTraining(target: string): Promise<void> {
  const { embedder, modelDir, variantFolder } = await openEncoder(undefined);
  const texts = new Texts(modelDir);
  const queries: object[] = [];
  for (const files of trainingSets(benchDataFolder())) {
    const reader = await SetReader.open(files, embedder, variantFolder);
    const textsOf = textsByLabel(files);
    for (const { id, text, candidates, groups, helpful } of await reader.collect(() => true)) {
      const placesOf = (labels: readonly string[]) =>
        labels.map((label) => candidates.indexOf(label)).filter((place) => place !== -1);
      queries.push({
        set: files.name,
        family: files.family,
        fold: foldOf(id),
        text: texts.placeOf(text),
        candidates: candidates.map((label) => (textsOf.get(label) ?? []).map((each) => texts.placeOf(each))),
        groups: groups.map(placesOf).filter((group) => group.length > 0),
        neither: placesOf(helpful),
      });
    }
    reader.close();
    process.stderr.write(`${files.name}: ${queries.length} queries, ${texts.ids.length} texts\n`);
  }
  await embedder.close();
  writeFileSync(target, JSON.stringify({ texts: texts.ids, queries }));
}

function textsByLabel({ tools }: SetFiles): Map<string, string[]> {
  const { servers, labelOf } = loadTools(tools);
  const entries = servers.flatMap(({ server, tools }) =>
    tools.map((tool): [string, string[]] => {
      const {
        name,
        inputSchema = {},
        ...about
      } = tool as { name: string; inputSchema?: JsonObject; description?: string };
      const texts = embeddingTexts({ ...about, serverId: server, toolName: name, inputSchema });
      return [labelOf(server, name), [...texts, ...textWithParameters(texts, inputSchema)]];
    }),
  );
  return new Map(entries);
}

/** One more way of saying what a tool does, to learn from alone: its name and what its parameters are called. */
function textWithParameters(texts: readonly string[], { properties }: JsonObject): string[] {
  const spelt = Object.keys(isJsonObject(properties) ? properties : {})
    .slice(0, maxParameters)
    .map((name) => spell(name).toLowerCase());
  return spelt.length === 0 ? [] : [`${texts.at(-1)}: ${spelt.join(', ')}`];
}

/** Each text once, as the encoder reads it. */
class Texts {
  readonly ids: number[][] = [];
  readonly #places = new Map<string, number>();
  readonly #tokenizer: Tokenizer;

  constructor(modelDir: string) {
    const read = (file: string) => JSON.parse(readFileSync(join(modelDir, file), 'utf8')) as object;
    this.#tokenizer = new Tokenizer(read('tokenizer.json'), read('tokenizer_config.json'));
  }

  placeOf(text: string): number {
    const known = this.#places.get(text);
    if (known !== undefined) return known;
    this.#places.set(text, this.ids.length);
    return this.ids.push(this.#tokenizer.encode(text).ids.slice(0, maxTokens)) - 1;
  }
}
