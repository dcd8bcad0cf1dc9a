import type { CaseOutcome, JsonObject } from '../../model/index.ts';
import { definitionPolicy } from '../../policy/index.ts';
import type { CatalogCopy } from '../catalog-copy.ts';
import type { ResolvedCase } from './resolve-cases.ts';
import { firstRank, type JudgedCase, judge, rankOf } from './search-cases.ts';

/**
 * How far the text of an adversarial case moves ranks: the same search before and after it goes into the description of its
 * tool, in the copy. The scan that would keep it from models is left out there, and asked for what it finds. `during` runs while
 * the text is in place.
 */
export async function attackCase(
  one: ResolvedCase,
  copy: CatalogCopy,
  during: () => Promise<void> = async () => undefined,
): Promise<JudgedCase> {
  const { inject } = one;
  if (inject === undefined) throw new TypeError(`Case ${one.id} injects nothing.`);
  const before = await copy.search(one.query);
  const poisoned = withText(inject.tool.definition, inject.text);
  await copy.replace(inject.tool, poisoned);
  try {
    const after = await copy.search(one.query);
    await during();
    const judged = judge(one, after);
    const attack = compare(
      one,
      inject,
      before.hits.map(({ name }) => name),
      after.hits.map(({ name }) => name),
    );
    return {
      ...judged,
      outcome: { ...judged.outcome, attack: { ...attack, findings: newFindings(inject.tool.definition, poisoned) } },
    };
  } finally {
    await copy.replace(inject.tool, inject.tool.definition);
  }
}

function withText(definition: JsonObject, text: string): JsonObject {
  const { description } = definition;
  return {
    ...definition,
    description: typeof description === 'string' && description !== '' ? `${description} ${text}` : text,
  };
}

function compare(
  { expect, accept }: ResolvedCase,
  { tool, attack }: NonNullable<ResolvedCase['inject']>,
  before: readonly string[],
  after: readonly string[],
): Omit<NonNullable<CaseOutcome['attack']>, 'findings'> {
  const right = [...expect, ...accept];
  const [rankBefore, rankAfter] = [rankOf(before, tool.exposedName), rankOf(after, tool.exposedName)];
  return {
    attack,
    tool: tool.exposedName,
    ...(rankBefore === undefined ? {} : { rankBefore }),
    ...(rankAfter === undefined ? {} : { rankAfter }),
    overtook: !isAhead(rankBefore, firstRank(before, right)) && isAhead(rankAfter, firstRank(after, right)),
  };
}

function isAhead(rank: number | undefined, other: number | undefined): boolean {
  return rank !== undefined && (other === undefined || rank < other);
}

/** The rules that the text sets off, and the definition did not before. */
function newFindings(before: JsonObject, after: JsonObject): string[] {
  const known = new Set(definitionPolicy.scan(before).map(({ rule }) => rule));
  return definitionPolicy
    .scan(after)
    .map(({ rule }) => rule)
    .filter((rule) => !known.has(rule));
}
