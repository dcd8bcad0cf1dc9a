import type { Asked } from '../request.ts';
import type { CallView } from '../shapes.ts';
import type { ConsoleSource } from '../source.ts';
import { findTool } from './tool.ts';

/** Who calls, for the policy and the record. */
const principal = 'console';

/** `POST api/call {name, args}`: a call like any other; the policy decides, and it is recorded. Ends when its caller leaves. */
export async function call({ crib, catalog }: ConsoleSource, asked: Asked, signal: AbortSignal): Promise<CallView> {
  const { exposedName } = findTool(catalog, asked.text('name'));
  const start = performance.now();
  const result = await crib.call(exposedName, asked.object('args'), { principal, signal });
  return { result, tookMs: performance.now() - start };
}

/** `POST api/sync {server}`: lists a server anew. */
export async function sync({ crib }: ConsoleSource, asked: Asked) {
  return crib.sync([asked.text('server')]);
}
