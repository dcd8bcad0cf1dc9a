import { createHash } from 'node:crypto';
import type { ToolDefinition } from '../model/index.ts';
import { invalidParams } from './errors.ts';

export interface PageLimits {
  maxTools: number;
  maxBytes: number;
}

/**
 * Bounds of one page of `tools/list`: wide, since hosts exist that read the first page alone, and still well below the
 * 10 MiB at which the SDK's own stdio client gives a message up.
 */
const pageLimits: PageLimits = { maxTools: 1_000, maxBytes: 4 * 1024 * 1024 };
const cursorShownMaxChars = 80;
const digestChars = 16;

export interface ToolPage {
  tools: readonly ToolDefinition[];
  nextCursor?: string;
}

/**
 * One page of a list (MCP "Pagination"). A cursor holds the digest of the list it belongs to and the place of its page,
 * so that nothing is kept for a host that is reading, and its pages are always of one and the same list. Throws
 * -32602 for a cursor of a list that has changed since, and for one that was never given out.
 */
export function toolPage(list: readonly ToolDefinition[], cursor?: string, limits: PageLimits = pageLimits): ToolPage {
  const { starts, digest } = layoutOf(list, limits);
  const index = cursor === undefined ? 0 : readCursor(cursor, digest(), starts);
  const start = starts[index] ?? 0;
  const end = starts[index + 1];
  if (end === undefined) return { tools: start === 0 ? list : list.slice(start) };
  return { tools: list.slice(start, end), nextCursor: writeCursor(digest(), end) };
}

interface Layout {
  /** The place of each page's first tool. */
  starts: readonly number[];
  digest: () => string;
}

/** The router gives the same array until its list changes. */
const layouts = new WeakMap<readonly ToolDefinition[], Layout>();

function layoutOf(list: readonly ToolDefinition[], limits: PageLimits): Layout {
  const known = limits === pageLimits ? layouts.get(list) : undefined;
  if (known !== undefined) return known;
  let digest: string | undefined;
  const layout = {
    starts: startsOf(list, limits),
    digest: () => {
      digest ??= createHash('sha256').update(JSON.stringify(list)).digest('hex').slice(0, digestChars);
      return digest;
    },
  };
  if (limits === pageLimits) layouts.set(list, layout);
  return layout;
}

/** A tool that is larger than a page gets one of its own. */
function startsOf(list: readonly ToolDefinition[], { maxTools, maxBytes }: PageLimits): number[] {
  const starts = [0];
  let tools = 0;
  let bytes = 0;
  for (const [index, tool] of list.entries()) {
    const size = Buffer.byteLength(JSON.stringify(tool));
    if (tools > 0 && (tools === maxTools || bytes + size > maxBytes)) {
      starts.push(index);
      tools = 0;
      bytes = 0;
    }
    tools += 1;
    bytes += size;
  }
  return starts;
}

function writeCursor(digest: string, start: number): string {
  return Buffer.from(`${digest}:${start}`).toString('base64url');
}

/** The index of the page that a cursor stands for. */
function readCursor(cursor: string, digest: string, starts: readonly number[]): number {
  const shown = JSON.stringify(cursor.slice(0, cursorShownMaxChars));
  const [, itsDigest, place] =
    /^([0-9a-f]+):([1-9]\d*)$/.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  if (itsDigest?.length !== digestChars)
    throw invalidParams(`Unknown cursor ${shown}: none like it was given out. ${again}`);
  if (itsDigest !== digest)
    throw invalidParams(`The list of tools has changed since cursor ${shown} was given out. ${again}`);
  const index = starts.indexOf(Number(place));
  if (index < 1) throw invalidParams(`Unknown cursor ${shown}: the list has no page there. ${again}`);
  return index;
}

const again = 'Call tools/list again without a cursor.';
