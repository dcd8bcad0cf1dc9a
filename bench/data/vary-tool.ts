/**
 * A tool that does not exist but could: the name's last word and the second half of the description come from `donor`.
 * Words keep about the frequencies that they have in real catalogs, which is what the cost of a search depends on.
 */
export function varyTool(
  tool: Readonly<Record<string, unknown>>,
  donor: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return {
    ...tool,
    name: crossed(String(tool.name).split('_'), String(donor.name).split('_')).join('_'),
    description: crossed(wordsIn(tool.description), wordsIn(donor.description)).join(' '),
  };
}

/** The first half of one list, rounded up, and the second half of the other. */
function crossed(first: readonly string[], second: readonly string[]): string[] {
  return [...first.slice(0, Math.ceil(first.length / 2)), ...second.slice(Math.floor(second.length / 2))];
}

function wordsIn(text: unknown): string[] {
  return typeof text === 'string' ? text.split(' ') : [];
}
