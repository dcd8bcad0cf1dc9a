import type { FieldChange } from '../../../model/trust.ts';
import { Theirs } from './theirs.tsx';

/** The differences between two definitions, field by field. */
export function Changes({ changes }: { changes: readonly FieldChange[] }) {
  if (changes.length === 0) return <p class="muted">No difference in the definition.</p>;
  return (
    <ul class="changes">
      {changes.map((change) => (
        <li key={change.path}>
          <div class="path">
            <Theirs text={change.path === '' ? 'whole definition' : change.path} class="mono" />
            <span class="muted">{change.kind}</span>
          </div>
          <Values change={change} />
        </li>
      ))}
    </ul>
  );
}

function Values({ change }: { change: FieldChange }) {
  const before = change.before === undefined ? undefined : asText(change.before);
  const after = change.after === undefined ? undefined : asText(change.after);
  const same = before !== undefined && after !== undefined ? commonEnds(before, after) : { head: 0, tail: 0 };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled by keys only where it takes the focus.
    <section class="values" aria-label={`Before and after: ${change.path || 'whole definition'}`} tabIndex={0}>
      {before !== undefined && (
        <p class="before">
          <span class="sign" aria-hidden="true">
            −
          </span>
          <span class="hidden">before: </span>
          <Marked text={before} {...same} as="del" />
        </p>
      )}
      {after !== undefined && (
        <p class="after">
          <span class="sign" aria-hidden="true">
            +
          </span>
          <span class="hidden">after: </span>
          <Marked text={after} {...same} as="ins" />
        </p>
      )}
    </section>
  );
}

/** What both texts begin and end with is plain; what is between is what changed. */
function Marked({ text, head, tail, as: Mark }: { text: string; head: number; tail: number; as: 'del' | 'ins' }) {
  const end = text.length - tail;
  return (
    <>
      <Theirs text={text.slice(0, head)} />
      {end > head && (
        <Mark>
          <Theirs text={text.slice(head, end)} />
        </Mark>
      )}
      <Theirs text={text.slice(end)} />
    </>
  );
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function commonEnds(a: string, b: string): { head: number; tail: number } {
  const shorter = Math.min(a.length, b.length);
  let head = 0;
  while (head < shorter && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail += 1;
  return { head, tail };
}
