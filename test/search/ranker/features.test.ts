import { describe, expect, it } from 'vitest';
import type { KeywordColumn, ToolName } from '../../../src/model/index.ts';
import { readQuery } from '../../../src/search/query/read-query.ts';
import type { Candidate, CandidateCosines } from '../../../src/search/ranker/candidates.ts';
import type { Features } from '../../../src/search/ranker/feature-names.ts';
import { candidateFeatures } from '../../../src/search/ranker/features.ts';
import { decodeProfile, encodeProfile, type ToolProfile } from '../../../src/search/ranker/tool-profile.ts';
import { tokenize } from '../../../src/search/text/tokenize.ts';

const statistics = { documents: 1_000, frequencyOf: (term: string) => (term === 'nowher' ? 0 : 10) };

function candidate(
  serverId: string,
  toolName: string,
  texts: Partial<Record<KeywordColumn, string>> = {},
  cosine?: number,
): Candidate {
  const name: ToolName = { key: 1, serverId, toolName, exposedName: `${serverId}__${toolName}`, status: 'ok' };
  const tokens = (text = '') => tokenize(text).join(' ');
  const bytes = encodeProfile(serverId, {
    name: tokens(toolName),
    title: tokens(texts.title),
    description: tokens(texts.description),
    parameters: tokens(texts.parameters),
    server: tokens(serverId),
  });
  const profile = decodeProfile(bytes) as ToolProfile;
  return { toolKey: 1, name, profile, cosines: cosine === undefined ? undefined : cosinesOf(cosine) };
}

function cosinesOf(cosine: number): CandidateCosines {
  return {
    whole: cosine,
    name: cosine,
    clauses: [],
    nameOfClause: cosine,
  };
}

function read(query: string, ...candidates: Candidate[]): Features[] {
  return candidateFeatures(readQuery(query), candidates, statistics).map(({ features }) => features);
}

describe('candidateFeatures', () => {
  it('gives shares of the words that a tool holds, and where', () => {
    const [both, one, none] = read(
      'create issue',
      candidate('hub', 'create_issue'),
      candidate('hub', 'make_thing', { description: 'Something about an issue.' }),
      candidate('hub', 'other'),
    );
    expect(both).toMatchObject({ coverage: 1, nameCoverage: 1, descriptionCoverage: 0, keywords: 1 });
    expect(one).toMatchObject({ coverage: 0.5, nameCoverage: 0, descriptionCoverage: 0.5 });
    expect(none).toMatchObject({ coverage: 0, keywords: 0 });
  });

  it('counts the words that tools use for those of the query, but less', () => {
    const [exact, synonym, other] = read(
      'sticker',
      candidate('a', 'sticker'),
      candidate('a', 'label'),
      candidate('a', 'thing'),
    );
    expect(exact?.synonymNameCoverage).toBe(1);
    expect(synonym?.synonymNameCoverage).toBeGreaterThan(0);
    expect(synonym?.synonymNameCoverage).toBeLessThan(1);
    expect(other?.synonymNameCoverage).toBe(0);
  });

  it('tells what a tool does from what it was asked for', () => {
    const [creates, deletes] = read('create an issue', candidate('a', 'create_issue'), candidate('a', 'delete_issue'));
    expect(creates).toMatchObject({ firstVerbMatch: 1, polarityClash: 0, deletesUnasked: 0 });
    expect(deletes).toMatchObject({ firstVerbMatch: 0, polarityClash: 1, deletesUnasked: 1 });
    expect(read('delete the issue', candidate('a', 'delete_issue'))[0]).toMatchObject({ deletesUnasked: 0 });
  });

  it('knows when a server is named, and lets its tools share in its best hit', () => {
    const [named, other] = read('github issue', candidate('github', 'list_issues'), candidate('jira', 'list_boards'));
    expect(named).toMatchObject({ serverNamed: 1, serverKeywords: 1 });
    expect(other).toMatchObject({ serverNamed: 0, serverKeywords: 0 });
  });

  it('sees that a tool takes the kind of value that is given', () => {
    const query = 'open https://example.org';
    const [takes, not] = read(
      query,
      candidate('a', 'open', { parameters: 'url The page' }),
      candidate('a', 'open', { parameters: 'count' }),
    );
    expect(takes?.takesUrl).toBe(1);
    expect(not?.takesUrl).toBe(0);
    expect(read('open the page', candidate('a', 'open', { parameters: 'url' }))[0]?.takesUrl).toBe(0);
  });

  it('gives a tool without a vector such cosines as its words deserve', () => {
    const [near, far, fresh, freshOther] = read(
      'create issue',
      candidate('a', 'create_issue', {}, 0.8),
      candidate('a', 'thing', {}, 0.1),
      candidate('a', 'create_issue'),
      candidate('a', 'unrelated'),
    );
    expect(near?.cosine).toBe(0.8);
    expect(far?.cosine).toBe(0.1);
    expect(fresh?.cosine).toBeCloseTo(0.8);
    expect(freshOther?.cosine).toBeCloseTo(0.1);
  });

  it('has no cosine at all where no tool has a vector', () => {
    expect(read('create issue', candidate('a', 'create_issue'))[0]).toMatchObject({ cosine: 0, clauseCosine: 0 });
  });

  it('measures each clause by its own best tool', () => {
    const query = 'read the mail. translate the text.';
    const first = {
      ...candidate('a', 'read_mail'),
      cosines: { ...cosinesOf(0.5), clauses: [0.9, 0.1] },
    };
    const second = {
      ...candidate('a', 'translate_text'),
      cosines: { ...cosinesOf(0.3), clauses: [0.1, 0.6] },
    };
    const third = {
      ...candidate('a', 'other'),
      cosines: { ...cosinesOf(0.4), clauses: [0.5, 0.4] },
    };
    const [forFirst, forSecond, forNone] = read(query, first, second, third);
    expect(forFirst?.clauseCosine).toBe(0);
    expect(forSecond?.clauseCosine).toBe(0);
    expect(forNone?.clauseCosine).toBeCloseTo(-0.2);
  });

  it('gains little from words said over and over', () => {
    const [plain, stuffed] = read(
      'create issue',
      candidate('a', 'create_issue', { description: 'Creates an issue.' }),
      candidate('b', 'prize', { description: 'create issue '.repeat(500) }),
    );
    expect(stuffed?.keywords).toBeLessThan(plain?.keywords ?? 0);
    for (const value of Object.values(stuffed ?? {})) expect(Math.abs(value)).toBeLessThanOrEqual(2);
  });
});
