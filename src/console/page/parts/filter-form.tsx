interface Filter<Value> {
  value: Value;
  set(value: Value): void;
}

interface FilterFormProps {
  text: Filter<string> & { label: string };
  server: Filter<string>;
  flag: Filter<boolean> & { label: string };
}

/** What narrows a list: a text, a server, and one yes or no. */
export function FilterForm({ text, server, flag }: FilterFormProps) {
  return (
    <search>
      <form class="controls" onSubmit={(event) => event.preventDefault()}>
        <label class="field wide">
          <span class="label">{text.label}</span>
          <input
            type="search"
            value={text.value}
            onInput={(event) => text.set(event.currentTarget.value)}
            data-focus-first
          />
        </label>
        <label class="field">
          <span class="label">Server</span>
          <input value={server.value} onInput={(event) => server.set(event.currentTarget.value)} placeholder="all" />
        </label>
        <label class="check">
          <input type="checkbox" checked={flag.value} onChange={(event) => flag.set(event.currentTarget.checked)} />
          {flag.label}
        </label>
      </form>
    </search>
  );
}
