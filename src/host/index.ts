/**
 * The tools of a toolcrib in the shapes that model SDKs take, and the calls of a model back into results. Imports no SDK: the
 * types are our own, and tests hold them against the real ones. Each adapter is an entry point of the package by itself.
 */

export { type AiSdkTools, aiSdkTools } from './ai-sdk.ts';
export { type AnthropicOptions, type AnthropicTools, anthropicTools } from './anthropic.ts';
export { type OpenAiOptions, type OpenAiTools, openaiTools } from './openai.ts';
