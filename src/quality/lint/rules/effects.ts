import { nameWords } from '../../name-words.ts';
import { effectOfVerb } from '../../tool-action.ts';
import type { LintRule } from '../rule.ts';

const noAnnotations: LintRule = {
  code: 'no_annotations',
  level: 'info',
  title: 'no annotations',
  why: 'Without them hosts take every tool as destructive and ask their user before each call.',
  fix: 'Add readOnlyHint, and for tools that change something destructiveHint and idempotentHint.',
  *check({ tool: { annotations = {} } }) {
    if (hints.every((hint) => typeof annotations[hint] !== 'boolean')) {
      yield { field: 'annotations', message: 'None says what the tool may do.' };
    }
  },
};

const hints = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;

const contradictingAnnotations: LintRule = {
  code: 'annotation_contradicts',
  level: 'error',
  title: 'annotations contradict the name or each other',
  why: 'Hosts let tools run unasked that say they only read, and ask about those that say they do not.',
  fix: 'Set the annotations to what the tool does, or name it by what it does.',
  *check({ tool: { annotations = {} }, action: { effect, verb, words } }) {
    const { readOnlyHint, destructiveHint } = annotations;
    if (readOnlyHint === true && destructiveHint === true) {
      yield { field: 'annotations', level: 'warning', message: 'readOnlyHint and destructiveHint are both true.' };
    }
    if (readOnlyHint === true && (effect === 'write' || effect === 'delete')) {
      yield { field: 'annotations', message: `readOnlyHint is true, though the name says "${verb}".` };
    } else if (destructiveHint === false && readOnlyHint !== true && effect === 'delete') {
      const level = verb === 'remove' ? 'warning' : 'error';
      yield { field: 'annotations', level, message: `destructiveHint is false, though the name says "${verb}".` };
    } else if (readOnlyHint === false && effect === 'read' && isPlainRead(words)) {
      yield {
        field: 'annotations',
        level: 'info',
        message: `readOnlyHint is false, though the name says "${verb}".`,
      };
    }
  },
};

/** `get_or_create_user` reads and writes; a query may do anything; fetching may store. */
function isPlainRead(words: readonly string[]): boolean {
  const effects = words.map(effectOfVerb);
  return (
    !effects.includes('write') &&
    !effects.includes('delete') &&
    !words.some((word) => /^(?:query|fetch|and|or)$/.test(word))
  );
}

const noOperationKey: LintRule = {
  code: 'no_operation_key',
  level: 'info',
  title: 'repeated calls make duplicates',
  why: 'When an answer is lost, nobody knows whether the call took effect; without a key it can neither be repeated nor looked up.',
  fix: 'Take an optional idempotency_key and answer a repeated one with the first result; or set idempotentHint where repeating changes nothing.',
  *check({ tool: { annotations = {} }, action: { verb }, parameters }) {
    if (
      verb === undefined ||
      !duplicating.has(verb) ||
      annotations.readOnlyHint === true ||
      annotations.idempotentHint === true
    )
      return;
    if (parameters.some(({ name, depth }) => depth === 0 && operationKey.test(nameWords(name).join('_')))) return;
    yield {
      field: 'inputSchema',
      message: `A second call to ${verb} does it twice, and no parameter identifies the operation.`,
    };
  },
};

/** Verbs whose repetition adds something. */
const duplicating = new Set([
  'create',
  'add',
  'send',
  'insert',
  'append',
  'publish',
  'reply',
  'invite',
  'schedule',
  'upload',
]);
const operationKey =
  /^(?:idempotency|operation|request|dedup\w*|transaction|correlation|mutation|client_(?:token|request|mutation|reference|operation)|external)(?:_?\w+)?_?(?:key|id|token|reference)?$/;

export const effectRules: readonly LintRule[] = [noAnnotations, contradictingAnnotations, noOperationKey];
