/** Refunds a payment, in full or in part, with a service button that pays the payer's own address. */
import { isAssetName } from '../../../../protocol/assets/asset-name.ts';
import type { Network } from '../../../../protocol/bitcoin/address.ts';
import { ServiceError } from '../../../../protocol/errors/service-error.ts';
import { satoshisToBsv, toSatoshis } from '../../../../protocol/money/money.ts';
import { amountReadings, fieldText, typedAmount } from '../../../../protocol/money/typed-amount.ts';
import { listApplications, type Application } from '../../../applications/store.ts';
import { html, type Html } from '../../../page/html.ts';
import type { Page } from '../../../page/layout.ts';
import { readPayment } from '../../../payments/read.ts';
import { mayGiveBack, refundAddress } from '../../../payments/refunds.ts';
import type { StoredPayment } from '../../../payments/stored-payment.ts';
import type { AccountTexts } from '../../../page/texts.ts';
import type { Words } from '../../../page/page-locale.ts';
import type { AccountContext, AccountRouter } from '../account-router.ts';
import { recipientSection } from './recipient-list.ts';
import { backLink, movedText, satoshisText } from '../parts.ts';

export interface Refundable {
  to: string;
  satoshis: bigint;
}

/**
 * Returns the refund that an account can make. Null for payments that pay an asset, have failed or have an unknown
 * payer.
 * @param satoshis the part that the account can still refund
 */
export function refundable({ payment, outputs }: StoredPayment, satoshis: bigint, network: Network): Refundable | null {
  // A token output's single satoshi isn't the amount paid.
  if (outputs.some(({ currency }) => isAssetName(currency))) return null;
  if (payment.status === 'FAILED' || satoshis <= 0n) return null;
  const to = refundAddress(payment, network);
  return to === null ? null : { to, satoshis };
}

const isTheirs = ({ outputs }: StoredPayment, userId: number, application: Application | null): boolean =>
  application !== null || outputs.some(({ recipientId }) => recipientId === userId);

/**
 * The requested refund: everything that remains, or an amount in BSV or in the sale's currency (converted at the sale's
 * rate).
 */
interface Wanted {
  what: 'all' | 'part';
  amount: string;
  unit: 'sale' | 'bsv';
}

function readWanted(query: Record<string, unknown>, hasRate: boolean): Wanted {
  return {
    what: query.what === 'part' ? 'part' : 'all',
    amount: typeof query.amount === 'string' ? query.amount.trim().slice(0, 40) : '',
    unit: query.unit === 'bsv' || !hasRate ? 'bsv' : 'sale',
  };
}

function satoshisOf(
  { what, amount, unit }: Wanted,
  left: bigint,
  rate: string | null,
  t: AccountTexts['refunding'],
): bigint | string {
  if (what === 'all') return left;
  try {
    const satoshis = toSatoshis(typedAmount(amount) ?? '', unit === 'bsv' || rate === null ? '1' : rate);
    return satoshis > left ? t.tooMuch : satoshis;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return amountReadings(amount).length > 1 ? t.whichAmount : t.noAmount;
  }
}

const pathOf = ({ id }: StoredPayment['payment']) => `/account/payments/${id}`;

const head = (payment: StoredPayment['payment'], words: Words): Html =>
  html`<p data-payment>${backLink(pathOf(payment), words.texts.account.refunding.payment, words)}</p>
<h1 class="title">${words.texts.account.refunding.heading}</h1>`;

/** Shown if nothing is left to refund, for example after a reload. */
function refundedPage({ payment }: StoredPayment, application: Application | null, words: Words): Page {
  const t = words.texts.account.refunding;
  return {
    title: t.title,
    description: t.description,
    section: application ? 'applications' : 'payments',
    main: html`<div class="stack stack-tight">
${head(payment, words)}
<p class="lead">${t.noneLeft}</p>
</div>`,
  };
}

