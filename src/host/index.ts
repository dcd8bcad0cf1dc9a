/**
 * The tools of a toolcrib in the shapes that model SDKs take, and the calls of a model back into results. Imports no SDK: the
 * types are our own, and tests hold them against the real ones. Each adapter is an entry point of the package by itself.
 */
export { aiSdkTools } from './ai-sdk.ts';
export { anthropicTools } from './anthropic.ts';
export { openaiTools } from './openai.ts';
