import { spawn } from 'node:child_process';

/**
 * Opens a web page in the user's browser, by the program that the system has for it and without a shell, so that nothing in
 * the URL is ever read as a command. Resolves to false where that cannot be started, and for a URL that is not http or https.
 */
export function openBrowser(url: string): Promise<boolean> {
  const opener = openerFor(url, process.platform);
  if (opener === undefined) return Promise.resolve(false);
  return new Promise((resolve) => {
    const child = spawn(opener.command, opener.args, { detached: true, stdio: 'ignore', windowsHide: true });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}

/** The program and its arguments. */
export function openerFor(url: string, platform: NodeJS.Platform): { command: string; args: string[] } | undefined {
  if (!URL.canParse(url)) return undefined;
  // As the parser writes it: control characters, quotes and spaces are encoded.
  const { protocol, href } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') return undefined;
  if (platform === 'darwin') return { command: 'open', args: [href] };
  if (platform === 'win32') return { command: 'rundll32', args: ['url.dll,FileProtocolHandler', href] };
  return { command: 'xdg-open', args: [href] };
}
