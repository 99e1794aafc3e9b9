import type { Overview } from '../../protocol/wallet-messages.ts';
import { BigAmount } from '../ui/amount.tsx';
import { formatMoney } from '../ui/format.ts';
import { RateAge } from '../ui/rate-age.tsx';
import { texts } from '../ui/texts.ts';

/** The wallet's balance, and the rate by which it is shown. */
export function Balance({ overview }: { overview: Overview }) {
  const { rate } = overview;
  const unconfirmed = BigInt(overview.unconfirmedSatoshis);
  return (
    <section class="balance" aria-labelledby="balance">
      <h1 class="small muted" id="balance">
        {texts.popup.balance}
      </h1>
      <BigAmount satoshis={BigInt(overview.satoshis)} rate={rate} />
      {unconfirmed > 0n && <p class="small muted">{texts.popup.unconfirmed(formatMoney(unconfirmed, rate))}</p>}
      {overview.keptApart > 0 && (
        <p class="small muted" data-part="kept-apart">
          {texts.popup.keptApart(overview.keptApart)}
        </p>
      )}
      <RateAge rate={rate} problem={overview.rateProblem} />
    </section>
  );
}
