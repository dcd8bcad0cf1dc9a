import { type Command, InvalidArgumentError, Option } from 'commander';
import type { OpenOptions } from './io.ts';

/** Options that every command takes. */
export interface CommonOptions {
  config?: string;
  catalog?: string;
  json?: boolean;
  logLevel?: OpenOptions['logLevel'];
}

/** Adds the options that every command takes, and its example. */
export function withCommonOptions(command: Command, example: string): Command {
  return command
    .option('--config <file>', "config file (default: toolcrib.json in the user's config directory)")
    .option('--catalog <file>', "catalog file (default: one per config in the user's data directory)")
    .option('--json', 'print JSON; errors too, on stderr')
    .addOption(
      new Option('--log-level <level>', 'least level of the log on stderr').choices(['debug', 'info', 'warn', 'error']),
    )
    .addHelpText('after', `\nExample:\n${example.replace(/^/gm, '  $ ')}`);
}

/** What the app opens, from what was typed. */
export function openOptions({ config, catalog, logLevel }: CommonOptions): OpenOptions {
  return {
    ...(config !== undefined && { configPath: config }),
    ...(catalog !== undefined && { catalogPath: catalog }),
    ...(logLevel !== undefined && { logLevel }),
  };
}

/** A parser for whole numbers in a range, for use as an option's argument. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`Expected a whole number from ${least} to ${most}.`);
  };
}
