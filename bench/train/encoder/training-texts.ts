import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Tokenizer } from '@huggingface/tokenizers';
import { isJsonObject, type JsonObject } from '../../../src/model/index.ts';
import { embeddingTexts, spell } from '../../../src/search/training.ts';

/** Longer texts are cut: nearly all are shorter, and the time of a step follows the longest. */
const maxTokens = 64;
const maxParameters = 12;

/** Each text once, as the encoder reads it. */
export class TrainingTexts {
  /** The token ids of each text. */
  readonly ids: number[][] = [];
  readonly #places = new Map<string, number>();
  readonly #tokenizer: Tokenizer;

  constructor(modelDir: string) {
    const read = (file: string) => JSON.parse(readFileSync(join(modelDir, file), 'utf8')) as object;
    this.#tokenizer = new Tokenizer(read('tokenizer.json'), read('tokenizer_config.json'));
  }

  /** Its place in `ids`. */
  placeOf(text: string): number {
    const known = this.#places.get(text);
    if (known !== undefined) return known;
    this.#places.set(text, this.ids.length);
    return this.ids.push(cut(this.#tokenizer.encode(text).ids)) - 1;
  }

  /** Places of the texts that stand for a raw tool: all of it, its name, and its name with its parameters. */
  placesOfTool(serverId: string, tool: Record<string, unknown>): number[] {
    const {
      name,
      inputSchema = {},
      ...about
    } = tool as { name: string; inputSchema?: JsonObject; description?: string };
    const texts = embeddingTexts({ ...about, serverId, toolName: name, inputSchema });
    return [...texts, ...textWithParameters(texts, inputSchema)].map((text) => this.placeOf(text));
  }
}

/** The last token, which ends every text, stays. */
function cut(ids: number[]): number[] {
  return ids.length <= maxTokens ? ids : [...ids.slice(0, maxTokens - 1), ids.at(-1) as number];
}

/** One more way of saying what a tool does, to learn from alone: its name and what its parameters are called. */
function textWithParameters(texts: readonly string[], { properties }: JsonObject): string[] {
  const spelt = Object.keys(isJsonObject(properties) ? properties : {})
    .slice(0, maxParameters)
    .map((name) => spell(name).toLowerCase());
  return spelt.length === 0 ? [] : [`${texts.at(-1)}: ${spelt.join(', ')}`];
}
