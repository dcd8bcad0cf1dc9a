import { formatAgo, formatTime } from '../format.ts';

/** How long ago, and the time itself for those who point at it. */
export function Time({ at }: { at: string | number }) {
  return (
    <time dateTime={new Date(at).toISOString()} title={formatTime(at)}>
      {formatAgo(at)}
    </time>
  );
}
