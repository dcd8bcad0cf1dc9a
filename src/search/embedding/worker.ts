/** Entry of the embedding worker process: answers `EmbedRequest` with `EmbedResponse` until its parent is gone. */
import { isToolcribError, messageOf } from '../../errors/index.ts';
import type { LocalEmbedder } from './local-embedder.ts';
import { embedderOf } from './worker-model.ts';
import type { EmbedRequest, EmbedResponse } from './worker-protocol.ts';

let embedder: LocalEmbedder | undefined;

process.on('message', ({ id, model, texts, parts, priority }: EmbedRequest) => {
  embedder ??= embedderOf(model);
  const [query = ''] = texts;
  const embedding = parts === undefined ? embedder.embed(texts, priority) : embedder.embedParts(query, parts);
  embedding.then(
    (vectors) => reply({ id, vectors }),
    (error: unknown) => {
      const { code, next } = isToolcribError(error)
        ? error
        : { code: 'embedding_model_broken' as const, next: undefined };
      reply({ id, error: { code, message: messageOf(error), ...(next !== undefined && { next }) } });
    },
  );
});

// Also when the parent was killed: the channel then closes by itself.
process.on('disconnect', () => process.exit(0));
if (!process.connected) process.exit(0);

// Ctrl-C reaches the whole process group; the parent decides when this process is no longer needed.
process.on('SIGINT', () => undefined);

function reply(response: EmbedResponse): void {
  process.send?.(response, undefined, undefined, () => undefined);
}
