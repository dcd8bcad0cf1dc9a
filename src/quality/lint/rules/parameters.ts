import { isJsonObject, type JsonObject, type Tool } from '../../../model/index.ts';
import { nameWords } from '../../name-words.ts';
import { type NamedParameter, typesOf } from '../../parameter-tree.ts';
import type { LintHit, LintRule } from '../rule.ts';

const undocumented: LintRule = {
  code: 'undocumented_parameter',
  level: 'warning',
  title: 'parameters without a description',
  why: 'What a model has to guess, it guesses differently each time.',
  fix: 'Say what each value means, its format, where it comes from, and what leaving it out does.',
  *check({ parameters }) {
    const own = parameters.filter(({ depth }) => depth === 0);
    const bare = own.filter((parameter) => !isExplained(parameter));
    const [first] = bare;
    if (first === undefined) return;
    const names = bare.map(({ name }) => name);
    const shown = names.length > shownMax ? [...names.slice(0, shownMax), `${names.length - shownMax} more`] : names;
    yield {
      field: `parameters.${first.path}`,
      level: bare.some(({ isRequired }) => isRequired) ? 'warning' : 'info',
      message: `${bare.length} of ${own.length} have none: ${shown.join(', ')}.`,
    };
  },
};

const shownMax = 5;

/** Values that are listed, and flags, speak for themselves; an object is explained by its members. */
function isExplained({ description, schema }: NamedParameter): boolean {
  if (description !== '' || schema.enum !== undefined || schema.const !== undefined) return true;
  if (typesOf(schema).join() === 'boolean') return true;
  const described = [
    schema.items,
    ...members(schema.properties),
    ...listOf(schema.anyOf),
    ...listOf(schema.oneOf),
    ...listOf(schema.allOf),
  ];
  return described.some(
    (part) => isJsonObject(part) && (typeof part.description === 'string' || part.enum !== undefined),
  );
}

function members(value: JsonObject[string] | undefined) {
  return isJsonObject(value) ? Object.values(value) : [];
}

function listOf(value: JsonObject[string] | undefined) {
  return Array.isArray(value) ? value : [];
}

const freeForm: LintRule = {
  code: 'free_form_parameter',
  level: 'warning',
  title: 'parameter of any form',
  why: 'Nothing tells the model which keys or values are allowed, and nothing checks them before the server does.',
  fix: 'Give the members as properties, the items as a schema, or the values as an enum; at least show an example.',
  *check({ parameters }) {
    for (const parameter of parameters) {
      const message = formOf(parameter);
      if (message === undefined) continue;
      const isShown = hasExample(parameter);
      yield {
        field: `parameters.${parameter.path}`,
        message,
        ...(isShown || !parameter.isRequired ? { level: 'info' as const } : {}),
      };
    }
  },
};

function formOf({ schema, description, name }: NamedParameter): string | undefined {
  const types = typesOf(schema);
  if (types.length === 0 && !isComposed(schema)) return 'It has no type.';
  if (types.join() === 'object' && !isComposed(schema) && !hasMembers(schema))
    return 'It is an object whose members are not told.';
  if (types.join() === 'array' && !hasItems(schema)) return 'It is a list whose items are not told.';
  if (types.join() === 'string' && jsonText.test(`${name} ${description}`)) return 'It is JSON within a text.';
  return undefined;
}

const jsonText =
  /\bjson(?:[- ](?:string|encoded|text|formatted|stringified|object|array)|_?str(?:ing)?)\b|\bstringified\b|\bas (?:a )?json\b/i;

function isComposed(schema: JsonObject): boolean {
  return ['enum', 'const', 'anyOf', 'oneOf', 'allOf', '$ref', '$dynamicRef', 'not', 'if'].some(
    (keyword) => schema[keyword] !== undefined,
  );
}

function hasMembers({ properties, patternProperties, additionalProperties }: JsonObject): boolean {
  const named = isJsonObject(properties) && Object.keys(properties).length > 0;
  const mapped = isJsonObject(additionalProperties) && Object.keys(additionalProperties).length > 0;
  return named || mapped || isJsonObject(patternProperties) || additionalProperties === false;
}

