import { z } from 'zod';
import type { PolicyRule } from '../model/index.ts';
import { choice, text, withShortForm } from './schema-parts.ts';

/* The message of every schema is what was expected, so that a problem reads "expected …, got …". */

const conditions = ['server', 'tool', 'annotations', 'effect', 'caller'];
const conditionsInWords = conditions.map((name) => `"${name}"`).join(', ');

const effects = ['read', 'write', 'destructive'] as const;

/** One text is short for a list of one. */
const globs = listOf(text, 'a glob, or a list of globs');

/** A key that is not known is an error here: a misspelt condition would make the rule fit more than was meant. */
const ruleSchema = z
  .strictObject(
    {
      action: choice('allow', 'ask', 'deny'),
      server: globs.optional(),
      tool: globs.optional(),
      annotations: z
        .record(z.string(), z.boolean('true or false'), 'an object of annotations and their values')
        .optional(),
      effect: listOf(choice(...effects), 'an effect, or a list of effects', { enum: effects }).optional(),
      caller: globs.optional(),
    },
    `an object with "action" and none but ${conditionsInWords}`,
  )
  .transform(
    ({ action, server, tool, annotations, effect, caller }): PolicyRule => ({
      action,
      ...(server === undefined ? {} : { servers: server }),
      ...(tool === undefined ? {} : { tools: tool }),
      ...(annotations === undefined ? {} : { annotations }),
      ...(effect === undefined ? {} : { effects: effect }),
      ...(caller === undefined ? {} : { callers: caller }),
    }),
  );

/** `policy`: the first rule that fits decides. */
export const policySchema = z.array(ruleSchema, 'a list of rules');

function listOf<Item extends z.ZodType>(
  item: Item,
  expected: string,
  one: Record<string, unknown> = { type: 'string' },
) {
  const list = z.array(item, expected).min(1, expected);
  const schema = z.preprocess((value) => (typeof value === 'string' ? [value] : value), list);
  return withShortForm(schema, one);
}
