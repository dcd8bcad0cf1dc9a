import type { AuditEntry } from './audit.ts';
import type { JsonObject } from './json.ts';
import type { ToolDefinition } from './tool.ts';
import type { FieldChange } from './trust.ts';

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

/**
 * - `task`: the tool that does it is to be found.
 * - `boundary`: the same, where another tool is easily taken for it.
 * - `missing_context`: the user left out what the tool needs; a model is to ask.
 * - `none`: no tool does it.
 * - `adversarial`: the text of another tool tries to be chosen.
 */
export type CaseKind = 'task' | 'boundary' | 'missing_context' | 'none' | 'adversarial';

/** A file of cases: JSON Lines, or YAML where its name ends in `.yaml` or `.yml`. */
export interface CaseFile {
  /** For messages, and to tell the format. */
  name: string;
  text: string;
}

/** Shares of the expected tools among the first so many hits, 0–1. */
export type Recall = Record<'1' | '3' | '5' | '10', number>;

export interface CaseFigures {
  cases: number;
  /** Absent for `none`. */
  recall?: Recall;
  /** Of cases that name tools under `not`: share in which one of them came before the right one. */
  taken?: number;
  /** Of `none`: share whose answer was marked weak, and share without any hit. */
  weak?: number;
  empty?: number;
}

/** What an adversarial text did to the ranks, over all cases of one kind of attack. */
export interface AttackFigures {
  attack: string;
  cases: number;
  /** Places that the tool with the text rose, on average. */
  meanRise: number;
  /** Share in which it came before every expected tool and had not before. */
  overtook: number;
  /** Share in which the scan of definitions finds the text. */
  flagged: number;
}

/** How one case went in search. */
export interface CaseOutcome {
  id: string;
  kind: CaseKind;
  query: string;
  file: string;
  line: number;
  /** Exposed names. */
  expected: string[];
  /** Place of the first right tool, from 1; absent where it is not among the first 20. */
  rank?: number;
  /** The first hits, at most five. */
  found: string[];
  confidence: 'strong' | 'weak';
  /** Whether a tool named under `not` came before the right one; absent where none is named. */
  taken?: boolean;
  attack?: {
    attack: string;
    tool: string;
    rankBefore?: number;
    rankAfter?: number;
    overtook: boolean;
    findings: string[];
  };
}

/** A tool that came first in place of the right one, and how often. */
export interface Confusion {
  expected: string;
  got: string;
  cases: string[];
}

export interface EvaluationFigures {
  cases: number;
  /** Over all cases that have an answer. */
  recall: Recall;
  kinds: Partial<Record<CaseKind, CaseFigures>>;
  attacks: AttackFigures[];
}

/** How a model decided, seeing only what toolcrib would show it. Nothing was called. */
export interface ModelChoice {
  id: string;
  kind: CaseKind;
  verdict: 'right' | 'wrong' | 'failed';
  /** The tool it would have called, as it named it. */
  chose?: string;
  arguments?: JsonObject;
  /** Whether these fit the input schema. */
  argumentsFit?: boolean;
  /** It ended with a question to the user. */
  asked: boolean;
  /** As the endpoint counts them; 0 where it does not say. */
  tokens: { input: number; output: number };
  roundTrips: number;
  /** Why the case could not be finished. */
  problem?: string;
}

export interface ModelFigures {
  model: string;
  cases: number;
  /** Share of right decisions among the cases that were finished. */
  right: number;
  kinds: Partial<Record<CaseKind, { cases: number; right: number }>>;
  failed: number;
  tokens: { input: number; output: number };
  roundTrips: number;
}

/** What later runs are compared with. */
export interface EvaluationBaseline {
  baselineVersion: 1;
  figures: EvaluationFigures;
  model?: ModelFigures;
  /** Rank by id; 0 where the right tool was not found. */
  ranks: Record<string, number>;
}

export interface BaselineDifference {
  /** Recall now minus recall then. */
  recall: Recall;
  better: { id: string; before: number; after: number }[];
  worse: { id: string; before: number; after: number }[];
  /** Cases that one of the two runs has not. */
  added: string[];
  removed: string[];
}

export interface EvaluationReport extends EvaluationFigures {
  /** Tools searched, and the share of them with a vector. */
  tools: number;
  vectorShare: number;
  confusions: Confusion[];
  outcomes: CaseOutcome[];
  /** Figures alone: who looks at single cases tunes to them. */
  heldOut?: EvaluationFigures & { model?: ModelFigures };
  model?: ModelFigures & { choices: ModelChoice[] };
  baseline?: BaselineDifference;
}

