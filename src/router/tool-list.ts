import { LRUCache } from 'lru-cache';
import { messageOf } from '../errors/index.ts';
import type {
  CatalogReader,
  CatalogView,
  Logger,
  ModeChange,
  ModeDecision,
  Tool,
  ToolDefinition,
} from '../model/index.ts';
import { toolListing } from '../render/index.ts';
import { metaTools, readResultTool } from './meta-tools.ts';
import { decideMode, isDecidedBySize, type ModeFacts } from './mode.ts';

/** What of a list a view shows. */
interface Part {
  of: readonly ToolDefinition[];
  keys: ReadonlySet<number>;
  tools: ToolDefinition[];
}

export interface ToolListDeps extends ModeFacts {
  catalog: ModeFacts['catalog'] & Pick<CatalogReader, 'generation' | 'tools' | 'tool' | 'names'>;
  logger: Logger;
  /** Told when the list was switched, before anyone gets the other one. */
  onModeChanged?: (change: ModeChange) => void;
}

/** Callers of the same scope share one. */
const partsMax = 100;

/** How often changes by any process are looked for while someone listens: they are to be seen within a second. */
const watchIntervalMs = 1_000;

/**
 * The list in force. The mode is decided once, and holds unless `liveModeSwitch` is on; the list follows the catalog in
 * direct mode, and in discovery for pinned tools.
 */
export class ToolList {
  readonly #deps: ToolListDeps;
  readonly #listeners = new Set<() => void>();
  readonly #parts = new LRUCache<string, Part>({ max: partsMax });
  #decision: ModeDecision;
  #generation: number;
  #tools: ToolDefinition[];
  #byName: Map<string, Tool>;
  #timer: NodeJS.Timeout | undefined;
  #announcedMode: ModeDecision['mode'];

  constructor(deps: ToolListDeps) {
    this.#deps = deps;
    this.#generation = deps.catalog.generation();
    this.#decision = decideMode(deps, deps.catalog.rememberedMode());
    if (isDecidedBySize(deps)) deps.catalog.rememberMode(this.#decision.mode);
    this.#announcedMode = this.#decision.mode;
    const { tools, byName } = this.#read();
    this.#tools = tools;
    this.#byName = byName;
    deps.logger.info(`mode ${this.#decision.mode}: ${this.#decision.reason}`);
  }

  /** Of a view: the same array until either changes. */
  definitions(view?: CatalogView): ToolDefinition[] {
    this.#refresh();
    if (view === undefined) return this.#tools;
    const [of, keys] = [this.#tools, view.keys()];
    const known = this.#parts.get(view.key);
    if (known?.of === of && known.keys === keys) return known.tools;
    const tools = of.filter(({ name }) => this.#isIn(view, name));
    this.#parts.set(view.key, { of, keys, tools });
    return tools;
  }

  mode(): ModeDecision {
    this.#refresh();
    return this.#decision;
  }

  nextMode(): ModeDecision {
    return decideMode(this.#deps, isDecidedBySize(this.#deps) ? this.#deps.catalog.rememberedMode() : undefined);
  }

  /** The upstream tool that is listed under a name. */
  listedTool(name: string, view?: CatalogView): Tool | undefined {
    this.#refresh();
    return view === undefined || this.#isIn(view, name) ? this.#byName.get(name) : undefined;
  }

  isMetaTool(name: string): boolean {
    return this.#decision.mode === 'discovery' && metaTools.some((tool) => tool.name === name);
  }

  /** In discovery the list stays as it is, whatever servers announce. */
  get isFollowed(): boolean {
    const mayChange = this.#decision.mode === 'direct' || this.#deps.modeSettings.liveModeSwitch;
    return mayChange && this.#listeners.size > 0;
  }

  onChanged(listener: () => void): () => void {
    this.#listeners.add(listener);
    this.#timer ??= setInterval(() => this.#watch(), watchIntervalMs).unref();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#stopWatching();
    };
  }

  /** Tools of ours are in every view. */
  #isIn(view: CatalogView, name: string): boolean {
    const tool = this.#byName.get(name);
    return tool === undefined || view.keys().has(tool.key);
  }

  #watch(): void {
    try {
      this.#refresh();
    } catch (error) {
      // The catalog was closed, or its file is gone: nothing changes any more.
      this.#deps.logger.debug('watching for changed tools ended', { error: messageOf(error) });
      this.#stopWatching();
    }
  }

  #stopWatching(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #refresh(): void {
    const generation = this.#deps.catalog.generation();
    if (generation === this.#generation) return;
    this.#generation = generation;
    const change = this.#reconsiderMode();
    const before = JSON.stringify(this.#tools);
    const { tools, byName } = this.#read();
    this.#tools = tools;
    this.#byName = byName;
    if (change !== undefined) this.#deps.onModeChanged?.(change);
    if (before !== JSON.stringify(tools)) for (const listener of this.#listeners) listener();
  }

  #reconsiderMode(): ModeChange | undefined {
    const { liveModeSwitch } = this.#deps.modeSettings;
    const next = decideMode(this.#deps, this.#decision.mode);
    if (next.mode === this.#decision.mode) {
      this.#announcedMode = next.mode;
      return undefined;
    }
    if (next.mode !== this.#announcedMode) {
      const when = liveModeSwitch ? 'now' : 'at the next start';
      this.#deps.logger.info(`mode ${next.mode} ${when}: ${next.reason}`);
      this.#announcedMode = next.mode;
    }
    if (!liveModeSwitch) return undefined;
    const from = this.#decision.mode;
    this.#decision = next;
    if (isDecidedBySize(this.#deps)) this.#deps.catalog.rememberMode(next.mode);
    return { from, to: next.mode, reason: next.reason };
  }

  #read(): { tools: ToolDefinition[]; byName: Map<string, Tool> } {
    const isDirect = this.#decision.mode === 'direct';
    const listed = isDirect ? this.#deps.catalog.tools() : this.#pinnedTools();
    const byName = new Map(listed.map((tool) => [tool.exposedName, tool]));
    const upstream = listed.map(toolListing);
    return { tools: isDirect ? [...upstream, readResultTool] : [...metaTools, ...upstream], byName };
  }

  /** In the order of the config; a name that no tool has is left out until one has it. */
  #pinnedTools(): Tool[] {
    const { catalog, modeSettings } = this.#deps;
    if (modeSettings.pinned.length === 0) return [];
    const ids = new Map(catalog.names().map((name) => [name.exposedName, name]));
    // Without prefixes a tool may be called like a meta-tool, which keeps its name.
    for (const { name } of metaTools) ids.delete(name);
    return [...new Set(modeSettings.pinned)].flatMap((pinned) => {
      const id = ids.get(pinned);
      const tool = id && catalog.tool(id);
      return tool === undefined || tool.status === 'set_aside' || tool.status === 'quarantined' ? [] : tool;
    });
  }
}
