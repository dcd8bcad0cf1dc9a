import type {
  AuditStore,
  CallGrant,
  CallToApprove,
  CatalogReader,
  DefinitionReview,
  MissedSearch,
  ModeDecision,
  PolicyTest,
  SearchOptions,
  SearchResult,
  Toolcrib,
  ToolId,
} from '../model/index.ts';

/** What the console shows and does, put together in `app`. */
export interface ConsoleSource {
  /** Of toolcrib. */
  version: string;
  /** Where the config lies; absent where there is none. */
  configPath?: string;
  crib: Pick<
    Toolcrib,
    | 'auditLog'
    | 'approve'
    | 'call'
    | 'callsToApprove'
    | 'complete'
    | 'describe'
    | 'grantCall'
    | 'listServers'
    | 'on'
    | 'sync'
  >;
  catalog: Pick<CatalogReader, 'generation' | 'history' | 'names' | 'tool'> & {
    definitionTokens(): ServerSize[];
  };
  activity: AuditStore['activity'];
  missedSearches(limit: number): MissedSearch[];
  mode(): ModeDecision;
  /** Name of the tokenizer, and the tokens that the three meta-tools take in it. */
  metaTools(): Promise<{ tokenizer: string; tokens: number }>;
  /** The answer to a search and, with it, the text that a model would read. Not noted among the misses. */
  search(query: string, options: SearchOptions): Promise<{ result: SearchResult; text: string }>;
  /** Throws `approval_unknown`, `invalid_arguments`. */
  refuseCall(id: string, extent: CallGrant): CallToApprove;
  /** Throws `definition_changed`, `unknown_tool`. */
  refuseDefinition(tool: ToolId, hash: string): void;
  /** All definitions that wait for a person. */
  reviews(): DefinitionReview[];
  /** One tool against what was accepted before. Throws `unknown_tool`. */
  review(tool: ToolId): DefinitionReview;
  /** What would become of a call; `isOverHttp`: by the default that holds there. Throws `unknown_tool`. */
  testPolicy(tool: ToolId, isOverHttp: boolean): PolicyTest;
}

/** Definition tokens of one server's callable tools. */
export interface ServerSize {
  serverId: string;
  tools: number;
  /** Exact where counted, else estimated. */
  tokens: number;
  /** How many tools are only estimated. */
  uncounted: number;
}
