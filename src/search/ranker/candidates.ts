import type { ToolName } from '../../model/index.ts';
import type { ToolProfile } from './tool-profile.ts';

/** How near one candidate is to the query. Cosines are of unit vectors. */
export interface CandidateCosines {
  whole: number;
  name: number;
  /** Of each clause with the tool; empty where the query has but one. */
  clauses: readonly number[];
  /** Best of a clause with the name; `name` where the query has but one. */
  nameOfClause: number;
}

/** A tool that may be the one sought, with all that is known of it for one query. */
export interface Candidate {
  toolKey: number;
  name: ToolName;
  profile: ToolProfile;
  /** Undefined while the tool has no vector, or without embeddings. */
  cosines: CandidateCosines | undefined;
}
