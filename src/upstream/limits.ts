/** Bounds that a caller may set; the others are constants beside the code they bound. */
export interface UpstreamLimits {
  /** Servers that are being started at the same time in the background or by a sync. Default 8. */
  parallelStarts: number;
  /** Pages of one `tools/list`; a server that goes on past it is taken as broken. Default 1 000. */
  listMaxPages: number;
  /** Tools of one server. Default 100 000, far above the largest server known (under 1 000). */
  listMaxTools: number;
  /** Age in milliseconds at which a list without `ttlMs` and without change notices is fetched anew. Default 10 minutes. */
  listMaxAgeMs: number;
  /**
   * Milliseconds without a call after which a server is disconnected, its process ended; a server's own `idleTimeoutMs`
   * goes before it. Default 0: never.
   */
  idleTimeoutMs: number;
  /**
   * Milliseconds in which a process that left a request without an answer must show a sign of life, or it is ended. Default
   * 20 s: some servers read nothing while they work on one call, and lose what they hold when they are ended.
   */
  signOfLifeMs: number;
  /** Bytes of one message on a pipe. Default 64 MiB: large results and lists pass, an endless line does not fill memory. */
  messageMaxBytes: number;
}

export const defaultLimits: UpstreamLimits = {
  parallelStarts: 8,
  listMaxPages: 1_000,
  listMaxTools: 100_000,
  listMaxAgeMs: 10 * 60_000,
  idleTimeoutMs: 0,
  signOfLifeMs: 20_000,
  messageMaxBytes: 64 * 1024 * 1024,
};
