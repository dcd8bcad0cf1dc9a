import type { Asked } from '../request.ts';
import type { ConsoleSource } from '../source.ts';
import { acceptDefinition, approvals, grantCall, refuseCall, refuseDefinition, waiting } from './approvals.ts';
import { call, sync } from './call.ts';
import { log } from './log.ts';
import { overview } from './overview.ts';
import { complete, search, tools } from './search.ts';
import { tool } from './tool.ts';
import { why } from './why.ts';

/** Answers one request; what it gives goes out as JSON. `signal` ends when the page no longer waits. */
type Handler = (source: ConsoleSource, asked: Asked, signal: AbortSignal) => unknown;

/** What can be asked for, by method and path below `api/`. What changes anything is a POST. */
export const routes: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ['GET overview', overview],
  ['GET search', search],
  ['GET complete', complete],
  ['GET why', why],
  ['GET tools', tools],
  ['GET tool', tool],
  ['GET approvals', approvals],
  ['GET waiting', waiting],
  ['GET log', log],
  ['POST approvals/grant', grantCall],
  ['POST approvals/refuse', refuseCall],
  ['POST definitions/accept', acceptDefinition],
  ['POST definitions/refuse', refuseDefinition],
  ['POST call', call],
  ['POST sync', sync],
]);
