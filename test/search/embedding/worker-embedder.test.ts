import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createMiniLmEmbedder } from '../../../src/search/embedding/worker-embedder.ts';
import { isBuilt, modelDir, workerPath } from './model.ts';

describe.skipIf(!isBuilt)('createMiniLmEmbedder with the built worker (skipped before `npm run build`)', () => {
  it('answers a query before the documents that were there first', async () => {
    const embedder = createMiniLmEmbedder({ modelDir, workerUrl: workerPath });
    await embedder.ready();
    const order: string[] = [];
    const texts = Array.from({ length: 60 }, (_, index) => `create an issue in repository number ${index}`);
    const documents = embedder.embed(texts, 'document').then((vectors) => order.push(`${vectors.length} documents`));
    const query = embedder.embed(['create an issue'], 'query').then(() => order.push('query'));
    await Promise.all([documents, query]);
    expect(order).toEqual(['query', '60 documents']);
    await embedder.close();
  });

  it('rejects what is pending when it is closed, and whatever comes later', async () => {
    const embedder = createMiniLmEmbedder({ modelDir, workerUrl: workerPath });
    const pending = embedder.embed(['a', 'b'], 'document');
    const rejected = expect(pending).rejects.toMatchObject({ code: 'closed' });
    await embedder.close();
    await rejected;
    await expect(embedder.ready()).rejects.toMatchObject({ code: 'closed' });
    await embedder.close();
  });

  it('reports a model that is not there', async () => {
    const embedder = createMiniLmEmbedder({ modelDir: '/nowhere/models/none', workerUrl: workerPath });
    await expect(embedder.ready()).rejects.toMatchObject({ code: 'embedding_model_broken' });
    await expect(embedder.embed(['x'], 'query')).rejects.toMatchObject({ code: 'embedding_model_broken' });
    await embedder.close();
  });

  it('can be made anew after it was closed', async () => {
    for (let round = 0; round < 3; round++) {
      const embedder = createMiniLmEmbedder({ modelDir, workerUrl: workerPath });
      expect(await embedder.embed(['create an issue'], 'query')).toHaveLength(1);
      await embedder.close();
    }
  });

  it('lets an idle process end, and a pending answer arrive first', () => {
    expect(run("embedder.embed(['a', 'b'], 'document').then((vectors) => console.log(vectors.length));")).toEqual({
      status: 0,
      stdout: '2\n',
      stderr: '',
    });
  });

  it('does not stop a process from ending in the middle of its work', () => {
    const source = `const texts = Array.from({ length: 500 }, (_, index) => 'create an issue in repository ' + index);
      await embedder.ready();
      embedder.embed(texts, 'document').catch(() => {});
      setTimeout(() => process.exit(7), 50);`;
    expect(run(source)).toEqual({ status: 7, stdout: '', stderr: '' });
  });

  it('ends when its parent is killed', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'toolcrib-worker-'));
    const pidPath = join(dir, 'pid');
    const wrapper = join(dir, 'worker.mjs');
    await writeFile(
      wrapper,
      `import { writeFileSync } from 'node:fs';
      writeFileSync(${JSON.stringify(pidPath)}, String(process.pid));
      await import(${JSON.stringify(pathToFileURL(workerPath).href)});`,
    );
    const source = `${preamble(wrapper)} await embedder.ready(); console.log('ready'); setInterval(() => {}, 1000);`;
    const parent = spawn(process.execPath, [...evaluating, source]);
    onTestFinished(() => void parent.kill('SIGKILL'));
    await once(parent.stdout, 'data');
    const workerPid = Number(await readFile(pidPath, 'utf8'));
    expect(isAlive(workerPid)).toBe(true);
    parent.kill('SIGKILL');
    await expect.poll(() => isAlive(workerPid), { timeout: 5_000 }).toBe(false);
    await rm(dir, { recursive: true });
  });
});

const evaluating = ['--import', 'tsx', '--input-type=module', '--eval'];

function preamble(workerUrl: string): string {
  const url = new URL('../../../src/search/embedding/worker-embedder.ts', import.meta.url).href;
  return `import { createMiniLmEmbedder } from ${JSON.stringify(url)};
    const embedder = createMiniLmEmbedder(${JSON.stringify({ modelDir, workerUrl })});`;
}

function run(source: string): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...evaluating, preamble(workerPath) + source], {
    encoding: 'utf8',
    timeout: 20_000,
  });
  return { status, stdout, stderr };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('createMiniLmEmbedder without a built worker', () => {
  it('runs in the calling process', async () => {
    const embedder = createMiniLmEmbedder({ modelDir, workerUrl: '/nowhere/worker.js' });
    expect(await embedder.embed(['create an issue'], 'query')).toHaveLength(1);
    await embedder.close();
  });
});
