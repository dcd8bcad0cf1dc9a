import type { InferenceSession, Onnxruntime, TensorConstructor } from 'onnxruntime-node';
import { isToolcribError, messageOf, ToolcribError } from '../../errors/index.ts';
import type { TextModel } from './local-embedder.ts';
import { type ModelFolder, openModelFolder } from './model-files.ts';
import { meanPool } from './pooling.ts';
import { truncate } from './truncate.ts';

/** The id is stored beside each vector; it changes whenever the same text may get another vector. */
export const miniLmTraits = { id: 'all-MiniLM-L6-v2/uint8/256', dimensions: 384 } as const;

/** Longest input in tokens, `[CLS]` and `[SEP]` included: what the model was trained with. */
const maxTokens = 256;
/** Longer text is cut before it is tokenised: 256 tokens never need it, and tokenising a megabyte takes seconds. */
const maxCharacters = 8_192;

/**
 * Loads all-MiniLM-L6-v2 from a folder in the layout of transformers.js.
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
      // The model is built optimised: more passes find nothing, give the same bits, and take a quarter of the start.
      graphOptimizationLevel: 'disabled',
    });
    return {
      embed: async (text) => {
        const ids = truncate(tokenizer.encode(text.slice(0, maxCharacters)).ids, maxTokens);
        return run(session, Tensor, ids);
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
  return meanPool(output?.data as Float32Array, miniLmTraits.dimensions);
}
