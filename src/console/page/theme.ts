import { signal } from '@preact/signals';

export type Theme = 'auto' | 'light' | 'dark';

const key = 'toolcrib-theme';
const order: readonly Theme[] = ['auto', 'light', 'dark'];

export const theme = signal<Theme>(stored());

/** On to the next one; `auto` follows the system. */
export function switchTheme(): void {
  theme.value = order[(order.indexOf(theme.peek()) + 1) % order.length] ?? 'auto';
  localStorage.setItem(key, theme.peek());
  applyTheme();
}

export function applyTheme(): void {
  document.documentElement.dataset.theme = theme.peek();
}

function stored(): Theme {
  return order.find((one) => one === localStorage.getItem(key)) ?? 'auto';
}
