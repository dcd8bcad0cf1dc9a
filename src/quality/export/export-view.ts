import type { CatalogReader, ExportOptions, ModelView, Router } from '../../model/index.ts';
import { loadTokenCounter, tokenizerName } from '../../render/index.ts';

export interface ExportDeps {
  catalog: Pick<CatalogReader, 'tools'>;
  /** Of the mode that is exported. */
  router: Pick<Router, 'listTools' | 'instructions' | 'describe' | 'mode'>;
}

/** What a host would put before its model, byte for byte, and on request what `describe_tool` would answer. */
export async function exportView(
  { catalog, router }: ExportDeps,
  { server, describe = false }: ExportOptions,
): Promise<ModelView> {
  const count = await loadTokenCounter();
  const { mode } = router.mode();
  const own = new Set(
    catalog.tools(server === undefined ? {} : { serverId: server }).map(({ exposedName }) => exposedName),
  );
  const tools = router.listTools().filter(({ name }) => server === undefined || mode === 'discovery' || own.has(name));
  const view = {
    mode,
    instructions: router.instructions,
    tools,
    tokens: count(JSON.stringify(tools)),
    tokenizer: tokenizerName,
  };
  if (!describe) return view;
  return { ...view, descriptions: Object.fromEntries([...own].map((name) => [name, router.describe(name).text])) };
}
