import {
  type CallToolResult,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type ModeDecision,
} from '../model/index.ts';
import { cutText, formatCount } from '../render/index.ts';
import { readResultName } from './meta-tools.ts';
import { handleTtlMs, type ResultStore } from './result-store.ts';
import { errorResult } from './results.ts';
import { type CountTokens, charsWithin, surelyFits } from './token-budget.ts';

export interface ResultLimits {
  /** Tokens of the text of a result, as of a page of it. Default 25 000: what hosts take without cutting it themselves. */
  resultMaxTokens: number;
  /** Tokens of `structuredContent` as JSON. Default 25 000. */
  structuredMaxTokens: number;
  /** Base64 characters of all images, audio and files of a result. Default 10 MiB. */
  mediaMaxBytes: number;
  /** How long a handle is good after its last use. Default 30 minutes. */
  handleTtlMs: number;
}

export const defaultResultLimits: ResultLimits = {
  resultMaxTokens: 25_000,
  structuredMaxTokens: 25_000,
  mediaMaxBytes: 10 * 1024 * 1024,
  handleTtlMs,
};

/** Kept free for the words about what was cut. */
const noteTokens = 200;
/** Less of a block says nothing. */
const shownMinChars = 16;
/** Between the texts of blocks, where they are read as one. */
const separator = '\n';
/** Metadata for programs: what was cut. */
export const cutMetaKey = 'dev.toolcrib/cut';

export interface LimiterDeps {
  store: ResultStore;
  count: CountTokens;
  limits: ResultLimits;
  mode: () => ModeDecision['mode'];
}

export interface LimitContext {
  principal: string;
  /** Full name of the tool, for the words. */
  toolName: string;
  /** True when a host checks the result against a declared output schema, which a part of it would break. */
  isDeclared: boolean;
}

/**
 * Cuts a result to the limits: text and structured content by tokens, images and other media by bytes. What is left out can
 * be read by a handle. A result within the limits is returned as it is, mostly without counting.
 */
export class ResultLimiter {
  readonly #deps: LimiterDeps;

  constructor(deps: LimiterDeps) {
    this.#deps = deps;
  }

