import type { SendQuote } from '../../../protocol/messages/wallet-messages.ts';
import { FeeAmount, InlineAmount } from '../../ui/amounts/amount.tsx';
import { sendTexts as t } from '../../ui/texts/texts.ts';

/** Shows the cost in both currencies: amounts, fee, total, remaining balance. Hides unknown amounts. */
export function Cost({ quote, busy = false }: { quote: SendQuote; busy?: boolean }) {
  const { rate, outputs, feeSatoshis, totalSatoshis } = quote;
  const satoshis = BigInt(quote.satoshis);
  return (
    <dl class="facts send-cost" aria-busy={busy}>
      {satoshis > 0n && (
        <>
          <dt>{t.sum({ n: outputs.length })}</dt>
          <dd>
            <InlineAmount satoshis={satoshis} rate={rate} />
          </dd>
        </>
      )}
      {feeSatoshis !== null && (
        <>
          <dt>{t.fee}</dt>
          <dd data-part="fee">
            <FeeAmount satoshis={BigInt(feeSatoshis)} rate={rate} />
          </dd>
        </>
      )}
      {totalSatoshis !== null && (
        <>
          <dt class="send-total">{t.total}</dt>
          <dd class="send-total" data-part="total">
            <InlineAmount satoshis={BigInt(totalSatoshis)} rate={rate} />
          </dd>
          <dt>{t.left}</dt>
          <dd data-part="left">
            <InlineAmount satoshis={BigInt(quote.balanceSatoshis) - BigInt(totalSatoshis)} rate={rate} />
          </dd>
        </>
      )}
    </dl>
  );
}
