/** Light, dark, or the system's choice. */
import type { Settings } from '../../../protocol/messages/wallet-messages.ts';

type Theme = Settings['theme'];
// A copy of the setting that can be read before the first paint; the setting itself is kept by the background.
const KEY = 'theme';

/** Shows a theme and remembers it for the next window's first paint. */
export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  localStorage.setItem(KEY, theme);
}

/** Forgets all that windows remember for their first paint: the wallet is gone. */
export function forgetWindowMemory(): void {
  localStorage.clear();
  delete document.documentElement.dataset.theme;
}

/** Shows the remembered theme, before the background has answered. */
export function applyRememberedTheme(): void {
  const theme = localStorage.getItem(KEY);
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
}
