import type {
  CallerScope,
  CatalogReader,
  CatalogView,
  Finding,
  JsonObject,
  ServerRecord,
  Tool,
  ToolId,
  ToolName,
  ToolVersion,
} from '../model/index.ts';
import { isCallable } from './name-index.ts';

/** The catalog as a caller of one scope may know it. What it shows is worked out once for each generation. */
export class ScopedCatalog implements CatalogView {
  readonly #catalog: CatalogReader;
  readonly #scope: CallerScope;
  #shown: Shown | undefined;

  constructor(catalog: CatalogReader, scope: CallerScope) {
    this.#catalog = catalog;
    this.#scope = scope;
  }

  get key(): string {
    return this.#scope.key;
  }

  generation(): number {
    return this.#catalog.generation();
  }

  names(): readonly ToolName[] {
    return this.#current().names;
  }

  keys(): ReadonlySet<number> {
    return this.#current().keys;
  }

  /** A server of which the caller may use no tool is not there; one whose tools nobody knows yet may be. */
  servers(): ServerRecord[] {
    const { callable, known } = this.#current();
    return this.#catalog
      .servers()
      .filter(({ id, listedAt }) => known.has(id) || (listedAt === undefined && this.#scope.knowsServer(id)))
      .map((record) => ({ ...record, toolCount: callable.get(record.id) ?? 0 }));
  }

  tools(filter?: { serverId?: string; includeSetAside?: boolean }): Tool[] {
    return this.#visible(this.#catalog.tools(filter));
  }

  toolsByKeys(keys: readonly number[]): Tool[] {
    const shown = this.keys();
    return this.#visible(this.#catalog.toolsByKeys(keys.filter((key) => shown.has(key))));
  }

  tool(id: ToolId): Tool | undefined {
    const tool = this.#catalog.tool(id);
    return tool && this.#visible([tool])[0];
  }

  history(id: ToolId): ToolVersion[] {
    return this.tool(id) === undefined ? [] : this.#catalog.history(id);
  }

  #visible(tools: readonly Tool[]): Tool[] {
    const shown = this.keys();
    return tools.filter(({ key }) => shown.has(key)).map(withoutOthersNames);
  }

  #current(): Shown {
    const all = this.#catalog.names();
    if (this.#shown?.all !== all) this.#shown = this.#read(all);
    return this.#shown;
  }

  #read(all: readonly ToolName[]): Shown {
    const annotations = this.#annotations();
    const names = all.filter((name) => this.#scope.allows(name, () => annotations(name)));
    const callable = new Map<string, number>();
    for (const { serverId } of names.filter(isCallable)) callable.set(serverId, (callable.get(serverId) ?? 0) + 1);
    return {
      all,
      names,
      keys: new Set(names.map(({ key }) => key)),
      callable,
      known: new Set(names.map(({ serverId }) => serverId)),
    };
  }

  /** Read server by server, and only those of which a scope asks for effects. */
  #annotations(): (name: ToolName) => JsonObject | undefined {
    const read = new Map<string, ReadonlyMap<number, JsonObject | undefined>>();
    return ({ serverId, key }) => {
      let server = read.get(serverId);
      if (server === undefined) {
        const tools = this.#catalog.tools({ serverId, includeSetAside: true });
        server = new Map(tools.map((tool) => [tool.key, tool.annotations]));
        read.set(serverId, server);
      }
      return server.get(key);
    };
  }
}

interface Shown {
  /** Of the whole catalog: another list where anything has changed. */
  all: readonly ToolName[];
  names: readonly ToolName[];
  keys: ReadonlySet<number>;
  /** Tools that can be called, by server. */
  callable: ReadonlyMap<string, number>;
  /** Servers with any of the tools. */
  known: ReadonlySet<string>;
}

/** The scan says which tool of another server a name looks like: that one may be out of the scope. */
function withoutOthersNames(tool: Tool): Tool {
  if (tool.findings === undefined) return tool;
  return { ...tool, findings: tool.findings.map(withoutExcerptOfOthers) };
}

function withoutExcerptOfOthers(finding: Finding): Finding {
  return finding.rule === 'shadowed_name' ? { ...finding, excerpt: '' } : finding;
}
