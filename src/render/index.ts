/**
 * What a model reads: signatures, summaries, descriptions, token counts. Pure: no I/O, no state but the tokenizer,
 * which only this folder loads. Imports `model` and `errors`.
 */

export { signature } from './signature.ts';
export { firstSentence, summaryOf } from './summary.ts';
export { loadTokenCounter } from './token-count.ts';
