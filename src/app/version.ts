import { readFileSync } from 'node:fs';
import { packageFile } from '../model/index.ts';

const manifest = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as {
  version: string;
};

/** The version of this package, from the one place where it stands. */
export const version = manifest.version;

/** How toolcrib names itself to hosts (MCP `Implementation`). */
export const serverInfo = { name: 'toolcrib', title: 'toolcrib', version };
