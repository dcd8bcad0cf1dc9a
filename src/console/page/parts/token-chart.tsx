import type { ComponentChildren } from 'preact';
import type { Overview } from '../../shapes.ts';
import { formatNumber, formatPercent } from '../format.ts';

/** Each shown as a bar of its own; the rest is one. */
const serversShown = 12;

/** What a model carries: every definition, server by server, against the three meta-tools. */
export function TokenChart({ view }: { view: Overview }) {
  const { definitions, metaTools, uncounted, tokenizer } = view.tokens;
  const most = Math.max(definitions, metaTools, 1);
  const saved = definitions === 0 ? 0 : Math.max(0, 100 * (1 - metaTools / definitions));
  return (
    <figure class="tokens">
      <p class="figure">
        <strong>{formatPercent(saved)}</strong> fewer tokens before the first question
      </p>
      <Bar label="Without toolcrib" tokens={definitions}>
        {segments(view).map(({ server, from, tokens }) => (
          <rect
            key={server}
            x={(1000 * from) / most}
            width={Math.max(0, (1000 * tokens) / most - 1.5)}
            height="22"
            class="bar without"
          >
            <title>{`${server}: ${formatNumber(tokens)} tokens`}</title>
          </rect>
        ))}
      </Bar>
      <Bar label="With toolcrib" tokens={metaTools}>
        <rect width={Math.max(4, (1000 * metaTools) / most)} height="22" class="bar with" />
      </Bar>
      <figcaption class="muted">
        {tokenizer} tokens{uncounted > 0 ? `; ${formatNumber(uncounted)} tools are still being counted` : ''}. Mode now:{' '}
        {view.mode.mode}, since {view.mode.reason}.
      </figcaption>
    </figure>
  );
}

function Bar({ label, tokens, children }: { label: string; tokens: number; children: ComponentChildren }) {
  return (
    <>
      <dl>
        <dt>{label}</dt>
        <dd>{formatNumber(tokens)}</dd>
      </dl>
      <svg
        viewBox="0 0 1000 22"
        preserveAspectRatio="none"
        role="img"
        aria-label={`${formatNumber(tokens)} tokens ${label.toLowerCase()}`}
      >
        {children}
      </svg>
    </>
  );
}

function segments({ servers }: Overview): { server: string; from: number; tokens: number }[] {
  const bySize = servers
    .filter(({ definitionTokens }) => definitionTokens > 0)
    .toSorted((a, b) => b.definitionTokens - a.definitionTokens);
  const parts = bySize
    .slice(0, serversShown)
    .map(({ server, definitionTokens }) => ({ server, tokens: definitionTokens }));
  const rest = bySize.slice(serversShown);
  if (rest.length > 0) {
    const tokens = rest.reduce((sum, { definitionTokens }) => sum + definitionTokens, 0);
    parts.push({ server: `${rest.length} more servers`, tokens });
  }
  let from = 0;
  return parts.map((part) => {
    const placed = { ...part, from };
    from += part.tokens;
    return placed;
  });
}
