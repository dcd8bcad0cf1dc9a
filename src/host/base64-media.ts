/** The smallest limit of the providers for one image, in characters of base64. */
const imageMaxChars = 5 * 1024 * 1024;

/** How files of these kinds begin, in base64. */
const beginnings = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
  ['JVBERi', 'application/pdf'],
] as const;

export type MediaType = (typeof beginnings)[number][1];

/**
 * The media type of base64 by what it holds, whatever it is called; undefined for other kinds, for what is no base64 and for
 * images that are too large. Providers refuse a whole conversation for one image that is not what it is said to be.
 */
export function mediaTypeOf(base64: string): MediaType | undefined {
  const type = beginnings.find(([beginning]) => base64.startsWith(beginning))?.[1];
  if (type === undefined || !isBase64(base64)) return undefined;
  // RIFF holds sounds as well; the word stands in bytes 8 to 11.
  if (type === 'image/webp' && Buffer.from(base64.slice(0, 16), 'base64').toString('latin1', 8, 12) !== 'WEBP') {
    return undefined;
  }
  return type !== 'application/pdf' && base64.length > imageMaxChars ? undefined : type;
}

function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text);
}
