import type { ApprovalView } from '../../../protocol/messages/wallet-messages.ts';
import { assetPaid, paysMoney } from './asset-facts.tsx';
import { BigAmount, FeeAmount, InlineAmount } from '../../ui/amounts/amount.tsx';
import { formatAmount, visible } from '../../ui/amounts/format.ts';
import { RateAge } from '../../ui/amounts/rate-age.tsx';
import { approvalTexts as t } from '../../ui/texts/texts.ts';

/** Token amounts longer than this (characters) are shown in smaller type, to keep the digits on one line. */
const LONG = 20;

/** Shows the total in the user's currency, in satoshis and with its rate, and the amounts that add up to it. */
export function Total({ view }: { view: ApprovalView }) {
  const { rate, quotedRate } = view;
  // The site's amount may have been converted at a rate for a different currency, or at a rate that fewer sources
  // confirm.
  const other =
    quotedRate !== null &&
    rate !== null &&
    (quotedRate.currency !== rate.currency || quotedRate.sources < rate.sources);
  const token = assetPaid(view);
  const hasMoney = token === null || paysMoney(view);
  const total = BigInt(view.totalSatoshis ?? (view.outputs.every(({ own }) => own) ? 0n : view.satoshis));
  return (
    <section aria-labelledby="total">
      <h2 class="part" id="total">
        {t.total}
        {view.totalSatoshis === null && <span class="part-note">, {t.feeMissing}</span>}
      </h2>
      {token !== null && (
        <p
          class={`amount amount-large token-amount ${token.length > LONG ? 'token-long' : ''}`}
          data-part="token-total"
        >
          {token}
        </p>
      )}
      {hasMoney && (
        <>
          <BigAmount satoshis={total} rate={rate} />
          <RateAge rate={rate ?? quotedRate} beside={other ? quotedRate : null} />
        </>
      )}
      <dl class="facts approval-facts">
        {hasMoney && view.currency !== rate?.currency && (
          <>
            <dt>{t.asked}</dt>
            <dd class="amount">{formatAmount(view.amount, view.currency)}</dd>
          </>
        )}
        <dt>{t.fee}</dt>
        <dd data-part="fee">
          {view.feeSatoshis === null ? t.feeUnknown : <FeeAmount satoshis={BigInt(view.feeSatoshis)} rate={rate} />}
        </dd>
        {view.brought !== undefined && view.brought !== '0' && (
          <>
            <dt>{t.brought}</dt>
            <dd data-part="brought">
              <InlineAmount satoshis={BigInt(view.brought)} rate={rate} />
            </dd>
          </>
        )}
        {view.setAside !== undefined && (
          <>
            <dt>{t.setAside}</dt>
            <dd data-part="set-aside">
              <InlineAmount satoshis={BigInt(view.setAside)} rate={rate} />
            </dd>
          </>
        )}
        <dt>{t.balance}</dt>
        <dd>
          <InlineAmount satoshis={BigInt(view.balanceSatoshis)} rate={rate} />
        </dd>
        {view.reportedTo !== undefined && (
          <>
            <dt>{t.reportedTo}</dt>
            <dd data-part="reported-to">
              <bdi dir="ltr">{visible(view.reportedTo)}</bdi>
            </dd>
          </>
        )}
      </dl>
      {view.reportedTo !== undefined && (
        <p class="small muted" data-part="reported-note">
          {t.reportedNote}
        </p>
      )}
    </section>
  );
}
