/** What keeps the wallet from being up to date, calmly. */
import type { Overview } from '../../protocol/wallet-messages.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { texts } from '../ui/texts.ts';

/** See above. */
export function Notices({ overview }: { overview: Overview }) {
  const { scan, problem } = overview;
  if (scan === null && problem === null) return null;
  return (
    <div class="stack stack-tight popup-note">
      {scan && <div class="banner banner-info notice-line" role="status"><span class="spinner" /><span>{texts.popup.scan(scan.addresses, scan.coins)}</span></div>}
      <ErrorNote error={problem} kind="warning">
        <p class="small">{texts.popup.problemNext}</p>
      </ErrorNote>
    </div>
  );
}
