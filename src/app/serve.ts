import type { ResolvedConfig } from '../config/index.ts';
import type { Console } from '../console/index.ts';
import { messageOf } from '../errors/index.ts';
import type { LogEntry } from '../model/index.ts';
import { createConsole } from './open-console.ts';
import { type Opened, openFromConfig } from './open-from-config.ts';

export interface ServeOptions {
  configPath?: string;
  catalogPath?: string;
  /** Least level of the log on stderr. Default `warn`. */
  logLevel?: LogEntry['level'];
  /** Streamable HTTP instead of stdio; what is left out comes from the config. */
  http?: { port?: number; host?: string };
  /** Over HTTP: is given the link that opens the console in one browser, and a new one whenever it was used. */
  onConsoleLink?: (link: string) => void;
  /** Ends the server. */
  signal?: AbortSignal;
}

export interface Served {
  /** Where it listens; absent on stdio. */
  address?: string;
  /** Resolves once the server has ended and every child is gone. */
  closed: Promise<void>;
}

/** The port of `serve --http` when neither command nor config name one. */
const defaultPort = 7333;

/**
 * Opens the catalog and serves it at once; servers are connected behind the scenes. Throws what opening throws, and
 * `address_refused`, `address_unusable`, `port_in_use`.
 */
export async function serve(options: ServeOptions): Promise<Served> {
  // Loaded here: a command that serves nothing starts faster without the server SDK.
  const { serveHttp, serveStdio } = await import('../server/index.ts');
  const opened = await openFromConfig({ ...options, isOverHttp: options.http !== undefined });
  const { crib, config } = opened;
  try {
    const router = crib.router();
    const face = crib.face();
    const page = options.http && options.onConsoleLink && (await consoleOf(opened, options.onConsoleLink));
    const serving: Serving =
      options.http === undefined
        ? serveStdio(router, face)
        : await serveHttp(router, {
            ...face,
            ...httpOptions(options.http, config),
            callers: crib.callers(),
            ...(page && { page }),
          });
    if (page && serving.url !== undefined && serving.hasPage === true)
      options.onConsoleLink?.(page.link(new URL(serving.url).origin));
    options.signal?.addEventListener('abort', () => void serving.close(), { once: true });
    if (options.signal?.aborted) void serving.close();
    crib.startBackgroundWork();
    const closed = serving.closed.finally(() => crib.close());
    return { closed, ...(serving.url === undefined ? {} : { address: serving.url }) };
  } catch (error) {
    await crib.close();
    throw error;
  }
}

/** Undefined where the page was not built: hosts are served all the same. */
async function consoleOf(opened: Opened, onLink: (link: string) => void): Promise<Console | undefined> {
  return createConsole(opened, onLink).catch((error: unknown) => {
    opened.logger.warn('there is no console', { error: messageOf(error) });
    return undefined;
  });
}

interface Serving {
  closed: Promise<void>;
  close(): Promise<void>;
  url?: string;
  hasPage?: boolean;
}

function httpOptions(asked: { port?: number; host?: string }, { http }: ResolvedConfig) {
  const host = asked.host ?? http.host;
  return {
    port: asked.port ?? http.port ?? defaultPort,
    ...(host === undefined ? {} : { host }),
    tellsScope: http.outOfScope === 'challenge',
    ...(http.allowedHosts === undefined ? {} : { allowedHosts: http.allowedHosts }),
    ...(http.allowedOrigins === undefined ? {} : { allowedOrigins: http.allowedOrigins }),
    limits: {
      ...(http.bodyMaxBytes === undefined ? {} : { maxBodyBytes: http.bodyMaxBytes }),
      ...(http.maxSessions === undefined ? {} : { maxSessions: http.maxSessions }),
    },
  };
}
