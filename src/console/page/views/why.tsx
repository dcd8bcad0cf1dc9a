import { useState } from 'preact/hooks';
import type { ToolLine, Why } from '../../shapes.ts';
import { formatScore } from '../format.ts';
import { State } from '../parts/badge.tsx';
import { ExplainBars, scaleOf } from '../parts/explain-bars.tsx';
import { FaultNote, Panel } from '../parts/panel.tsx';
import { Theirs } from '../parts/theirs.tsx';
import { linkTo } from '../route.ts';
import { useResource } from '../use-resource.ts';

/** "Why not this tool?": where an expected one stands for the query. */
export function WhyNot({ query }: { query: string }) {
  const [typed, setTyped] = useState('');
  const [tool, setTool] = useState('');
  const names = useResource<{ tools: ToolLine[] }>(typed === '' ? undefined : 'tools', { text: typed });
  const isAsked = tool !== '' && query.trim() !== '';
  const { value, fault } = useResource<Why>(isAsked ? 'why' : undefined, { query, tool }, ['tools']);
  return (
    <Panel title="Why not this tool?">
      <form
        class="controls"
        onSubmit={(event) => {
          event.preventDefault();
          setTool(typed.trim());
        }}
      >
        <label class="field wide">
          <span class="label">Full name of the tool that was expected</span>
          <input
            list="tool-names"
            value={typed}
            onInput={(event) => setTyped(event.currentTarget.value)}
            autocomplete="off"
            spellcheck={false}
          />
        </label>
        <datalist id="tool-names">
          {(names.value?.tools ?? []).slice(0, 20).map(({ name }) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <button type="submit" disabled={typed.trim() === '' || query.trim() === ''}>
          Explain
        </button>
      </form>
      {fault && <FaultNote fault={fault} />}
      {isAsked && value !== undefined && <Explanation why={value} />}
    </Panel>
  );
}

function Explanation({ why }: { why: Why }) {
  const { hit, best, ranks } = why;
  const scale = scaleOf([hit?.explain, best?.explain]);
  return (
    <div class="why" role="status">
      <p>
        <a href={linkTo('tool', why.name)}>
          <Theirs text={why.name} class="mono" />
        </a>{' '}
        {why.status !== 'ok' && <State name={why.status} />}
      </p>
      <ul class="reasons">
        {why.reasons.map((reason) => (
          <li key={reason}>
            <Theirs text={reason} />
          </li>
        ))}
      </ul>
      <p class="muted">
        Place by ranking:{' '}
        {(['hybrid', 'lexical', 'embedding'] as const).map((arm) => `${arm} ${ranks[arm] ?? '–'}`).join(', ')}
      </p>
      <div class="columns">
        {[hit, best].map(
          (one, index) =>
            one?.explain !== undefined &&
            (index === 0 || one.name !== hit?.name) && (
              <div key={one.name}>
                <h3>
                  {index === 0 ? 'This tool' : 'The best hit'} <span class="score">{formatScore(one.score)}</span>
                </h3>
                <p>
                  <Theirs text={one.name} class="mono" />
                </p>
                <ExplainBars parts={one.explain} scale={scale} />
              </div>
            ),
        )}
      </div>
    </div>
  );
}
