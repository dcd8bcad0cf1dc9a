import type { ComponentChildren } from 'preact';

export type Tone = 'good' | 'warn' | 'bad' | 'plain';

/** A word for a state; its colour says nothing that the word does not. */
export function Badge({ tone = 'plain', children }: { tone?: Tone; children: ComponentChildren }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}

const stateTones: Record<string, Tone> = {
  ready: 'good',
  failed: 'bad',
  login_required: 'warn',
  connecting: 'plain',
  changed: 'warn',
  quarantined: 'bad',
  set_aside: 'warn',
  repaired: 'plain',
  allow: 'good',
  ask: 'warn',
  deny: 'bad',
  high: 'bad',
  medium: 'warn',
};

/** The state of a server or tool, an action of the policy, the level of a finding. */
export function State({ name }: { name: string }) {
  return <Badge tone={stateTones[name] ?? 'plain'}>{name.replaceAll('_', ' ')}</Badge>;
}
