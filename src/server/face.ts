import type { Logger, Router } from '../model/index.ts';

/** How toolcrib names itself to hosts (MCP `Implementation`). */
interface ServerInfo {
  name: string;
  version: string;
  title?: string;
}

/** What every way of serving needs. */
export interface FaceOptions {
  serverInfo: ServerInfo;
  logger: Logger;
  /** True when the mode may be switched while hosts are connected, so that even the three meta-tools may change. */
  liveModeSwitch?: boolean;
  /** True while callers are told apart, and may see different lists. Default: never. */
  hasCallers?: () => boolean;
}

/** A router together with how it is shown: what each protocol instance is made from. */
export interface Face extends FaceOptions {
  router: Router;
}

/** The protocol generation of a connection: per-request metadata since 2026-07-28, an `initialize` handshake before. */
export type Era = 'modern' | 'legacy';

/** Whether `tools/list` may answer differently later on: decides `listChanged` and how long hosts may keep the list. */
export function canListChange({ router, liveModeSwitch }: Face): boolean {
  return liveModeSwitch === true || router.mode().mode === 'direct';
}
