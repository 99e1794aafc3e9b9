/** A payment's recipients, with the amount that each one got. */
import { isAssetName } from '../../../../protocol/assets/asset-name.ts';
import type { StoredPayment } from '../../../payments/stored-payment.ts';
import { tokenIn } from '../../../payments/token.ts';
import { deviates } from '../../../payments/worth.ts';
import { html, type Html } from '../../../page/html.ts';
import type { AccountTexts } from '../../../page/texts.ts';
import type { Words } from '../../../page/page-locale.ts';
import { amountClass, claimedText, movedSatoshis, movedText } from '../parts.ts';

type Output = StoredPayment['outputs'][number];

/** Max characters shown of a long value. The API returns the whole value. */
const SHOWN = 2_000;
export const shortenedBy = (cut: AccountTexts['payment']['cut']) => (text: string) =>
  text.length > SHOWN ? `${text.slice(0, SHOWN)}${cut({ count: text.length })}` : text;

/** Shows the token that an output claims to carry, with its full ID, because any name can be claimed. */
const tokenNote = (token: ReturnType<typeof tokenIn>, t: AccountTexts['payment']) =>
  token &&
  html`<span class="list-note anywhere">${t.tokenUnits({ units: token.units })} <bdi class="mono">${token.id}</bdi></span>`;

/** Shows the amount that an output pays. In asset outputs, satoshis only carry the asset. */
function paidOf(
  { amount, currency, satoshis, scripts }: Output,
  payment: StoredPayment['payment'],
  words: Words,
): Html | null {
  // The ID of a token without a known name is already shown next to the recipient.
  if (isAssetName(currency) && payment.assetId === null) return null;
  const unit = isAssetName(currency) ? currency : payment.currency;
  const tokenUnits = BigInt(tokenIn({ currency, scripts })?.units ?? 0);
  return html`<span class="${amountClass(unit)}">${movedText(satoshis, { ...payment, amount, currency: unit, tokenUnits }, words)}</span>${movedSatoshis(satoshis, { currency: unit }, words)}`;
}

/** @param viewerId on the refund page, the account whose outputs are marked; otherwise null */
export function recipientSection(
  { payment, outputs }: StoredPayment,
  words: Words,
  viewerId: number | null = null,
): Html {
  const { payment: t, refunding, claims } = words.texts.account;
  const shortened = shortenedBy(t.cut);
  const row = (output: Output): Html => {
    const { type, to, amount, currency, satoshis, recipientId } = output;
    const isDoubtful = currency === payment.currency && deviates({ amount, satoshis }, payment) === true;
    const isOwn = viewerId !== null && recipientId === viewerId;
    return html`<li class="list-row"><span class="list-main"><span class="list-note">${t.kinds[type]}${isOwn && html` <span class="badge badge-success">${refunding.yours}</span>`}</span><bdi class="mono anywhere">${shortened(to)}</bdi>${tokenNote(tokenIn(output), t)}${isDoubtful && html`<span class="list-note list-doubt anywhere">${claims({ amount: claimedText(amount, currency, words) })}</span>`}</span><span class="list-aside">${paidOf(output, payment, words)}</span></li>\n`;
  };
  return html`<section class="stack" aria-labelledby="recipients" data-recipients>
<h2 class="subheading" id="recipients">${viewerId === null ? t.recipients({ count: outputs.length }) : refunding.recipients}</h2>
<ul class="card card-flush list">
${outputs.map(row)}</ul>
</section>`;
}
