/** How every window of the wallet starts. */
import { render, type ComponentChild } from 'preact';
import browser from 'webextension-polyfill';
import { call } from './call.ts';
import { applyRememberedTheme, applyTheme } from './theme.ts';
import '../../look/tokens.css';
import '../../look/components.css';
import './windows.css';

/** Shows a window, except inside a frame: there a page could lay something over it. */
export function mount(contents: () => ComponentChild): void {
  if (window.top !== window) return;
  const root = document.getElementById('app');
  if (root === null) return;
  applyRememberedTheme();
  document.documentElement.dataset.view = isPopup() ? 'popup' : 'page';
  render(contents(), root);
  call('settings/read', {}).then((settings) => applyTheme(settings.theme), () => {
    // The window itself says what is wrong with the background; the theme of last time serves.
  });
}

/** True in the popup under the toolbar icon, which takes its size from its contents; a tab does not. */
function isPopup(): boolean {
  return browser.extension?.getViews?.({ type: 'popup' }).includes(window) ?? false;
}
