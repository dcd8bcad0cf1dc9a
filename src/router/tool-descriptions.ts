import type {
  CallPolicy,
  CatalogReader,
  DescribeOptions,
  HostCallOptions,
  PolicyDecision,
  ServerState,
  Tool,
  ToolDescription,
} from '../model/index.ts';
import { asOf, describeTool, outageText } from '../render/index.ts';
import { callerOf } from './call-binding.ts';
import type { CallerSights } from './caller-sights.ts';
import { isCallable } from './name-index.ts';

export interface ToolDescriptionsDeps {
  sights: CallerSights;
  catalog: Pick<CatalogReader, 'servers'>;
  policy: CallPolicy;
  serverStates: () => ServerState[];
  /** True for servers whose annotations count. Default: none. */
  isTrusted?: (serverId: string) => boolean;
}

/** Describes tools, with what holds for the caller: what the policy says to a call, and what its server is good for now. */
export class ToolDescriptions {
  readonly #deps: ToolDescriptionsDeps;

  constructor(deps: ToolDescriptionsDeps) {
    this.#deps = deps;
  }

  /** Throws `unknown_tool`, `ambiguous_tool`. */
  describe(name: string, options: DescribeOptions, { scope, ...call }: HostCallOptions): ToolDescription {
    const { sights, policy, isTrusted } = this.#deps;
    const tool = sights.of(scope).lookup.get(name);
    return describeTool(tool, {
      ...options,
      ...this.#serverContext(tool),
      annotationsTrusted: isTrusted?.(tool.serverId) ?? false,
      approval: isCallable(tool)
        ? approvalText(policy.decide({ tool, caller: callerOf(call) }))
        : `refused: the tool is ${inWords[tool.status]}`,
    });
  }

  /** What a reader should know of the tool's server before calling it. */
  #serverContext({ serverId }: Tool): { asOf?: string; unavailable?: string } {
    const record = this.#deps.catalog.servers().find(({ id }) => id === serverId);
    const unavailable = outageText(this.#deps.serverStates().find(({ id }) => id === serverId));
    return { ...asOf(record), ...(unavailable === undefined ? {} : { unavailable }) };
  }
}

function approvalText({ action, rule, reason }: PolicyDecision): string {
  if (action === 'deny') return `refused: ${reason}`;
  if (action === 'ask') return `a person is asked before each call: ${reason}`;
  return `runs at once${rule === undefined ? '' : ` (${reason})`}; the host may ask its user first`;
}

const inWords = {
  ok: 'usable',
  repaired: 'usable',
  set_aside: 'set aside',
  changed: 'waiting for a person to look at its new definition',
  quarantined: 'waiting for a person to look at its definition',
} as const satisfies Record<Tool['status'], string>;
