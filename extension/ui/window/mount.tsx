/** Starts one of the wallet's windows. */
import { render, type ComponentChild } from 'preact';
import { call } from './call.ts';
import { inPopup } from './popup-and-tabs.ts';
import { rememberedLanguage, rememberLanguage } from '../languages/language.ts';
import { setSingleKeys } from './shortcuts.ts';
import { speak } from '../languages/speak.ts';
import { applyRememberedTheme, applyTheme } from './theme.ts';
import '../../../look/tokens.css';
import '../../../look/components.css';
import './windows.css';
import '../people/avatar.css';

/** Renders a window, except inside a frame, where a page could cover it. */
export function mount(contents: () => ComponentChild): void {
  if (window.top !== window) return;
  const root = document.getElementById('app');
  if (root === null) return;
  applyRememberedTheme();
  document.documentElement.dataset.view = inPopup() ? 'popup' : 'page';
  const show = () => render(contents(), root);
  const language = rememberedLanguage();
  // English UI strings are built in, so the window is rendered immediately.
  const speaking = language === 'en' ? Promise.resolve(show()) : speak(language).finally(show);
  call('settings/read', {}).then(
    (settings) => {
      applyTheme(settings.theme);
      setSingleKeys(settings.singleKeys);
      // The language is compared only after its UI strings are loaded, because a reload wouldn't help if loading fails.
      return speaking.then(
        () => rememberLanguage(settings.language) && location.reload(),
        () => {},
      );
    },
    () => {
      // The window's contents show the background's errors. The theme and the language keep their last known values.
    },
  );
}
