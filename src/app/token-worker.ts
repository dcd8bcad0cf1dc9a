/** Entry of the thread that counts tokens: answers each list of texts with the list of their counts. */
import { parentPort } from 'node:worker_threads';
import { loadTokenCounter } from '../render/index.ts';

const count = await loadTokenCounter();

parentPort?.on('message', (texts: string[]) => parentPort?.postMessage(texts.map(count)));
