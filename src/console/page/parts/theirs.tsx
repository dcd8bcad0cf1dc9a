import { escapeUnseen } from '../../../render/escape-unseen.ts';

/** Text that a server or a caller wrote: as text, set apart from ours, with nothing unseen in it. */
export function Theirs({ text, class: name = '' }: { text: string; class?: string }) {
  return <span class={`theirs ${name}`}>{escapeUnseen(text)}</span>;
}

/** The same for texts of several lines. */
export function TheirText({ text, label }: { text: string; label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text scrolls, which the keyboard must be able to do as well
    <section class="text" tabIndex={0} aria-label={label}>
      <pre class="theirs">{escapeUnseen(text)}</pre>
    </section>
  );
}

export function Json({ value, label }: { value: unknown; label: string }) {
  return <TheirText text={JSON.stringify(value, null, 2) ?? ''} label={label} />;
}
