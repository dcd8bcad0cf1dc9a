import { formatScore } from '../format.ts';

const inWords: Record<string, string> = {
  meaning: 'meaning',
  nameMeaning: 'meaning of the name',
  parameterMeaning: 'meaning of parameters',
  clauses: 'parts of the query',
  keywords: 'shared words',
  coverage: 'words covered',
  synonyms: 'like words',
  nameFit: 'fit of the name',
  server: 'server',
  action: 'action',
  values: 'kinds of values',
  name: 'named in the query',
};

/** The parts of a score, largest first; what counts against the tool points to the left. `scale` is the largest part shown. */
export function ExplainBars({ parts, scale }: { parts: Record<string, number>; scale: number }) {
  const sorted = Object.entries(parts).toSorted(([, a], [, b]) => Math.abs(b) - Math.abs(a));
  return (
    <ul class="explain">
      {sorted.map(([part, value]) => (
        <li key={part}>
          <span class="part">{inWords[part] ?? part}</span>
          <svg viewBox="-100 0 200 8" preserveAspectRatio="none" aria-hidden="true">
            <line x1="0" x2="0" y1="0" y2="8" class="axis" />
            <rect
              x={Math.min(0, share(value, scale))}
              width={Math.abs(share(value, scale))}
              height="8"
              class={value < 0 ? 'bar against' : 'bar for'}
            />
          </svg>
          <span class="value">{formatScore(value)}</span>
        </li>
      ))}
    </ul>
  );
}

/** Large enough for all parts, but those of a name in the query, which outweigh everything. */
export function scaleOf(explained: readonly (Record<string, number> | undefined)[]): number {
  const values = explained.flatMap((parts = {}) => Object.entries(parts).filter(([part]) => part !== 'name'));
  return Math.max(0.001, ...values.map(([, value]) => Math.abs(value)));
}

function share(value: number, scale: number): number {
  return Math.max(-100, Math.min(100, (100 * value) / scale));
}
