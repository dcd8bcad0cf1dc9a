import type { JsonObject } from '../../../model/json.ts';
import type { PolicyTest } from '../../../model/policy.ts';
import type { ToolView as Shown, VersionView } from '../../shapes.ts';
import { fieldsOf } from '../form-values.ts';
import { formatTime } from '../format.ts';
import { Badge, State } from '../parts/badge.tsx';
import { Changes } from '../parts/changes.tsx';
import { Findings } from '../parts/findings.tsx';
import { Empty, FaultNote, Loading } from '../parts/panel.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { Json, Theirs, TheirText } from '../parts/theirs.tsx';
import { linkTo, route } from '../route.ts';
import { useResource } from '../use-resource.ts';
import { TryCall } from './try-call.tsx';

/** All that is known of one tool. */
export function ToolView() {
  const name = route.value.subject;
  const { value: tool, fault } = useResource<Shown>('tool', { name }, ['tools']);
  if (tool === undefined) return fault === undefined ? <Loading /> : <FaultNote fault={fault} />;
  return (
    <>
      {fault && <FaultNote fault={fault} />}
      <Standing tool={tool} />
      <Tabs
        key={tool.name}
        label="Parts of the tool"
        tabs={[
          { title: 'Definition', content: () => <Definition tool={tool} /> },
          {
            title: 'Raw JSON',
            content: () => <Json value={tool.definition} label="Definition as the server sent it" />,
          },
          { title: 'For the model', content: () => <ForTheModel tool={tool} /> },
          { title: `History (${tool.history.length})`, content: () => <History versions={tool.history} /> },
          { title: 'Try it', content: () => <TryCall key={tool.hash} tool={tool} /> },
        ]}
      />
    </>
  );
}

function Standing({ tool }: { tool: Shown }) {
  const isWaiting = tool.status === 'changed' || tool.status === 'quarantined';
  const { findings } = tool.review;
  return (
    <div class="standing">
      <p>
        <State name={tool.status} /> tool <Theirs text={tool.tool} class="mono" /> of server{' '}
        <a href={linkTo('tools', '', { server: tool.server })}>
          <Theirs text={tool.server} />
        </a>
      </p>
      {tool.problem !== undefined && (
        <p class="note warn">
          <Theirs text={findings.length > 0 ? 'What the scan found keeps it back.' : tool.problem} />{' '}
          {isWaiting && <a href={linkTo('approvals')}>Decide</a>}
        </p>
      )}
      <Findings findings={findings} />
      <dl class="policy">
        <Policy where="Calls on this machine" test={tool.policy.local} />
        <Policy where="Calls over HTTP" test={tool.policy.http} />
      </dl>
    </div>
  );
}

function Policy({ where, test }: { where: string; test: PolicyTest }) {
  return (
    <div>
      <dt>{where}</dt>
      <dd>
        <State name={test.action} /> {test.reason}; effect {test.isEffectKnown ? '' : 'not known, so taken as '}
        {test.effect}
      </dd>
    </div>
  );
}

function Definition({ tool }: { tool: Shown }) {
  const { description, title, annotations } = tool.definition;
  return (
    <div class="definition">
      {typeof title === 'string' && (
        <p>
          <strong>
            <Theirs text={title} />
          </strong>
        </p>
      )}
      {typeof description === 'string' ? (
        <TheirText text={description} label="Description" />
      ) : (
        <Empty>It has no description.</Empty>
      )}
      <h3>Parameters</h3>
      <Parameters schema={tool.inputSchema} />
      {annotations !== undefined && (
        <>
          <h3>What its server claims</h3>
          <Json value={annotations} label="Annotations" />
        </>
      )}
      <p class="muted">
        Hash <span class="mono">{tool.hash.slice(0, 16)}</span>
      </p>
    </div>
  );
}

function Parameters({ schema }: { schema: JsonObject }) {
  const fields = fieldsOf(schema);
  if (fields.length === 0) return <Empty>It takes no parameters.</Empty>;
  return (
    <table class="table">
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Type</th>
          <th scope="col">Description</th>
        </tr>
      </thead>
      <tbody>
        {fields.map(({ name, type, choices, description, isRequired }) => (
          <tr key={name}>
            <th scope="row">
              <Theirs text={name} class="mono" /> {isRequired && <Badge>required</Badge>}
            </th>
            <td data-label="Type">
              <Theirs text={choices.length > 0 ? choices.join(' | ') : type} />
            </td>
            <td data-label="Description">
              <Theirs text={description} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function ForTheModel({ tool }: { tool: Shown }) {
  if (tool.description === undefined) return <Empty>No model sees this tool.</Empty>;
  return <TheirText text={tool.description.text} label="What describe_tool answers" />;
}

const acceptedBy = { no: 'not accepted', rules: 'accepted by the rules', person: 'accepted by a person' };

function History({ versions }: { versions: readonly VersionView[] }) {
  return (
    <ol class="history">
      {versions.map(({ hash, firstSeenAt, replacedAt, accepted, timesSeen, changes }) => (
        <li key={`${hash} ${firstSeenAt}`}>
          <p>
            <strong>{formatTime(firstSeenAt)}</strong>{' '}
            <Badge tone={accepted === 'no' ? 'warn' : 'plain'}>{acceptedBy[accepted]}</Badge>{' '}
            <span class="muted">
              {replacedAt === undefined ? 'listed now' : `until ${formatTime(replacedAt)}`}
              {timesSeen > 1 ? `, seen ${timesSeen} times` : ''}, <span class="mono">{hash.slice(0, 12)}</span>
            </span>
          </p>
          {changes === undefined ? <p class="muted">The first that was seen.</p> : <Changes changes={changes} />}
        </li>
      ))}
    </ol>
  );
}
