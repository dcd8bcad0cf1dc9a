import type { LintLevel, Tool } from '../../model/index.ts';
import type { NamedParameter } from '../parameter-tree.ts';
import type { ToolAction } from '../tool-action.ts';

/** One kind of fault. Codes are permanent. */
export interface LintRule {
  code: string;
  /** Of its findings, unless one has its own. */
  level: LintLevel;
  /** A few words for the summary. */
  title: string;
  why: string;
  fix: string;
  check(subject: LintSubject, catalog: LintedCatalog): Iterable<LintHit>;
}

/** What a rule found at one place. */
export interface LintHit {
  /** As `field` of a `LintFinding`. */
  field: string;
  message: string;
  level?: LintLevel;
  fix?: string;
}

/** A tool, with what several rules ask about it. */
export interface LintSubject {
  tool: Tool;
  description: string;
  action: ToolAction;
  /** Of the input schema, nested ones included, outer ones first. */
  parameters: readonly NamedParameter[];
}

/** What rules ask about the other tools. */
export interface LintedCatalog {
  /** Tools with the same description, word for word, this one left out. */
  withDescription(subject: LintSubject): readonly Tool[];
  /** A tool of the same server that does the same kind of thing to the same nouns. */
  neighbourOf(subject: LintSubject): Tool | undefined;
  /** In how many tools of a server a parameter of this name is required, and how many tools there are. */
  demand(serverId: string, parameter: string): { tools: number; of: number };
  /** Of the definition as a host lists it (o200k). */
  tokensOf(tool: Tool): number;
  /** Longest exposed name, in characters. */
  nameMaxLength: number;
}
