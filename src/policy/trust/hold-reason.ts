import { isDeepStrictEqual } from 'node:util';
import {
  type DefinitionChange,
  type Finding,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type ServerTrust,
} from '../../model/index.ts';
import { scanDefinition } from '../scan/scan-definition.ts';
import { schemaShape } from './schema-shape.ts';

/** Why a tool that was never accepted must wait for a person. */
export function firstSightReason(trust: ServerTrust, findings: readonly Finding[]): string | undefined {
  const high = findings.find(({ level }) => level === 'high');
  if (high !== undefined) return `the scan of its definition found ${findingInWords(high)}`;
  return trust === 'quarantine' ? 'its server is configured as quarantine, and nobody has approved it yet' : undefined;
}

/**
 * Why a change of an accepted definition must wait for a person. The words are all ours: a server cannot speak through
 * the reason for which it is held back.
 */
export function changeReason(trust: ServerTrust, change: DefinitionChange): string | undefined {
  const found = newFindings(change);
  const reasons = [
    ...(trust === 'standard' ? [...parameterReasons(change), ...annotationReasons(change)] : []),
    ...(trust === 'quarantine' && hasChanged(change) ? ['its server is configured as quarantine'] : []),
    // What attacks the model is not accepted from a trusted server either.
    ...found
      .filter(({ level }) => trust !== 'trusted' || level === 'high')
      .map((one) => `the scan found ${findingInWords(one)}`),
  ];
  return reasons.length === 0 ? undefined : reasons.join('; ');
}

function findingInWords({ level, rule, reason }: Finding): string {
  return `${rule} (${level}): ${reason.replace(/\.$/, '')}`;
}

/**
 * A finding in other words or at another place is a new one. Since each rule is reported once a tool, and a long text is
 * quoted in part, what changed is also scanned by itself.
 */
function newFindings({ before, after, beforeFindings, afterFindings }: DefinitionChange): Finding[] {
  const known = new Set(beforeFindings.map(keyOf));
  const fresh = afterFindings.filter((finding) => !known.has(keyOf(finding)));
  const freshRules = new Set(fresh.map(({ rule }) => rule));
  const inChanges = scanDefinition(after, before).filter(({ rule }) => !freshRules.has(rule) && rule !== lengthRule);
  return [...fresh, ...inChanges];
}

/** A long text that changes is as long as before. */
const lengthRule = 'overlong_text';

function keyOf({ rule, level, where, excerpt }: Finding): string {
  return JSON.stringify([rule, level, where, excerpt]);
}

function parameterReasons({ before, after }: DefinitionChange): string[] {
  const [old, now] = [schemaShape(before.inputSchema), schemaShape(after.inputSchema)];
  if (isDeepStrictEqual(old, now)) return [];
  const [oldParameters, parameters] = [propertiesOf(old), propertiesOf(now)];
  const names = Object.keys(parameters);
  const counts: [number, string][] = [
    [names.filter((name) => !Object.hasOwn(oldParameters, name)).length, 'added'],
    [Object.keys(oldParameters).filter((name) => !Object.hasOwn(parameters, name)).length, 'removed'],
    [names.filter((name) => isChanged(oldParameters, parameters, name)).length, 'changed'],
  ];
  const reasons = counts
    .filter(([count]) => count > 0)
    .map(([count, what]) => (count === 1 ? `a parameter was ${what}` : `${count} parameters were ${what}`));
  return reasons.length === 0 ? ['the rules for its parameters changed'] : reasons;
}

function isChanged(before: JsonObject, after: JsonObject, name: string): boolean {
  return Object.hasOwn(before, name) && !isDeepStrictEqual(before[name], after[name]);
}

function propertiesOf(schema: JsonValue): JsonObject {
  return isJsonObject(schema) && isJsonObject(schema.properties) ? schema.properties : {};
}

/** What a hint means where it is absent (MCP "ToolAnnotations"), and which value sounds safer. */
const hints = [
  { name: 'readOnlyHint', absent: false, safer: true },
  { name: 'destructiveHint', absent: true, safer: false },
  { name: 'idempotentHint', absent: false, safer: true },
  { name: 'openWorldHint', absent: true, safer: false },
] as const;

function annotationReasons({ before, after }: DefinitionChange): string[] {
  const [old, now] = [before.annotations, after.annotations].map((value) => (isJsonObject(value) ? value : {}));
  return hints
    .filter(({ name, absent, safer }) => hintOf(old, name, absent) !== safer && hintOf(now, name, absent) === safer)
    .map(({ name, safer }) => `the annotation ${name} became ${safer}`);
}

function hintOf(annotations: JsonObject | undefined, name: string, absent: boolean): boolean {
  const value = annotations?.[name];
  return typeof value === 'boolean' ? value : absent;
}

/** The fields that a person approves. Others, such as icons, change no call and no text that a model reads. */
const pinnedFields = ['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations'];

function hasChanged({ before, after }: DefinitionChange): boolean {
  return pinnedFields.some((field) => !isDeepStrictEqual(before[field], after[field]));
}
