import { useEffect } from 'preact/hooks';
import type { ApprovalView } from '../../protocol/messages/wallet-messages.ts';
import { call } from '../ui/window/call.ts';
import { ErrorNote } from '../ui/controls/error-note.tsx';
import { FaucetButton } from '../ui/amounts/faucet-button.tsx';
import { formatMoney } from '../ui/amounts/format.ts';
import { approvalTexts as t } from '../ui/texts/texts.ts';

/** Time between searches for the coins that a payment lacks (milliseconds). */
const LOOK_EVERY_MS = 10_000;

/** Why a payment can't be made, and what to do about it. */
export function Problem({ view }: { view: ApprovalView }) {
  const isShort = view.problem?.code === 'insufficient-funds';
  const lacksAsset = view.problem?.code === 'insufficient-assets';
  useLookForCoins(isShort);
  // Tokens received since the user last opened their assets are not known yet.
  useEffect(() => {
    if (lacksAsset) void call('assets/refresh', {}).catch(() => {});
  }, [lacksAsset]);
  if (!isShort) return <ErrorNote error={view.problem} kind="warning" />;
  const need = formatMoney(BigInt(view.totalSatoshis ?? view.satoshis), view.rate);
  return (
    <>
      <ErrorNote error={view.problem} kind="warning">
        <p class="small">{t.need({ need, have: formatMoney(BigInt(view.balanceSatoshis), view.rate) })}</p>
      </ErrorNote>
      {view.network === 'devnet' && <FaucetButton satoshis={BigInt(view.balanceSatoshis)} />}
    </>
  );
}

/** Searches for coins for as long as money is missing. */
export function useLookForCoins(isShort: boolean): void {
  useEffect(() => (isShort ? lookForCoins() : undefined), [isShort]);
}

/** Searches for coins regularly; a change makes the window read the payment again. @returns a stop function */
function lookForCoins(): () => void {
  const look = () => void call('wallet/refresh', {}).catch(() => {});
  look(); // coins that arrived a moment ago are unknown
  const timer = setInterval(look, LOOK_EVERY_MS);
  return () => clearInterval(timer);
}
