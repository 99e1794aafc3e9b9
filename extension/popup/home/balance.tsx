import { useState } from 'preact/hooks';
import type { Overview } from '../../../protocol/messages/wallet-messages.ts';
import { BigAmount } from '../../ui/amounts/amount.tsx';
import { formatFiat, formatMoney } from '../../ui/amounts/format.ts';
import { RateAge } from '../../ui/amounts/rate-age.tsx';
import { texts } from '../../ui/texts/texts.ts';
import { leadsWithBsv, leadWithBsv } from './balance-currency.ts';

/** Shows the wallet's balance and its exchange rate. */
export function Balance({ overview }: { overview: Overview }) {
  const { rate } = overview;
  const [bsvLeads, setBsvLeads] = useState(leadsWithBsv);
  const satoshis = BigInt(overview.satoshis);
  const unconfirmed = BigInt(overview.unconfirmedSatoshis);
  const shownRate = bsvLeads ? null : rate;
  const amount = (
    <>
      <BigAmount satoshis={satoshis} rate={shownRate} />
      {rate && bsvLeads && (
        <span class="big-amount amount muted" data-part="worth">
          {formatFiat(satoshis, rate)}
        </span>
      )}
    </>
  );
  return (
    <section class="balance" aria-labelledby="balance">
      <h1 class="small muted" id="balance">
        {texts.popup.balance}
      </h1>
      {rate === null ? (
        amount
      ) : (
        <button
          type="button"
          class="balance-switch"
          title={texts.popup.showIn({ currency: bsvLeads ? rate.currency : 'BSV' })}
          onClick={() => {
            leadWithBsv(!bsvLeads);
            setBsvLeads(!bsvLeads);
          }}
        >
          {amount}
        </button>
      )}
      {unconfirmed > 0n && (
        <p class="small muted">{texts.popup.unconfirmed({ amount: formatMoney(unconfirmed, shownRate) })}</p>
      )}
      {overview.keptApart > 0 && (
        <p class="small muted" data-part="kept-apart">
          {texts.popup.keptApart({ coins: overview.keptApart })}
        </p>
      )}
      <RateAge rate={rate} problem={overview.rateProblem} />
    </section>
  );
}
