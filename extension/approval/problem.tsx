import { useEffect } from 'preact/hooks';
import type { ApprovalView } from '../../protocol/messages/wallet-messages.ts';
import { call } from '../ui/window/call.ts';
import { ErrorNote } from '../ui/controls/error-note.tsx';
import { FaucetButton } from '../ui/amounts/faucet-button.tsx';
import { formatMoney } from '../ui/amounts/format.ts';
import { approvalTexts as t } from '../ui/texts/texts.ts';

/** Interval between searches for missing coins (milliseconds). */
const LOOK_EVERY_MS = 10_000;

/** Shows why a payment can't be made, and what the user can do. */
export function Problem({ view }: { view: ApprovalView }) {
  const isShort = view.problem?.code === 'insufficient-funds';
  const lacksAsset = view.problem?.code === 'insufficient-assets';
  useCoinSearch(isShort);
  // Searches for tokens, because tokens received since the last refresh are unknown.
  useEffect(() => {
    if (lacksAsset) void call('assets/refresh', {}).catch(() => {});
  }, [lacksAsset]);
  if (!isShort) return <ErrorNote error={view.problem} kind="warning" />;
  const have = formatMoney(BigInt(view.balanceSatoshis), view.rate);
  const need = formatMoney(BigInt(view.totalSatoshis ?? view.satoshis), view.rate);
  return (
    <>
      <ErrorNote error={view.problem} kind="warning">
        <p class="small">{view.awaitsChange ? t.awaitsChange({ have }) : t.need({ need, have })}</p>
      </ErrorNote>
      {view.network === 'devnet' && !view.awaitsChange && <FaucetButton satoshis={BigInt(view.balanceSatoshis)} />}
    </>
  );
}

/** Searches for coins while money is missing. */
export function useCoinSearch(isShort: boolean): void {
  useEffect(() => (isShort ? lookForCoins() : undefined), [isShort]);
}

/**
 * Searches for coins periodically. New coins make the window read the payment again.
 * @returns a function that stops the search
 */
function lookForCoins(): () => void {
  const look = () => void call('wallet/refresh', {}).catch(() => {});
  look(); // Coins may have arrived just before the prompt.
  const timer = setInterval(look, LOOK_EVERY_MS);
  return () => clearInterval(timer);
}