export interface EvaluateOptions {
  cases: readonly CaseFile[];
  /** Cases that are only counted. */
  heldOut?: readonly CaseFile[];
  /** What `toBaseline` gave of an earlier report. */
  baseline?: unknown;
  /** Runs the cases through the configured model as well. Default false. */
  useModel?: boolean;
  onProgress?: (done: number, of: number) => void;
  /** Ends it between two cases, and what the model endpoint was asked. */
  signal?: AbortSignal;
}

/**
 * - `valid`: the call is to succeed.
 * - `invalid`: its arguments are to be refused.
 * - `unauthorised`: the policy is to stop its caller.
 * - `repeated`: made twice under one idempotency key, it is to be sent once.
 * - `interrupted`: given up while it runs, it is to end at once.
 */
export type ExerciseKind = 'valid' | 'invalid' | 'unauthorised' | 'repeated' | 'interrupted';

/** Calls that are about to be made. */
export interface ExercisePlan {
  calls: number;
  tools: { name: string; calls: number }[];
}

/** How one case went: the rows are its calls, as the record of calls has them. */
export interface ExerciseOutcome {
  id: string;
  kind: ExerciseKind;
  /** Exposed name. */
  tool: string;
  file: string;
  line: number;
  passed: boolean;
  /** What was expected and what came, where it did not pass. */
  problem?: string;
  rows: AuditEntry[];
}

export interface ExerciseReport {
  cases: number;
  passed: number;
  outcomes: ExerciseOutcome[];
}

export interface ExerciseOptions {
  cases: readonly CaseFile[];
  /** Asked once, before the first call; anything but true ends it. These calls are real. */
  confirm(plan: ExercisePlan): Promise<boolean>;
  onProgress?: (done: number, of: number) => void;
  /** Ends it, and the call that runs. */
  signal?: AbortSignal;
}

/** What a host puts before its model, exactly. */
export interface ModelView {
  mode: 'direct' | 'discovery';
  /** Of toolcrib as an MCP server. */
  instructions: string;
  /** Bytes as `tools/list` gives them, in order. */
  tools: ToolDefinition[];
  /** Of `tools` as JSON. */
  tokens: number;
  tokenizer: string;
  /** What `describe_tool` answers, by exposed name; only where asked for. */
  descriptions?: Record<string, string>;
}

export interface ExportOptions {
  /** Default: the mode in force. */
  mode?: ModelView['mode'];
  /** Direct mode: only tools of this server. Also narrows `describe`. */
  server?: string;
  /** Adds what `describe_tool` answers about every tool. Default false. */
  describe?: boolean;
}

/** What is different for a model between two lists. */
export interface ViewDifference {
  added: string[];
  removed: string[];
  changed: { name: string; changes: FieldChange[] }[];
  tokens: { before: number; after: number };
}

/** For tool owners: what can be said about the tools of a catalog without calling any, and `exercise`, which calls. */
export interface CatalogQuality {
  /** Faults of definitions, of one server or all. Throws `server_unknown`. */
  lint(options?: { server?: string }): Promise<LintReport>;
  /** Tools that are taken for one another. Throws `server_unknown`. */
  collisions(options?: CollisionOptions): Promise<CollisionReport>;
  /** The same pairs as a draft of an evaluation set. Throws `server_unknown`. */
  draftTasks(options?: CollisionOptions & { format?: CaseFormat }): Promise<TaskDraft>;
  /**
   * How well search finds what cases expect, on the live catalog; texts of adversarial cases go into a copy in memory. Throws
   * `cases_invalid`, `config_invalid` where no model is configured, `model_endpoint_failed`, `cancelled`.
   */
  evaluate(options: EvaluateOptions): Promise<EvaluationReport>;
  /** What a later evaluation takes as its `baseline`. */
  toBaseline(report: EvaluationReport): Promise<EvaluationBaseline>;
  /**
   * Calls the tools of cases, for real, and judges by the record of calls. Throws `cases_invalid`, `config_invalid` where calls are not
   * recorded, `cancelled` without a yes.
   */
  exercise(options: ExerciseOptions): Promise<ExerciseReport>;
  /** What a model sees. Throws `server_unknown`. */
  exportView(options?: ExportOptions): Promise<ModelView>;
}
