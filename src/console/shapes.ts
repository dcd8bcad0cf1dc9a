/**
 * What the API answers, as JSON: shared with the page, so types alone, and of files that are types alone.
 */
import type { AuditEntry, CallActivity } from '../model/audit.ts';
import type { CallToolResult } from '../model/call.ts';
import type { JsonObject } from '../model/json.ts';
import type { CallToApprove, PolicyTest } from '../model/policy.ts';
import type { MissedSearch } from '../model/ports.ts';
import type { SearchHit, SearchResult } from '../model/search.ts';
import type { ToolStatus } from '../model/tool.ts';
import type { ServerListing, ToolDescription } from '../model/toolcrib.ts';
import type { DefinitionReview, FieldChange, VersionListing } from '../model/trust.ts';

/** `GET api/overview` */
export interface Overview {
  version: string;
  configPath?: string;
  servers: ServerView[];
  /** Callable tools. */
  tools: number;
  mode: { mode: 'direct' | 'discovery'; reason: string };
  tokens: {
    definitions: number;
    metaTools: number;
    /** Tools whose tokens are only estimated as yet. */
    uncounted: number;
    tokenizer: string;
  };
  activity: Activity;
  missed: MissedSearch[];
  waiting: Waiting;
}

/** How many things wait for a person. */
export interface Waiting {
  calls: number;
  definitions: number;
}

export interface ServerView extends ServerListing {
  definitionTokens: number;
  /** Tools that cannot be called as they are: set aside or waiting for a person. */
  held: number;
}

/** Calls over time. */
export interface Activity {
  /** Milliseconds since the epoch; both are multiples of `stretchMs`. */
  from: number;
  to: number;
  stretchMs: number;
  /** Stretches without calls are left out. */
  stretches: CallActivity[];
}

/** `GET api/search` */
export interface SearchView {
  result: SearchResult;
  /** What the model reads. */
  text: string;
  tookMs: number;
}

/** `GET api/complete`, `GET api/tools` */
export interface ToolLine {
  name: string;
  server: string;
  tool: string;
  status: ToolStatus;
}

export interface ToolList {
  tools: ToolLine[];
  /** That fit, of which `tools` are the first. */
  total: number;
}

/** `GET api/why` */
export interface Why {
  query: string;
  name: string;
  server: string;
  status: ToolStatus;
  /** In words, the most telling first. */
  reasons: string[];
  /** Place in each ranking, from 1; absent where it is not ranked at all. */
  ranks: { hybrid?: number; lexical?: number; embedding?: number };
  /** With the parts of its score, among all tools or, where it is not ranked there, among those of its server. */
  hit?: SearchHit;
  best?: SearchHit;
}

/** `GET api/tool` */
export interface ToolView {
  name: string;
  server: string;
  tool: string;
  status: ToolStatus;
  problem?: string;
  hash: string;
  /** As its server sent it; the accepted one where another one waits. */
  definition: JsonObject;
  /** As the form is made from it: mended where it had to be. */
  inputSchema: JsonObject;
  /** Absent for a tool that models do not see. */
  description?: ToolDescription;
  /** The definition that waits for a person, or the findings of a scan. */
  review: DefinitionReview;
  /** Newest first. */
  history: VersionView[];
  policy: { local: PolicyTest; http: PolicyTest };
}

export interface VersionView extends VersionListing {
  definition: JsonObject;
  /** Against the version before it; absent for the oldest. */
  changes?: FieldChange[];
}

/** `GET api/approvals` */
export interface Approvals {
  calls: CallToApprove[];
  definitions: DefinitionReview[];
}

/** `GET api/log` */
export interface LogPage {
  /** Newest first. */
  entries: AuditEntry[];
  /** True when there may be older ones. */
  isMore: boolean;
}

/** `POST api/call` */
export interface CallView {
  result: CallToolResult;
  tookMs: number;
}

/** What changed, as the stream of `GET api/live` tells it. */
export type Topic = 'servers' | 'tools' | 'approvals' | 'log';

/** The body of every answer that is not 2xx. */
export interface Fault {
  error: { code: string; title: string; message: string; next: string };
}
