import type { Logger } from '../model/index.ts';
import type { ServerAuth } from './auth/server-auth.ts';
import type { TapTransport } from './tap-transport.ts';
import type { GroupRegistry } from './watchdog-client.ts';

export interface TransportDeps {
  /** What every stdio server gets besides its configured `env`. */
  baseEnv: Record<string, string>;
  messageMaxBytes: number;
  watchdog: GroupRegistry;
  logger: Logger;
  /** Told of each process that is started, by program and arguments. */
  onSpawn?(command: string): void;
  /** The login to a server over HTTP that may have one. */
  auth?: ServerAuth;
}

/** A transport behind the tap, not yet started. */
export interface OpenTransport {
  tap: TapTransport;
  /** How the process ended, for people; undefined over HTTP and while it runs. */
  exitReport: () => string | undefined;
  exitedCleanly: () => boolean;
  /** True over HTTP when the server gave us a session that it can forget. */
  hasSession: () => boolean;
  /** False while no notice could reach us that belongs to no request. */
  hearsNotices: () => boolean;
  close: () => Promise<void>;
}
