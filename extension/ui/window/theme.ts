/** Light, dark, or the system's choice. */
import type { Settings } from '../../../protocol/messages/wallet-messages.ts';

type Theme = Settings['theme'];
// A copy of the setting that can be read before the first paint. The background stores the setting itself.
const KEY = 'theme';

/** Shows a theme and remembers it for the next window's first paint. */
export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  localStorage.setItem(KEY, theme);
}

/** Forgets everything that windows remember for their first paint. */
export function forgetWindowMemory(): void {
  localStorage.clear();
  delete document.documentElement.dataset.theme;
}

/** Shows the remembered theme, before the background has responded. */
export function applyRememberedTheme(): void {
  const theme = localStorage.getItem(KEY);
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
}
