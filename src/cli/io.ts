import type { UserPlaces } from '../config/index.ts';
import type { LogEntry, Toolcrib, ViewDifference } from '../model/index.ts';
import type { Check } from '../setup/index.ts';

/** Everything a command reaches outside of itself; tests hand in their own. */
export interface CliIo {
  /** Data only. */
  stdout: TextOutput;
  /** Progress, notes and errors. */
  stderr: TextOutput;
  app: CliApp;
  /** The version of this package. */
  version: string;
  /** Where the files of this user are. */
  places(): UserPlaces;
  /** How this very program can be started again. */
  program: { node: string; bin: string; version: string; platform: NodeJS.Platform };
  /** Opens a web page for the user; false when that is not possible. */
  openBrowser(url: string): Promise<boolean>;
  /** Asks the person at the terminal for a line, undefined when there is none to come. Absent where nobody sits there. */
  prompt?(question: string, signal?: AbortSignal): Promise<string | undefined>;
  /** Aborted when the user wants the command to end. */
  signal?: AbortSignal;
}

export interface TextOutput {
  /** Never throws, not even when nobody reads any more. */
  write(text: string): void;
  isTTY: boolean;
  /** Width of the terminal in columns. */
  columns: number;
  color: boolean;
  /** A terminal that a spinner may draw on. */
  spinnerStream?: NodeJS.WriteStream;
}

/** What the commands need of the layer below. */
export interface CliApp {
  /** Opens the toolcrib of a config: the one named, or the user's own. */
  open(options: OpenOptions): Promise<Toolcrib>;
  /** Serves the console, on this machine alone. */
  openConsole(options: ConsoleOptions): Promise<{ closed: Promise<void> }>;
  /** Starts the MCP server. On stdio it has stdout to itself. */
  serve(options: ServeOptions): Promise<Served>;
  /** What a model sees differently of two exports. Throws `invalid_arguments` for what is none. */
  compareViews(before: unknown, after: unknown): Promise<ViewDifference>;
  /** A config with the servers that the package brings. */
  demoConfig(): object;
  /** Looks at everything that toolcrib stands on, and tells each result as it comes. */
  diagnose(options: OpenOptions, onCheck: (check: Check) => void): Promise<void>;
}

export interface OpenOptions {
  configPath?: string;
  catalogPath?: string;
  /** Least level of the log on stderr; the app has its own default. */
  logLevel?: LogEntry['level'];
  /** The command will need the embedding model, whose start takes longest. */
  needsModel?: boolean;
}

export interface ServeOptions extends OpenOptions {
  /** Streamable HTTP instead of stdio. What is left out comes from the config. */
  http?: { port?: number; host?: string };
  /** Over HTTP: is given the link that opens the console in one browser, and a new one whenever it was used. */
  onConsoleLink?: (link: string) => void;
  /** Ends the server. */
  signal?: AbortSignal;
}

export interface ConsoleOptions extends OpenOptions {
  /** 0 takes any free one. */
  port: number;
  /** Is given the link that opens the console in one browser, and a new one whenever it was used. */
  onLink(link: string): void;
  /** Ends it. */
  signal?: AbortSignal;
}

interface Served {
  /** Where it listens; absent on stdio. */
  address?: string;
  /** Resolves once the server has ended, rejects when it broke. */
  closed: Promise<void>;
}
