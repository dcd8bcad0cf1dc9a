import type { Finding, JsonObject } from '../../model/index.ts';
import { combinedSignsAt } from './combined-signs.ts';
import { type DefinitionText, definitionTexts } from './definition-texts.ts';
import { disguisedReadings } from './disguises.ts';
import { encodedTexts } from './encoded-text.ts';
import { foldLookAlikes, foldText, mixedScriptWord, unseen } from './fold-text.ts';
import { textRules } from './text-rules.ts';

/** A text that long cannot be looked over by the person who approves it. */
const maxOrdinaryCharacters = 12_000;
/** Only so much of each text is searched; past it the length alone is a finding. */
const maxScannedCharacters = 200_000;
const excerptCharacters = 120;
/** What follows so much white space is off the screen of whoever looks. Of a fixed length, or long ones take minutes. */
const padding = /\s{120}\S/u;
/** Shorter ones hold no message. */
const minCommentCharacters = 12;

/** A scan that stops now and then, so that others have their turn; it ends with the findings. */
export type ScanInSteps = Generator<undefined, Finding[], undefined>;

/**
 * What in a tool's definition looks like an attack on the model or the person who reads it (tool poisoning, CWE-1427):
 * orders to the model, requests to hide things or to hand over secrets, unseen characters, text in disguise. Each rule is
 * reported once a tool, worst first. Pure, and bounded in time by the sizes above. With `known`, only texts that are not in
 * that definition are looked at.
 */
export function scanDefinition(definition: JsonObject, known?: JsonObject): Finding[] {
  const scan = scanInSteps(definition, known);
  for (;;) {
    const { done, value } = scan.next();
    if (done) return value;
  }
}

/** The same, stopping after each rule: compiling all of them for the first text takes 30 ms, and so does a text of 40 kB. */
export function* scanInSteps(definition: JsonObject, known?: JsonObject): ScanInSteps {
  const found = new Map<string, Finding>();
  const { texts, isComplete } = definitionTexts(definition);
  const seenTexts = new Set(known && definitionTexts(known).texts.map(({ text }) => text));
  for (const text of texts) {
    // Schemas say the same again and again; what is said twice breaks no further rule.
    if (seenTexts.has(text.text)) continue;
    seenTexts.add(text.text);
    const findings = yield* scanText(text);
    for (const finding of findings) if (!found.has(finding.rule)) found.set(finding.rule, finding);
  }
  if (!isComplete) found.set(unscanned.rule, { ...unscanned, where: '', excerpt: '' });
  return [...found.values()].sort((a, b) => levels.indexOf(a.level) - levels.indexOf(b.level));
}

/** What nobody has looked at is not accepted. */
const unscanned = {
  rule: 'unscanned_text',
  level: 'high',
  reason: 'It holds more text than is scanned.',
} as const;

const levels: readonly Finding['level'][] = ['high', 'medium', 'low'];

function* scanText({ where, text: whole }: DefinitionText): ScanInSteps {
  const text = whole.slice(0, maxScannedCharacters);
  const findings = unseenFindings(where, text);
  findings.push(...(yield* saidFindings(where, text)));
  if (whole.length > maxScannedCharacters) findings.push({ ...unscanned, where, excerpt: excerpt(text, 0) });
  if (whole.length > maxOrdinaryCharacters) {
    findings.push({
      rule: 'overlong_text',
      level: 'low',
      reason: `It is ${whole.length} characters long, more than a person looks over.`,
      where,
      excerpt: excerpt(text, 0),
    });
  }
  return findings;
}

