import { isToolcribError } from '../../../errors/index.ts';
import { isJsonObject, type JsonObject, type ModelChoice, type Tool } from '../../../model/index.ts';
import type { ArgumentValidator } from '../../../validation/index.ts';
import type { CatalogCopy } from '../../catalog-copy.ts';
import type { ResolvedCase } from '../resolve-cases.ts';
import type { ChatToolCall, Complete } from './chat-endpoint.ts';

export interface ChooseDeps {
  complete: Complete;
  copy: CatalogCopy;
  /** The tools that a model may mean by a name. */
  toolsNamed(name: string): readonly Tool[];
  validator: ArgumentValidator;
  signal?: AbortSignal;
}

/** A search, a description and the call take three; who needs more than this has lost its way. */
const roundTripsMax = 10;

const system =
  'You act for a user by calling tools. Do what the user asks with the tools you have. If a value that is needed is missing and cannot be found out with them, ask the user for it and do not make one up. If no tool can do it, say so.';

/**
 * Lets the model decide about one case. It sees what toolcrib shows it: searches and descriptions are answered, and the first call of
 * a tool is taken down and ends the case. Nothing is executed. Throws `model_endpoint_failed` where no case would fare better.
 */
export async function choose(one: ResolvedCase, deps: ChooseDeps): Promise<ModelChoice> {
  const { id, kind, query } = one;
  const messages: JsonObject[] = [
    { role: 'system', content: system },
    { role: 'user', content: query },
  ];
  const choice: ModelChoice = {
    id,
    kind,
    verdict: 'failed',
    asked: false,
    tokens: { input: 0, output: 0 },
    roundTrips: 0,
  };
  try {
    while (choice.roundTrips < roundTripsMax) {
      const isDecided = await takeTurn(messages, choice, deps);
      if (isDecided) return { ...choice, verdict: isRight(one, choice) ? 'right' : 'wrong' };
    }
    return { ...choice, problem: `It had not decided after ${roundTripsMax} answers.`, verdict: 'wrong' };
  } catch (error) {
    if (!isToolcribError(error, 'model_endpoint_failed') || error.details.isFinal === true) throw error;
    return { ...choice, problem: error.message };
  }
}

/** One answer of the model; true when it has decided. */
async function takeTurn(messages: JsonObject[], choice: ModelChoice, deps: ChooseDeps): Promise<boolean> {
  const { complete, copy, signal } = deps;
  const answer = await complete(messages, copy.listTools(), signal);
  choice.roundTrips += 1;
  choice.tokens.input += answer.tokens.input;
  choice.tokens.output += answer.tokens.output;
  if (answer.toolCalls.length === 0) {
    choice.asked = /[?？؟]/u.test(answer.content);
    return true;
  }
  messages.push(answer.message);
  for (const call of answer.toolCalls) {
    const content = await answerCall(call, choice, deps);
    if (content === undefined) return true;
    messages.push({ role: 'tool', tool_call_id: call.id, content });
  }
  return false;
}

const readingTools = ['search_tools', 'describe_tool'];

/** The answer to a tool that only looks around; undefined where the call is the model's decision. */
async function answerCall(call: ChatToolCall, choice: ModelChoice, deps: ChooseDeps): Promise<string | undefined> {
  const args = asObject(call.arguments);
  if (readingTools.includes(call.name)) {
    if (args === undefined) return `The arguments of ${call.name} are no JSON object. Call it again with one.`;
    const { content } = await deps.copy.read(call.name, args);
    return content.map(({ text }) => (typeof text === 'string' ? text : '')).join('\n');
  }
  const isMeta = call.name === 'call_tool';
  const name = isMeta ? args?.name : call.name;
  if (typeof name !== 'string') return 'call_tool needs "name" and "arguments". Call it again with both.';
  decide(choice, name, isMeta ? asObject(args?.arguments) : args, deps);
  return undefined;
}

function decide(
  choice: ModelChoice,
  name: string,
  args: JsonObject | undefined,
  { toolsNamed, validator }: ChooseDeps,
): void {
  const [tool, ...others] = toolsNamed(name);
  choice.chose = others.length === 0 && tool !== undefined ? tool.exposedName : name;
  if (args !== undefined) choice.arguments = args;
  if (tool !== undefined) choice.argumentsFit = validator.validate(tool, args ?? {}).ok;
}

/** Models write arguments as an object or as the text of one. */
function asObject(value: unknown): JsonObject | undefined {
  if (typeof value !== 'string') return isJsonObject(value) ? value : undefined;
  try {
    const parsed: unknown = JSON.parse(value === '' ? '{}' : value);
    return isJsonObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function isRight({ kind, expect, accept }: ResolvedCase, { chose, asked }: ModelChoice): boolean {
  if (kind === 'missing_context') return chose === undefined && asked;
  if (kind === 'none') return chose === undefined;
  return chose !== undefined && [...expect, ...accept].includes(chose);
}
