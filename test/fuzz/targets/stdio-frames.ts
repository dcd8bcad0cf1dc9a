import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { isJsonObject } from '../../../src/model/index.ts';
import { serveStdio } from '../../../src/server/index.ts';
import { mutatedText, texts } from '../mutations.ts';
import { type FuzzTarget, must } from '../target.ts';
import { frames, initialize } from './frames.ts';
import { servedCrib } from './served-crib.ts';

interface Conversation {
  /** Whether the host begins as it should. */
  isOpened: boolean;
  lines: string[];
}

const lines = fc.oneof(
  { weight: 5, arbitrary: frames.map((frame) => JSON.stringify(frame)) },
  { weight: 2, arbitrary: mutatedText(frames.map((frame) => JSON.stringify(frame))) },
  texts,
);
const cases = fc.record({ isOpened: fc.boolean(), lines: fc.array(lines, { maxLength: 6 }) });
const lastId = 'the last request';

/** A host on a pipe: whatever it sends, each answer is a message, and a last request is answered. */
export async function stdioTarget(): Promise<FuzzTarget<Conversation>> {
  const { crib, router, face } = await servedCrib();
  const run = async ({ isOpened, lines: sent }: Conversation) => {
    const input = new PassThrough();
    const output = new PassThrough();
    let received = '';
    const answered = new Promise<void>((resolve) => {
      output.on('data', (chunk: Buffer) => {
        received += chunk;
        if (received.includes(lastId)) resolve();
      });
    });
    const serving = serveStdio(router, { ...face, input, output });
    const opening = isOpened ? [JSON.stringify(initialize)] : [];
    for (const line of [...opening, ...sent]) input.write(`${line}\n`);
    input.write(`${JSON.stringify({ jsonrpc: '2.0', id: lastId, method: 'ping', params: {} })}\n`);
    await Promise.race([answered, serving.closed]);
    must(received.includes(lastId), `the last request was not answered: ${received}`);
    input.end();
    await serving.closed;
    for (const line of received.split('\n').filter(Boolean)) {
      const message: unknown = JSON.parse(line);
      must(isJsonObject(message) && message.jsonrpc === '2.0', `no message: ${line}`);
      must('method' in message || 'result' in message || 'error' in message, `neither answer nor request: ${line}`);
    }
  };
  return { name: 'stdio', cases, run, close: () => crib.close() };
}
