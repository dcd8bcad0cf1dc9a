/** Bounds on what HTTP callers may hold of this process. */
export interface HttpLimits {
  /** Largest request body in bytes. */
  maxBodyBytes: number;
  /** Sessions of hosts that speak a revision before 2026-07-28; later ones have none. */
  maxSessions: number;
  /** How long a session may be without any request or open stream, in milliseconds. */
  sessionIdleMs: number;
  /** Open `subscriptions/listen` streams of all hosts together. */
  maxSubscriptions: number;
}

export const defaultHttpLimits: HttpLimits = {
  /** 4 MiB: arguments of a call are text that a model wrote; the SDK has the same bound. */
  maxBodyBytes: 4 * 1024 * 1024,
  /** One user's hosts and agents need a few dozen; a session costs about as much as one open socket. */
  maxSessions: 128,
  /** Half an hour: hosts that crashed never say goodbye, and one that comes back after it simply starts a new session. */
  sessionIdleMs: 30 * 60_000,
  /** As many as sessions: a host holds one stream. */
  maxSubscriptions: 128,
};
