import { messageOf } from '../errors/index.ts';
import type {
  CallLimits,
  CallToolResult,
  DispatchOptions,
  HostCallOptions,
  JsonObject,
  JsonValue,
  Logger,
  SearchOptions,
  ToolSearcher,
} from '../model/index.ts';
import { parameterNames } from '../render/index.ts';
import type { ArgumentValidator } from '../validation/index.ts';
import { argumentProblems } from './argument-problems.ts';
import { callerOf } from './call-binding.ts';
import type { CallerSights } from './caller-sights.ts';
import type { CutResults } from './cut-results.ts';
import { metaInputSchema, readResultName } from './meta-tools.ts';
import { type CallTarget, readCall } from './read-call.ts';
import type { ReadResultInput } from './read-result.ts';
import { errorResult, faultResult, hitsMetaKey, isForModels, textResult } from './results.ts';
import { searchText } from './search-answer.ts';
import type { ToolDescriptions } from './tool-descriptions.ts';

export interface MetaToolRunnerDeps {
  sights: CallerSights;
  searcher: ToolSearcher;
  descriptions: ToolDescriptions;
  cutResults: CutResults;
  validator: ArgumentValidator;
  logger: Logger;
  /** Bounds how many requests a caller makes. Default: nothing does. */
  limits?: Pick<CallLimits, 'countRequest'>;
  /** Called before the catalog is read, to start a refresh in the background. Returns at once. */
  beforeRead?: () => void;
  /** Given each answer to a search. */
  onSearchAnswer?: (text: string) => void;
}

export type ModelCallOptions = HostCallOptions & DispatchOptions;

/** Runs the tools that toolcrib answers itself, all but `call_tool`. A fault becomes words for the model. */
export class MetaToolRunner {
  readonly #deps: MetaToolRunnerDeps;

  constructor(deps: MetaToolRunnerDeps) {
    this.#deps = deps;
  }

  searchTools(args: unknown, options: ModelCallOptions): Promise<CallToolResult> {
    return this.#answer('search_tools', args, async (input) => {
      await this.#deps.limits?.countRequest(callerOf(options));
      return this.#search(input, options);
    });
  }

  describeTool(args: unknown, options: HostCallOptions): Promise<CallToolResult> {
    return this.#answer('describe_tool', args, async (input) => {
      await this.#deps.limits?.countRequest(callerOf(options));
      const { name, path } = input as { name: string; path?: string };
      return textResult(this.#deps.descriptions.describe(name, path === undefined ? {} : { path }, options).text);
    });
  }

  readResult(args: JsonObject, options: HostCallOptions): Promise<CallToolResult> {
    return this.#answer(readResultName, args, (input) =>
      this.#deps.cutResults.page(input as unknown as ReadResultInput, callerOf(options)),
    );
  }

  /** What the name of one of these tools stands for in a call. */
  target(name: string): CallTarget {
    const definition = definitionOf(name);
    return {
      parameters: parameterNames(definition.inputSchema),
      isNamed: (other) => other === name,
      fits: (given) => this.#deps.validator.validate(definition, given).ok,
      isOpen: false,
    };
  }

  /** Checks the input before it is answered. */
  async #answer(
    name: string,
    args: unknown,
    answer: (input: JsonObject) => CallToolResult | Promise<CallToolResult>,
  ): Promise<CallToolResult> {
    const { beforeRead, validator, logger } = this.#deps;
    try {
      beforeRead?.();
      const outcome = validator.validate(definitionOf(name), metaInput(name, args, this.target(name)));
      if (!outcome.ok) return argumentProblems(name, { ...outcome, usage: metaUsage[name] ?? '' });
      return await answer(outcome.value);
    } catch (error) {
      if (isForModels(error)) return faultResult(error);
      logger.error(`${name} failed inside toolcrib`, { error: messageOf(error) });
      return errorResult('internal', `toolcrib itself failed in ${name}; nothing was run. Try again once.`);
    }
  }

  async #search(input: JsonObject, { searches, scope }: ModelCallOptions): Promise<CallToolResult> {
    // The input was checked against the meta-tool's schema.
    const { query, ...options } = input as unknown as { query: string } & SearchOptions;
    const { cursor } = options;
    const { catalog, view } = this.#deps.sights.of(scope);
    const result = await this.#deps.searcher.search(query, searchOptions(options), view);
    const isRepeated = (bestName: string) =>
      cursor === undefined && searches?.isRepeated({ query, ...options }, bestName) === true;
    const text = searchText(result, options, catalog, isRepeated);
    this.#deps.onSearchAnswer?.(text);
    return textResult(text, { [hitsMetaKey]: result as unknown as JsonObject });
  }
}

function definitionOf(name: string) {
  return { hash: `meta ${name}`, inputSchema: metaInputSchema(name) };
}

/** The input of a meta-tool in whatever shape; what cannot be read counts as empty, and the check says what is missing. */
function metaInput(name: string, args: unknown, target: CallTarget): JsonObject {
  const call = readCall({ name, arguments: (args ?? {}) as JsonValue }, () => target);
  return call.ok ? call.args : {};
}

const metaUsage: Record<string, string | undefined> = {
  search_tools: 'Example: search_tools {"query":"create github issue"}',
  describe_tool: 'Example: describe_tool {"name":"github__create_issue"}',
  [readResultName]: `Example: ${readResultName} {"handle":"<handle of the cut result>","offset":0}`,
};

/** Only the options of the meta-tool: others, such as `arm`, are for programs. */
function searchOptions({ server, limit, detail, cursor }: SearchOptions): SearchOptions {
  const options = Object.entries({ server, limit, detail, cursor }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(options);
}
