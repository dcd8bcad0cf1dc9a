import { isToolcribError } from '../errors/index.ts';
import type { CallToolResult, JsonObject, ToolSource } from '../model/index.ts';
import { isApproved } from './ai-sdk-approvals.ts';
import type { ModelTool } from './model-tool.ts';
import { type DispatchOptions, ModelTools } from './model-tools.ts';
import { type Accepted, type ResultPart, resultParts, resultText } from './result-parts.ts';

/** A tool of the AI SDK: an entry of `tools` of `generateText` and `streamText`. */
export interface AiSdkTool {
  type: 'dynamic';
  description: string;
  inputSchema: AiSdkSchema;
  /** Runs the tool; what went wrong is a result with `isError`. */
  execute(input: unknown, options: AiSdkExecution): Promise<CallToolResult>;
  /** What the model is given of the result. */
  toModelOutput(options: { output: unknown }): AiSdkOutput;
  /** True for a call about which a rule of the policy says `ask`. */
  needsApproval(input: unknown): boolean;
}

/** What the AI SDK tells a tool that it runs. */
export interface AiSdkExecution {
  toolCallId: string;
  messages: readonly unknown[];
  abortSignal?: AbortSignal;
}

/** A schema that the AI SDK passes to its provider as it is. */
export interface AiSdkSchema {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: 'toolcrib';
    readonly validate: (value: unknown) => { value: unknown };
  };
}

export type AiSdkOutput =
  | { type: 'error-text'; value: string }
  | {
      type: 'content';
      value: (
        | { type: 'text'; text: string }
        | { type: 'image-data'; data: string; mediaType: string }
        | { type: 'file-data'; data: string; mediaType: string; filename: string }
      )[];
    };

export type AiSdkTools = Record<string, AiSdkTool>;

/**
 * The tools of a toolcrib, or of one conversation, as a `ToolSet` of the AI SDK: to be asked for before each generation, since in
 * direct mode the list follows the servers. Aborting a generation cancels its calls. A call
 * that a person has to allow is asked about as the AI SDK does it (`tool-approval-request`), and runs once
 * the answer is among the messages.
 */
export function aiSdkTools(source: ToolSource, options: Omit<DispatchOptions, 'signal'> = {}): AiSdkTools {
  const model = new ModelTools(source);
  return Object.fromEntries(model.list().map((tool) => [tool.name, toAiSdkTool(tool, { source, model, options })]));
}

interface Context {
  source: ToolSource;
  model: ModelTools;
  options: DispatchOptions;
}

function toAiSdkTool({ name, description, inputSchema }: ModelTool, { source, model, options }: Context): AiSdkTool {
  return {
    type: 'dynamic',
    description,
    inputSchema: toSchema(inputSchema),
    execute: (input, { toolCallId, messages, abortSignal }) =>
      model.call(name, input, {
        ...options,
        ...(abortSignal === undefined ? {} : { signal: abortSignal }),
        ...(isApproved(messages, toolCallId) ? { onApproval: async () => 'once' as const } : {}),
      }),
    toModelOutput: ({ output }) => toOutput(output as CallToolResult),
    needsApproval: (input) => isAskedAbout(source, model.target(name, input), options.principal),
  };
}

/** By the rules of the policy; a name that means no tool is told to the model when it is called. */
function isAskedAbout(source: ToolSource, name: string | undefined, caller: string | undefined): boolean {
  if (name === undefined) return false;
  try {
    return source.testPolicy(name, caller === undefined ? {} : { caller }).action === 'ask';
  } catch (error) {
    if (isToolcribError(error)) return false;
    throw error;
  }
}

/** How the AI SDK tells its own schemas from those of other libraries, which it would close to further properties. */
const schemaMark = Symbol.for('vercel.ai.schema');

/** Without a check of its own: toolcrib answers what does not fit with what to mend. */
function toSchema(jsonSchema: JsonObject): AiSdkSchema {
  const schema = {
    [schemaMark]: true,
    jsonSchema,
    validate: undefined,
    '~standard': { version: 1, vendor: 'toolcrib', validate: (value: unknown) => ({ value }) },
  } as const;
  return schema;
}

const accepted: Accepted = { images: true, files: true };

function toOutput(result: CallToolResult): AiSdkOutput {
  if (result.isError === true) return { type: 'error-text', value: resultText(result) };
  return { type: 'content', value: resultParts(result, accepted).map(toPart) };
}

function toPart(part: ResultPart) {
  if (part.kind === 'text') return { type: 'text' as const, text: part.text };
  const { data, mimeType: mediaType } = part;
  return part.kind === 'image'
    ? { type: 'image-data' as const, data, mediaType }
    : { type: 'file-data' as const, data, mediaType, filename: part.name };
}
