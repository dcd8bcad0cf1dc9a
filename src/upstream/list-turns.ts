import type { IngestReport, ListMeta } from '../model/index.ts';
import { closed } from './call-tool.ts';
import { RelistSchedule } from './relist-schedule.ts';

export type ListTrigger = ListMeta['trigger'];

export interface ListTurnsDeps {
  serverId: string;
  /** Aborted when toolcrib closes. */
  closing: AbortSignal;
  fetchList: (trigger: ListTrigger) => Promise<IngestReport>;
}

/**
 * The lists of one server, one at a time: whoever asks meanwhile shares the one under way, and notices of change lead to one
 * more.
 */
export class ListTurns {
  readonly #deps: ListTurnsDeps;
  readonly #relist = new RelistSchedule(() => this.takeInBackground('list_changed'));
  #current: Promise<IngestReport> | undefined;
  #next: Promise<IngestReport> | undefined;

  constructor(deps: ListTurnsDeps) {
    this.#deps = deps;
  }

  /** The list under way. */
  get current(): Promise<IngestReport> | undefined {
    return this.#current;
  }

  /** Rejects with `closed`, and with what `fetchList` rejects with. */
  take(trigger: ListTrigger): Promise<IngestReport> {
    const { serverId, closing, fetchList } = this.#deps;
    if (closing.aborted) return Promise.reject(closed(serverId, false));
    if (this.#current !== undefined) return trigger === 'list_changed' ? this.#takeNext(this.#current) : this.#current;
    this.#relist.listStarted();
    let outcome: 'changed' | 'idle' | 'other' = 'other';
    this.#current = fetchList(trigger)
      .then((report) => {
        if (hasChanges(report)) outcome = 'changed';
        else if (trigger === 'list_changed') outcome = 'idle';
        return report;
      })
      .finally(() => {
        this.#current = undefined;
        this.#relist.listEnded(outcome);
      });
    return this.#current;
  }

  takeInBackground(trigger: ListTrigger): void {
    void this.take(trigger).catch(() => {});
  }

  /** The server says that its tools changed. */
  notice(): void {
    this.#relist.notice();
  }

  /** True while a notice waits for its list. */
  get hasNotice(): boolean {
    return this.#relist.isPending;
  }

  dropNotices(): void {
    this.#relist.stop();
  }

  /** The list under way may have been taken before the change. However many wait, one more list serves them all. */
  #takeNext(current: Promise<IngestReport>): Promise<IngestReport> {
    const next = () => {
      this.#next = undefined;
      return this.take('list_changed');
    };
    this.#next ??= current.then(next, next);
    return this.#next;
  }
}

export function hasChanges({ added, changed, removed }: IngestReport): boolean {
  return added.length + changed.length + removed.length > 0;
}
