import { LRUCache } from 'lru-cache';
import type { DefinitionPolicy, Finding, JsonObject, ToolId } from '../model/index.ts';
import { asObject } from './as-object.ts';
import type { Database } from './database.ts';

/** Findings are some hundred bytes at most, and mostly none: what was read a moment ago is not scanned twice. */
const cachedDefinitions = 5_000;
/** Scanning takes a millisecond as a rule and 60 for the largest definitions. */
const toolsPerSlice = 2;
/** More look-alikes of one name say nothing new. */
const maxLookAlikes = 50;

/** A stored tool, as far as its findings depend on it. */
export interface ScannableTool {
  key: number;
  serverId: string;
  name: string;
  hash: string;
  skeleton: string | null;
}

/**
 * What the scan found in each definition. Ingest stores none of it, so that it holds nobody up: a tool is scanned in the
 * background, or when it is read before its turn, so that none is ever used unscanned.
 */
export class DefinitionScans {
  readonly #database: Database;
  readonly #policy: DefinitionPolicy | undefined;
  readonly #statements: ReturnType<typeof prepare>;
  readonly #cache = new LRUCache<string, Finding[]>({ max: cachedDefinitions });
  /** The scan that goes on with the next step. */
  #begun: { hash: string; scan: ReturnType<DefinitionPolicy['scanInSteps']> } | undefined;

  constructor(database: Database, policy: DefinitionPolicy | undefined) {
    this.#database = database;
    this.#policy = policy;
    this.#statements = prepare(database);
  }

  /** What the definition itself says. */
  ofDefinition(hash: string, definition: JsonObject): Finding[] {
    if (this.#policy === undefined) return [];
    const known = this.#cache.get(hash);
    if (known !== undefined) return known;
    const findings = this.#policy.scan(definition);
    this.#cache.set(hash, findings);
    return findings;
  }

  /** The same, with what its name is to those of other servers. */
  ofTool(tool: ScannableTool, definition: JsonObject): Finding[] {
    return this.#findings(tool, definition, this.#lookAlikes(tool));
  }

  skeletonOf(name: string): string | null {
    return this.#policy?.skeleton(name) ?? null;
  }

  /** Works for about `limitMs`; `isHeld` when a tool is held back by what was found. */
  step(limitMs: number): Step {
    const done: Step = { isLeft: false, isFound: false, isHeld: false };
    if (this.#policy === undefined) return done;
    const giveUpAt = performance.now() + limitMs;
    do {
      if (!this.#scanAhead(this.#policy, giveUpAt)) return { ...done, isLeft: true };
      const slice = this.#slice();
      done.isLeft = slice.isLeft;
      done.isFound ||= slice.isFound;
      done.isHeld ||= slice.isHeld;
    } while (done.isLeft && performance.now() < giveUpAt);
    return done;
  }

  /**
   * Scans what the next slice stores, in pieces and before its transaction: a large definition takes longer than others are
   * to wait, for the event loop or for the file. False when the time was too short for it.
   */
  #scanAhead(policy: DefinitionPolicy, giveUpAt: number): boolean {
    for (const { hash, definition } of this.#statements.waiting.all(toolsPerSlice) as UnscannedRow[]) {
      if (this.#cache.has(hash)) continue;
      if (this.#begun?.hash !== hash) {
        this.#begun = { hash, scan: policy.scanInSteps(asObject(JSON.parse(definition))) };
      }
      let piece = this.#begun.scan.next();
      while (!piece.done && performance.now() < giveUpAt) piece = this.#begun.scan.next();
      if (!piece.done) return false;
      this.#cache.set(hash, piece.value);
      this.#begun = undefined;
    }
    return true;
  }

  /** Another process may be at the same tools: each transaction reads them anew. */
  #slice(): Step {
    if (this.#statements.isAny.get() === 0) return { isLeft: false, isFound: false, isHeld: false };
    const scanSome = this.#database.transaction(() => {
      const rows = this.#statements.waiting.all(toolsPerSlice) as UnscannedRow[];
      const stored = rows.map((row) => this.#store(row));
      return {
        isLeft: rows.length === toolsPerSlice,
        isFound: stored.some(({ isFound }) => isFound),
        isHeld: stored.some(({ isHeld }) => isHeld),
      };
    });
    return scanSome.immediate();
  }

  #store(row: UnscannedRow): Omit<Step, 'isLeft'> {
    const tool = { ...row, skeleton: row.skeleton ?? this.skeletonOf(row.name) };
    const lookAlikes = this.#lookAlikes(tool);
    const findings = this.#findings(tool, asObject(JSON.parse(row.definition)), lookAlikes);
    this.#statements.store.run(JSON.stringify(findings), tool.skeleton, row.key);
    for (const other of lookAlikes) {
      // This name makes an imitation of one that was scanned before it came.
      if (this.#shadowing(other, tool) !== undefined) this.#statements.scanAgain.run(other.key);
    }
    const reason = row.approved === 1 ? undefined : this.#policy?.firstSightReason('standard', findings);
    const isHeld = reason !== undefined && row.hold !== 'quarantined';
    if (isHeld) {
      this.#statements.quarantine.run(reason, row.key);
      this.#statements.refuseVersion.run(row.serverId, row.partition, row.name, row.hash);
    }
    return { isFound: findings.length > 0, isHeld };
  }

  #findings(tool: ScannableTool, definition: JsonObject, lookAlikes: readonly ScannableTool[]): Finding[] {
    const shadowed = lookAlikes.flatMap((other) => this.#shadowing(tool, other) ?? []);
    return [...shadowed.slice(0, 1), ...this.ofDefinition(tool.hash, definition)];
  }

  #lookAlikes({ key, serverId, name, skeleton }: ScannableTool): ScannableTool[] {
    if (skeleton === null) return [];
    return this.#statements.lookAlikes.all({ key, serverId, name, skeleton, limit: maxLookAlikes }) as ScannableTool[];
  }

  #shadowing(tool: ScannableTool, other: ScannableTool): Finding | undefined {
    const id: ToolId = { serverId: other.serverId, toolName: other.name };
    return this.#policy?.shadowing(tool.name, id, tool.key > other.key);
  }
}

