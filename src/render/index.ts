/**
 * What a model reads: signatures, summaries, descriptions, token counts. Pure: no I/O, no state but the tokenizer,
 * which only this folder loads. Imports `model` and `errors`.
 */
export { asOf, outageText } from './availability.ts';
export { capText, cleanText, stripControls } from './clean-text.ts';
export { cutPlain, cutText } from './cut-text.ts';
export { callLine, describeTool } from './describe-tool.ts';
export { escapeUnseen } from './escape-unseen.ts';
export { exampleArguments } from './example-arguments.ts';
export { formatCount, plural } from './figures.ts';
export { fitSchema } from './fit-schema.ts';
export { parameterNames, parametersOf } from './parameters.ts';
export { formatPointer, parsePointer } from './pointer.ts';
export { resolveRef } from './schema-ref.ts';
export { signature } from './signature.ts';
export { firstSentence } from './summary.ts';
export { loadTokenCounter, tokenizerName } from './token-count.ts';
export { toolListing } from './tool-listing.ts';