function hasItems({ items, prefixItems, contains }: JsonObject): boolean {
  if (Array.isArray(prefixItems) || Array.isArray(items) || isJsonObject(contains)) return true;
  return isJsonObject(items) && Object.keys(items).some((keyword) => keyword !== 'description');
}

function hasExample({ schema, description }: NamedParameter): boolean {
  return (
    schema.examples !== undefined ||
    schema.example !== undefined ||
    /\b(?:e\.g\.|example|for instance|such as)|[{[]\s*["'{[]/i.test(description)
  );
}

const missingRequired: LintRule = {
  code: 'missing_required',
  level: 'warning',
  title: '`required` is missing or wrong',
  why: 'A model leaves out what the schema calls optional, and the call fails on the server.',
  fix: 'List in `required` what the tool cannot do without.',
  *check({ tool, parameters, action }): Iterable<LintHit> {
    const own = parameters.filter(({ depth }) => depth === 0);
    const { required, properties } = tool.inputSchema;
    if (Array.isArray(required) && isJsonObject(properties)) {
      const unknown = required.filter((name) => typeof name === 'string' && !Object.hasOwn(properties, name));
      if (unknown.length > 0 && !isOpen(tool.inputSchema)) {
        yield {
          field: 'inputSchema',
          level: 'error',
          message: `\`required\` names what is no parameter: ${unknown.join(', ')}.`,
          fix: 'Name parameters that there are.',
        };
      }
    }
    for (const { name, description, isRequired, schema, path } of own) {
      if (
        !isRequired &&
        schema.default === undefined &&
        saysRequired.test(description) &&
        !conditional.test(description)
      ) {
        yield {
          field: `parameters.${path}`,
          message: `Its description says that "${name}" is required, the schema does not.`,
        };
      }
    }
    if (own.length > 0 && own.every(({ isRequired }) => !isRequired) && !isOpen(tool.inputSchema)) {
      const id = own.find(({ name, schema }) => schema.default === undefined && isIdOf(name, action.nouns));
      if (id !== undefined && needsTarget.has(action.verb ?? '') && !hasAlternative(tool, own)) {
        yield {
          field: `parameters.${id.path}`,
          message: `Nothing is required, though the tool can hardly know what to ${action.verb} without "${id.name}".`,
        };
      }
    }
  },
};

/** Verbs that are done to one thing that is there. */
const needsTarget = new Set(['update', 'edit', 'modify', 'patch', 'rename', 'delete', 'remove', 'destroy', 'move']);

/** The target may be named in another way. */
function hasAlternative({ description = '' }: Tool, parameters: readonly NamedParameter[]): boolean {
  const texts = [description, ...parameters.map((parameter) => parameter.description)];
  const names = parameters.filter(({ name }) => /(?:url|uri|slug|email|query|filter)$/i.test(name));
  return (
    names.length > 0 || texts.some((text) => /\beither\b|\bone of\b|\bat least one\b|\bmust be provided\b/i.test(text))
  );
}

const conditional = /\b(?:for|when|if|only|unless)\b/i;
const saysRequired =
  /^\W*(?:required\b|mandatory\b)(?!\s+(?:if|when|for|unless|only|by|with|in case|on|to|scope|permission))|[([]required[)\]]|\b(?:this (?:field|parameter|argument) is|is always) (?:required|mandatory)\s*(?:[.!]|$)/i;

/** Alternatives may demand what the top level does not. */
function isOpen({ anyOf, oneOf, allOf, $ref, if: condition }: JsonObject): boolean {
  return [anyOf, oneOf, allOf, $ref, condition].some((part) => part !== undefined);
}

function isIdOf(name: string, nouns: readonly string[]): boolean {
  const words = nameWords(name);
  const last = words.at(-1);
  if (last !== 'id' && last !== 'key' && last !== 'uuid') return false;
  return (
    words.length === 1 || words.slice(0, -1).every((word) => nouns.some((noun) => noun === word || noun === `${word}s`))
  );
}

export const parameterRules: readonly LintRule[] = [undocumented, freeForm, missingRequired];
