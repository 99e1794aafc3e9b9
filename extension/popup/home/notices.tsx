import type { Overview } from '../../../protocol/messages/wallet-messages.ts';
import { ErrorNote } from '../../ui/controls/error-note.tsx';
import { texts } from '../../ui/texts/texts.ts';

/** Shows why the wallet isn't up to date. */
export function Notices({ overview }: { overview: Overview }) {
  const { scan, unread, crowded, problem, historyLeft = null, isHistoryCut = false } = overview;
  const isCurrent = scan === null && unread === 0 && crowded === 0 && problem === null;
  if (isCurrent && historyLeft === null && !isHistoryCut) return null;
  return (
    <div class="stack stack-tight popup-note">
      {scan && (
        <div class="banner banner-info notice-line" role="status">
          <span class="spinner" />
          <span>{texts.popup.scan({ addresses: scan.addresses, coins: scan.coins })}</span>
        </div>
      )}
      {scan === null && historyLeft !== null && (
        <p class="banner banner-info small" role="status" data-part="history">
          {texts.popup.history({ left: historyLeft })}
        </p>
      )}
      {isHistoryCut && (
        <p class="banner banner-info small" role="status" data-part="history-cut">
          {texts.popup.historyCut}
        </p>
      )}
      {unread > 0 && (
        <p class="banner banner-info small" role="status" data-part="unread">
          {texts.popup.unread({ payments: unread })}
        </p>
      )}
      {crowded > 0 && (
        <p class="banner banner-warning small" role="status" data-part="crowded">
          {texts.popup.crowded({ addresses: crowded })}
        </p>
      )}
      <ErrorNote error={problem} kind="warning">
        <p class="small">{texts.popup.problemNext}</p>
      </ErrorNote>
    </div>
  );
}
