import { signal } from '@preact/signals';
import { render } from 'preact';
import './style.css';

const n = signal(0);
function App() {
  return <p>{n.value}</p>;
}
render(<App />, document.getElementById('root') as HTMLElement);
