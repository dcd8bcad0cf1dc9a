/**
 * `npm run record:session`: runs the commands of README's terminal session on real servers, in a home of their own, and draws what
 * they print into `docs/session.svg`. Needs `script` of util-linux, which gives them a terminal.
 */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { repository } from './package.ts';
import { run } from './run.ts';
import { terminalColumns, terminalSvg } from './terminal-svg.ts';

const commands = [
  'cat .mcp.json',
  'toolcrib import .mcp.json --yes',
  'toolcrib install claude-code',
  'toolcrib doctor',
  'toolcrib search "save some text into a file" --limit 3',
  'toolcrib uninstall claude-code',
];

const config = `{
  "mcpServers": {
    "files": { "command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "."] },
    "memory": { "command": "npx", "args": ["-y", "@modelcontextprotocol/server-memory"] }
  }
}
`;

const home = realpathSync(mkdtempSync(join(tmpdir(), 'toolcrib-session-')));
try {
  const project = join(home, 'shop');
  mkdirSync(join(home, 'bin'));
  mkdirSync(project);
  symlinkSync(join(repository, 'dist', 'bin.js'), join(home, 'bin', 'toolcrib'));
  // npx takes what is installed, and needs no network.
  symlinkSync(join(repository, 'node_modules'), join(project, 'node_modules'));
  writeFileSync(join(project, '.mcp.json'), config);
  const session = commands.map((command) => `\u001b[1m~/shop $ ${command}\u001b[0m\n${outputOf(command, project)}`);
  if (readFileSync(join(project, '.mcp.json'), 'utf8') !== config)
    throw new Error('The file is not what it was before.');
  writeFileSync(join(repository, 'docs', 'session.svg'), terminalSvg(session.join('\n')));
} finally {
  rmSync(home, { recursive: true, force: true });
}

/** With colours, as a person sees it; the home of the session is written `~`. */
function outputOf(command: string, cwd: string): string {
  const env = {
    HOME: home,
    PATH: [join(home, 'bin'), process.env.PATH].join(delimiter),
    TERM: 'xterm-256color',
    // No spinner, which would be drawn many times.
    CI: '1',
  };
  const output = run('script', ['-qec', `stty cols ${terminalColumns}; ${command}`, '/dev/null'], { cwd, env });
  return output.replaceAll(home, '~');
}
