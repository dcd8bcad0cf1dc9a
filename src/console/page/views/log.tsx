import { useEffect, useState } from 'preact/hooks';
import type { AuditEntry } from '../../../model/audit.ts';
import type { LogPage } from '../../shapes.ts';
import { get } from '../api.ts';
import { formatMs, formatTime } from '../format.ts';
import { Badge } from '../parts/badge.tsx';
import { FilterForm } from '../parts/filter-form.tsx';
import { Empty, FaultNote, Loading, Panel } from '../parts/panel.tsx';
import { Theirs } from '../parts/theirs.tsx';
import { remember, route } from '../route.ts';
import { useResource } from '../use-resource.ts';

/** What was called and which servers were started. */
export function LogView() {
  const asked = route.value.query;
  const [text, setText] = useState(asked.get('text') ?? '');
  const [server, setServer] = useState(asked.get('server') ?? '');
  const [failed, setFailed] = useState(asked.get('failed') === 'true');
  const [older, setOlder] = useState<LogPage>();
  const query = { text, server, failed: failed ? 'true' : '' };
  useEffect(() => {
    remember(query);
    setOlder(undefined);
  }, [text, server, failed]);
  const { value, fault } = useResource<LogPage>('log', query, ['log']);
  const entries = [...(value?.entries ?? []), ...(older?.entries ?? [])];
  const readOlder = async () => {
    const beforeId = String(entries.at(-1)?.id ?? '');
    const page = await get<LogPage>('log', { ...query, beforeId });
    setOlder({ ...page, entries: [...(older?.entries ?? []), ...page.entries] });
  };
  return (
    <>
      <FilterForm
        text={{ value: text, set: setText, label: 'Tool, caller or outcome' }}
        server={{ value: server, set: setServer }}
        flag={{ value: failed, set: setFailed, label: 'only failures' }}
      />
      {fault && <FaultNote fault={fault} />}
      {value === undefined ? (
        !fault && <Loading />
      ) : (
        <Panel title="Record" aside={<span class="muted">newest first</span>}>
          {entries.length === 0 ? <Empty>Nothing is recorded that fits.</Empty> : <Entries entries={entries} />}
          {(older ?? value).isMore && (
            <button type="button" class="quiet" onClick={() => void readOlder()}>
              Older ones
            </button>
          )}
        </Panel>
      )}
    </>
  );
}

function Entries({ entries }: { entries: readonly AuditEntry[] }) {
  return (
    <table class="table log">
      <thead>
        <tr>
          {['Tool', 'Outcome', 'Time', 'Caller', 'Arguments or command'].map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </tbody>
    </table>
  );
}

function Entry({ entry }: { entry: AuditEntry }) {
  const { time, kind, server = '', tool = '', outcome = '', durationMs, caller = '', decision, rule } = entry;
  const isGood = outcome === 'ok' || outcome === 'input_required';
  return (
    <tr>
      <th scope="row">
        <Theirs text={kind === 'call' ? tool : '(started)'} class="mono" />
        <span class="sub">
          <Theirs text={server} />
        </span>
      </th>
      <td data-label="Outcome">
        {kind === 'call' && <Badge tone={isGood ? 'good' : 'bad'}>{outcome}</Badge>}
        {durationMs !== undefined && <span class="sub">{formatMs(durationMs)}</span>}
        {decision !== undefined && decision !== 'allow' && <span class="sub">{`${decision}, ${rule}`}</span>}
      </td>
      <td data-label="Time">{formatTime(time)}</td>
      <td data-label="Caller">
        <Theirs text={caller} />
      </td>
      <td data-label="Arguments" class="args">
        <Theirs text={kind === 'call' ? (entry.arguments ?? '') : (entry.command ?? '')} class="mono" />
      </td>
    </tr>
  );
}
