import {
  type CallOptions,
  isJsonObject,
  isNestedDeeper,
  type JsonObject,
  type ReadResourceResult,
  type ServerSpec,
} from '../model/index.ts';
import { withoutForeignMeta } from './call-result.ts';
import { cancelled, closed } from './call-tool.ts';
import { fault } from './faults.ts';
import { nestingMaxLevels } from './nesting.ts';
import type { Session } from './session.ts';
import { rawResult } from './tap-transport.ts';

/** What a reader may say: who reads, and when they no longer want it. */
export type ReadOptions = Pick<CallOptions, 'signal' | 'principal'>;

/**
 * One `resources/read`, within `timeoutMs`. `closing` is aborted when toolcrib closes. Throws `upstream_error` for an answer
 * that is no contents of a resource, `cancelled`, `closed`, or an error of the SDK.
 */
export async function readResource(
  session: Session,
  read: { uri: string; signal: AbortSignal | undefined; closing: AbortSignal },
  spec: ServerSpec,
): Promise<ReadResourceResult> {
  const { uri, signal, closing } = read;
  const controller = new AbortController();
  const onAbort = () => controller.abort();
  for (const end of [signal, closing]) end?.addEventListener('abort', onAbort, { once: true });
  if (signal?.aborted || closing.aborted) onAbort();
  try {
    const limits = { signal: controller.signal, timeout: Math.min(spec.timeoutMs, spec.maxTimeoutMs) };
    const result = await session.client.readResource({ uri }, { ...limits, cacheMode: 'bypass' });
    return contentsOf(rawResult(result), spec.id);
  } catch (error) {
    if (closing.aborted) throw closed(spec.id, false);
    if (signal?.aborted) throw cancelled(spec.id, false);
    throw error;
  } finally {
    for (const end of [signal, closing]) end?.removeEventListener('abort', onAbort);
  }
}

function contentsOf(raw: unknown, serverId: string): ReadResourceResult {
  const problem = problemOf(raw);
  if (problem !== undefined) {
    const message = `Server "${serverId}" answered ${problem}.`;
    throw fault('upstream_error', message, { serverId, mayHaveRun: false });
  }
  const { contents, _meta } = withoutForeignMeta(raw as JsonObject);
  return {
    contents: (contents as JsonObject[]).map(withoutForeignMeta),
    ...(isJsonObject(_meta) ? { _meta } : {}),
  };
}

function problemOf(raw: unknown): string | undefined {
  if (!isJsonObject(raw) || isNestedDeeper(raw, nestingMaxLevels)) return 'with something that is no resource';
  if (raw.resultType === 'input_required') {
    return 'that it needs input from the user, which toolcrib passes on for tools alone';
  }
  const isContents = Array.isArray(raw.contents) && raw.contents.every(isContent);
  return isContents ? undefined : 'without the contents of the resource';
}

function isContent(value: unknown): boolean {
  return (
    isJsonObject(value) &&
    typeof value.uri === 'string' &&
    (typeof value.text === 'string' || typeof value.blob === 'string')
  );
}
