import { useEffect, useState } from 'preact/hooks';
import type { SearchView as Found, Overview, ToolLine } from '../../shapes.ts';
import { count, formatMs, formatScore } from '../format.ts';
import { State } from '../parts/badge.tsx';
import { ExplainBars, scaleOf } from '../parts/explain-bars.tsx';
import { Choice } from '../parts/field.tsx';
import { Empty, FaultNote } from '../parts/panel.tsx';
import { Theirs, TheirText } from '../parts/theirs.tsx';
import { linkTo, remember, route } from '../route.ts';
import { useResource } from '../use-resource.ts';
import { WhyNot } from './why.tsx';

const arms = [
  ['hybrid', 'hybrid'],
  ['lexical', 'lexical'],
  ['embedding', 'embedding'],
] as const;
const beside = [['', 'nothing'], ['text', 'the model’s text'], ...arms] as const;

/** Searches as a model would, at each key. */
export function SearchView() {
  const asked = route.value.query;
  const [query, setQuery] = useState(asked.get('query') ?? '');
  const [arm, setArm] = useState(asked.get('arm') ?? 'hybrid');
  const [other, setOther] = useState(asked.get('beside') ?? 'text');
  const [server, setServer] = useState(asked.get('server') ?? '');
  const overview = useResource<Overview>('overview', {}, ['servers']);
  useEffect(() => remember({ query, arm, beside: other, server }), [query, arm, other, server]);
  const servers = (overview.value?.servers ?? []).map(({ server: id }) => [id, id] as const);
  return (
    <>
      <search>
        <form class="controls" onSubmit={(event) => event.preventDefault()}>
          <label class="field wide">
            <span class="label">What the tool should do</span>
            <input
              type="search"
              value={query}
              onInput={(event) => setQuery(event.currentTarget.value)}
              placeholder="create an issue in a repository"
              autocomplete="off"
              spellcheck={false}
              data-focus-first
            />
          </label>
          <Choice label="Ranking" value={arm} options={arms} onChange={setArm} />
          <Choice label="Beside it" value={other} options={beside} onChange={setOther} />
          <Choice label="Server" value={server} options={[['', 'all'], ...servers]} onChange={setServer} />
        </form>
      </search>
      <Names prefix={query} />
      {query.trim() === '' ? (
        <Empty>Type what a tool should do, in plain words. Hits come as you type.</Empty>
      ) : (
        <Results query={query} arm={arm} other={other} server={server} />
      )}
      <WhyNot query={query} />
    </>
  );
}

/** Names that begin with what is typed. */
function Names({ prefix }: { prefix: string }) {
  const isName = prefix.trim().length > 1;
  const { value = [] } = useResource<ToolLine[]>(isName ? 'complete' : undefined, { prefix });
  if (value.length === 0) return null;
  return (
    <nav class="names" aria-label="Tools whose name begins like this">
      {value.map(({ name }) => (
        <a key={name} href={linkTo('tool', name)} class="chip">
          <Theirs text={name} />
        </a>
      ))}
    </nav>
  );
}

function Results({ query, arm, other, server }: { query: string; arm: string; other: string; server: string }) {
  const isArm = other !== '' && other !== 'text';
  const found = useResource<Found>('search', { query, arm, server }, ['tools']);
  const compared = useResource<Found>(isArm ? 'search' : undefined, { query, arm: other, server }, ['tools']);
  if (found.fault !== undefined) return <FaultNote fault={found.fault} />;
  if (found.value === undefined) return <p class="empty">Searching…</p>;
  const scale = scaleOf(
    [...found.value.result.hits, ...(compared.value?.result.hits ?? [])].map(({ explain }) => explain),
  );
  return (
    <div class={other === '' ? '' : 'columns'}>
      <Hits title={arm} found={found.value} scale={scale} others={compared.value} />
      {isArm && compared.value !== undefined && (
        <Hits title={other} found={compared.value} scale={scale} others={found.value} />
      )}
      {other === 'text' && (
        <section class="panel" aria-label="What the model reads">
          <header>
            <h2>What the model reads</h2>
          </header>
          <TheirText text={found.value.text} label="Answer to the search" />
        </section>
      )}
    </div>
  );
}

function Hits({
  title,
  found,
  scale,
  others,
}: {
  title: string;
  found: Found;
  scale: number;
  others: Found | undefined;
}) {
  const { hits, confidence, notes } = found.result;
  return (
    <section class="panel" aria-label={`Hits, ${title}`} data-query={found.result.query}>
      <header>
        <h2>{title}</h2>
        <span class="muted" role="status">
          {`${count(hits.length, 'hit')}, ${confidence}, ${formatMs(found.tookMs)}`}
        </span>
      </header>
      {hits.length === 0 && <Empty>No tool fits.</Empty>}
      <ol class="hits">
        {hits.map((hit, index) => (
          <li key={hit.name}>
            <div class="head">
              <a href={linkTo('tool', hit.name)}>
                <Theirs text={hit.name} class="mono" />
              </a>
              {others !== undefined && <Elsewhere name={hit.name} rank={index + 1} others={others} />}
              {hit.status !== undefined && <State name={hit.status} />}
              <span class="score">{formatScore(hit.score)}</span>
            </div>
            <p class="signature">
              <Theirs text={hit.signature} class="mono" />
            </p>
            <p>
              <Theirs text={hit.summary} />
            </p>
            {hit.explain !== undefined && (
              <details open={index === 0}>
                <summary>Parts of the score</summary>
                <ExplainBars parts={hit.explain} scale={scale} />
              </details>
            )}
          </li>
        ))}
      </ol>
      {notes.map(({ code, message }) => (
        <p key={code} class="note">
          {message}
        </p>
      ))}
    </section>
  );
}

/** Where the other ranking has it. */
function Elsewhere({ name, rank, others }: { name: string; rank: number; others: Found }) {
  const other = others.result.hits.findIndex((hit) => hit.name === name) + 1;
  if (other === rank) return null;
  return <span class="badge plain">{other === 0 ? 'not beside' : `beside: ${other}.`}</span>;
}
