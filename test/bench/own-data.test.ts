import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import addFormatsModule from 'ajv-formats';
import { stemmer } from 'stemmer';
import { describe, expect, it } from 'vitest';
import { loadQueries } from '../../bench/data/load-queries.ts';
import { loadTools } from '../../bench/data/load-tools.ts';

interface ToolRow {
  id: string;
  server: string;
  name: string;
  description?: string;
  inputSchema: Record<string, unknown>;
  annotations?: Record<string, unknown>;
}

interface QueryRow {
  id: string;
  query: string;
  lang: string;
  category: string;
  gold: { tool: string; grade: number }[];
  need?: string[][];
}

const folder = new URL('../../bench/own/', import.meta.url);
const toolFile = fileURLToPath(new URL('tools.jsonl', folder));
const queryFile = fileURLToPath(new URL('queries.jsonl', folder));
const readme = readFileSync(new URL('README.md', folder), 'utf8');
const tools = rowsOf<ToolRow>(toolFile);
const queries = rowsOf<QueryRow>(queryFile);
const toolById = new Map(tools.map((tool) => [tool.id, tool]));
const stopWords = stopWordsOf(new URL('../../index-data/stop-words.json', import.meta.url));

describe('tools of the own set', () => {
  it('are as many as the page says', () => {
    const servers = new Set(tools.map(({ server }) => server));
    expect(readme).toContain(`${tools.length} tools of ${servers.size} invented servers`);
  });

  it('have ids that are server/name, each once', () => {
    expect(tools.filter(({ id, server, name }) => id !== `${server}/${name}`)).toEqual([]);
    expect(repeated(tools.map(({ id }) => id))).toEqual([]);
    expect(repeated(tools.map(({ server, name }) => `${server}/${name}`.toLowerCase()))).toEqual([]);
  });

  it('stand together by server', () => {
    const order = tools.map(({ server }) => server).filter((server, index, all) => server !== all[index - 1]);
    expect(repeated(order)).toEqual([]);
  });

  it('have no fields but those of the format, and annotations that MCP knows', () => {
    const known = ['id', 'server', 'name', 'description', 'inputSchema', 'annotations'];
    const hints = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint', 'title'];
    expect(tools.flatMap((tool) => Object.keys(tool)).filter((key) => !known.includes(key))).toEqual([]);
    expect(
      tools.flatMap(({ annotations }) => Object.keys(annotations ?? {})).filter((key) => !hints.includes(key)),
    ).toEqual([]);
    expect(tools.filter(({ description }) => description === '')).toEqual([]);
  });

  it('take an object, by a schema that is valid by itself', () => {
    // Formats and keywords that ajv does not know would pass unseen in lax mode.
    const ajv = new Ajv({ strict: true, strictTypes: false, strictRequired: true });
    addFormatsModule.default(ajv);
    for (const { id, inputSchema } of tools) {
      expect(inputSchema.type, id).toBe('object');
      expect(() => ajv.compile(inputSchema), id).not.toThrow();
    }
  });
});

