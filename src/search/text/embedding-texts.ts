import type { IndexableTool } from '../../model/index.ts';

/** Start of the description that the main vector sees: longer texts blur it (measured best of 150–1,000). */
const maxDescriptionCharacters = 300;

const identifierBoundary = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|[_\-./:]+/u;
const spaces = /\s+/gu;

/**
 * The texts that a tool's vectors are made from, the main one first. The input schema stays out: its words ("string",
 * "optional", "id") draw all tools together.
 */
export function embeddingTexts({ serverId, toolName, title, description = '' }: IndexableTool): string[] {
  const name = spell(title ?? toolName);
  const about = clean(description);
  return [`${spell(serverId)} ${name}. ${about.slice(0, maxDescriptionCharacters)}`.trim()];
}

/** `createPullRequest` and `create_pull_request` as the model read them in its training: "create pull request". */
function spell(identifier: string): string {
  return clean(identifier.split(identifierBoundary).join(' '));
}

function clean(text: string): string {
  return text.replace(spaces, ' ').trim();
}
