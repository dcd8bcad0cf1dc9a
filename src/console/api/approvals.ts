import type { Asked } from '../request.ts';
import type { Approvals, Waiting } from '../shapes.ts';
import type { ConsoleSource } from '../source.ts';

/** `GET api/approvals`: calls and definitions that wait for a person. */
export function approvals(source: ConsoleSource): Approvals {
  return { calls: source.crib.callsToApprove(), definitions: source.reviews() };
}

/** `GET api/waiting` */
export function waiting({ crib, catalog }: ConsoleSource): Waiting {
  const isWaiting = ({ status }: { status: string }) => status === 'changed' || status === 'quarantined';
  return { calls: crib.callsToApprove().length, definitions: catalog.names().filter(isWaiting).length };
}

/** `POST api/approvals/grant {id, minutes?}`: once, or as often as it is made within the minutes. */
export function grantCall({ crib }: ConsoleSource, asked: Asked) {
  return crib.grantCall(asked.text('id'), extentOf(asked));
}

/** `POST api/approvals/refuse {id, minutes?}` */
export function refuseCall({ refuseCall: refuse }: ConsoleSource, asked: Asked) {
  return refuse(asked.text('id'), extentOf(asked));
}

function extentOf(asked: Asked): { isRepeatable?: boolean; minutes?: number } {
  const minutes = asked.number('minutes');
  return minutes === undefined ? {} : { isRepeatable: true, minutes };
}

/** `POST api/definitions/accept {server, tool, hash}`: the hash is that of what was shown. */
export function acceptDefinition({ crib }: ConsoleSource, asked: Asked) {
  return crib.approve({ server: asked.text('server'), tool: asked.text('tool') }, asked.text('hash'));
}

/** `POST api/definitions/refuse {server, tool, hash}` */
export function refuseDefinition({ refuseDefinition: refuse }: ConsoleSource, asked: Asked) {
  const id = { serverId: asked.text('server'), toolName: asked.text('tool') };
  refuse(id, asked.text('hash'));
  return id;
}
