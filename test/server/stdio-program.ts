/** A program that serves the fake router on stdio: what hosts start in these tests. Argument: the mode. */
import { serveStdio } from '../../src/server/index.ts';
import { FakeRouter } from './fake-router.ts';
import { fields, keepingLogger } from './keeping-logger.ts';

const router = new FakeRouter(process.argv[2] === 'direct' ? 'direct' : 'discovery');
process.on('SIGUSR2', () => router.addTool('added'));
const logger = keepingLogger((level, message, values) =>
  process.stderr.write(`${level} ${message} ${fields(values)}\n`),
);
const serving = serveStdio(router, { serverInfo: { name: 'toolcrib', version: '0.0.0' }, logger });
await serving.closed;
process.stderr.write('closed\n');
