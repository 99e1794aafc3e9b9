/** Shows amounts in the user's currency, with the exact satoshis. */
import type { Rate } from '../../../protocol/messages/wallet-messages.ts';
import { formatMoney, formatSatoshis, formatSmall } from './format.ts';

/** Shows an amount in large type, with its satoshis below. */
export function BigAmount({ satoshis, rate }: { satoshis: bigint; rate: Rate | null }) {
  return (
    <span class="big-amount">
      <span class="amount amount-large" data-part="money">
        {formatMoney(satoshis, rate)}
      </span>
      <span class="amount muted" data-part="satoshis">
        {formatSatoshis(satoshis)}
      </span>
    </span>
  );
}

/** Shows an amount and its satoshis on one line: `$0.00012 (230 satoshis)`. */
export function InlineAmount({ satoshis, rate }: { satoshis: bigint; rate: Rate | null }) {
  return (
    <span class="amount">
      {formatMoney(satoshis, rate)} <span class="muted">({formatSatoshis(satoshis)})</span>
    </span>
  );
}

/** Shows a fee: `under $0.01 (12 satoshis)`. The satoshis are exact. */
export function FeeAmount({ satoshis, rate }: { satoshis: bigint; rate: Rate | null }) {
  return (
    <span class="amount">
      {formatSmall(satoshis, rate)} <span class="muted">({formatSatoshis(satoshis)})</span>
    </span>
  );
}
