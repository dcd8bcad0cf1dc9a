/** Names of files and folders, addresses, ids, quoted texts: values for a call, which say little about the tool. */
const literals: readonly RegExp[] = [
  /https?:\/\/\S+/gu,
  /\S+@\S+\.\S+/gu,
  /(?<=^|[\s(:,])(["'“‘`])(?:(?![.!?]\s)[^"“”`]){2,80}?["'”’`](?=[\s.,;:!?)]|$)/gu,
  /(?<=^|\s)[~./][\w./-]+/gu,
  /(?<![\w-])(?=[\w-]*\d)[\w-]+/gu,
];
const spaceBeforePunctuation = /\s+(?=[.,;!?])/gu;
const spaces = /\s+/gu;

/** A query without its literal values; the query itself where nothing else is in it. */
export function cleanQuery(query: string): string {
  const stripped = literals.reduce((text, literal) => text.replace(literal, ' '), query);
  const tidy = stripped.replace(spaceBeforePunctuation, '').replace(spaces, ' ').trim();
  return /\p{L}{2}/u.test(tidy) ? tidy : query.trim();
}

const negated =
  /\b(?:do not|don't|dont|never|without)\s+\p{L}+(?=\s*[,.;!]|\s+(?:it|them|anything|but|just|only)\b|$)/giu;

/** A query without what it says is not to be done ("do not delete, just list"), where something else is left. */
export function withoutNegations(query: string): string {
  const rest = query.replace(negated, ' ');
  return /\p{L}{2}/u.test(rest) ? rest : query;
}

export type LiteralKind = 'url' | 'email' | 'path' | 'date';

const kinds: Record<LiteralKind, RegExp> = {
  url: /https?:\/\/|www\.|\b[\w-]+\.(?:com|org|io|net|dev)\b/iu,
  email: /[^\s@]+@[^\s@]+\.\w/u,
  path: /(?:^|\s)[~.]?\/[\w.-]|\b[\w-]+\.(?:txt|md|csv|pdf|json|xlsx?|docx?|pptx?|png|jpe?g|py|js|ts|zip|mp3|mp4)\b/iu,
  date: /\b(?:20\d\d|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|monday|tuesday|wednesday|thursday|friday|saturday|sunday|today|tomorrow|yesterday|weeks?|months?)\b/iu,
};

/** What kinds of values a query holds: a tool that takes such a value fits better. */
export function literalKinds(query: string): LiteralKind[] {
  return (Object.keys(kinds) as LiteralKind[]).filter((kind) => kinds[kind].test(query));
}
