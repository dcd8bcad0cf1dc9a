import { builtFile } from '../model/index.ts';
import { version } from './version.ts';

/** How this very toolcrib can be started again. */
export function ownProgram(): { node: string; bin: string; version: string; platform: NodeJS.Platform } {
  return { node: process.execPath, bin: builtFile('bin'), version, platform: process.platform };
}
