import type { Finding } from '../../../model/finding.ts';
import { State } from './badge.tsx';
import { Theirs } from './theirs.tsx';

/** What the scan found in a definition, worst first. */
export function Findings({ findings }: { findings: readonly Finding[] }) {
  if (findings.length === 0) return null;
  return (
    <ul class="findings">
      {findings.map(({ rule, level, reason, where, excerpt }) => (
        <li key={`${rule} ${where}`}>
          <State name={level} /> {reason} <span class="muted">at</span> <Theirs text={where || '/'} class="mono" />
          <blockquote>
            <Theirs text={excerpt} />
          </blockquote>
        </li>
      ))}
    </ul>
  );
}
