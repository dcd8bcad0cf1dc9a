import { expect, it } from 'vitest';
import { startTokenThread } from '../../src/app/token-thread.ts';
import { builtFile } from '../../src/model/index.ts';
import { isBuilt } from '../search/embedding/model.ts';

it.skipIf(!isBuilt)('counts in its thread as in this one', async () => {
  const thread = startTokenThread(builtFile('app/token-worker'));
  const here = startTokenThread('/nowhere');
  const texts = ['', 'create an issue', '{"name":"x","inputSchema":{"type":"object"}}', '検索 '.repeat(50)];
  expect(await thread.count(texts)).toEqual(await here.count(texts));
  expect(await thread.count(['one two'])).toEqual([2]);
  await thread.close();
});

it.skipIf(!isBuilt)('rejects what is under way when it is closed', async () => {
  const thread = startTokenThread(builtFile('app/token-worker'));
  const rejected = expect(thread.count(['create an issue'])).rejects.toThrow('ended');
  await thread.close();
  await rejected;
});
