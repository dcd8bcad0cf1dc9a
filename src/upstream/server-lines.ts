import type { ServerSpec } from '../model/index.ts';
import { CallLane, type CallLaneDeps } from './call-lane.ts';
import { CallerLines, type Line } from './caller-lines.ts';
import { Link, type LinkDeps } from './link.ts';
import { defaultPrincipal } from './running-call.ts';

/** `onState`, `onConnected`, `onEnded` and `idleTimeoutMs` are of the shared line alone. */
export type ServerLinesDeps = Omit<LinkDeps, 'onElicitation' | 'onElicitationComplete'> &
  Pick<CallLaneDeps, 'parked' | 'ready'>;

/** The lines to one server: a shared one and, with `isolation: "perCaller"`, one for the calls of each caller. */
export class ServerLines {
  /** Serves the lists. */
  readonly shared: Link;
  readonly #lane: CallLane;
  readonly #callers: CallerLines | undefined;

  constructor(spec: ServerSpec, deps: ServerLinesDeps) {
    const { link, lane } = openLine(spec, deps);
    this.shared = link;
    this.#lane = lane;
    if (spec.isolation === 'perCaller') {
      // `CallerLines` ends those that are idle.
      const own = { ...deps, onState: () => {}, onConnected: () => {}, onEnded: () => {}, idleTimeoutMs: 0 };
      this.#callers = new CallerLines(spec.id, () => openLine(spec, own));
    }
  }

  /** Runs `use` on the line that serves this caller. Throws like `CallerLines.use`. */
  use<T>(principal: string | undefined, use: (lane: CallLane) => Promise<T>): Promise<T> {
    return this.#callers === undefined ? use(this.#lane) : this.#callers.use(principal ?? defaultPrincipal, use);
  }

  async close(): Promise<void> {
    await Promise.all([this.shared.close(), this.#callers?.close()]);
  }
}

function openLine(spec: ServerSpec, deps: ServerLinesDeps): Line {
  const lane = new CallLane(spec, () => link, deps);
  const link: Link = new Link(spec, {
    ...deps,
    onEnded: (end) => {
      lane.lineEnded();
      deps.onEnded(end);
    },
    onElicitation: (params, signal) => lane.elicit(params, signal),
    onElicitationComplete: (id) => lane.elicitationComplete(id),
  });
  return { link, lane };
}