function refundPage(
  { payment, outputs }: StoredPayment,
  { to, satoshis: left }: Refundable,
  application: Application | null,
  viewerId: number,
  wanted: Wanted,
  words: Words,
): Page {
  const t = words.texts.account.refunding;
  const { currency, currencyRate } = payment;
  const rate = currency === 'BSV' ? null : currencyRate;
  const found = satoshisOf(wanted, left, rate, t);
  const problem = typeof found === 'string' ? found : null;
  const readings = wanted.what === 'part' ? amountReadings(wanted.amount) : [];
  const path = pathOf(payment);
  const elsewhere = outputs.reduce((sum, output) => sum + (output.recipientId === viewerId ? 0n : output.satoshis), 0n);
  const both = (satoshis: bigint): Html =>
    html`<span class="amount">${movedText(satoshis, payment, words)}</span> <span class="muted amount">(${satoshisText(satoshis, words)})</span>`;
  return {
    title: t.title,
    description: t.description,
    section: application ? 'applications' : 'payments',
    scripts: ['/button.js'],
    main: html`
<div class="stack stack-tight">
${head(payment, words)}
<p class="lead">${t.left({ amount: both(left) })}</p>
</div>
${recipientSection({ payment, outputs }, words, viewerId)}
<form class="card stack" method="get" action="${path}/refund" data-refund>
<fieldset class="stack stack-tight"><legend class="label">${t.howMuch}</legend>
<label class="choice"><input type="radio" name="what" value="all"${wanted.what === 'all' && html` checked`}><span class="choice-text"><span class="label">${t.everything}</span></span></label>
<label class="choice"><input type="radio" name="what" value="part"${wanted.what === 'part' && html` checked`}><span class="choice-text"><span class="label">${t.part}</span></span></label>
</fieldset>
<div class="stack part-alone"><div class="field"><label class="label" for="amount">${t.amount}</label><input type="text" class="input" id="amount" name="amount" inputmode="decimal" autocomplete="off" maxlength="40" value="${wanted.amount}"${problem !== null && html` aria-invalid="true" aria-describedby="amount-problem"`}>
${problem !== null && html`<p class="field-error" id="amount-problem">${problem}</p>`}${readings.length > 1 && html`<p class="cluster">${readings.map((reading) => html`<a class="button button-quiet" href="${path}/refund?what=part&amp;unit=${wanted.unit}&amp;amount=${fieldText(reading)}">${reading}</a>`)}</p>`}</div>
<div class="field"><label class="label" for="unit">${t.currency}</label><select class="input" id="unit" name="unit">
${rate !== null && html`<option value="sale"${wanted.unit === 'sale' && html` selected`}>${t.atRate({ currency })}</option>`}<option value="bsv"${wanted.unit === 'bsv' && html` selected`}>BSV</option>
</select></div></div>
<p><button class="button button-quiet" type="submit">${t.update}</button></p>
</form>
${
  typeof found === 'bigint' &&
  html`<section class="card stack" aria-labelledby="pay" data-refund-pay>
<h2 class="subheading" id="pay">${t.pay}</h2>
<p>${t.toAddress({ amount: both(found), address: html`<span class="mono whole">${to}</span>` })}</p>
${application !== null && elsewhere > 0n && html`<p class="banner banner-warning" role="note"><span data-elsewhere>${t.notYours({ amount: both(elsewhere) })}</span></p>`}
<noscript><p class="banner banner-warning">${t.noScript}</p></noscript>
<div class="service-button" id="refund" data-to="${to}" data-amount="${satoshisToBsv(found)}" data-currency="BSV" data-label="${t.heading}" data-on-payment="onRefunded" data-refund-of="${payment.id}"${payment.clientIdentifier !== null && html` data-client-identifier="${payment.clientIdentifier}"`}></div>
<p class="muted">${t.fromWallet}</p>
</section>`
}`,
  };
}

/**
 * Serves GET /account/payments/{id}/refund; 404 for users who can't refund the payment. `what` is `all` or `part`. For
 * `part`, `amount` is in `unit`: `bsv`, or `sale` for the payment's currency at the sale's rate.
 */
export function refundPages({ get }: AccountRouter, { db, network }: AccountContext): void {
  get('/account/payments/:id/refund', async ({ viewer, request, words }) => {
    const own = await listApplications(db, viewer.user.id);
    const found = await readPayment(
      db,
      { userId: viewer.user.id, clientIdentifiers: own.map(({ clientIdentifier }) => clientIdentifier) },
      String(request.params.id),
    );
    const application = own.find((one) => one.clientIdentifier === found.payment.clientIdentifier) ?? null;
    const left = await mayGiveBack(db, found, viewer.user.id);
    if (left <= 0n && isTheirs(found, viewer.user.id, application)) return refundedPage(found, application, words);
    const refund = refundable(found, left, network);
    if (!refund) throw new ServiceError('not-found');
    const { currency, currencyRate } = found.payment;
    return refundPage(
      found,
      refund,
      application,
      viewer.user.id,
      readWanted(request.query, currency !== 'BSV' && currencyRate !== null),
      words,
    );
  });
}
