import { ToolcribError } from '../../errors/index.ts';
import { isJsonObject, type JsonObject, type ViewDifference } from '../../model/index.ts';
import { diffDefinitions } from '../../policy/index.ts';
import { loadTokenCounter } from '../../render/index.ts';

/** What a model sees differently in the later of two exports. Throws `invalid_arguments` for what is no export. */
export async function compareViews(before: unknown, after: unknown): Promise<ViewDifference> {
  const [earlier, later] = [readTools(before, 'first'), readTools(after, 'second')];
  const count = await loadTokenCounter();
  const tokensOf = (tools: ReadonlyMap<string, JsonObject>) => count(JSON.stringify([...tools.values()]));
  return {
    added: [...later.keys()].filter((name) => !earlier.has(name)),
    removed: [...earlier.keys()].filter((name) => !later.has(name)),
    changed: [...later].flatMap(([name, definition]) => {
      const changes = earlier.has(name) ? diffDefinitions(earlier.get(name), definition) : [];
      return changes.length === 0 ? [] : [{ name, changes }];
    }),
    tokens: { before: tokensOf(earlier), after: tokensOf(later) },
  };
}

function readTools(view: unknown, which: string): Map<string, JsonObject> {
  const tools = isJsonObject(view) && Array.isArray(view.tools) ? view.tools : undefined;
  const named = tools?.map((tool) =>
    isJsonObject(tool) && typeof tool.name === 'string' ? ([tool.name, tool] as const) : undefined,
  );
  if (named === undefined || named.includes(undefined)) {
    throw new ToolcribError('invalid_arguments', `The ${which} of the two is no export of toolcrib.`, {
      next: 'Write it with `toolcrib export --json`.',
    });
  }
  return new Map(named.filter((entry) => entry !== undefined));
}
