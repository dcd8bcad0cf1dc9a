import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lintPackage, pack } from '../../scripts/package.ts';

const folder = mkdtempSync(join(tmpdir(), 'toolcrib-pack-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let tarball: string;
beforeAll(() => {
  tarball = pack(folder);
  execFileSync('tar', ['xzf', tarball, '-C', folder]);
});

const inside = (path: string) => join(folder, 'package', path);

interface Manifest {
  bin: Record<string, string>;
  exports: Record<string, string | Record<string, string>>;
  dependencies: Record<string, string>;
}
const manifest = () => JSON.parse(readFileSync(inside('package.json'), 'utf8')) as Manifest;

describe('the package as npm would publish it', () => {
  it('is clean for publint and arethetypeswrong', () => {
    expect(() => lintPackage(tarball)).not.toThrow();
  });

  it('holds whatever its manifest names', () => {
    const { bin, exports } = manifest();
    const targets = Object.values(exports).flatMap((target) =>
      typeof target === 'string' ? [target] : Object.values(target),
    );
    expect([...Object.values(bin), ...targets].filter((path) => !existsSync(inside(path)))).toEqual([]);
  });

  it('holds what a run needs besides, and none of what only the repository needs', () => {
    const needed = [
      'dist/app/token-worker.js',
      'dist/search/embedding/worker.js',
      'dist/upstream/watchdog.js',
      'dist/demo/notes-server.js',
      'index-data/models/toolcrib-minilm-l6/onnx/model_quantized.onnx',
      'index-data/ranker.json',
      'config.schema.json',
      'LICENSE',
    ];
    expect(needed.filter((path) => !existsSync(inside(path)))).toEqual([]);
    const files = execFileSync('tar', ['tzf', tarball], { encoding: 'utf8' }).split('\n');
    expect(files.filter((path) => /\.map$|\/(src|test|bench|node_modules)\//.test(path))).toEqual([]);
  });

  it('brings the licences of what is bundled into it', () => {
    expect(readFileSync(inside('dist/licenses.md'), 'utf8')).toContain('## zod');
    expect(readFileSync(inside('dist/console/page/licenses.md'), 'utf8')).toContain('## preact - ');
  });

  it('imports no package that is not among its dependencies', () => {
    const { dependencies } = manifest();
    const imported = execFileSync(
      'grep',
      ['-rhoE', `(from|import\\() ?['"][a-z@][^'"./][^'"]*['"]`, inside('dist'), '--include=*.js'],
      {
        encoding: 'utf8',
      },
    );
    const names = [...imported.matchAll(/^(?:from|import\() ?['"]((?:@[^/'"]+\/)?[^/'"]+)/gm)].map(
      ([, name = '']) => name,
    );
    expect(names).toContain('commander');
    const optional = ['@huggingface/transformers', '@xenova/transformers'];
    const missing = names.filter(
      (name) => !name.startsWith('node:') && !(name in dependencies) && !optional.includes(name),
    );
    expect([...new Set(missing)]).toEqual([]);
  });
});
