import { useEffect, useState } from 'preact/hooks';
import type { ToolList } from '../../shapes.ts';
import { count } from '../format.ts';
import { State } from '../parts/badge.tsx';
import { FilterForm } from '../parts/filter-form.tsx';
import { Empty, FaultNote, Loading, Panel } from '../parts/panel.tsx';
import { Theirs } from '../parts/theirs.tsx';
import { linkTo, remember, route } from '../route.ts';
import { useResource } from '../use-resource.ts';

/** Every tool, those that models do not see included. */
export function ToolsView() {
  const asked = route.value.query;
  const [text, setText] = useState(asked.get('text') ?? '');
  const [server, setServer] = useState(asked.get('server') ?? '');
  const [problems, setProblems] = useState(asked.get('problems') === 'true');
  const query = { text, server, problems: problems ? 'true' : '' };
  useEffect(() => remember(query), [text, server, problems]);
  const { value, fault } = useResource<ToolList>('tools', query, ['tools']);
  return (
    <>
      <FilterForm
        text={{ value: text, set: setText, label: 'Name' }}
        server={{ value: server, set: setServer }}
        flag={{ value: problems, set: setProblems, label: 'only with problems' }}
      />
      {fault && <FaultNote fault={fault} />}
      {value === undefined ? !fault && <Loading /> : <List list={value} />}
    </>
  );
}

function List({ list: { tools, total } }: { list: ToolList }) {
  const shown = tools.length < total ? `the first ${tools.length} of ${count(total, 'tool')}` : count(total, 'tool');
  return (
    <Panel title="Tools" aside={<span class="muted">{shown}</span>}>
      {tools.length === 0 && <Empty>No tool has such a name.</Empty>}
      <ul class="rows">
        {tools.map(({ name, server, status }) => (
          <li key={name}>
            <a href={linkTo('tool', name)}>
              <Theirs text={name} class="mono" />
            </a>
            <span class="muted">
              <Theirs text={server} /> {status !== 'ok' && <State name={status} />}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
