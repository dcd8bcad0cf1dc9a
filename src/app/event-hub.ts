import type { ToolcribEvents } from '../model/index.ts';

type Listener<Event extends keyof ToolcribEvents> = (payload: ToolcribEvents[Event]) => void;

/** The events of one toolcrib. A listener that throws does not stop the others. */
export class EventHub {
  readonly #listeners = new Map<keyof ToolcribEvents, Set<Listener<never>>>();

  /** Returns a function that takes the listener away again; calling it twice is harmless. */
  on<Event extends keyof ToolcribEvents>(event: Event, listener: Listener<Event>): () => void {
    const listeners = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, listeners);
    listeners.add(listener as Listener<never>);
    return () => listeners.delete(listener as Listener<never>);
  }

  emit<Event extends keyof ToolcribEvents>(event: Event, payload: ToolcribEvents[Event]): void {
    for (const listener of [...(this.#listeners.get(event) ?? [])]) {
      try {
        (listener as Listener<Event>)(payload);
      } catch {
        // The fault is the listener's own; nobody here could mend it, and the next one must still hear.
      }
    }
  }

  clear(): void {
    this.#listeners.clear();
  }
}
