/** One thing that the doctor looked at. */
export interface Check {
  area: 'program' | 'config' | 'servers' | 'model' | 'catalog' | 'context' | 'hosts';
  /** What was looked at: a server, a file, a version. */
  subject: string;
  status: 'ok' | 'warning' | 'error';
  /** What was found, in one line. */
  message: string;
  /** What to do about it. */
  fix?: string;
  durationMs?: number;
}