describe('queries of the own set', () => {
  it('have the shares of categories that the page tells, and at least those that make them worth measuring', () => {
    const least: Record<string, number> = {
      task: 60,
      paraphrase: 40,
      name: 15,
      misspelt: 15,
      boundary: 30,
      param: 15,
      multi: 20,
      nonenglish: 28,
      keywords: 15,
      none: 25,
    };
    const counts = new Map<string, number>();
    for (const { category } of queries) counts.set(category, (counts.get(category) ?? 0) + 1);
    expect([...counts.keys()].sort()).toEqual(Object.keys(least).sort());
    for (const [category, count] of counts) {
      expect(count, category).toBeGreaterThanOrEqual(least[category] ?? 0);
      expect(readme).toMatch(new RegExp(`^\\| ${category} +\\| +${count} \\|`, 'm'));
    }
    expect(readme).toContain(`${queries.length} queries`);
  });

  it('have ids of category and number, each once', () => {
    expect(queries.filter(({ id, category }) => !new RegExp(`^${category}-\\d{2,}$`).test(id))).toEqual([]);
    expect(repeated(queries.map(({ id }) => id))).toEqual([]);
  });

  it('have no text twice', () => {
    const plain = (text: string) =>
      text
        .toLowerCase()
        .replace(/[^\p{L}\p{N}]+/gu, ' ')
        .trim();
    expect(repeated(queries.map(({ query }) => plain(query)))).toEqual([]);
  });

  it('name existing tools, each once, with grade 1 or 2', () => {
    for (const { id, gold } of queries) {
      expect(
        gold.filter(({ tool }) => !toolById.has(tool)),
        id,
      ).toEqual([]);
      expect(
        gold.filter(({ grade }) => grade !== 1 && grade !== 2),
        id,
      ).toEqual([]);
      expect(repeated(gold.map(({ tool }) => tool)), id).toEqual([]);
    }
  });

  it('have a right tool, unless the category is none', () => {
    for (const { id, category, gold } of queries) {
      if (category === 'none') expect(gold, id).toEqual([]);
      else
        expect(
          gold.some(({ grade }) => grade === 2),
          id,
        ).toBe(true);
    }
  });

  it('list the steps of exactly those with several: two or three, made of all grade-2 tools', () => {
    for (const { id, category, gold, need } of queries) {
      expect(need !== undefined, id).toBe(category === 'multi');
      if (need === undefined) continue;
      expect([2, 3], id).toContain(need.length);
      const right = gold.filter(({ grade }) => grade === 2).map(({ tool }) => tool);
      expect(need.flat().sort(), id).toEqual(right.sort());
    }
  });

  it('are in seven other languages, at least four each, and marked so', () => {
    const other = queries.filter(({ category }) => category === 'nonenglish');
    for (const lang of ['ko', 'ja', 'zh', 'es', 'de', 'fr', 'pt']) {
      expect(other.filter((row) => row.lang === lang).length, lang).toBeGreaterThanOrEqual(4);
    }
    expect(other.filter(({ lang }) => lang === 'en')).toEqual([]);
    expect(queries.filter(({ category, lang }) => !['nonenglish', 'none'].includes(category) && lang !== 'en')).toEqual(
      [],
    );
    const scripts: Record<string, RegExp> = {
      ko: /\p{Script=Hangul}/u,
      ja: /\p{Script=Hiragana}|\p{Script=Katakana}/u,
      zh: /\p{Script=Han}/u,
    };
    for (const { id, lang, query } of queries) {
      expect(Object.keys(scripts).find((key) => scripts[key]?.test(query)) ?? 'latin', id).toBe(
        lang in scripts ? lang : 'latin',
      );
    }
  });

  it('that paraphrase share no stem with name or description of a right tool', () => {
    for (const { id, query, gold } of queries.filter(({ category }) => category === 'paraphrase')) {
      for (const { tool, grade } of gold) {
        if (grade !== 2) continue;
        const { name, description = '' } = toolById.get(tool) as ToolRow;
        const theirs = stemsOf(`${name} ${description}`);
        expect(
          [...stemsOf(query)].filter((stem) => theirs.has(stem)),
          `${id}: ${tool}`,
        ).toEqual([]);
      }
    }
  });

  it('by name hold the name, and misspelt ones nearly', () => {
    const letters = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '');
    for (const { id, category, query, gold } of queries) {
      const name = letters(toolById.get(gold[0]?.tool ?? '')?.name ?? '');
      if (category === 'name') expect(letters(query), id).toContain(name);
      if (category !== 'misspelt') continue;
      expect(letters(query), id).not.toBe(name);
      expect(Math.abs(letters(query).length - name.length), id).toBeLessThanOrEqual(2);
      expect(toolById.has(query), id).toBe(false);
    }
  });

  it('are read by the bench with the groups meant', () => {
    const read = loadQueries(queryFile);
    expect(read.map(({ id }) => id)).toEqual(queries.map(({ id }) => id));
    expect(read.filter(({ groups }) => groups.length === 0).map(({ category }) => category)).toEqual(
      queries.filter(({ category }) => category === 'none').map(({ category }) => category),
    );
    expect(loadTools(toolFile).toolCount).toBe(tools.length);
  });
});

function rowsOf<Row>(file: string): Row[] {
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Row);
}

function repeated(values: string[]): string[] {
  return values.filter((value, index) => values.indexOf(value) !== index);
}

function stopWordsOf(file: URL): Set<string> {
  const lists = Object.values(JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>);
  return new Set(lists.filter((list) => Array.isArray(list)).flat() as string[]);
}

/** Stems of the words that carry a topic, of prose or of an identifier in any style. */
function stemsOf(text: string): Set<string> {
  const words = text
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .match(/[a-z]+|\d+/g);
  return new Set((words ?? []).filter((word) => !stopWords.has(word)).map((word) => stemmer(word)));
}
