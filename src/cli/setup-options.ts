import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { configFileName, type UserPlaces } from '../config/index.ts';

/** Options of the commands that edit files of the user and open no catalog. */
export interface SetupOptions {
  config?: string;
  json?: boolean;
}

/** Adds them, and the example of the command. */
export function withSetupOptions(command: Command, example: string): Command {
  return command
    .option('--config <file>', "toolcrib's own config file (default: toolcrib.json in the user's config directory)")
    .option('--json', 'print JSON; errors too, on stderr')
    .addHelpText('after', `\nExample:\n${example.replace(/^/gm, '  $ ')}`);
}

/** Absolute path of the config that is meant. */
export function ownConfigPath({ config }: SetupOptions, places: UserPlaces): string {
  return config === undefined ? join(places.configFolder, configFileName) : resolve(places.currentFolder, config);
}
