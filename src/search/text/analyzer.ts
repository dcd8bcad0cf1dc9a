import type { AnalyzedTool, IndexableTool, ToolAnalyzer } from '../../model/index.ts';
import { encodeProfile } from '../ranker/tool-profile.ts';
import { embeddingTexts } from './embedding-texts.ts';
import { schemaText } from './schema-text.ts';
import { tokenize } from './tokenize.ts';

/** Raised with every change of tokens, profiles or embedding texts: catalogs re-index when it differs. */
const analyzerVersion = 4;

/** Descriptions of 34,000 characters exist; what a tool does is said at the start. */
const maxDescriptionCharacters = 4_000;
const maxNameCharacters = 256;

/** The text analysis of tools: what the keyword index and the embedding model get to see. Pure. */
export function createToolAnalyzer(): ToolAnalyzer {
  return { id: `toolcrib-analyzer/${analyzerVersion}`, analyze };
}

function analyze(tool: IndexableTool): AnalyzedTool {
  const { serverId, toolName, title = '', description = '', inputSchema, serverDescription = '' } = tool;
  const keywords = {
    name: tokens(toolName, maxNameCharacters),
    title: tokens(title, maxNameCharacters),
    description: tokens(description, maxDescriptionCharacters),
    parameters: tokens(schemaText(inputSchema), Number.POSITIVE_INFINITY),
    server: tokens(`${serverId} ${serverDescription}`, maxDescriptionCharacters),
  };
  return { keywords, profile: encodeProfile(serverId, keywords), embeddingTexts: embeddingTexts(tool) };
}

function tokens(text: string, maxCharacters: number): string {
  return tokenize(text.slice(0, maxCharacters)).join(' ');
}
