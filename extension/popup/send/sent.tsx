import type { SendQuote, SendResult } from '../../../protocol/messages/wallet-messages.ts';
import { BigAmount } from '../../ui/amounts/amount.tsx';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { visible } from '../../ui/amounts/format.ts';
import { CheckIcon } from '../../ui/controls/icons.tsx';
import { sendTexts as t } from '../../ui/texts/texts.ts';
import { toWords } from '../../ui/texts/to-words.ts';
import { SaveContact } from '../contacts/save-contact.tsx';
import { PageHead } from '../page-head.tsx';

/** Shows the result: broadcast, or signed but not yet accepted by the network. */
export function Sent({ result, quote, onActivity }: { result: SendResult; quote: SendQuote; onActivity: () => void }) {
  return (
    <section class="popup-page send arrive" data-part="sent">
      <PageHead title={result.taken ? t.sentTitle : t.waitingTitle} />
      <div class="row send-sent">
        <BigAmount satoshis={BigInt(quote.satoshis)} rate={quote.rate} />
        {result.taken && (
          <span class="activity-sign activity-in">
            <CheckIcon size={20} />
          </span>
        )}
      </div>
      <p class="anywhere" data-part="paid-to" dir="auto">
        {toWords(quote.outputs)}
      </p>
      <p class={result.taken ? 'muted' : 'banner'}>{result.taken ? t.sentText : t.waitingText}</p>
      <dl class="facts small">
        <dt>{t.transaction}</dt>
        <dd class="mono" data-part="txid">
          {result.txid}
        </dd>
      </dl>
      <div>
        <CopyButton text={result.txid} label={t.copyTransaction} />
      </div>
      {quote.outputs
        .filter(({ contact, type }) => contact === undefined && type !== 'SCRIPT')
        .map(({ to }, i) => (
          <div class="stack stack-tight" key={i}>
            {quote.outputs.length > 1 && (
              <p class="small anywhere">
                <bdi dir="ltr">{visible(to)}</bdi>
              </p>
            )}
            <SaveContact to={to} />
          </div>
        ))}
      <button type="button" class="button button-primary button-block" onClick={onActivity}>
        {t.activity}
      </button>
    </section>
  );
}
