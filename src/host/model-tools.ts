import { ToolcribError } from '../errors/index.ts';
import { type CallOptions, type CallToolResult, isJsonObject, type ToolSource } from '../model/index.ts';
import { type ModelTool, toModelTool } from './model-tool.ts';
import { providerName, providerNameMaxChars } from './provider-name.ts';

/** What a host may add to each call of a model. */
export type DispatchOptions = Pick<
  CallOptions,
  'signal' | 'onProgress' | 'principal' | 'onElicitation' | 'onApproval' | 'meta'
>;

/** They read what toolcrib knows, and run nothing of a server. */
const ownTools = ['search_tools', 'describe_tool', 'toolcrib__read_result'];

/** The tools of a toolcrib in the form that model providers take, and the calls that come back. */
export class ModelTools {
  readonly #source: ToolSource;

  /** Throws `usage_invalid` for what is neither a toolcrib nor a conversation of one. */
  constructor(source: ToolSource) {
    if (typeof source?.tools !== 'function' || typeof source.call !== 'function') {
      throw new ToolcribError(
        'usage_invalid',
        'An adapter takes a toolcrib or its conversation, and got something else.',
        {
          next: 'Pass what createToolcrib gave, or its conversation().',
        },
      );
    }
    this.#source = source;
  }

  /** The list in force. In discovery mode it is the same bytes whatever happens to the catalog. */
  list(): ModelTool[] {
    return this.#source.tools().map(toModelTool);
  }

  /** These tools, by the names that providers know them by, in any mode; those that cannot be called are left out. */
  named(names: readonly string[]): ModelTool[] {
    return names.flatMap((name) => this.#find(name) ?? []);
  }

  /** Runs what a model called, under the tool's own names. What it got wrong comes back as a result it can act on. */
  call(name: string, input: unknown, options: DispatchOptions): Promise<CallToolResult> {
    const tool = this.#find(name);
    if (tool === undefined) return this.#source.call(name, input, options);
    return this.#source.call(tool.exposedName, isJsonObject(input) ? tool.restore(input) : input, options);
  }

  /** Which tool of a server a call of the model is for, seen through `call_tool`; undefined for toolcrib's own. */
  target(name: string, input: unknown): string | undefined {
    if (name === 'call_tool') return isJsonObject(input) && typeof input.name === 'string' ? input.name : undefined;
    return ownTools.includes(name) ? undefined : (this.#find(name)?.exposedName ?? name);
  }

  #find(name: string): ModelTool | undefined {
    const exposed = name.length === providerNameMaxChars ? this.#exposedName(name) : name;
    const [definition] = this.#source.tools({ names: [exposed] });
    // A bare or misspelt name is toolcrib's to read: its parameters are named as the tool names them.
    return definition?.name === exposed ? toModelTool(definition) : undefined;
  }

  /** The whole name of one that may have been cut. */
  #exposedName(name: string): string {
    const whole = this.#source.listTools().find((tool) => providerName(tool.name) === name);
    return whole?.name ?? name;
  }
}
