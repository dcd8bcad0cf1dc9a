export interface CutText {
  /** Readable by itself: a JSON text stays valid JSON, other text ends after a line or word where one ends nearby. */
  text: string;
  /** Where in the original to go on, in characters (UTF-16 units). */
  end: number;
}

/** A line may end this far before the limit, and a word … */
const lineShare = 0.8;
const wordShare = 0.95;
/** White space before a member, at most. */
const indentMaxChars = 1_000;
/** A JSON text whose last whole member ends before this share of the limit is cut within a text value instead. */
const memberShare = 0.5;

/** The first `maxChars` characters at most, cut where what is shown can be read; the closing brackets of JSON come on top. */
export function cutText(text: string, maxChars: number): CutText {
  if (text.length <= maxChars) return { text, end: text.length };
  return cutJson(text, maxChars) ?? cutPlain(text, maxChars);
}

/** The same for a part that starts somewhere in a text: JSON is not closed, so that the parts add up to the whole. */
export function cutPlain(text: string, maxChars: number): CutText {
  if (text.length <= maxChars) return { text, end: text.length };
  const line = text.lastIndexOf('\n', maxChars - 1) + 1;
  const word = text.lastIndexOf(' ', maxChars - 1) + 1;
  const boundary = line >= maxChars * lineShare ? line : word >= maxChars * wordShare ? word : maxChars;
  // Half of a surrogate pair has no UTF-8 form; at least one character goes, or nobody would ever come to the end.
  const end = isHighSurrogate(text, boundary - 1) ? (boundary > 1 ? boundary - 1 : 2) : boundary;
  return { text: text.slice(0, end), end };
}

function cutJson(text: string, maxChars: number): CutText | undefined {
  const scan = scanJson(text, maxChars);
  if (scan === undefined) return undefined;
  const { closers, member, next, string } = scan;
  const isMember = string === undefined || member >= maxChars * memberShare;
  const end = isMember ? next : string.at;
  const head = isMember ? text.slice(0, member) : `${text.slice(0, end)}"`;
  const cut = head + (isMember ? closers : string.closers).toReversed().join('');
  try {
    JSON.parse(cut);
    return { text: cut, end };
  } catch {
    return undefined;
  }
}

interface JsonScan {
  /** The brackets that are open at `member`. */
  closers: string[];
  /** Where the last whole member ends, or its container begins. */
  member: number;
  /** Where the member after it begins. */
  next: number;
  /** Where to end the text value that goes over the limit, with all brackets then open, if it is one. */
  string?: { at: number; closers: string[] };
}

/** An array or object that is open, and where its members so far end. */
interface Container {
  closer: string;
  member: number;
  next: number;
}

/** Reads as far as the limit; undefined for what is no JSON array or object. A wrong one is found out by its parser. */
function scanJson(text: string, maxChars: number): JsonScan | undefined {
  const open: Container[] = [];
  let isValue = false;
  for (let at = text.search(/\S/u); at < maxChars; at += 1) {
    const char = text.charAt(at);
    const top = open.at(-1);
    if (char === '"' && top !== undefined) {
      const end = stringEnd(text, at + 1, maxChars);
      if (!end.isClosed) {
        const isText = isValue || top.closer === ']';
        return endOf(text, open, { maxChars, ...(isText ? { string: end.at } : {}) });
      }
      at = end.at;
    } else if (char === '{' || char === '[') {
      open.push({ closer: char === '{' ? '}' : ']', member: at + 1, next: at + 1 });
      isValue = false;
    } else if (char === '}' || char === ']') {
      if (open.pop()?.closer !== char) return undefined;
    } else if (char === ',' && top !== undefined) {
      [top.member, top.next, isValue] = [at, at + 1, false];
    } else if (char === ':') isValue = true;
    if (open.length === 0) return undefined;
  }
  return endOf(text, open, { maxChars });
}

/** The outermost container with a whole member near the limit is cut, so that few members are shown in part. */
function endOf(
  text: string,
  open: readonly Container[],
  { maxChars, string }: { maxChars: number; string?: number },
): JsonScan | undefined {
  const near = open.findIndex(({ member }) => member >= maxChars * lineShare);
  const depth = near === -1 ? open.length - 1 : near;
  const container = open[depth];
  if (container === undefined) return undefined;
  const follows = text
    .slice(container.next, container.next + indentMaxChars)
    .trimStart()
    .charAt(0);
  if (!(container.closer === '}' ? /["}]/ : /["[{\]tfn\d-]/).test(follows)) return undefined;
  const closers = open.map(({ closer }) => closer);
  return {
    closers: closers.slice(0, depth + 1),
    member: container.member,
    next: container.next,
    ...(string === undefined ? {} : { string: { at: string, closers } }),
  };
}

/** The closing quote; or, where it lies past the limit, the end of the last whole character or escape before that. */
function stringEnd(text: string, start: number, maxChars: number): { at: number; isClosed: boolean } {
  let at = start;
  let whole = start;
  while (at < maxChars) {
    const char = text.charAt(at);
    if (char === '"') return { at, isClosed: true };
    whole = at;
    at += char === '\\' ? (text.charAt(at + 1) === 'u' ? 6 : 2) : 1;
  }
  const end = at === maxChars ? at : whole;
  const isHalf = isHighSurrogate(text, end - 1) || /\\u[dD][89aAbB][\da-fA-F]{2}$/.test(text.slice(end - 6, end));
  const halfChars = isHighSurrogate(text, end - 1) ? 1 : 6;
  return { at: isHalf ? Math.max(start, end - halfChars) : end, isClosed: false };
}

function isHighSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xd800 && code <= 0xdbff;
}
