import type { Stats } from '../../model/index.ts';
import { formatCount } from '../../render/index.ts';
import type { Check } from './check.ts';

/** What the list of tools costs a model. `contextWindow` in tokens. */
export function checkContext(stats: Stats, contextWindow: number): Check {
  const { mode, modeReason, definitionTokens, metaToolTokens, tools, tokenizer } = stats;
  const listed = mode === 'direct' ? definitionTokens : metaToolTokens;
  const share = (100 * listed) / contextWindow;
  const message = `${mode} mode: ${formatCount(listed)} tokens (${tokenizer}), ${share.toFixed(1)} % of a context of ${formatCount(contextWindow)}; ${modeReason}`;
  const check = { area: 'context', subject: `${formatCount(tools)} tools`, message } as const;
  if (mode === 'direct' && share > largeShare) {
    const fix = 'Set "mode": "auto" or "discovery", so that the model gets three meta-tools instead.';
    return { ...check, status: 'warning', fix };
  }
  return { ...check, status: 'ok' };
}

/** Percent of the context beyond which a list of definitions is worth a search instead. */
const largeShare = 10;
