import { z } from 'zod';

/* The message of every schema is what was expected, so that a problem reads "expected …, got …". */

/** Timers of Node fire at once beyond this. */
const timerMaxMs = 2_147_483_647;

export const text = z.string('a text').min(1, 'a text that is not empty');
export const durationMs = whole('milliseconds', 1, timerMaxMs);
/** 0 means never. */
export const durationOrNeverMs = whole('milliseconds', 0, timerMaxMs);

export function whole(unit: string, least: number, most: number) {
  const expected = `a whole number${unit && ` of ${unit}`} from ${least} to ${most}`;
  return z.int(expected).min(least, expected).max(most, expected);
}

export function choice<const Values extends readonly [string, ...string[]]>(...values: Values) {
  return z.enum(
    values,
    values.length === 1 ? `"${values[0]}"` : `one of ${values.map((value) => `"${value}"`).join(', ')}`,
  );
}

/** Says in the JSON schema what is taken besides what the schema describes: a short form, which a preprocessor reads. */
export function withShortForm<Schema extends z.ZodType>(schema: Schema, shortForm: Record<string, unknown>): Schema {
  return schema.meta({ shortForm });
}
