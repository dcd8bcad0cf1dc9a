import { useLayoutEffect, useRef } from 'preact/hooks';
import { isHelpOpen, keyHelp } from './keys.ts';
import { isLive, waiting } from './live.ts';
import { Theirs } from './parts/theirs.tsx';
import { linkTo, route } from './route.ts';
import { switchTheme, theme } from './theme.ts';
import { ApprovalsView } from './views/approvals.tsx';
import { LogView } from './views/log.tsx';
import { OverviewView } from './views/overview.tsx';
import { SearchView } from './views/search.tsx';
import { ToolView } from './views/tool.tsx';
import { ToolsView } from './views/tools.tsx';

const views = [
  ['', 'Overview', OverviewView],
  ['search', 'Search', SearchView],
  ['tools', 'Tools', ToolsView],
  ['approvals', 'Approvals', ApprovalsView],
  ['log', 'Record', LogView],
  ['tool', 'Tool', ToolView],
] as const;

/** The frame of every view: navigation, heading, and what the keys do. */
export function App() {
  const { view, subject, visit } = route.value;
  const [, title, View] = views.find(([name]) => name === view) ?? views[0];
  const heading = useRef<HTMLHeadingElement>(null);
  const isFirst = useRef(true);
  // Before the next key comes: whoever types on at once means the new view.
  useLayoutEffect(() => {
    document.title = `${subject === '' ? title : subject} – toolcrib`;
    // Whoever hears the page, or moves by keys, is taken to what is new; on the first one the browser does that.
    if (!isFirst.current) heading.current?.focus();
    isFirst.current = false;
  }, [visit]);
  return (
    <>
      <button type="button" class="skip" onClick={() => heading.current?.focus()}>
        Skip to the content
      </button>
      <Navigation view={view} />
      <main>
        <h1 ref={heading} tabIndex={-1}>
          {view === 'tool' ? <Theirs text={subject} class="mono" /> : title}
        </h1>
        <View key={visit} />
      </main>
      <Help />
    </>
  );
}

function Navigation({ view }: { view: string }) {
  const { calls, definitions } = waiting.value;
  return (
    <header class="top">
      <a class="brand" href={linkTo('')}>
        <img src="./icon.svg" alt="" width="24" height="24" />
        toolcrib
      </a>
      <nav aria-label="Views">
        {views
          .filter(([name]) => name !== 'tool')
          .map(([name, title]) => (
            <a
              key={name}
              href={linkTo(name)}
              aria-current={name === view || (name === 'tools' && view === 'tool') ? 'page' : undefined}
            >
              {title}
              {name === 'approvals' && calls + definitions > 0 && (
                <span class="count">
                  {calls + definitions}
                  <span class="hidden"> waiting</span>
                </span>
              )}
            </a>
          ))}
      </nav>
      <div class="tools">
        <span class={`live ${isLive.value ? 'on' : ''}`} role="status">
          {isLive.value ? 'live' : 'not connected'}
        </span>
        <button type="button" class="quiet" onClick={switchTheme} aria-label={`Colours: ${theme.value}. Switch`}>
          {theme.value}
        </button>
        <button
          type="button"
          class="quiet"
          aria-label="Keys"
          aria-expanded={isHelpOpen.value}
          onClick={() => (isHelpOpen.value = !isHelpOpen.value)}
        >
          ?
        </button>
      </div>
    </header>
  );
}

function Help() {
  if (!isHelpOpen.value) return null;
  return (
    <aside class="help" aria-label="Keys">
      <dl>
        {keyHelp.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <button type="button" class="quiet" onClick={() => (isHelpOpen.value = false)}>
        Close
      </button>
    </aside>
  );
}
