import type { CallToolResult, JsonObject, ToolSource } from '../model/index.ts';
import { capText } from '../render/index.ts';
import type { ModelTool } from './model-tool.ts';
import { type DispatchOptions, ModelTools } from './model-tools.ts';
import { readArguments } from './read-arguments.ts';
import { type Accepted, type ResultPart, resultParts } from './result-parts.ts';

/** OpenAI `FunctionTool`: goes into `tools` of `responses.create`. */
export interface ResponsesTool {
  type: 'function';
  name: string;
  description: string;
  parameters: JsonObject;
  /** Schemas of servers are not limited to what strict mode takes; toolcrib checks the arguments itself. */
  strict: false;
}

/** OpenAI `FunctionCallOutput`: goes into `input` of the next `responses.create`. */
export interface ResponsesOutput {
  type: 'function_call_output';
  call_id: string;
  output: string | ResponsesOutputItem[];
}

export type ResponsesOutputItem =
  | { type: 'input_text'; text: string }
  | { type: 'input_image'; image_url: string; detail: 'auto' }
  | { type: 'input_file'; filename: string; file_data: string };

/** OpenAI `ChatCompletionFunctionTool`: goes into `tools` of `chat.completions.create`. */
export interface ChatTool {
  type: 'function';
  function: { name: string; description: string; parameters: JsonObject };
}

/** OpenAI `ChatCompletionMessageParam`: go into `messages` of the next `chat.completions.create`. */
export type ChatMessage =
  | { role: 'tool'; tool_call_id: string; content: string }
  | { role: 'user'; content: ChatContent[] };

export type ChatContent = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } };

export interface OpenAiOptions {
  /** Names of functions of the host's own, whose calls `dispatch` leaves alone. */
  ownTools?: readonly string[];
}

export interface OpenAiTools {
  /** For the Responses API. */
  responses: {
    /** The tool list in force. */
    tools(): ResponsesTool[];
    /** Runs the `function_call` items of `response.output`, side by side; the outputs come in the same order. */
    dispatch(output: readonly { type: string }[], options?: DispatchOptions): Promise<ResponsesOutput[]>;
  };
  /** For the Chat Completions API. */
  chat: {
    /** The tool list in force. */
    tools(): ChatTool[];
    /**
     * Runs the `tool_calls` of a message, side by side; the answers come in the same order. Images, which tool messages cannot
     * hold, follow in a user message.
     */
    dispatch(
      calls: readonly { id: string; type: string }[] | null | undefined,
      options?: DispatchOptions,
    ): Promise<ChatMessage[]>;
  };
}

/**
 * The tools of a toolcrib, or of one conversation, for the APIs of OpenAI. `dispatch` never rejects for what a tool or the
 * model did: that is an output that says so.
 */
export function openaiTools(source: ToolSource, { ownTools = [] }: OpenAiOptions = {}): OpenAiTools {
  const model = new ModelTools(source);
  const run = (name: string, text: string, options: DispatchOptions) => {
    const read = readArguments(name, text);
    return read.ok ? model.call(name, read.value, options) : Promise.resolve(read.answer);
  };
  return {
    responses: {
      tools: () => model.list().map(toResponsesTool),
      dispatch: (output, options = {}) =>
        Promise.all(
          output
            .filter(isFunctionCall)
            .filter(({ name }) => !ownTools.includes(name))
            .map(async ({ call_id, name, arguments: text }) => {
              return toResponsesOutput(call_id, await run(name, text, options));
            }),
        ),
    },
    chat: {
      tools: () => model.list().map(toChatTool),
      dispatch: async (calls, options = {}) => {
        const answers = await Promise.all(
          (calls ?? [])
            .filter(isChatCall)
            .filter(({ function: { name } }) => !ownTools.includes(name))
            .map(async ({ id, function: { name, arguments: text } }) => ({
              id,
              result: await run(name, text, options),
            })),
        );
        return [...answers.map(({ id, result }) => toChatAnswer(id, result)), ...toChatImages(answers)];
      },
    },
  };
}

interface FunctionCall {
  call_id: string;
  name: string;
  arguments: string;
}

function isFunctionCall(item: { type: string }): item is { type: string } & FunctionCall {
  return item.type === 'function_call';
}

interface ChatCall {
  id: string;
  type: string;
  function: { name: string; arguments: string };
}

function isChatCall(call: { id: string; type: string }): call is ChatCall {
  return call.type === 'function';
}

/** The API refuses the whole request for a longer one. */
const descriptionMaxChars = 1_024;

function toResponsesTool({ name, description: words, inputSchema }: ModelTool): ResponsesTool {
  const description = capText(words, descriptionMaxChars);
  return { type: 'function', name, description, parameters: inputSchema, strict: false };
}

function toChatTool({ name, description: words, inputSchema }: ModelTool): ChatTool {
  const description = capText(words, descriptionMaxChars);
  return { type: 'function', function: { name, description, parameters: inputSchema } };
}

const acceptedByResponses: Accepted = { images: true, files: true };
const acceptedByChat: Accepted = { images: true, files: false };

function toResponsesOutput(callId: string, result: CallToolResult): ResponsesOutput {
  const parts = markedParts(result, acceptedByResponses);
  const texts = parts.flatMap((part) => (part.kind === 'text' ? part.text : []));
  const output = texts.length === parts.length ? texts.join('\n') : parts.map(toOutputItem);
  return { type: 'function_call_output', call_id: callId, output };
}

function toOutputItem(part: ResultPart): ResponsesOutputItem {
  if (part.kind === 'text') return { type: 'input_text', text: part.text };
  const url = dataUrl(part);
  return part.kind === 'image'
    ? { type: 'input_image', image_url: url, detail: 'auto' }
    : { type: 'input_file', filename: fileName(part.name), file_data: url };
}

function toChatAnswer(id: string, result: CallToolResult): ChatMessage {
  const words = markedParts(result, acceptedByChat).map((part) =>
    part.kind === 'text' ? part.text : 'The image follows in the next message of the user.',
  );
  return { role: 'tool', tool_call_id: id, content: words.join('\n') };
}

function toChatImages(answers: readonly { id: string; result: CallToolResult }[]): ChatMessage[] {
  const content = answers.flatMap(({ id, result }): ChatContent[] => {
    const images = resultParts(result, acceptedByChat).filter(({ kind }) => kind === 'image');
    if (images.length === 0) return [];
    return [
      { type: 'text', text: `From the tool call ${id}:` },
      ...images.map((image): ChatContent => ({ type: 'image_url', image_url: { url: dataUrl(image) } })),
    ];
  });
  return content.length === 0 ? [] : [{ role: 'user', content }];
}

/** The API has no mark for errors; ours say so by themselves. */
function markedParts(result: CallToolResult, accepted: Accepted): ResultPart[] {
  const parts = resultParts(result, accepted);
  const isOurs = result._meta?.['dev.toolcrib/error'] !== undefined;
  return result.isError !== true || isOurs ? parts : [{ kind: 'text', text: 'The tool reports an error:' }, ...parts];
}

function dataUrl(part: ResultPart): string {
  return part.kind === 'text' ? '' : `data:${part.mimeType};base64,${part.data}`;
}

/** The last step of an address. */
function fileName(uri: string): string {
  const last = uri.split(/[/?#]/).findLast((step) => step !== '') ?? 'file';
  return last.toLowerCase().endsWith('.pdf') ? last : `${last}.pdf`;
}
