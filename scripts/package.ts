import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './run.ts';

export const repository = fileURLToPath(new URL('../', import.meta.url));

/** Packs what is built, as npm would publish it, and returns the path of the tarball. */
export function pack(folder: string): string {
  const output = run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], { cwd: repository });
  const [packed] = JSON.parse(output) as [{ filename: string }];
  return join(folder, packed.filename);
}

/** What publint and arethetypeswrong say of the tarball; throws when they find anything. No network is needed. */
export function lintPackage(tarball: string): void {
  const bin = (name: string) => join(repository, 'node_modules', '.bin', name);
  run(bin('publint'), ['run', tarball, '--strict']);
  run(bin('attw'), [tarball, '--profile', 'esm-only']);
}

/** Installs the tarball in an empty project, from the registry alone, and returns the path of its `toolcrib`. */
export function installInEmptyProject(folder: string, tarball: string, env: NodeJS.ProcessEnv = process.env): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', tarball], { cwd: folder, env });
  return join(folder, 'node_modules', 'toolcrib');
}

/** Bytes of all files below a folder. */
export function sizeOf(path: string): number {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.size;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}
