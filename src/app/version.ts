import { readFileSync } from 'node:fs';

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** The version of this package, from the one place where it stands. */
export const version = manifest.version;

/** How toolcrib names itself to hosts (MCP `Implementation`). */
export const serverInfo = { name: 'toolcrib', title: 'toolcrib', version };
