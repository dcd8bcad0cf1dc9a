import { signal } from '@preact/signals';
import { goTo, linkTo } from './route.ts';

/** What a key does, for the help. */
export const keyHelp = [
  ['/', 'search'],
  ['g o', 'overview'],
  ['g s', 'search'],
  ['g t', 'tools'],
  ['g a', 'approvals'],
  ['g l', 'record'],
  ['j k', 'next, previous entry'],
  ['?', 'this help'],
] as const;

export const isHelpOpen = signal(false);

const views: Record<string, string> = { o: '', s: 'search', t: 'tools', a: 'approvals', l: 'log' };
/** Entries of a list that `j` and `k` move through. */
const entries = '.hits a, .rows a, .table th a, .card > p:first-child a';
/** The second key has to follow while one still thinks of the first. */
const chordMs = 1_500;

/** The keys of the page; none of them is taken from a field that is typed in, nor from the browser. */
export function listenToKeys(): void {
  let chordUntil = 0;
  addEventListener('keydown', (event) => {
    const { key, target } = event;
    if (key === 'Escape') isHelpOpen.value = false;
    if (event.ctrlKey || event.metaKey || event.altKey || isTypedIn(target)) return;
    const view = Date.now() < chordUntil ? views[key] : undefined;
    chordUntil = key === 'g' ? Date.now() + chordMs : 0;
    if (view !== undefined) goTo(linkTo(view));
    else if (key === '/') focusSearch();
    else if (key === '?') isHelpOpen.value = !isHelpOpen.peek();
    else if (key === 'j' || key === 'k') moveFocus(key === 'j' ? 1 : -1);
    else return;
    event.preventDefault();
  });
}

function isTypedIn(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select');
}

function focusSearch(): void {
  if (focusFirst()) return;
  goTo(linkTo('search'));
  focusOnceShown(framesWaited);
}

/** The view is drawn after the address has changed: whoever presses the key wants to type there, not beside it. */
function focusOnceShown(frames: number): void {
  requestAnimationFrame(() => {
    if (!focusFirst() && frames > 0) focusOnceShown(frames - 1);
  });
}

/** About a second. */
const framesWaited = 60;

function focusFirst(): boolean {
  const field = document.querySelector<HTMLElement>('[data-focus-first]');
  field?.focus();
  return field !== null;
}

function moveFocus(step: number): void {
  const all = [...document.querySelectorAll<HTMLElement>(entries)];
  const at = all.indexOf(document.activeElement as HTMLElement);
  const next = at === -1 ? (step === 1 ? 0 : all.length - 1) : at + step;
  all[next]?.focus();
}
