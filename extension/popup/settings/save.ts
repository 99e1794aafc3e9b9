import type { Settings, WalletParams } from '../../../protocol/messages/wallet-messages.ts';
import { call } from '../../ui/window/call.ts';
import { rememberLanguage } from '../../ui/languages/language.ts';
import { setSingleKeys } from '../../ui/window/shortcuts.ts';
import { applyTheme } from '../../ui/window/theme.ts';

type SettingsChange = WalletParams<'settings/change'>;

export type SaveSettings = (change: SettingsChange) => Promise<void>;

/** Saves a change and applies it to this window. @returns the current settings */
export async function saveSettings(change: SettingsChange): Promise<Settings> {
  const settings = await call('settings/change', change);
  applyTheme(settings.theme);
  setSingleKeys(settings.singleKeys);
  // Translations are loaded when a window starts, so a language change requires a reload.
  if (rememberLanguage(settings.language)) location.reload();
  return settings;
}
