import { type ApprovableCall, type ElicitationParams, isJsonObject } from '../model/index.ts';
import { capText, cleanText, escapeUnseen } from '../render/index.ts';

/** How long a call stays allowed where the person chooses so. */
export const timedApprovalMs = 15 * 60_000;

const once = 'once';
const timed = `for ${timedApprovalMs / 60_000} minutes`;
const no = 'no';

/** What a form of a host can show; past it the person is told how much is left out. */
const argumentsShownMaxChars = 16_000;
const nameShownMaxChars = 200;

/** The form for the person: which call it is, with the arguments that would be sent. */
export function approvalQuestion(call: ApprovableCall, reason: string): ElicitationParams {
  const shown = (text: string) => capText(cleanText(text), nameShownMaxChars);
  const effect = call.isEffectKnown ? call.effect : `not known, so it may be ${call.effect}`;
  return {
    message: [
      `toolcrib asks before it runs this call (${reason}).`,
      `Server: ${shown(call.serverId)}`,
      `Tool: ${shown(call.toolName)}`,
      `Effect: ${effect}`,
      `Caller: ${shown(call.caller)}`,
      `Arguments: ${shownArguments(call)}`,
    ].join('\n'),
    requestedSchema: {
      type: 'object',
      properties: {
        approval: {
          type: 'string',
          title: 'Run this call?',
          description: `"${once}" runs it now; "${timed}" also lets this caller repeat it with the very same arguments.`,
          enum: [once, timed, no],
        },
      },
      required: ['approval'],
    },
  };
}

/** Anything but a clear yes is a no. The answer comes from a host, in whatever shape. */
export function readApproval(answer: unknown): 'once' | 'timed' | 'no' {
  if (!isJsonObject(answer) || answer.action !== 'accept' || !isJsonObject(answer.content)) return 'no';
  const { approval } = answer.content;
  return approval === once ? 'once' : approval === timed ? 'timed' : 'no';
}

/** Texts stay on their lines, and what cannot be seen is written out: no argument can pass for words of ours. */
function shownArguments({ arguments: args }: ApprovableCall): string {
  const text = escapeUnseen(JSON.stringify(args, null, 2));
  if (text.length <= argumentsShownMaxChars) return text;
  const left = text.length - argumentsShownMaxChars;
  return `${text.slice(0, argumentsShownMaxChars)}\n… and ${left} more characters that are not shown here.`;
}
