import type {
  CallPolicy,
  JsonObject,
  PolicyAction,
  PolicyCall,
  PolicyDecision,
  PolicyRule,
  ToolEffect,
} from '../../model/index.ts';
import { nameMatcher } from '../name-matcher.ts';
import { effectOf } from './effect.ts';

export interface CallPolicyOptions {
  /** In the order in which they are tried: the first that fits decides. */
  rules: readonly PolicyRule[];
  /** True for servers whose annotations count. */
  isTrusted: (serverId: string) => boolean;
  /** Where no rule fits: everything runs, or a person is asked unless the tool is known to only read. */
  unmatched: 'allow' | 'askUnlessRead';
}

/** Who may call what, by the rules of a config. */
export function createCallPolicy({ rules, isTrusted, unmatched }: CallPolicyOptions): CallPolicy {
  const compiled = rules.map(compile);
  return {
    decide({ tool, caller }: PolicyCall): PolicyDecision {
      const annotations = isTrusted(tool.serverId) ? tool.annotations : undefined;
      const known = effectOf(annotations);
      const subject = { server: tool.serverId, tool: tool.toolName, annotations, effect: known.effect, caller };
      const index = compiled.findIndex((fits) => fits(subject));
      const rule = rules[index];
      if (rule !== undefined) {
        const reason = `rule ${index + 1} of the policy says ${rule.action}`;
        return { action: rule.action, rule: index + 1, reason, ...known };
      }
      return { ...byDefault(unmatched, known.effect), ...known };
    },
  };
}

interface Subject {
  server: string;
  tool: string;
  annotations: JsonObject | undefined;
  effect: ToolEffect;
  caller: string;
}

function compile({ servers, tools, annotations, effects, callers }: PolicyRule): (subject: Subject) => boolean {
  const isServer = nameMatcher(servers);
  const isTool = nameMatcher(tools);
  const isCaller = nameMatcher(callers);
  const hints = Object.entries(annotations ?? {});
  return (subject) =>
    isServer(subject.server) &&
    isTool(subject.tool) &&
    isCaller(subject.caller) &&
    (effects === undefined || effects.includes(subject.effect)) &&
    hints.every(([name, value]) => hintOf(subject.annotations, name) === value);
}

function hintOf(annotations: JsonObject | undefined, name: string): unknown {
  return annotations !== undefined && Object.hasOwn(annotations, name) ? annotations[name] : undefined;
}

function byDefault(
  unmatched: CallPolicyOptions['unmatched'],
  effect: ToolEffect,
): { action: PolicyAction; reason: string } {
  if (unmatched === 'allow') return { action: 'allow', reason: 'no rule of the policy fits, and all is allowed then' };
  return effect === 'read'
    ? { action: 'allow', reason: 'no rule of the policy fits, and a tool that only reads is allowed then' }
    : { action: 'ask', reason: 'no rule of the policy fits, and what may change something is asked about over HTTP' };
}
