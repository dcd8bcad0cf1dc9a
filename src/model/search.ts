import type { Finding } from './finding.ts';
/** Which ranking answers: the default fuses keywords and embeddings. */
export type SearchArm = 'hybrid' | 'lexical' | 'embedding';

export type SearchDetail = 'name' | 'summary' | 'schema';

export interface SearchOptions {
  /** Only tools of this server id. */
  server?: string;
  /** Hits a page, 1–20. Default 5. */
  limit?: number;
  /** Default `summary`. */
  detail?: SearchDetail;
  /** `nextCursor` of an earlier answer to the same query. */
  cursor?: string;
  /** Adds each hit's parts, which sum to its score. */
  explain?: boolean;
  /** Default `hybrid`. */
  arm?: SearchArm;
}

export interface SearchHit {
  /** The exposed name: describe and call accept it as it is. */
  name: string;
  server: string;
  /** The raw name. */
  tool: string;
  /** Comparable within one answer only. */
  score: number;
  /** `create_issue(owner: string, …+3)`; empty for detail `name`. */
  signature: string;
  /** First sentence of the description; empty for detail `name`. */
  summary: string;
  /** Set where the tool cannot be called before a person has looked at its new definition; the accepted one is shown. */
  status?: 'changed';
  /** What the scan found in the definition, worst first; absent where that is nothing. */
  findings?: Finding[];
  /** When its server's list was fetched (ISO 8601), only where a later list failed. */
  asOf?: string;
  /** The input schema, only for detail `schema`. */
  inputSchema?: import('./json.ts').JsonObject;
  /** Parts that sum to `score`, only when asked for. */
  explain?: Record<string, number>;
}

/** Something the reader of an answer should know: permanent code, sentence for people and models. */
export interface SearchNote {
  code: SearchNoteCode;
  message: string;
}

export type SearchNoteCode =
  | 'vectors_pending'
  | 'embedding_unavailable'
  | 'servers_pending'
  | 'servers_failed'
  | 'servers_login_required'
  | 'servers_stale'
  | 'servers_unavailable'
  | 'server_unknown'
  | 'tools_set_aside'
  | 'catalog_empty'
  | 'other_language'
  | 'other_servers'
  | 'weak_match'
  | 'no_match';

export interface SearchResult {
  query: string;
  confidence: 'strong' | 'weak';
  hits: SearchHit[];
  notes: SearchNote[];
  nextCursor?: string;
}
