import { describe, expect, it } from 'vitest';
import { openBrowser, openerFor } from '../../src/cli/open-browser.ts';

describe('openBrowser', () => {
  it.each(['javascript:alert(1)', 'file:///etc/passwd', 'vscode://x', 'not a url', '-x', ''])(
    'opens no %j',
    async (url) => {
      for (const platform of ['linux', 'darwin', 'win32'] as const) expect(openerFor(url, platform)).toBeUndefined();
      await expect(openBrowser(url)).resolves.toBe(false);
    },
  );

  it('hands the address over as one encoded argument, to a program and never to a shell', () => {
    const url = 'https://login.example/a?x=1&y="$(id)`|& calc';
    for (const platform of ['linux', 'darwin', 'win32'] as const) {
      const { command, args } = openerFor(url, platform) ?? { command: '', args: [] };
      expect(command).not.toMatch(/sh|cmd|powershell/);
      expect(args.at(-1)).toMatch(/^https:\/\/login\.example\/a\?x=1&y=%22\$\(id\)/);
      expect(args.at(-1)).not.toMatch(/["\s]/);
    }
  });
});
