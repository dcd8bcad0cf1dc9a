const numbers = new Intl.NumberFormat('en');
const percents = new Intl.NumberFormat('en', { maximumFractionDigits: 2, roundingMode: 'trunc' });
const times = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const ago = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });

export function formatNumber(value: number): string {
  return numbers.format(value);
}

export function formatPercent(value: number): string {
  return `${percents.format(value)} %`;
}

export function formatScore(value: number): string {
  return value.toFixed(3);
}

export function formatMs(ms: number): string {
  return ms < 1_000 ? `${ms.toFixed(ms < 10 ? 1 : 0)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

export function formatTime(time: string | number): string {
  return times.format(new Date(time));
}

export function formatClock(time: number): string {
  return clock.format(time);
}

export function formatDay(time: number): string {
  return day.format(time);
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** `2 min. ago`, `in 3 hr.` */
export function formatAgo(time: string | number, now = Date.now()): string {
  const ms = new Date(time).getTime() - now;
  const [unit, length] = units.find(([, size]) => Math.abs(ms) >= size) ?? units[3];
  return ago.format(Math.trunc(ms / length), unit);
}

/** `1 tool`, `3 tools` */
export function count(value: number, noun: string): string {
  return `${formatNumber(value)} ${noun}${value === 1 ? '' : 's'}`;
}
