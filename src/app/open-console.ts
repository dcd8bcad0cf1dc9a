import type { Console } from '../console/index.ts';
import { packageFile } from '../model/index.ts';
import { type Opened, type OpenOptions, openFromConfig } from './open-from-config.ts';

export interface OpenConsoleOptions extends Pick<OpenOptions, 'configPath' | 'catalogPath' | 'logLevel'> {
  /** 0 takes any free one. */
  port: number;
  /** Is given the link that opens the console in one browser, and a new one whenever it was used. */
  onLink(link: string): void;
  /** Ends it. */
  signal?: AbortSignal;
}

/** Serves the console by itself, on this machine alone. Throws what opening throws, and `port_in_use`. */
export async function openConsole(options: OpenConsoleOptions): Promise<{ closed: Promise<void> }> {
  const { port, onLink, signal, ...open } = options;
  const opened = await openFromConfig({ ...open, needsModel: true });
  const { crib } = opened;
  try {
    const { serveConsole } = await import('../console/index.ts');
    const page = await createConsole(opened, onLink);
    const serving = await serveConsole(page, port);
    signal?.addEventListener('abort', serving.close, { once: true });
    if (signal?.aborted) serving.close();
    crib.startBackgroundWork();
    onLink(page.link(serving.origin));
    page.warmUp();
    return { closed: serving.closed.finally(() => crib.close()) };
  } catch (error) {
    await crib.close();
    throw error;
  }
}

/** Loaded here: other commands start faster without it. Throws `internal` where the page was not built. */
export async function createConsole({ crib, logger }: Opened, onLinkUsed: (link: string) => void): Promise<Console> {
  const { Console: Page } = await import('../console/index.ts');
  return new Page(crib.consoleSource(), { pageFolder: packageFile('dist/console/page'), logger, onLinkUsed });
}