function unseenFindings(where: string, text: string): Finding[] {
  const findings: Finding[] = [];
  const add = (rule: string, level: Finding['level'], reason: string, at: number) =>
    findings.push({ rule, level, reason, where, excerpt: excerpt(text, at) });
  const control = text.search(unseen.controls);
  if (control >= 0)
    add('control_characters', 'high', 'It holds control characters, which rewrite what a terminal shows.', control);
  const tag = text.search(unseen.tags);
  if (tag >= 0) add('invisible_message', 'high', 'It holds characters that only a model reads.', tag);
  const bidirectional = text.search(unseen.bidirectional);
  if (bidirectional >= 0) {
    add('reordered_text', 'high', 'It holds marks that show text in another order than it is read.', bidirectional);
  }
  const zeroWidth = text.search(unseen.zeroWidth);
  if (zeroWidth >= 0)
    add('zero_width_characters', 'medium', 'It holds characters without width inside its words.', zeroWidth);
  const mixed = mixedScriptWord(text);
  if (mixed !== undefined) {
    const isName = where === '/name' || where.includes('/properties/');
    const at = Math.max(0, text.indexOf(mixed));
    add('look_alike_letters', isName ? 'high' : 'medium', `The word "${mixed}" mixes letters of several scripts.`, at);
  }
  const padded = text.search(padding);
  if (padded >= 0) add('padded_text', 'medium', 'It moves text out of sight with white space.', padded);
  const comment = htmlCommentAt(text);
  if (comment >= 0)
    add('hidden_comment', 'medium', 'It holds a comment that is not shown where the text is rendered.', comment);
  return findings;
}

/** Two searches, where a pattern would read on to the end from each beginning. */
function htmlCommentAt(text: string): number {
  const at = text.indexOf('<!--');
  return at >= 0 && text.lastIndexOf('-->') - at >= '<!--'.length + minCommentCharacters ? at : -1;
}

/** What the text says, also in disguise: look-alike letters, emphasis and spaces inside words, encodings. */
function* saidFindings(where: string, text: string): ScanInSteps {
  const folded = foldText(text);
  const readings = new Set([folded]);
  if (mixedScriptWord(text) !== undefined) readings.add(foldLookAlikes(text));
  for (const reading of disguisedReadings(folded)) readings.add(reading);
  const withoutEmphasis = text.replace(/[*_~`]+/gu, '');
  const plain = withoutEmphasis === text ? folded : foldText(withoutEmphasis);
  readings.add(plain);
  if (spacedOut.test(plain)) readings.add(plain.replace(spacedOut, (run) => run.replace(/\s/gu, '')));
  const findings: Finding[] = [];
  for (const reading of readings) findings.push(...(yield* matches(where, reading)));
  for (const decoded of encodedTexts(text)) {
    const [said] = yield* matches(where, foldText(decoded));
    findings.push({
      rule: 'encoded_text',
      level: said === undefined ? 'medium' : 'high',
      reason: said === undefined ? 'It holds words in an encoding.' : `In an encoding: ${said.reason}`,
      where,
      excerpt: excerpt(decoded, 0),
    });
  }
  return findings;
}

/** Letters one by one: "i g n o r e". */
const spacedOut = /\b(?:\p{L}[\s.-]){5,}\p{L}\b/gu;

function* matches(where: string, reading: string): ScanInSteps {
  const combined = combinedSignsAt(reading);
  yield;
  const said = yield* phrases(where, reading);
  return combined < 0 ? said : [...said, { ...combinedSigns, where, excerpt: excerpt(reading, combined) }];
}

const combinedSigns = {
  rule: 'steers_the_model',
  level: 'medium',
  reason: 'Put together, it reads like orders to the model rather than like help with the tool.',
} as const;

function* phrases(where: string, reading: string): ScanInSteps {
  const found: Finding[] = [];
  for (const { rule, level, reason, patterns } of textRules) {
    const at = firstMatchAt(reading, patterns);
    if (at >= 0) found.push({ rule, level, reason, where, excerpt: excerpt(reading, at) });
    yield;
  }
  return found;
}

/** Of the first pattern that matches; -1 where none does. */
function firstMatchAt(reading: string, patterns: readonly RegExp[]): number {
  for (const pattern of patterns) {
    const at = reading.search(pattern);
    if (at >= 0) return at;
  }
  return -1;
}

function excerpt(text: string, at: number): string {
  const shown = seen(text.slice(at, at + excerptCharacters));
  return [...shown].length < text.length - at ? `${shown}…` : shown;
}

/** Nothing unseen in what people are shown. */
function seen(text: string): string {
  return text
    .replace(/\p{C}|\p{Variation_Selector}/gu, '')
    .replace(/\s+/gu, ' ')
    .trim();
}
