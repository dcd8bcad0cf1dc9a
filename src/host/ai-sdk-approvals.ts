import { isJsonObject, type JsonValue } from '../model/index.ts';

/**
 * Whether the host has said yes to this very call: its `tool-approval-request` is among the messages, and the last
 * `tool-approval-response` to it approves.
 */
export function isApproved(messages: readonly unknown[], toolCallId: string): boolean {
  const parts = messages.flatMap((message) => partsOf(message as JsonValue));
  const requests = new Set(
    parts.flatMap(({ type, toolCallId: id, approvalId }) =>
      type === 'tool-approval-request' && id === toolCallId ? [approvalId] : [],
    ),
  );
  const answer = parts.findLast(
    ({ type, approvalId }) => type === 'tool-approval-response' && requests.has(approvalId),
  );
  return answer?.approved === true;
}

function partsOf(message: JsonValue) {
  return isJsonObject(message) && Array.isArray(message.content) ? message.content.filter(isJsonObject) : [];
}
