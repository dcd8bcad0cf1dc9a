import { capText, cleanLines, cleanText } from './clean-text.ts';

/**
 * The first sentence of a description on one line, without Markdown marks, at most `maxChars` characters; cut after a
 * word with `…` where it is longer.
 */
export function firstSentence(text: string, maxChars: number): string {
  const paragraph = firstParagraph(withoutMarkdown(cleanLines(text.slice(0, readMaxChars))));
  return capText(paragraph.slice(0, sentenceEnd(paragraph)), maxChars);
}

/** Far more than a sentence; descriptions run to 34,000 characters. */
const readMaxChars = 4_000;

function withoutMarkdown(text: string): string {
  return text
    .replace(/^\s*(?:```|~~~)[^\n]*$/gm, '')
    .replace(/<\/?[a-zA-Z][^<>\n]{0,200}>/g, '')
    .replace(/!?\[([^\][\n]{0,200})\]\([^()\s]{0,500}\)/g, '$1')
    .replace(/^\s*(?:#{1,6}|>|[-*+•]|\d{1,3}[.)])\s+/gm, '')
    .replace(/^\s*[-=*_]{3,}\s*$/gm, '')
    .replace(/\\([\\`*_{}[\]()#+.!|<>-])/g, '$1')
    .replace(/\*{1,3}(?=\S)|(?<=\S)\*{1,3}|`+|(?<=\s|^)_{1,2}(?=\S)|(?<=\S)_{1,2}(?=\s|$)/g, '');
}

/** Lines up to the first empty one. A heading line alone says little, so the next lines are taken along. */
function firstParagraph(text: string): string {
  const paragraphs = text
    .split(/\n\s*\n/)
    .map(cleanText)
    .filter(Boolean);
  const [first = '', second] = paragraphs;
  return second !== undefined && first.length < headingMaxChars && !/[.!?。！？]$/u.test(first)
    ? `${first.replace(/:$/, '')}: ${second}`
    : first;
}

/** "Create issue", "Overview": shorter than a sentence that says anything. */
const headingMaxChars = 24;

/** Where the first sentence ends: after a mark that is followed by space and no small letter, not after "e.g.". */
function sentenceEnd(text: string): number {
  for (const match of text.matchAll(/[。！？]|[.!?](?=\s+[^\p{Ll}\s]|\s*$)/gu)) {
    const end = match.index + match[0].length;
    if (!endsInAbbreviation(text.slice(Math.max(0, end - 12), end))) return end;
  }
  return text.length;
}

function endsInAbbreviation(text: string): boolean {
  return /(?:^|[\s(])(?:e\.?g|i\.?e|etc|vs|cf|no|approx|incl|max|min|mr|ms|dr|st|[A-Z])\.$/iu.test(text);
}
