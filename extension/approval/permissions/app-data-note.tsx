import type { AppDataLocation } from '../../../protocol/messages/wallet-messages.ts';
import { appDataTexts as t } from '../../ui/texts/texts.ts';

/** Warns that an application will store data that is saved only in this browser, so recovery words can't restore it. */
export function AppDataNote({ kept }: { kept: AppDataLocation | undefined }) {
  if (kept !== 'nowhere') return null;
  return (
    <p class="banner banner-info small" data-part="app-data">
      {t.before}
    </p>
  );
}
