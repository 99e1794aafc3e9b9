import type { AppDataKept } from '../../protocol/wallet-messages.ts';
import { appDataTexts as t } from '../ui/texts-app-data.ts';

/** Before an app has something kept that recovery words alone would not bring back: what to do about it. */
export function AppDataNote({ kept }: { kept: AppDataKept | undefined }) {
  if (kept !== 'nowhere') return null;
  return (
    <p class="banner banner-info small" data-part="app-data">
      {t.before}
    </p>
  );
}
