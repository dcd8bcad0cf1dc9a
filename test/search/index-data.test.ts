import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { ManifestEntry } from '../../index-data/build/manifest.ts';
import { buildModelFiles } from '../../index-data/build/model-files.ts';

const dir = fileURLToPath(new URL('../../index-data', import.meta.url));
const { files } = JSON.parse(readFileSync(join(dir, 'manifest.json'), 'utf8')) as { files: ManifestEntry[] };

describe('index-data', () => {
  it.each(files.map((file) => [file.path, file] as const))('%s is as the manifest says', (path, file) => {
    const bytes = readFileSync(join(dir, path));
    expect(bytes.length).toBe(file.bytes);
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(file.sha256);
    expect(file.licence).toBe('Apache-2.0');
  });

  it('has every shipped file in the manifest', () => {
    const shipped = readdirSync(dir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) =>
        join(entry.parentPath, entry.name)
          .slice(dir.length + 1)
          .replaceAll('\\', '/'),
      )
      .filter((path) => !path.startsWith('build/') && path !== 'manifest.json' && path !== 'NOTICE');
    expect(shipped.sort()).toEqual(files.map(({ path }) => path).sort());
  });

  it('is remade byte for byte from the pinned package', () => {
    for (const { path, bytes } of buildModelFiles()) {
      expect(Buffer.compare(bytes, readFileSync(join(dir, path))), path).toBe(0);
    }
  });
});
