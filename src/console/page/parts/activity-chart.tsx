import type { Activity } from '../../shapes.ts';
import { count, formatClock, formatDay } from '../format.ts';

const width = 1000;
const height = 120;
const gap = 8;
const dayMs = 86_400_000;

/** Calls over time, those that failed at the foot of each bar. */
export function ActivityChart({ activity }: { activity: Activity }) {
  const { from, to, stretchMs, stretches } = activity;
  const most = Math.max(1, ...stretches.map(({ calls }) => calls));
  const step = width / ((to - from) / stretchMs);
  const sum = (of: 'calls' | 'failures') => stretches.reduce((total, stretch) => total + stretch[of], 0);
  const summary = `${count(sum('calls'), 'call')}, ${sum('failures')} of them failed`;
  const label = to - from > dayMs ? formatDay : formatClock;
  return (
    <figure class="activity">
      <p class="figure">
        <strong>{count(sum('calls'), 'call')}</strong>{' '}
        <span class={sum('failures') > 0 ? 'bad-text' : 'muted'}>{sum('failures')} failed</span>
      </p>
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img" aria-label={summary}>
        <line x1="0" x2={width} y1={height - 0.5} y2={height - 0.5} class="axis" />
        {stretches.map(({ start, calls, failures }) => {
          const x = ((start - from) / stretchMs) * step + gap / 2;
          const full = (calls / most) * (height - 4);
          const failed = (failures / most) * (height - 4);
          return (
            <g key={start}>
              <title>{`${label(start)}: ${count(calls, 'call')}, ${failures} failed`}</title>
              <rect x={x} width={step - gap} y={height - full} height={full - failed} class="bar calls" />
              <rect x={x} width={step - gap} y={height - failed} height={failed} class="bar failures" />
            </g>
          );
        })}
      </svg>
      <figcaption class="muted scale">
        <span>{label(from)}</span>
        <span>{label((from + to) / 2)}</span>
        <span>{label(to)}</span>
      </figcaption>
    </figure>
  );
}
