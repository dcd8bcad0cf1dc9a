import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorCatalog, isToolcribError, messageOf, type ToolcribError } from '../errors/index.ts';
import type { Logger } from '../model/index.ts';
import { routes } from './api/routes.ts';
import { refusalOf } from './guards.ts';
import { LiveFeed } from './live-feed.ts';
import { type PageFile, readPageFiles } from './page-files.ts';
import { reply, replyJson, replyNote, replyRefresh } from './reply.ts';
import { Asked, readBody } from './request.ts';
import { Sessions } from './sessions.ts';
import type { Fault } from './shapes.ts';
import type { ConsoleSource } from './source.ts';

/** Everything of the console lies below this path. */
export const consolePath = '/console';

export interface ConsoleOptions {
  /** Folder of the built page. */
  pageFolder: string;
  logger: Logger;
  /** Gets a new link whenever one was used up: each is good for one browser. */
  onLinkUsed?: (link: string) => void;
}

/** The page of the console and its API, for an HTTP server that listens on this machine alone. */
export class Console {
  readonly #source: ConsoleSource;
  readonly #options: ConsoleOptions;
  readonly #files: ReadonlyMap<string, PageFile>;
  readonly #sessions = new Sessions();
  readonly #live: LiveFeed;

  /** Throws `internal` where the page was not built. */
  constructor(source: ConsoleSource, options: ConsoleOptions) {
    this.#source = source;
    this.#options = options;
    this.#files = readPageFiles(options.pageFolder);
    this.#live = new LiveFeed(source);
  }

  /** A link that opens the console in one browser; the one before is no longer good. `origin` as in `http://127.0.0.1:4321`. */
  link(origin: string): string {
    return `${origin}${consolePath}/login?token=${this.#sessions.newLinkToken()}`;
  }

  /** Counts ahead what the first view shows, where someone is about to look. */
  warmUp(): void {
    // The view itself tells what went wrong.
    this.#source.metaTools().catch(() => undefined);
  }

  /** True for `/console` and what lies below it. */
  isPathOf(url: string): boolean {
    return url === consolePath || url.startsWith(`${consolePath}/`) || url.startsWith(`${consolePath}?`);
  }

  /** Answers a request to `/console` or below. Never rejects. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.#handle(request, response);
    } catch (error) {
      this.#replyError(response, error);
    }
  }

  /** Ends the streams of open pages. */
  close(): void {
    this.#live.close();
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = refusalOf(request);
    if (refusal !== undefined) return replyNote(response, 403, refusal);
    const url = new URL(request.url ?? '/', 'http://console.invalid');
    if (url.pathname === consolePath) return reply(response, 308, 'text/plain', '', { location: `${consolePath}/` });
    const path = url.pathname.slice(consolePath.length + 1);
    if (path === 'login' && request.method === 'GET') return this.#logIn(request, response, url);
    const isApi = path.startsWith('api/');
    if (!this.#sessions.isKnown(request))
      return isApi ? replyJson(response, 401, notLoggedIn) : replyNote(response, 401, howToLogIn);
    if (!isApi) return this.#file(request, response, path === '' ? 'index.html' : path);
    if (path === 'api/live' && request.method === 'GET') return this.#follow(response);
    await this.#answer(request, response, url, path.slice('api/'.length));
  }

  #logIn(request: IncomingMessage, response: ServerResponse, url: URL): void {
    const { localPort } = request.socket;
    const cookie = this.#sessions.exchange(url.searchParams.get('token') ?? '', Number(localPort));
    if (cookie !== undefined) {
      this.#options.onLinkUsed?.(this.link(`http://${request.headers.host}`));
      replyRefresh(response, './', { 'set-cookie': cookie });
    } else if (this.#sessions.isKnown(request)) {
      // A link that is opened twice in the same browser is no mistake.
      replyRefresh(response, './', {});
    } else {
      replyNote(response, 403, `This link was used before, or is not one of this console. ${howToLogIn}`);
    }
  }

  #file({ method }: IncomingMessage, response: ServerResponse, path: string): void {
    const file = this.#files.get(path);
    if (file === undefined) replyNote(response, 404, 'There is nothing here.');
    else if (method !== 'GET') replyNote(response, 405, 'This can only be read.');
    else reply(response, 200, file.contentType, file.body);
  }

  #follow(response: ServerResponse): void {
    if (!this.#live.add(response)) replyNote(response, 503, 'Too many pages are open.');
  }

  async #answer(request: IncomingMessage, response: ServerResponse, url: URL, path: string): Promise<void> {
    const handler = routes.get(`${request.method} ${path}`);
    if (handler === undefined) return replyJson(response, 404, faultOf('There is nothing here.'));
    const body = request.method === 'POST' ? await readBody(request) : {};
    const waiting = new AbortController();
    response.once('close', () => waiting.abort());
    replyJson(response, 200, (await handler(this.#source, new Asked(url.searchParams, body), waiting.signal)) ?? null);
  }

  #replyError(response: ServerResponse, error: unknown): void {
    if (!isToolcribError(error)) {
      this.#options.logger.error('A request to the console failed inside toolcrib.', { error: messageOf(error) });
      replyJson(response, 500, faultOf('toolcrib itself failed; its log says why.'));
      return;
    }
    const { code, title, message, next } = error;
    replyJson(response, statusOf(error), { error: { code, title, message, next } } satisfies Fault);
  }
}

const howToLogIn = 'Open the link that `toolcrib console` prints; each link is good for one browser.';
const notLoggedIn: Fault = {
  error: { code: 'not_logged_in', title: 'Not logged in', message: 'This browser is not logged in.', next: howToLogIn },
};

function faultOf(message: string): Fault {
  return { error: { code: 'internal', title: 'Failed', message, next: 'Load the page again.' } };
}

function statusOf({ code }: ToolcribError): number {
  if (code === 'unknown_tool' || code === 'approval_unknown' || code === 'server_unknown') return 404;
  if (code === 'definition_changed') return 409;
  return errorCatalog[code].kind === 'internal' ? 500 : 400;
}
