import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const dir = fileURLToPath(new URL('../../index-data', import.meta.url));

/** Words apart by one space, lower case, ASCII: as `wordsOf` would leave what a person types. */
const words = z.string().regex(/^[a-z0-9'-]+( [a-z0-9'-]+)*$/);
const word = words.regex(/^[^ ]+$/);
const phrase = words.regex(/^[^ ]+( [^ ]+){1,4}$/);
const targets = z.array(word).min(1).max(4);

const vocabularySchema = z.strictObject({
  about: z.string(),
  verbs: z
    .array(
      z.strictObject({
        class: word,
        words,
        phrases: z.array(phrase),
        polarity: z.enum(['read', 'write', 'delete']),
      }),
    )
    .min(25),
  synonyms: z
    .array(z.strictObject({ to: targets, from: words, weight: z.number().positive().lt(1).optional() }))
    .min(450),
  phrases: z.array(z.strictObject({ from: phrase, to: targets })).min(250),
});

const lexiconSchema = z.object({ entries: z.array(z.object({ en: z.string() })).min(400) });

function read(file: string): unknown {
  return JSON.parse(readFileSync(join(dir, file), 'utf8'));
}

function repeated(values: readonly string[]): string[] {
  return values.filter((value, index) => values.indexOf(value) !== index);
}

describe('vocabulary.json', () => {
  const { verbs, synonyms, phrases } = vocabularySchema.parse(read('vocabulary.json'));

  it('has each class of verbs once, and each word once in a class', () => {
    expect(repeated(verbs.map((verb) => verb.class))).toEqual([]);
    for (const verb of verbs) {
      expect(repeated(verb.words.split(' ')), verb.class).toEqual([]);
      expect(repeated(verb.phrases), verb.class).toEqual([]);
    }
  });

  it('names each class by one of its words', () => {
    for (const verb of verbs) expect(verb.words.split(' ')).toContain(verb.class);
  });

  it('has each everyday word or phrase in one entry', () => {
    expect(repeated([...synonyms.flatMap(({ from }) => from.split(' ')), ...phrases.map(({ from }) => from)])).toEqual(
      [],
    );
  });

  it('leads from no word to itself alone, and to no word twice', () => {
    for (const { from, to } of [...synonyms, ...phrases]) {
      expect(repeated(to), from).toEqual([]);
      for (const word of from.split(' ')) expect(to.join(' '), from).not.toBe(word);
    }
  });
});

describe('lexicon.json', () => {
  const { entries } = lexiconSchema.parse(read('lexicon.json'));

  it('has each English word in one entry', () => {
    expect(repeated(entries.map(({ en }) => en))).toEqual([]);
  });
});
