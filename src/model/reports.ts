/** What one list changed in the catalog. */
export interface IngestReport {
  serverId: string;
  /** False when an unexpected empty list was not believed yet; nothing was changed then. */
  accepted: boolean;
  /** Raw names. */
  added: string[];
  changed: string[];
  removed: string[];
  unchanged: number;
  repaired: number;
  setAside: number;
  /** Raw names of tools that must wait for a person and were not seen like this before; absent where there are none. */
  held?: string[];
}

/** What became of one server in a sync. */
export interface SyncReport {
  server: string;
  state: 'ok' | 'failed' | 'disabled';
  tools: number;
  added: number;
  changed: number;
  removed: number;
  durationMs: number;
  error?: string;
}
