import type { IndexableTool } from '../../model/index.ts';

/** Start of the description that the main vector sees: longer texts blur it (measured best of 150–1,000). */
const maxDescriptionCharacters = 300;

const identifierBoundary = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|[_\-./:]+/u;
const spaces = /\s+/gu;

const maxNameCharacters = 200;

/**
 * The texts that a tool's vectors are made from: what it is, in the order of `embeddingOrdinal`. Parameters stay out:
 * their words ("string", "optional", "id") draw all tools together, and a vector of name and parameters adds nothing measurable.
 */
export function embeddingTexts(tool: IndexableTool): string[] {
  const { serverId, toolName, title, description = '' } = tool;
  const name = spell(toolName).slice(0, maxNameCharacters) || toolName;
  const about = clean(description).slice(0, maxDescriptionCharacters);
  const whole = `${spell(serverId)} ${title === undefined ? name : clean(title).slice(0, maxNameCharacters)}. ${about}`;
  return [whole.trim(), name];
}

/**
 * Places in `embeddingTexts`. The name has a vector of its own, without the server: within one server, whose words all its
 * tools share, it tells them apart.
 */
export const embeddingOrdinal = { whole: 0, name: 1 } as const;

/** `createPullRequest` and `create_pull_request` as the model read them in its training: "create pull request". */
export function spell(identifier: string): string {
  return clean(identifier.split(identifierBoundary).join(' '));
}

function clean(text: string): string {
  return text.replace(spaces, ' ').trim();
}
