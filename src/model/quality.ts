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

/** What can be said about the tools of a catalog without calling any. For tool owners. */
export interface CatalogQuality {
  /** Faults of definitions, of one server or all. Throws `server_unknown`. */
  lint(options?: { server?: string }): Promise<LintReport>;
}
