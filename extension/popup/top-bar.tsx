import type { Overview } from '../../protocol/messages/wallet-messages.ts';
import { call } from '../ui/window/call.ts';
import { LockIcon, Mark } from '../ui/controls/icons.tsx';
import { texts } from '../ui/texts/texts.ts';
import { useAction } from '../ui/window/use-action.ts';
import './top-bar.css';

/** Shows the account and the lock button. When the wallet locks, the background's notification closes this page. */
export function TopBar({ overview, onAccount }: { overview: Overview; onAccount: () => void }) {
  const lock = useAction(async () => void (await call('vault/lock', {})));
  const { account, network } = overview;
  return (
    <header class="top-bar">
      <button type="button" class="top-bar-account" onClick={onAccount}>
        <Mark size={32} />
        <span class="top-bar-names">
          <span class="list-title">{account ? account.handle : texts.popup.noAccount}</span>
          {account && <span class="list-note top-bar-paymail">{account.paymail}</span>}
        </span>
      </button>
      {network !== 'mainnet' && (
        <span class="badge badge-warning" title={texts.worthless}>
          {texts.networksShort[network]}
        </span>
      )}
      <button
        type="button"
        class="icon-button"
        aria-label={texts.popup.lock}
        title={texts.popup.lock}
        onClick={() => lock.run()}
      >
        <LockIcon />
      </button>
    </header>
  );
}
