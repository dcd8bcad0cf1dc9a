import type { ToolSet } from '../data/load-tools.ts';

export const productArms = ['hybrid', 'lexical', 'embedding'] as const;
const comparisonArms = ['fts5', 'flexsearch', 'minisearch'] as const;
/** Everything that `--arm` and suites accept. */
export const armNames = [...productArms, ...comparisonArms] as const;

export type ProductArmName = (typeof productArms)[number];
export type ArmName = (typeof armNames)[number];

/** One ranking under test. `index` is called once, before any search. */
export interface Arm {
  readonly name: ArmName;
  /** Resolves when searches see every tool of the set, vectors included. */
  index(toolSet: ToolSet): Promise<void>;
  /** At most `limit` answers, 1–20. A query without any searchable word finds nothing and never throws. */
  search(query: string, limit: number): Promise<ArmAnswer>;
  /** Frees files and processes. May be called twice. */
  close(): Promise<void>;
}

export interface ArmAnswer {
  /** Label ids, best first, each once. */
  ranked: string[];
  /** Score of the best answer, higher is better; its scale is the arm's own. Absent where the arm has none. */
  topScore?: number;
  /** Absent for arms that do not judge their answers. */
  confidence?: 'strong' | 'weak';
}
