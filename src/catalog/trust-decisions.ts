import type { DefinitionPolicy } from '../model/index.ts';
import { asObject } from './as-object.ts';
import type { DefinitionScans } from './definition-scans.ts';
import { type ListedTool, repairList } from './repair-tool.ts';
import type { ServerRow, ServerTable } from './server-table.ts';
import type { StoredTool, ToolTable } from './tool-table.ts';

/** What becomes of a definition that a server lists. */
export type Verdict =
  | { hold: ''; isApproved: boolean }
  | { hold: 'quarantined'; reason: string }
  /** `accepted` is what goes on being shown, where it is not in the tool's row already. */
  | { hold: 'changed'; reason: string; accepted?: ListedTool; isApproved: boolean };

/** Applies the rules of definitions to what is stored: who was accepted before, and by whom. */
export class TrustDecisions {
  readonly #policy: DefinitionPolicy | undefined;
  readonly #servers: ServerTable;
  readonly #tools: ToolTable;
  readonly #scans: DefinitionScans;

  constructor(parts: {
    policy: DefinitionPolicy | undefined;
    servers: ServerTable;
    tools: ToolTable;
    scans: DefinitionScans;
  }) {
    this.#policy = parts.policy;
    this.#servers = parts.servers;
    this.#tools = parts.tools;
    this.#scans = parts.scans;
  }

  /** Of a tool of which no version was ever listed. */
  judgeUnseen(server: ServerRow): Verdict {
    return this.#firstSight(this.#servers.trustOf(server.id));
  }

  /** `old` is the tool's row, where it has one. */
  judge(server: ServerRow, tool: ListedTool, old?: StoredTool): Verdict {
    if (this.#policy === undefined) return { hold: '', isApproved: false };
    const trust = this.#servers.trustOf(server.id);
    const partitions = this.#servers.partitionsOf(server);
    const accepted = this.#tools.acceptance(server.id, partitions, tool.name, tool.hash);
    if (accepted >= (trust === 'quarantine' ? byPerson : byRules))
      return { hold: '', isApproved: accepted === byPerson };
    const isInRow = old !== undefined && old.hold !== 'quarantined' && old.status !== 'set_aside';
    const before = isInRow
      ? this.#tools.definition(old.key)
      : this.#tools.lastAccepted(server.id, partitions, tool.name);
    if (before === undefined) return this.#firstSight(trust);
    const beforeFindings = this.#scans.ofDefinition(before.hash, asObject(before.definition));
    // One that was listed and changed again before anybody looked at it, and would not have been accepted.
    const isUnseen = !before.isApproved && this.#policy.firstSightReason('standard', beforeFindings) !== undefined;
    if (isUnseen) return this.#firstSight(trust);
    const after = asObject(JSON.parse(tool.definition));
    const afterFindings = this.#scans.ofDefinition(tool.hash, after);
    const reason = this.#policy.changeReason(trust, {
      before: asObject(before.definition),
      after,
      beforeFindings,
      afterFindings,
    });
    if (reason === undefined) return { hold: '', isApproved: false };
    const accepts = isInRow ? undefined : repairList([before.definition])[0];
    return {
      hold: 'changed',
      reason,
      isApproved: before.isApproved,
      ...(accepts === undefined ? {} : { accepted: { ...accepts, position: tool.position } }),
    };
  }

  /** What a scan would find is added when the tool is read, or in the background. */
  #firstSight(trust: Parameters<DefinitionPolicy['firstSightReason']>[0]): Verdict {
    const reason = this.#policy?.firstSightReason(trust, []);
    return reason === undefined ? { hold: '', isApproved: false } : { hold: 'quarantined', reason };
  }
}

/** Values of `tool_version.accepted`. */
const byRules = 1;
const byPerson = 2;
