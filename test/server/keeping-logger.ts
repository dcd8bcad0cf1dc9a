import type { Logger } from '../../src/model/index.ts';

type Write = (level: keyof Logger, message: string, values: Record<string, unknown> | undefined) => void;

/** A logger that hands every line to the test. */
export function keepingLogger(write: Write = () => {}): Logger {
  return {
    debug: (message, values) => write('debug', message, values),
    info: (message, values) => write('info', message, values),
    warn: (message, values) => write('warn', message, values),
    error: (message, values) => write('error', message, values),
  };
}

export function fields(values: Record<string, unknown> | undefined): string {
  return JSON.stringify(values ?? {});
}
