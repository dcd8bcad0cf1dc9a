import type { CliApp, CliIo, OpenOptions, ServeOptions, TextOutput } from '../../src/cli/io.ts';
import { runCli } from '../../src/cli/run-cli.ts';
import type { UserPlaces } from '../../src/config/index.ts';
import type { Toolcrib } from '../../src/model/index.ts';
import { scriptedToolcrib } from './scripted-toolcrib.ts';

export interface Run {
  exitCode: number;
  stdout: string;
  stderr: string;
  /** What the app was asked for. */
  opened: OpenOptions[];
  served: ServeOptions[];
  /** Pages that were opened for the user. */
  browsed: string[];
  /** Calls that reached the toolcrib, as `name arguments`. */
  calls: string[];
}

export interface RunOptions {
  isTTY?: boolean;
  columns?: number;
  color?: boolean;
  /** Replaces methods of the scripted toolcrib. */
  toolcrib?: Partial<Toolcrib>;
  app?: Partial<CliApp>;
  signal?: AbortSignal;
  /** The files of the user; without it, commands that look for them fail. */
  places?: UserPlaces;
  /** What the person at the terminal types. */
  typed?: string[];
}

/** Runs a command line against buffers and a scripted toolcrib. */
export async function run(argv: string[], options: RunOptions = {}): Promise<Run> {
  const stdout = bufferOutput(options);
  const stderr = bufferOutput(options);
  const record = {
    opened: [] as OpenOptions[],
    served: [] as ServeOptions[],
    browsed: [] as string[],
    calls: [] as string[],
  };
  const io: CliIo = {
    stdout: stdout.output,
    stderr: stderr.output,
    version: '1.2.3',
    places: () => {
      if (options.places === undefined) throw new Error('This test gives the user no files.');
      return options.places;
    },
    program: { node: '/usr/bin/node', bin: '/opt/toolcrib/dist/bin.js', version: '1.2.3', platform: 'linux' },
    openBrowser: async (url) => {
      record.browsed.push(url);
      return true;
    },
    ...(options.signal !== undefined && { signal: options.signal }),
    ...(options.typed !== undefined && { prompt: async () => options.typed?.shift() }),
    app: {
      open: async (openOptions) => {
        record.opened.push(openOptions);
        return scriptedToolcrib(record.calls, options.toolcrib);
      },
      openConsole: async ({ onLink }) => {
        onLink('http://127.0.0.1:1/console/login?token=t');
        return { closed: Promise.resolve() };
      },
      serve: async (serveOptions) => {
        record.served.push(serveOptions);
        return { closed: Promise.resolve() };
      },
      demoConfig: () => ({}),
      compareViews: async (before, after) => ({
        added: [JSON.stringify(before)],
        removed: [JSON.stringify(after)],
        changed: [{ name: 'a__b', changes: [{ path: '/title', kind: 'changed', before: 'A', after: 'B\u202e' }] }],
        tokens: { before: 1_000, after: 900 },
      }),
      diagnose: async () => undefined,
      ...options.app,
    },
  };
  const exitCode = await runCli(argv, io);
  return { exitCode, stdout: stdout.text(), stderr: stderr.text(), ...record };
}

function bufferOutput({ isTTY = false, columns = 80, color = false }: RunOptions) {
  const chunks: string[] = [];
  const output: TextOutput = { write: (text) => void chunks.push(text), isTTY, columns, color };
  return { output, text: () => chunks.join('') };
}
