import type { Settings } from '../../../protocol/messages/wallet-messages.ts';

type Theme = Settings['theme'];
// Local storage key for a copy of the setting, for the first paint. The background stores the setting itself.
const KEY = 'theme';

/** Applies a theme, and stores it for the next window's first paint. */
export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  localStorage.setItem(KEY, theme);
}

/** Deletes everything that windows have stored for their first paint. */
export function forgetWindowMemory(): void {
  localStorage.clear();
  delete document.documentElement.dataset.theme;
}

/** Applies the stored theme, before the background has responded. */
export function applyRememberedTheme(): void {
  const theme = localStorage.getItem(KEY);
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
}
