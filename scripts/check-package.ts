/**
 * `npm run check:package`: packs toolcrib, lints the tarball, installs it in an empty project from the registry and runs the demo
 * there. Prints the sizes that README tells.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installInEmptyProject, lintPackage, pack, repository, sizeOf } from './package.ts';
import { run } from './run.ts';

const folder = mkdtempSync(join(tmpdir(), 'toolcrib-package-'));
try {
  // Files of modules that are gone must not be packed.
  rmSync(join(repository, 'dist'), { recursive: true, force: true });
  run('npm', ['run', '-s', 'build'], { cwd: repository, isShown: true });
  const tarball = pack(folder);
  lintPackage(tarball);
  say('publint and attw find nothing.');
  const project = join(folder, 'project');
  const installed = installInEmptyProject(project, tarball);
  run('npx', ['--offline', 'toolcrib', 'demo'], { cwd: project, isShown: true });
  say(`tarball:                          ${mebibytes(statSync(tarball).size)}`);
  say(`installed, without dependencies:  ${mebibytes(sizeOf(installed))}`);
  say(`installed, all of node_modules:   ${mebibytes(sizeOf(join(project, 'node_modules')))}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function mebibytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}
