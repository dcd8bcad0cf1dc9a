import type { InferenceSession, Onnxruntime, TensorConstructor } from 'onnxruntime-node';
import { isToolcribError, messageOf, ToolcribError } from '../../errors/index.ts';
import type { TextModel } from './local-embedder.ts';
import { type ModelFolder, openModelFolder } from './model-files.ts';
import { meanPool } from './pooling.ts';
import { truncate } from './truncate.ts';

/** The id is stored beside each vector; it changes whenever the same text may get another vector. */
export const miniLmTraits = { id: 'toolcrib-minilm-l6/uint8/256', dimensions: 384 } as const;
const { dimensions } = miniLmTraits;

/** Longest input in tokens, `[CLS]` and `[SEP]` included: what the model was trained with. */
const maxTokens = 256;
/** Longer text is cut before it is tokenised: 256 tokens never need it, and tokenising a megabyte takes seconds. */
const maxCharacters = 8_192;

/**
 * Loads the shipped model, an all-MiniLM-L6-v2 that has learned how people ask for tools, from a folder in the layout of transformers.js.
 *
 * @throws ToolcribError `embedding_model_broken` for missing, altered or unloadable files.
 */
export async function loadMiniLm(modelDir: string): Promise<TextModel> {
  try {
    const folder = await openModelFolder(modelDir);
    // A cold search waits for this: the large file is read while the libraries and the tokenizer load.
    const [onnx, tokenizer, { InferenceSession, Tensor }] = await Promise.all([
      folder.checked('onnx/model_quantized.onnx'),
      loadTokenizer(folder),
      importOnnxruntime(),
    ]);
    const session = await InferenceSession.create(onnx, {
      // One thread: the other core belongs to the search itself, and results then never depend on the split.
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      executionMode: 'sequential',
      // An arena keeps what the longest text took; without one each run is as fast.
      enableCpuMemArena: false,
      // The model is built optimised: more passes find nothing, give the same bits, and take a quarter of the start.
      graphOptimizationLevel: 'disabled',
    });
    const idsOf = (text: string) => truncate(tokenizer.encode(text.slice(0, maxCharacters)).ids, maxTokens);
    const embed = async (text: string) => meanPool(await run(session, Tensor, idsOf(text)), dimensions);
    return {
      embed,
      embedParts: async (text, parts) => {
        const ids = idsOf(text);
        const states = await run(session, Tensor, ids);
        const vectors = [meanPool(states, dimensions)];
        for (const part of parts) {
          const partIds = idsOf(part).slice(1, -1);
          const start = indexOfRun(ids, partIds);
          const rows = states.subarray(start * dimensions, (start + partIds.length) * dimensions);
          vectors.push(start === -1 ? await embed(part) : meanPool(rows, dimensions));
        }
        return vectors;
      },
      release: () => session.release(),
    };
  } catch (cause) {
    if (isToolcribError(cause)) throw cause;
    throw new ToolcribError('embedding_model_broken', `${modelDir} cannot be loaded: ${messageOf(cause)}`, { cause });
  }
}

async function loadTokenizer(folder: ModelFolder) {
  const [{ Tokenizer }, tokenizer, config] = await Promise.all([
    import('@huggingface/tokenizers'),
    folder.json('tokenizer.json'),
    folder.json('tokenizer_config.json'),
  ]);
  return new Tokenizer(tokenizer, config);
}

/** Only when a model is loaded, so that keyword search never touches native code. */
async function importOnnxruntime(): Promise<Onnxruntime> {
  const imported = await import('onnxruntime-node');
  // Node puts a CommonJS module's exports under `default`; tsx does not.
  return imported.default ?? (imported as unknown as Onnxruntime);
}

/** Where a run of ids begins in others; -1 where it does not occur. */
function indexOfRun(ids: readonly number[], run: readonly number[]): number {
  return run.length === 0 ? -1 : ids.findIndex((_, start) => run.every((id, offset) => ids[start + offset] === id));
}

/** The last hidden state: one row for each token. */
async function run(
  session: InferenceSession,
  TensorClass: TensorConstructor,
  ids: readonly number[],
): Promise<Float32Array> {
  const shape = [1, ids.length];
  const { last_hidden_state: output } = await session.run({
    input_ids: new TensorClass('int64', BigInt64Array.from(ids, BigInt), shape),
    attention_mask: new TensorClass('int64', new BigInt64Array(ids.length).fill(1n), shape),
    token_type_ids: new TensorClass('int64', new BigInt64Array(ids.length), shape),
  });
  return output?.data as Float32Array;
}
