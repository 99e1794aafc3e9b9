import type { AppDataKept } from '../../../protocol/messages/wallet-messages.ts';
import { appDataTexts as t } from '../../ui/texts/texts.ts';

/** Warns before an application stores data that the recovery words can't restore. */
export function AppDataNote({ kept }: { kept: AppDataKept | undefined }) {
  if (kept !== 'nowhere') return null;
  return (
    <p class="banner banner-info small" data-part="app-data">
      {t.before}
    </p>
  );
}