interface Step {
  isLeft: boolean;
  isFound: boolean;
  isHeld: boolean;
}

interface UnscannedRow extends ScannableTool {
  partition: string;
  definition: string;
  hold: string;
  approved: number;
}

function prepare(database: Database) {
  return {
    isAny: database
      .prepare('SELECT EXISTS (SELECT 1 FROM tool INDEXED BY tool_to_scan WHERE findings IS NULL)')
      .pluck(),
    waiting: database.prepare(
      `SELECT t.key, s.id AS serverId, s.partition, t.name, t.hash, t.skeleton, t.hold, t.approved, d.definition
       FROM tool t INDEXED BY tool_to_scan JOIN server s ON s.pk = t.server_pk
         JOIN tool_definition d ON d.tool_key = t.key
       WHERE t.findings IS NULL ORDER BY t.key LIMIT ?`,
    ),
    store: database.prepare('UPDATE tool SET findings = ?, skeleton = ? WHERE key = ?'),
    lookAlikes: database.prepare(
      `SELECT t.key, s.id AS serverId, t.name, t.hash, t.skeleton FROM tool t JOIN server s ON s.pk = t.server_pk
       WHERE t.skeleton = @skeleton AND t.name <> @name AND t.key <> @key AND s.id <> @serverId LIMIT @limit`,
    ),
    scanAgain: database.prepare(
      `UPDATE tool SET findings = NULL WHERE key = ? AND findings NOT LIKE '%"rule":"shadowed_name"%'`,
    ),
    // What is searched for in it goes with its turn in the index.
    quarantine: database.prepare(
      "UPDATE tool SET hold = 'quarantined', hold_reason = ?, index_state = 0 WHERE key = ?",
    ),
    refuseVersion: database.prepare(
      `UPDATE tool_version SET accepted = 0 WHERE server_id = ? AND partition = ? AND name = ? AND hash = ?
       AND accepted = 1`,
    ),
  };
}
