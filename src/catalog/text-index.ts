import type { Statement } from 'better-sqlite3';
import type { AnalyzedTool, IndexableTool, ToolAnalyzer } from '../model/index.ts';
import { textHash } from './canonical-hash.ts';
import type { Database } from './database.ts';

/** Writes what the analyser makes of a tool: its keyword row, its profile and the texts to embed. */
export class TextIndex {
  readonly #analyzer: ToolAnalyzer;
  readonly #insertKeywords: Statement;
  readonly #deleteKeywords: Statement;
  readonly #insertProfile: Statement;
  readonly #deleteProfile: Statement;
  readonly #textKey: Statement;
  readonly #insertText: Statement;
  readonly #linkText: Statement;
  readonly #unlinkTexts: Statement;
  readonly #linkedTexts: Statement;
  readonly #deleteTextIfUnused: Statement;

  constructor(database: Database, analyzer: ToolAnalyzer) {
    this.#analyzer = analyzer;
    this.#insertKeywords = database.prepare(
      'INSERT INTO tool_text (rowid, name, title, description, parameters, server) VALUES (?, ?, ?, ?, ?, ?)',
    );
    this.#deleteKeywords = database.prepare('DELETE FROM tool_text WHERE rowid = ?');
    this.#insertProfile = database.prepare('INSERT INTO tool_profile (tool_key, value) VALUES (?, ?)');
    this.#deleteProfile = database.prepare('DELETE FROM tool_profile WHERE tool_key = ?');
    this.#textKey = database.prepare('SELECT key FROM embedding_text WHERE hash = ?').pluck();
    this.#insertText = database.prepare('INSERT INTO embedding_text (hash, text) VALUES (?, ?)');
    this.#linkText = database.prepare('INSERT INTO tool_embedding (tool_key, ordinal, text_key) VALUES (?, ?, ?)');
    this.#unlinkTexts = database.prepare('DELETE FROM tool_embedding WHERE tool_key = ?');
    this.#linkedTexts = database.prepare('SELECT text_key FROM tool_embedding WHERE tool_key = ?').pluck();
    this.#deleteTextIfUnused = database.prepare(
      `DELETE FROM embedding_text WHERE key = ?
       AND NOT EXISTS (SELECT 1 FROM tool_embedding e WHERE e.text_key = embedding_text.key)`,
    );
  }

  #add(key: number, tool: IndexableTool): void {
    const { keywords, profile, embeddingTexts } = this.#analyze(tool);
    this.#insertKeywords.run(
      key,
      keywords.name,
      keywords.title,
      keywords.description,
      keywords.parameters,
      keywords.server,
    );
    this.#insertProfile.run(key, profile);
    for (const [ordinal, text] of embeddingTexts.entries()) this.#linkText.run(key, ordinal, this.#keyOf(text));
  }

  /** Equal texts of different tools are one row with one vector. */
  #keyOf(text: string): number {
    const hash = textHash(text);
    const known = this.#textKey.get(hash) as number | undefined;
    return known ?? Number(this.#insertText.run(hash, text).lastInsertRowid);
  }

  /** A definition that the analyser stumbles over must not take the rest of the list with it: less of it is indexed. */
  #analyze(tool: IndexableTool): AnalyzedTool {
    const { serverId, toolName, description = '' } = tool;
    const simpler: IndexableTool[] = [
      tool,
      { serverId, toolName, description, inputSchema: { type: 'object' } },
      { serverId, toolName, inputSchema: { type: 'object' } },
    ];
    for (const attempt of simpler) {
      try {
        return this.#analyzer.analyze(attempt);
      } catch {
        // The next attempt leaves out more.
      }
    }
    const keywords = { name: '', title: '', description: '', parameters: '', server: '' };
    return { keywords, profile: new Uint8Array(), embeddingTexts: [] };
  }

  /** Texts that no other tool has go with the last one that had them, and their vectors with them. */
  remove(key: number): void {
    const texts = this.#linkedTexts.all(key) as number[];
    this.#deleteKeywords.run(key);
    this.#deleteProfile.run(key);
    this.#unlinkTexts.run(key);
    for (const text of texts) this.#deleteTextIfUnused.run(text);
  }

  /** Same text, same vector: a tool that keeps its wording keeps its vector. */
  replace(key: number, tool: IndexableTool): void {
    const before = this.#linkedTexts.all(key) as number[];
    this.#deleteKeywords.run(key);
    this.#deleteProfile.run(key);
    this.#unlinkTexts.run(key);
    this.#add(key, tool);
    for (const text of before) this.#deleteTextIfUnused.run(text);
  }
}
