import { useState } from 'preact/hooks';
import type { CallToolResult } from '../../../model/call.ts';
import type { JsonObject } from '../../../model/json.ts';
import type { CallView, ToolView } from '../../shapes.ts';
import { ApiError, post } from '../api.ts';
import { argumentsOf, type FormField, fieldsOf, typedInto } from '../form-values.ts';
import { formatMs } from '../format.ts';
import { Field } from '../parts/field.tsx';
import { FaultNote } from '../parts/panel.tsx';
import { Switch } from '../parts/switch.tsx';
import { Json, Theirs, TheirText } from '../parts/theirs.tsx';
import { linkTo } from '../route.ts';

type Outcome = { view: CallView } | { fault: ApiError['fault'] } | { problem: string } | 'running' | undefined;

const ways = [
  ['form', 'Form'],
  ['json', 'JSON'],
] as const;

/** A form made from the input schema, or JSON as a whole; the call is one like any other. */
export function TryCall({ tool }: { tool: ToolView }) {
  const fields = fieldsOf(tool.inputSchema);
  const [typed, setTyped] = useState<Record<string, string>>({});
  const [json, setJson] = useState<string>();
  const [outcome, setOutcome] = useState<Outcome>();
  const run = async () => {
    try {
      const args = json === undefined ? argumentsOf(fields, typed) : objectOf(json);
      setOutcome('running');
      setOutcome({ view: await post<CallView>('call', { name: tool.name, args }) });
    } catch (error) {
      setOutcome(error instanceof ApiError ? { fault: error.fault } : { problem: (error as Error).message });
    }
  };
  return (
    <form
      class="try"
      onSubmit={(event) => {
        event.preventDefault();
        void run();
      }}
    >
      <Switch
        label="How arguments are given"
        value={json === undefined ? 'form' : 'json'}
        options={ways}
        onChange={(way) => setJson(way === 'form' ? undefined : asJson(fields, typed))}
      />
      {json === undefined ? (
        fields.map((field) => (
          <Parameter
            key={field.name}
            field={field}
            value={typedInto(typed, field.name)}
            onInput={(value) => setTyped({ ...typed, [field.name]: value })}
          />
        ))
      ) : (
        <Field label="Arguments as a JSON object">
          <textarea
            class="mono"
            rows={10}
            value={json}
            spellcheck={false}
            onInput={(event) => setJson(event.currentTarget.value)}
          />
        </Field>
      )}
      <p>
        <button type="submit" class="main" disabled={outcome === 'running'}>
          {outcome === 'running' ? 'Running…' : 'Call'}
        </button>{' '}
        <span class="muted">The policy decides, and the call is recorded.</span>
      </p>
      <div role="status">
        <Result outcome={outcome} />
      </div>
    </form>
  );
}

function Parameter({ field, value, onInput }: { field: FormField; value: string; onInput: (value: string) => void }) {
  const label = (
    <>
      <Theirs text={field.name} class="mono" />{' '}
      <span class="muted">{field.isRequired ? `${field.type}, required` : field.type}</span>
    </>
  );
  return (
    <Field label={label} hint={field.description === '' ? undefined : <Theirs text={field.description} />}>
      <Control field={field} value={value} onInput={onInput} />
    </Field>
  );
}

function Control({ field, value, onInput }: { field: FormField; value: string; onInput: (value: string) => void }) {
  const type = (event: { currentTarget: { value: string } }) => onInput(event.currentTarget.value);
  switch (field.kind) {
    case 'boolean':
    case 'choice':
      return (
        <select value={value} onChange={type}>
          <option value="">(left out)</option>
          {(field.kind === 'boolean' ? ['true', 'false'] : field.choices).map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </select>
      );
    case 'number':
      return <input inputMode="decimal" value={value} onInput={type} />;
    case 'list':
      return <textarea rows={3} value={value} onInput={type} placeholder="one a line" />;
    case 'json':
      return <textarea class="mono" rows={3} value={value} onInput={type} placeholder="JSON" />;
    default:
      return <input value={value} onInput={type} autocomplete="off" />;
  }
}

function Result({ outcome }: { outcome: Outcome }) {
  if (outcome === undefined || outcome === 'running') return null;
  if ('fault' in outcome) return <FaultNote fault={outcome.fault} />;
  if ('problem' in outcome) {
    return (
      <p class="note bad">
        <Theirs text={outcome.problem} />
      </p>
    );
  }
  const { result, tookMs } = outcome.view;
  const code = (result._meta?.['dev.toolcrib/error'] as JsonObject | undefined)?.code;
  return (
    <section class="result" aria-label="Result">
      <p>
        <span class={`badge ${result.isError ? 'bad' : 'good'}`}>
          {result.isError ? String(code ?? 'tool error') : 'ok'}
        </span>{' '}
        <span class="muted">{formatMs(tookMs)}</span>
      </p>
      {code === 'approval_required' && (
        <p class="note warn">
          This call waits for an approval. <a href={linkTo('approvals')}>Decide</a>, then call again.
        </p>
      )}
      <Content result={result} />
    </section>
  );
}

/** Text as text; whatever else there is as JSON, never as what it claims to be. */
function Content({ result: { content, structuredContent } }: { result: CallToolResult }) {
  return (
    <>
      {content.map((block, index) =>
        block.type === 'text' ? (
          <TheirText key={index} text={String(block.text)} label={`Text ${index + 1}`} />
        ) : (
          <Json key={index} value={shortened(block)} label={`Content ${index + 1}`} />
        ),
      )}
      {structuredContent !== undefined && <Json value={structuredContent} label="Structured content" />}
    </>
  );
}

/** Images and sound are long; what they are is enough. */
const dataShownMax = 200;

function shortened(block: JsonObject): JsonObject {
  const { data } = block;
  if (typeof data !== 'string' || data.length <= dataShownMax) return block;
  return { ...block, data: `${data.slice(0, dataShownMax)}… (${data.length} characters)` };
}

/** What was typed so far is kept as far as it can be read. */
function asJson(fields: readonly FormField[], typed: Readonly<Record<string, string>>): string {
  const readable = fields.filter((field) => {
    try {
      argumentsOf([field], typed);
      return true;
    } catch {
      return false;
    }
  });
  return JSON.stringify(argumentsOf(readable, typed), null, 2);
}

function objectOf(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
  } catch {
    // Told below.
  }
  throw new Error('The arguments are not a JSON object.');
}
