import { useState } from 'preact/hooks';
import type { Overview, ServerView } from '../../shapes.ts';
import { post } from '../api.ts';
import { count, formatNumber } from '../format.ts';
import { ActivityChart } from '../parts/activity-chart.tsx';
import { State } from '../parts/badge.tsx';
import { Empty, FaultNote, Loading, Panel } from '../parts/panel.tsx';
import { Switch } from '../parts/switch.tsx';
import { Theirs } from '../parts/theirs.tsx';
import { Time } from '../parts/time.tsx';
import { TokenChart } from '../parts/token-chart.tsx';
import { linkTo } from '../route.ts';
import { useResource } from '../use-resource.ts';

const spans = [
  ['1', 'hour'],
  ['24', 'day'],
  ['168', 'week'],
] as const;

/** What there is, how it is, and what was done with it. */
export function OverviewView() {
  const [hours, setHours] = useState('24');
  const { value: view, fault } = useResource<Overview>('overview', { hours }, ['servers', 'tools', 'approvals', 'log']);
  if (view === undefined) return fault === undefined ? <Loading /> : <FaultNote fault={fault} />;
  return (
    <>
      {fault && <FaultNote fault={fault} />}
      <Waiting {...view.waiting} />
      <div class="columns">
        <Panel title="Tokens">
          <TokenChart view={view} />
        </Panel>
        <Panel title="Calls" aside={<Switch label="Time shown" value={hours} options={spans} onChange={setHours} />}>
          <ActivityChart activity={view.activity} />
        </Panel>
      </div>
      <Panel title="Searches that found nothing">
        <Missed missed={view.missed} />
      </Panel>
      <Panel
        title="Servers"
        aside={<span class="muted">{`${count(view.servers.length, 'server')}, ${count(view.tools, 'tool')}`}</span>}
      >
        <Servers servers={view.servers} />
      </Panel>
    </>
  );
}

function Waiting({ calls, definitions }: Overview['waiting']) {
  if (calls + definitions === 0) return null;
  const parts = [
    ...(calls > 0 ? [count(calls, 'call')] : []),
    ...(definitions > 0 ? [count(definitions, 'definition')] : []),
  ];
  return (
    <p class="note warn">
      {parts.join(' and ')} {calls + definitions === 1 ? 'waits' : 'wait'} for a decision.{' '}
      <a href={linkTo('approvals')}>Decide</a>
    </p>
  );
}

function Servers({ servers }: { servers: readonly ServerView[] }) {
  const most = Math.max(1, ...servers.map(({ definitionTokens }) => definitionTokens));
  if (servers.length === 0) return <Empty>The config names no servers.</Empty>;
  return (
    <table class="table">
      <thead>
        <tr>
          <th scope="col">Server</th>
          <th scope="col">State</th>
          <th scope="col" class="number">
            Tools
          </th>
          <th scope="col">Tokens</th>
          <th scope="col">Listed</th>
          <th scope="col">
            <span class="hidden">Action</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {servers.map((server) => (
          <ServerRow key={server.server} server={server} most={most} />
        ))}
      </tbody>
    </table>
  );
}

function ServerRow({ server, most }: { server: ServerView; most: number }) {
  const { server: id, state, tools, held, definitionTokens, listedAt, era, problem, stale } = server;
  return (
    <tr>
      <th scope="row">
        <a href={linkTo('tools', '', { server: id })}>
          <Theirs text={id} />
        </a>
        {era !== undefined && <span class="sub">{era}</span>}
      </th>
      <td data-label="State">
        <State name={state} />
        {stale && <State name="old list" />}
        {problem !== undefined && (
          <span class="sub reason">
            <Theirs text={problem} />
          </span>
        )}
      </td>
      <td data-label="Tools" class="number">
        {formatNumber(tools)}
        {held > 0 && <span class="sub">{`${held} held`}</span>}
      </td>
      <td data-label="Tokens" class="meter">
        <span class="amount">{formatNumber(definitionTokens)}</span>
        <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
          <rect width={(100 * definitionTokens) / most} height="6" class="bar without" />
        </svg>
      </td>
      <td data-label="Listed">{listedAt === undefined ? 'never' : <Time at={listedAt} />}</td>
      <td class="action">{canBeListed(server) && <ListAgain id={id} />}</td>
    </tr>
  );
}

/** Those that were filled by a program have nothing to connect to. */
function canBeListed({ state, era }: ServerView): boolean {
  return state !== 'disabled' && (state !== 'idle' || era !== undefined);
}

/** What comes of it, or goes wrong, shows in the row. */
function ListAgain({ id }: { id: string }) {
  const [isBusy, setBusy] = useState(false);
  const list = async () => {
    setBusy(true);
    await post('sync', { server: id }).catch(() => undefined);
    setBusy(false);
  };
  return (
    <button type="button" class="quiet" disabled={isBusy} onClick={() => void list()}>
      {isBusy ? 'Listing…' : 'List again'}
      <span class="hidden"> {id}</span>
    </button>
  );
}

/** The rest is shown when asked for: the servers come below. */
const missedShown = 4;

function Missed({ missed }: { missed: Overview['missed'] }) {
  if (missed.length === 0) return <Empty>Every search of a model has found something so far.</Empty>;
  const rest = missed.slice(missedShown);
  return (
    <>
      <MissedRows missed={missed.slice(0, missedShown)} />
      {rest.length > 0 && (
        <details>
          <summary>{count(rest.length, 'older one')}</summary>
          <MissedRows missed={rest} />
        </details>
      )}
    </>
  );
}

function MissedRows({ missed }: { missed: Overview['missed'] }) {
  return (
    <ul class="rows">
      {missed.map(({ query, times, lastAt }) => (
        <li key={query}>
          <a href={linkTo('search', '', { query })}>
            <Theirs text={query} />
          </a>
          <span class="muted">
            {times > 1 ? `${formatNumber(times)} times, last ` : ''}
            <Time at={lastAt} />
          </span>
        </li>
      ))}
    </ul>
  );
}
