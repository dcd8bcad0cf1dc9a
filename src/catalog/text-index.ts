import type { Statement } from 'better-sqlite3';
import type { AnalyzedTool, IndexableTool, ToolAnalyzer } from '../model/index.ts';
import { textHash } from './canonical-hash.ts';
import type { Database } from './database.ts';

/** Writes what the analyser makes of a tool: its keyword row and the texts to embed. Only ingest calls it. */
export class TextIndex {
  readonly #analyzer: ToolAnalyzer;
  readonly #insertKeywords: Statement;
  readonly #deleteKeywords: Statement;
  readonly #insertText: Statement;
  readonly #deleteTexts: Statement;
  readonly #textHashes: Statement;
  readonly #deleteVectorIfUnused: Statement;

  constructor(database: Database, analyzer: ToolAnalyzer) {
    this.#analyzer = analyzer;
    this.#insertKeywords = database.prepare(
      'INSERT INTO tool_text (rowid, name, title, description, parameters, server) VALUES (?, ?, ?, ?, ?, ?)',
    );
    this.#deleteKeywords = database.prepare('DELETE FROM tool_text WHERE rowid = ?');
    this.#insertText = database.prepare(
      'INSERT INTO embedding_text (tool_key, ordinal, text_hash, text) VALUES (?, ?, ?, ?)',
    );
    this.#deleteTexts = database.prepare('DELETE FROM embedding_text WHERE tool_key = ?');
    this.#textHashes = database.prepare('SELECT text_hash FROM embedding_text WHERE tool_key = ?').pluck();
    this.#deleteVectorIfUnused = database.prepare(
      `DELETE FROM vector WHERE text_hash = ?
       AND NOT EXISTS (SELECT 1 FROM embedding_text e WHERE e.text_hash = vector.text_hash)`,
    );
  }

  add(key: number, tool: IndexableTool): void {
    const { keywords, embeddingTexts } = this.#analyze(tool);
    this.#insertKeywords.run(
      key,
      keywords.name,
      keywords.title,
      keywords.description,
      keywords.parameters,
      keywords.server,
    );
    for (const [ordinal, text] of embeddingTexts.entries()) this.#insertText.run(key, ordinal, textHash(text), text);
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
    return { keywords: { name: '', title: '', description: '', parameters: '', server: '' }, embeddingTexts: [] };
  }

  /** Vectors that no other tool needs go with the last text that had them. */
  remove(key: number): void {
    const hashes = this.#textHashes.all(key) as string[];
    this.#deleteKeywords.run(key);
    this.#deleteTexts.run(key);
    for (const hash of hashes) this.#deleteVectorIfUnused.run(hash);
  }

  /** Same text, same vector: a tool that keeps its wording keeps its vector. */
  replace(key: number, tool: IndexableTool): void {
    const before = this.#textHashes.all(key) as string[];
    this.#deleteKeywords.run(key);
    this.#deleteTexts.run(key);
    this.add(key, tool);
    for (const hash of before) this.#deleteVectorIfUnused.run(hash);
  }
}
