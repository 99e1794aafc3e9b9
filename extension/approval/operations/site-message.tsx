import type { ApprovalView } from '../../../protocol/messages/wallet-messages.ts';
import { formatAmount, visible } from '../../ui/amounts/format.ts';
import { quoted } from '../../ui/controls/quoted.ts';
import { approvalTexts as t } from '../../ui/texts/texts.ts';

/** Maximum number of `buttonData` characters shown. The site attached this data for its own use. */
const DATA_SHOWN = 2000;

/** Shows the site's label for the payment, in quotation marks because it is unverified. */
export function SiteLabel({ said: { label } }: Pick<ApprovalView, 'said'>) {
  if (!label) return null;
  return (
    <p class="said anywhere" data-part="said" dir="auto">
      {t.siteSays({ quoted: quoted(label) })}
    </p>
  );
}

function choiceText(least: string | undefined, most: string | undefined): string {
  const { youChose } = t;
  if (!least) return youChose.most({ most: most ?? '' });
  return most ? youChose.between({ least, most }) : youChose.least({ least });
}

/** Shows the visitor's note, and the site's limits for the amount that the visitor chose. Both are unverified. */
export function SiteChoice({
  said: { payerNote },
  choice,
  currency,
}: Pick<ApprovalView, 'said' | 'choice' | 'currency'>) {
  const { min, max } = choice ?? {};
  const [least, most] = [min, max].map((amount) => amount && formatAmount(amount, currency));
  return (
    <>
      {(least ?? most) && (
        <p class="said" data-part="choice">
          {choiceText(least, most)}
        </p>
      )}
      {payerNote && (
        <p class="said anywhere" data-part="payer-note" dir="auto">
          {t.yourNote({ quoted: quoted(payerNote) })}
        </p>
      )}
    </>
  );
}

/** Shows data that the site attached for its own use. */
export function SiteData({ said: { buttonData } }: Pick<ApprovalView, 'said'>) {
  if (!buttonData) return null;
  return (
    <details class="small said-data">
      <summary>{t.siteData}</summary>
      <pre class="well" dir="auto" tabIndex={0} aria-label={t.siteData}>
        {visible(buttonData.slice(0, DATA_SHOWN))}
        {buttonData.length > DATA_SHOWN && ' …'}
      </pre>
    </details>
  );
}
