import pico from 'picocolors';
import type { DefinitionReview, FieldChange, JsonValue } from '../../model/index.ts';
import type { TextOutput } from '../io.ts';
import { showUnseen } from './plain-text.ts';

/**
 * A definition for the person who decides about it: field by field, nothing cut, and every character that would not be
 * seen shown by its escape.
 */
export function formatReview(review: DefinitionReview, output: TextOutput): string {
  const { name, status, problem, findings, changes, beforeHash, hash } = review;
  const colors = pico.createColors(output.color);
  const head = `${colors.bold(name)} (${status})${problem === undefined ? '' : `: ${showUnseen(problem)}`}`;
  const versions = `  ${beforeHash === undefined ? 'never accepted' : shortHash(beforeHash)} → ${shortHash(hash)}`;
  const found = findings.map(({ level, rule, where, reason, excerpt }) => {
    const text = `  ! ${level} ${rule} at ${showUnseen(where) || '/'}: ${reason} "${showUnseen(excerpt)}"`;
    return level === 'low' ? text : colors.yellow(text);
  });
  const lines = changes.length === 0 ? ['  no difference'] : changes.flatMap((change) => changeLines(change, colors));
  return [head, versions, ...found, ...lines].map((line) => `${line}\n`).join('');
}

const hashShownChars = 16;

export function shortHash(hash: string): string {
  return hash.slice(0, hashShownChars);
}

type Colors = ReturnType<typeof pico.createColors>;

/** One difference, for a person: what is unseen is shown by its escape. */
export function changeLines({ path, kind, before, after }: FieldChange, colors: Colors): string[] {
  const at = showUnseen(path) || '/';
  if (kind === 'added') return [colors.green(`  + ${at}: ${shown(after)}`)];
  if (kind === 'removed') return [colors.red(`  - ${at}: ${shown(before)}`)];
  return [`  ~ ${at}`, colors.red(`      - ${shown(before)}`), colors.green(`      + ${shown(after)}`)];
}

function shown(value: JsonValue | undefined): string {
  return showUnseen(JSON.stringify(value ?? null));
}
