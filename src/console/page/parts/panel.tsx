import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import type { Fault } from '../../shapes.ts';

/** A part of a view under a heading. */
export function Panel(props: {
  title: string;
  aside?: ComponentChildren;
  children: ComponentChildren;
  class?: string;
}) {
  const id = useId();
  return (
    <section class={`panel ${props.class ?? ''}`} aria-labelledby={id}>
      <header>
        <h2 id={id}>{props.title}</h2>
        {props.aside}
      </header>
      {props.children}
    </section>
  );
}

/** What went wrong and what to do. */
export function FaultNote({ fault }: { fault: Fault['error'] }) {
  return (
    <div class="note bad" role="alert">
      <strong>{fault.title}.</strong> {fault.message} <span class="muted">{fault.next}</span>
    </div>
  );
}

export function Empty({ children }: { children: ComponentChildren }) {
  return <p class="empty">{children}</p>;
}

export function Loading() {
  return (
    <p class="empty" role="status">
      Loading…
    </p>
  );
}