  async limit(result: CallToolResult, context: LimitContext): Promise<CallToolResult> {
    const { limits } = this.#deps;
    const parts = result.content.map(partOf);
    const text = parts.flatMap((part) => part.text ?? []).join(separator);
    const json = result.structuredContent === undefined ? '' : JSON.stringify(result.structuredContent);
    const isText = surelyFits(text, limits.resultMaxTokens);
    const isStructured = limits.structuredMaxTokens === 0 || surelyFits(json, limits.structuredMaxTokens);
    const media = parts.reduce((sum, { mediaBytes }) => sum + mediaBytes, 0);
    if (isText && isStructured && media <= limits.mediaMaxBytes) return result;
    const textChars = isText ? undefined : await this.#charsWithin(text, limits.resultMaxTokens);
    const isStructuredCut =
      !isStructured &&
      (await charsWithin(json, { maxTokens: limits.structuredMaxTokens }, this.#deps.count)) !== undefined;
    if (textChars === undefined && !isStructuredCut && media <= limits.mediaMaxBytes) return result;
    return this.#cut({ result, parts, text, json, textChars, isStructuredCut }, context);
  }

  /** Undefined when the whole text is within the limit; else what fits beside the note. */
  async #charsWithin(text: string, maxTokens: number): Promise<number | undefined> {
    const { count } = this.#deps;
    if ((await charsWithin(text, { maxTokens }, count)) === undefined) return undefined;
    return charsWithin(text, { maxTokens: Math.max(maxTokens - noteTokens, Math.ceil(maxTokens / 2)) }, count);
  }

  #cut({ result, parts, text, json, textChars, isStructuredCut }: Oversize, context: LimitContext): CallToolResult {
    const { store, limits } = this.#deps;
    const shown = showParts(parts, { textChars: textChars ?? text.length, mediaMaxBytes: limits.mediaMaxBytes });
    const isTextCut = textChars !== undefined;
    const isHandled = isTextCut || isStructuredCut;
    const structured = result.structuredContent;
    const handle = isHandled
      ? store.put(context.principal, {
          text: isTextCut ? text : json,
          ...(structured === undefined ? {} : { structured, structuredChars: json.length }),
        })
      : undefined;
    const start = isTextCut ? shown.end : 0;
    const facts: CutFacts = {
      handle,
      start,
      text: isTextCut ? { shown: shown.end, total: text.length } : undefined,
      structured: isStructuredCut ? json.length : undefined,
      isJson: structured !== undefined || /^\s*[[{]/.test(text),
    };
    const note = isHandled ? [{ type: 'text', text: this.#note(facts) }] : [];
    const meta = isHandled ? { [cutMetaKey]: cutMeta(facts) } : {};
    const { structuredContent, _meta, ...rest } = result;
    const isKept = structuredContent !== undefined && !isStructuredCut;
    const isBroken = context.isDeclared && isHandled && !result.isError;
    if (!isBroken) {
      return {
        ...rest,
        content: [...shown.blocks, ...note],
        ...(isKept ? { structuredContent } : {}),
        ...(_meta === undefined && !isHandled ? {} : { _meta: { ..._meta, ...meta } }),
      };
    }
    const words = `${context.toolName} ran, but its result is too large to be passed on whole. ${this.#note(facts)}`;
    const error = errorResult('result_too_large', words, handle === undefined ? {} : { handle });
    return { ...error, content: [...error.content, ...shown.blocks], _meta: { ..._meta, ...error._meta, ...meta } };
  }

  /** What was cut, how much, and how to read on. */
  #note({ handle, start, text, structured, isJson }: CutFacts): string {
    const { limits, mode } = this.#deps;
    const what = [
      ...(text === undefined
        ? []
        : [`the first ${formatCount(text.shown)} of ${formatCount(text.total)} characters are shown`]),
      ...(structured === undefined
        ? []
        : [`structuredContent, ${formatCount(structured)} characters of JSON, is left out`]),
    ].join('; ');
    const lost = 'The rest is too large to be kept. Ask for less: a filter, fewer items, one page.';
    if (handle === undefined) return `[toolcrib: this result was cut: ${what}. ${lost}]`;
    const args = { handle, offset: start };
    const minutes = Math.max(1, Math.round(limits.handleTtlMs / 60_000));
    const parts = isJson
      ? ` For one part, give "pointer" (a JSON pointer such as "/items/0") instead of "offset".`
      : '';
    return `[toolcrib: this result was cut: ${what}. Do not run the tool again for the rest, read on: ${readLine(args, mode())}${parts} The handle is good for ${minutes} minutes.]`;
  }
}

/** How a model reads on, ready to be called. */
export function readLine(args: JsonObject, mode: ModeDecision['mode']): string {
  if (mode === 'direct') return `${readResultName} ${JSON.stringify(args)}`;
  return `call_tool ${JSON.stringify({ name: readResultName, arguments: args })}`;
}

interface Oversize {
  result: CallToolResult;
  parts: Part[];
  text: string;
  json: string;
  textChars: number | undefined;
  isStructuredCut: boolean;
}

interface CutFacts {
  handle: string | undefined;
  start: number;
  text: { shown: number; total: number } | undefined;
  structured: number | undefined;
  isJson: boolean;
}

function cutMeta({ handle, start, text, structured }: CutFacts): JsonObject {
  return {
    ...(handle === undefined ? {} : { handle, nextOffset: start }),
    ...(text === undefined ? {} : { shownChars: text.shown, totalChars: text.total }),
    ...(structured === undefined ? {} : { structuredChars: structured }),
  };
}

interface Part {
  block: JsonObject;
  /** What counts as text; undefined for media. */
  text: string | undefined;
  mediaBytes: number;
  /** The block with another text; absent where it goes whole or not at all. */
  withText?: (text: string) => JsonObject;
}

function partOf(block: JsonObject): Part {
  const { type, text, data, resource } = block;
  if (type === 'text' && typeof text === 'string') {
    return { block, text, mediaBytes: 0, withText: (shown) => ({ ...block, text: shown }) };
  }
  if ((type === 'image' || type === 'audio') && typeof data === 'string') {
    return { block, text: undefined, mediaBytes: data.length };
  }
  if (type === 'resource' && isJsonObject(resource)) {
    if (typeof resource.blob === 'string') return { block, text: undefined, mediaBytes: resource.blob.length };
    if (typeof resource.text === 'string') {
      const withText = (shown: string) => ({ ...block, resource: { ...resource, text: shown } });
      return { block, text: resource.text, mediaBytes: 0, withText };
    }
  }
  return { block, text: JSON.stringify(block), mediaBytes: 0 };
}

/** The blocks within the limits, and how far the text of all goes then. */
function showParts(parts: readonly Part[], limits: { textChars: number; mediaMaxBytes: number }) {
  const blocks: JsonObject[] = [];
  let [left, media, end, isOver] = [limits.textChars, 0, 0, false];
  for (const { block, text, mediaBytes, withText } of parts) {
    if (text === undefined) {
      media += mediaBytes;
      blocks.push(media <= limits.mediaMaxBytes ? block : mediaNote(block, mediaBytes, limits.mediaMaxBytes));
      if (media > limits.mediaMaxBytes) media -= mediaBytes;
    } else if (!isOver && text.length <= left) {
      blocks.push(block);
      left -= text.length + separator.length;
      end += text.length + separator.length;
    } else if (!isOver) {
      isOver = true;
      const cut = withText !== undefined && left >= shownMinChars ? cutText(text, left) : undefined;
      if (cut === undefined || withText === undefined) continue;
      blocks.push(withText(cut.text));
      end += cut.end;
    }
  }
  return { blocks, end };
}

function mediaNote({ type, mimeType, resource }: JsonObject, bytes: number, most: number): JsonObject {
  const kind: JsonValue | undefined = isJsonObject(resource) ? resource.mimeType : mimeType;
  const what = typeof kind === 'string' ? `${String(type)} (${kind.slice(0, 100)})` : String(type);
  const text = `[toolcrib: ${what} of ${formatCount(bytes)} bytes in base64 was left out: a result may hold ${formatCount(most)}. Ask the tool for a smaller one.]`;
  return { type: 'text', text };
}
