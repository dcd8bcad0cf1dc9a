import type { Finding, ToolId } from '../../model/index.ts';
import { foldLookAlikes } from './fold-text.ts';

const otherNameMaxChars = 60;

/**
 * What a name looks like (after Unicode TS 39): letters of other scripts as the Latin ones they resemble, and one sign for
 * each of i/l/1/I, o/0, m/rn, w/vv. Names of equal skeleton are hard to tell apart.
 */
export function nameSkeleton(name: string): string {
  return foldLookAlikes(name.replace(/[|1]/g, 'l').replace(/0/g, 'o'))
    .replace(/i/g, 'l')
    .replace(/rn/g, 'm')
    .replace(/vv/g, 'w');
}

/**
 * The finding where `name` imitates the tool of another server whose name has the same skeleton. Of the two, the one with
 * the odder letters is the imitation; where they are alike in that, the one that was seen later.
 */
export function shadowingFinding(name: string, other: ToolId, isSeenLater: boolean): Finding | undefined {
  if (spelling(name) === spelling(other.toolName)) return undefined;
  const odder = oddness(name) - oddness(other.toolName);
  if (odder < 0 || (odder === 0 && !isSeenLater)) return undefined;
  return {
    rule: 'shadowed_name',
    level: 'high',
    reason: 'Its name looks like that of a tool of another server, with other letters.',
    where: '/name',
    excerpt: `${other.serverId}: ${other.toolName}`.replace(/\p{C}/gu, '').slice(0, otherNameMaxChars),
  };
}

/** Names that differ in case alone are one name in two styles. */
function spelling(name: string): string {
  return name.toLowerCase();
}

function oddness(name: string): number {
  const foreign = name.match(/[^\p{ASCII}]/gu)?.length ?? 0;
  const stand = name.match(/[01|I]|rn|vv/g)?.length ?? 0;
  return foreign * foreignWeight + stand;
}

/** A letter of another script is odder than any number of digits. */
const foreignWeight = 1_000;
