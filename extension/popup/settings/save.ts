/** Saving settings from this window. */
import type { Settings, WalletParams } from '../../../protocol/wallet-messages.ts';
import { call } from '../../ui/call.ts';
import { rememberLanguage } from '../../ui/language.ts';
import { setSingleKeys } from '../../ui/shortcuts.ts';
import { applyTheme } from '../../ui/theme.ts';

/** The settings that change. */
type SettingsChange = WalletParams<'settings/change'>;

/** What a part of the settings page calls to save a change. */
export type SaveSettings = (change: SettingsChange) => Promise<void>;

/** Saves a change and applies what this window shows of it. @returns all settings as they are now */
export async function saveSettings(change: SettingsChange): Promise<Settings> {
  const settings = await call('settings/change', change);
  applyTheme(settings.theme);
  setSingleKeys(settings.singleKeys);
  // Translations are laid over the English texts as a window starts: another language needs a reload.
  if (rememberLanguage(settings.language)) location.reload();
  return settings;
}
