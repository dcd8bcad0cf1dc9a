/** How much a fault of a definition costs whoever reads it: `error` breaks it for some hosts or says what is not so. */
export type LintLevel = 'error' | 'warning' | 'info';

/** One fault of one tool. */
export interface LintFinding {
  /** Permanent code of the rule. */
  rule: string;
  level: LintLevel;
  /** Exposed name. */
  name: string;
  server: string;
  /** Raw name. */
  tool: string;
  /** `name`, `description`, `annotations`, `inputSchema`, or `parameters.` and the path of a parameter (`parameters.filter.ids[]`). */
  field: string;
  /** What is there. */
  message: string;
  /** Why a model trips over it. */
  why: string;
  fix: string;
}

/** What a rule found over the whole catalog. */
export interface LintRuleSummary {
  rule: string;
  title: string;
  findings: number;
  tools: number;
}

export interface LintReport {
  /** Tools that were looked at. */
  tools: number;
  levels: Record<LintLevel, number>;
  /** Rules with findings, most first. */
  rules: LintRuleSummary[];
  /** In catalog order. */
  findings: LintFinding[];
}

export interface CollidingTool {
  /** Exposed name. */
  name: string;
  server: string;
  /** Raw name. */
  tool: string;
  /** First sentence of its description. */
  summary: string;
  /** Words of its name, description and parameters that the other tool has nowhere, most telling first; at most five. */
  apart: string[];
}

/** Two tools that a model may take for one another. */
export interface Collision {
  /** 0–1. */
  score: number;
  /** What the score is made of, each 0–1: `verb` scales the rest. `meaning` is missing where there are no vectors. */
  parts: { verb: number; noun: number; description: number; arguments: number; meaning?: number };
  tools: [CollidingTool, CollidingTool];
}

export interface CollisionOptions {
  /** Only pairs with a tool of this server. */
  server?: string;
  /** Default 20. */
  limit?: number;
}

export interface CollisionReport {
  /** Tools compared. */
  tools: number;
  /** Pairs that were looked at closely, of all that there are. */
  compared: number;
  pairs: number;
  /** Share of tools with a vector, 0–1: without them, tools of other words and the same meaning are missed. */
  vectorShare: number;
  /** Pairs close enough to be told, however many are shown. */
  found: number;
  /** Closest first. */
  collisions: Collision[];
}

/** Files that a person, or a model by the prompt, turns into an evaluation set. */
export interface TaskDraft {
  /** A case file with two boundary tasks for each pair; their queries are to be filled in. */
  cases: string;
  /** For a model: how to write the whole set, with the definitions it is about. */
  prompt: string;
}

export type CaseFormat = 'yaml' | 'jsonl';

/** What can be said about the tools of a catalog without calling any. For tool owners. */
export interface CatalogQuality {
  /** Faults of definitions, of one server or all. Throws `server_unknown`. */
  lint(options?: { server?: string }): Promise<LintReport>;
  /** Tools that are taken for one another. Throws `server_unknown`. */
  collisions(options?: CollisionOptions): Promise<CollisionReport>;
  /** The same pairs as a draft of an evaluation set. Throws `server_unknown`. */
  draftTasks(options?: CollisionOptions & { format?: CaseFormat }): Promise<TaskDraft>;
}
