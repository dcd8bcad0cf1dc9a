import { signal } from '@preact/signals';
import type { Topic, Waiting } from '../shapes.ts';
import { get } from './api.ts';

/** How often each kind of thing has changed since the page was opened. */
export const changes = signal<Record<Topic, number>>({ servers: 0, tools: 0, approvals: 0, log: 0 });
export const isLive = signal(false);
/** How many things wait for a person, for the navigation. */
export const waiting = signal<Waiting>({ calls: 0, definitions: 0 });

/** Follows what changes for as long as the page is open; the browser connects again by itself. */
export function follow(): void {
  const source = new EventSource('api/live');
  source.onopen = () => {
    // What happened in between is not told again.
    if (!isLive.peek()) tell(['servers', 'tools', 'approvals', 'log']);
    isLive.value = true;
  };
  source.onerror = () => {
    isLive.value = false;
  };
  source.onmessage = ({ data }: MessageEvent<string>) => tell(JSON.parse(data) as Topic[]);
}

function tell(topics: readonly Topic[]): void {
  const counts = { ...changes.peek() };
  for (const topic of topics) counts[topic] += 1;
  changes.value = counts;
  if (topics.includes('approvals') || topics.includes('tools')) void countWaiting();
}

async function countWaiting(): Promise<void> {
  waiting.value = await get<Waiting>('waiting').catch(() => waiting.peek());
}
