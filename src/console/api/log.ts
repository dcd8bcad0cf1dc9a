import type { Asked } from '../request.ts';
import type { LogPage } from '../shapes.ts';
import type { ConsoleSource } from '../source.ts';

const pageSize = 100;

/** `GET api/log?server=&text=&failed=&beforeId=`: what was called and started, newest first. */
export function log({ crib }: ConsoleSource, asked: Asked): LogPage {
  const server = asked.optional('server');
  const text = asked.optional('text');
  const beforeId = asked.number('beforeId');
  const entries = crib.auditLog({
    failedOnly: asked.flag('failed'),
    limit: pageSize,
    ...(server === undefined ? {} : { server }),
    ...(text === undefined ? {} : { text }),
    ...(beforeId === undefined ? {} : { beforeId }),
  });
  return { entries: entries.toReversed(), isMore: entries.length === pageSize };
}
