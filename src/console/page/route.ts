import { signal } from '@preact/signals';

/** Where the page is: kept behind the `#`, so that links, history and bookmarks work and no server is asked. */
export interface Route {
  view: string;
  /** What the view is about, as the name of a tool. */
  subject: string;
  query: URLSearchParams;
  /** Grows with each link that is followed: the view then begins anew. */
  visit: number;
}

export const route = signal<Route>(readRoute(0));

/** The address of a view, for links. */
export function linkTo(view: string, subject = '', query: Record<string, string> = {}): string {
  const path = subject === '' ? view : `${view}/${encodeURIComponent(subject)}`;
  const search = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== '')).toString();
  return `#/${path}${search === '' ? '' : `?${search}`}`;
}

export function goTo(address: string): void {
  location.hash = address.slice(1);
}

/**
 * Puts the state of the view into its address, without an entry in the history for each key that is pressed. Does nothing
 * when a link was just followed and the page is still to be told.
 */
export function remember(query: Record<string, string>): void {
  if (location.hash !== shown) return;
  const { view, subject } = route.peek();
  history.replaceState(null, '', linkTo(view, subject, query));
  shown = location.hash;
}

let shown = location.hash;

addEventListener('hashchange', () => {
  shown = location.hash;
  route.value = readRoute(route.peek().visit + 1);
});

function readRoute(visit: number): Route {
  const [path = '', search = ''] = location.hash.replace(/^#\/?/, '').split('?', 2);
  const [view = '', subject = ''] = path.split('/', 2);
  return { view, subject: decode(subject), query: new URLSearchParams(search), visit };
}

/** An address may be typed by hand. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
