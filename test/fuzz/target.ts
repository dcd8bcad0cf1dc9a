import type fc from 'fast-check';

/** One way into toolcrib that anybody may send anything through. */
export interface FuzzTarget<Case = unknown> {
  name: string;
  cases: fc.Arbitrary<Case>;
  /** Puts one case in; rejects when what comes back is not as it should be. */
  run(value: Case): Promise<void>;
  close(): Promise<void>;
}

/** Throws unless `holds`. */
export function must(holds: unknown, what: string): asserts holds {
  if (!holds) throw new Error(what);
}
