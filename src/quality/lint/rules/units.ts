import { nameWords } from '../../name-words.ts';
import { typesOf } from '../../parameter-tree.ts';
import type { LintRule } from '../rule.ts';

/** Names of quantities that come in several units. */
const quantities = new Set(
  'timeout duration delay interval ttl wait expiry expiration expires age retention distance radius width height size weight speed memory disk bandwidth altitude elevation lifetime period amount price cost budget fee salary'.split(
    ' ',
  ),
);
/** Mostly pixels, though not always. */
const onScreen = new Set(['width', 'height']);
/** A unit, in a name or in words; a share and a count need none. */
const units =
  /\b(?:ms|msecs?|millis(?:econds?)?|milliseconds?|secs?|seconds?|s|mins?|minutes?|hrs?|hours?|days?|weeks?|months?|years?|bytes?|kb|mb|gb|tb|kib|mib|gib|kilobytes?|megabytes?|gigabytes?|px|pixels?|dpi|pts?|points?|em|rem|m|meters?|metres?|km|kilometers?|kilometres?|miles?|feet|ft|inch(?:es)?|cm|mm|percent\w*|%|ratio|fraction|kg|g|grams?|lbs?|pounds?|usd|eur|gbp|cents?|dollars?|euros?|currency|minor units?|epoch|unix|timestamp|iso|date|characters?|chars?|items?|results?|records?|rows?|pages?|entries|elements?|number of|count|levels?|lines?|words?|tokens?|degrees?|viewport|columns?|cells?)\b|[smh]\)/i;
/** In the name of a parameter such a word says that the number is a count or a share. */
const counted =
  /(?:page|batch|chunk|sample|window|pool|font|grid|max|min|limit|count|step|index|key|cluster|node|replica)/;

const numberWithoutUnit: LintRule = {
  code: 'number_without_unit',
  level: 'warning',
  title: 'number without a unit',
  why: 'Thirty seconds and thirty milliseconds are both 30: the model takes the unit that is usual elsewhere.',
  fix: 'Put the unit into the name (timeout_ms) or into the description.',
  *check({ parameters }) {
    for (const { name, path, schema, description } of parameters) {
      const types = typesOf(schema).filter((type) => type !== 'null');
      if (
        types.length === 0 ||
        !types.every((type) => type === 'number' || type === 'integer') ||
        schema.enum !== undefined
      )
        continue;
      const words = nameWords(name);
      const quantity = words.find((word) => quantities.has(word));
      if (
        quantity === undefined ||
        units.test(words.join(' ')) ||
        units.test(description) ||
        (quantity === 'size' && counted.test(name.toLowerCase()))
      )
        continue;
      yield {
        field: `parameters.${path}`,
        message: `"${name}" is a number of what?`,
        ...(onScreen.has(quantity) ? { level: 'info' as const } : {}),
      };
    }
  },
};

export const unitRules: readonly LintRule[] = [numberWithoutUnit];
