/** The page of the console. It knows the server side by `shapes.ts` alone, and shows what comes from servers as text. */
import { render } from 'preact';
import { App } from './app.tsx';
import { listenToKeys } from './keys.ts';
import { follow } from './live.ts';
import { applyTheme } from './theme.ts';

applyTheme();
listenToKeys();
follow();
render(<App />, document.getElementById('root') as HTMLElement);
