import { useState } from 'preact/hooks';
import type { CallToApprove } from '../../../model/policy.ts';
import type { DefinitionReview } from '../../../model/trust.ts';
import type { Approvals } from '../../shapes.ts';
import { ApiError, post } from '../api.ts';
import { Badge, State } from '../parts/badge.tsx';
import { Changes } from '../parts/changes.tsx';
import { Findings } from '../parts/findings.tsx';
import { Empty, FaultNote, Loading, Panel } from '../parts/panel.tsx';
import { Json, Theirs } from '../parts/theirs.tsx';
import { Time } from '../parts/time.tsx';
import { linkTo } from '../route.ts';
import { useResource } from '../use-resource.ts';

/** A server in quarantine may have hundreds. */
const definitionsShown = 50;

/** Calls and definitions that wait for a person. */
export function ApprovalsView() {
  const { value, fault, reload } = useResource<Approvals>('approvals', {}, ['approvals', 'tools']);
  const [failure, setFailure] = useState<ApiError['fault']>();
  if (value === undefined) return fault === undefined ? <Loading /> : <FaultNote fault={fault} />;
  const decide = async (path: string, body: object) => {
    try {
      await post(path, body);
      setFailure(undefined);
    } catch (error) {
      if (error instanceof ApiError) setFailure(error.fault);
    }
    reload();
  };
  return (
    <>
      {(failure ?? fault) && <FaultNote fault={(failure ?? fault) as ApiError['fault']} />}
      <Panel title="Calls">
        {value.calls.length === 0 && <Empty>No call waits for a decision.</Empty>}
        {value.calls.map((call) => (
          <Call key={call.id} call={call} decide={decide} />
        ))}
      </Panel>
      <Panel title="Definitions">
        {value.definitions.length === 0 && <Empty>No definition waits for a decision.</Empty>}
        {value.definitions.slice(0, definitionsShown).map((review) => (
          <Definition key={`${review.name} ${review.hash}`} review={review} decide={decide} />
        ))}
        {value.definitions.length > definitionsShown && (
          <p class="muted">{`These are the first ${definitionsShown} of ${value.definitions.length}; the next ones follow as they are decided.`}</p>
        )}
      </Panel>
    </>
  );
}

type Decide = (path: string, body: object) => Promise<void>;

const times = [
  ['', 'once'],
  ['15', 'for 15 minutes'],
  ['60', 'for an hour'],
  ['480', 'for 8 hours'],
] as const;

function Call({ call, decide }: { call: CallToApprove; decide: Decide }) {
  const [minutes, setMinutes] = useState('');
  const body = { id: call.id, ...(minutes === '' ? {} : { minutes: Number(minutes) }) };
  return (
    <article class="card" aria-label={`Call of ${call.name}`}>
      <p>
        <a href={linkTo('tool', call.name)}>
          <Theirs text={call.name} class="mono" />
        </a>{' '}
        <Badge tone={call.effect === 'read' ? 'good' : call.effect === 'write' ? 'warn' : 'bad'}>
          {call.isEffectKnown ? call.effect : `may be ${call.effect}`}
        </Badge>
      </p>
      <p class="muted">
        tool <Theirs text={call.tool} class="mono" /> of server <Theirs text={call.server} />, wanted by{' '}
        <Theirs text={call.caller} /> <Time at={call.requestedAt} />; given up <Time at={call.expiresAt} />
      </p>
      <Json value={call.arguments} label={`Arguments for ${call.name}`} />
      <div class="decide">
        <select value={minutes} aria-label="For how long" onChange={(event) => setMinutes(event.currentTarget.value)}>
          {times.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
        <button type="button" class="main" onClick={() => void decide('approvals/grant', body)}>
          Allow
        </button>
        <button type="button" class="danger" onClick={() => void decide('approvals/refuse', body)}>
          Refuse
        </button>
      </div>
      <p class="hint">Good for this caller, definition and arguments alone.</p>
    </article>
  );
}

function Definition({ review, decide }: { review: DefinitionReview; decide: Decide }) {
  const { name, server, tool, hash, status, problem, findings, changes, isRefused } = review;
  return (
    <article class="card" aria-label={`Definition of ${name}`}>
      <p>
        <a href={linkTo('tool', name)}>
          <Theirs text={name} class="mono" />
        </a>{' '}
        <State name={status} /> {isRefused && <Badge tone="bad">refused</Badge>}
      </p>
      {problem !== undefined && findings.length === 0 && (
        <p class="muted">
          <Theirs text={problem} />
        </p>
      )}
      <Findings findings={findings} />
      <Changes changes={changes} />
      <div class="decide">
        <button type="button" class="main" onClick={() => void decide('definitions/accept', { server, tool, hash })}>
          Accept
        </button>
        {!isRefused && (
          <button
            type="button"
            class="danger"
            onClick={() => void decide('definitions/refuse', { server, tool, hash })}
          >
            Refuse
          </button>
        )}
      </div>
      <p class="hint">
        {isRefused ? 'It stays out of use; it can still be accepted.' : 'Accepted, it is what models see and call.'}
      </p>
    </article>
  );
}
