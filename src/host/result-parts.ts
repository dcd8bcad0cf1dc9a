import { isDeepStrictEqual } from 'node:util';
import { type CallToolResult, isJsonObject, type JsonObject, type JsonValue } from '../model/index.ts';
import { type MediaType, mediaTypeOf } from './base64-media.ts';

/** A piece of a result as model providers know them. */
export type ResultPart =
  | { kind: 'text'; text: string }
  /** `data` is base64. */
  | { kind: 'image'; data: string; mimeType: ImageType }
  | { kind: 'file'; data: string; mimeType: 'application/pdf'; name: string };

type ImageType = Exclude<MediaType, 'application/pdf'>;

/** What a provider takes beside text: PNG, JPEG, GIF and WebP, and PDF. */
export interface Accepted {
  images: boolean;
  files: boolean;
}

export const textOnly: Accepted = { images: false, files: false };

/**
 * A result in pieces that a provider takes, never none: what it cannot take is named in words, and structured content that no
 * text repeats is added as JSON. Pieces of text are never blank, which providers refuse.
 */
export function resultParts({ content, structuredContent }: CallToolResult, accepted: Accepted): ResultPart[] {
  const parts = content.flatMap((block) => blockParts(block, accepted));
  const isRepeated = structuredContent === undefined || parts.some((part) => says(part, structuredContent));
  const all = isRepeated ? parts : [...parts, ...text(JSON.stringify(structuredContent))];
  return all.length === 0 ? text('The tool ran and returned nothing.') : all;
}

/** The result as one text. */
export function resultText(result: CallToolResult): string {
  return resultParts(result, textOnly)
    .map((part) => (part.kind === 'text' ? part.text : ''))
    .join('\n');
}

function blockParts(block: JsonObject, accepted: Accepted): ResultPart[] {
  const { type, resource } = block;
  if (type === 'text' && typeof block.text === 'string') return text(block.text);
  if (type === 'image' || type === 'audio') return mediaParts(block.data, block.mimeType, `${type} content`, accepted);
  if (type === 'resource' && isJsonObject(resource)) return resourceParts(resource, accepted);
  if (type === 'resource_link') return text(linkText(block));
  return text(JSON.stringify(block));
}

function resourceParts({ uri, text: words, blob, mimeType }: JsonObject, accepted: Accepted): ResultPart[] {
  const name = typeof uri === 'string' ? uri : 'resource';
  if (typeof words === 'string') return text(`${name}:\n${words}`);
  return mediaParts(blob, mimeType, name, accepted);
}

function mediaParts(
  data: JsonValue | undefined,
  mimeType: JsonValue | undefined,
  name: string,
  { images, files }: Accepted,
): ResultPart[] {
  const called = typeof mimeType === 'string' ? mimeType : 'unknown type';
  if (typeof data !== 'string' || data === '') return text(`[${name}, ${called}: empty]`);
  // Line breaks are how mail writes base64.
  const base64 = data.replace(/\s+/g, '');
  const type = mediaTypeOf(base64);
  if (type === 'application/pdf') {
    if (files) return [{ kind: 'file', data: base64, mimeType: type, name }];
  } else if (type !== undefined && images) return [{ kind: 'image', data: base64, mimeType: type }];
  return text(`[${name}, ${called}, ${data.length} characters of base64: cannot be shown to you]`);
}

function linkText({ name, title, uri, description, mimeType }: JsonObject): string {
  const known = [title ?? name, uri, mimeType, description].filter((part) => typeof part === 'string' && part !== '');
  return `Resource: ${known.join(', ')}`;
}

/** Providers refuse blank text, and halves of characters. */
function text(words: string): ResultPart[] {
  return words.trim() === '' ? [] : [{ kind: 'text', text: words.replace(/\p{Surrogate}/gu, '\ufffd') }];
}

/** Servers repeat structured content as text for older hosts. */
function says(part: ResultPart, value: JsonValue): boolean {
  if (part.kind !== 'text') return false;
  try {
    return isDeepStrictEqual(JSON.parse(part.text), value);
  } catch {
    return false;
  }
}
