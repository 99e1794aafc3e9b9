/** A payment's page, for its sender, recipients, and the owner of the application through which it was made. */
import type { TokenValidity } from '../../../../protocol/payments/payment-types.ts';
import { listApplications, type Application } from '../../../applications/store.ts';
import { readPayment } from '../../../payments/read.ts';
import { mayGiveBack, refundsOf } from '../../../payments/refunds.ts';
import type { StoredPayment } from '../../../payments/stored-payment.ts';
import { inUsd, sumsOf } from '../../../payments/sums.ts';
import { amountDeviates, deviates } from '../../../payments/worth.ts';
import { sendersOf, type Sender } from '../../../received/senders.ts';
import { html, type Html } from '../../../page/html.ts';
import type { Page } from '../../../page/layout.ts';
import { moneyText, numberText, type Written } from '../../../page/figures.ts';
import type { AccountTexts } from '../../../page/texts.ts';
import type { Words } from '../../../page/page-locale.ts';
import type { AccountContext, AccountRouter, Visit } from '../account-router.ts';
import { senderDoubt, senderText } from './payment-list.ts';
import { recipientSection, shortenedBy } from './recipient-list.ts';
import { refundable } from './refund-page.ts';
import {
  backLink,
  amountClass,
  claimedText,
  moment,
  movedSatoshis,
  movedText,
  named,
  refundBadge,
  satoshisText,
  networkBadge,
  statusBadge,
  tokenBadge,
  translated,
} from '../parts.ts';
import { METADATA_NAMES, type MetadataName } from '../../../../protocol/payments/metadata.ts';

/** Metadata shown separately: the refunded payment as a link, and the button's data as a block. */
const SHOWN_APART: readonly MetadataName[] = ['buttonData', 'refundOf'];
/** Text written by people, shown in quotation marks. */
const IN_QUOTES: readonly MetadataName[] = ['label', 'payerNote'];
/** Max refunds shown. The API lists all refunds as payments. */
const MAX_SHOWN_REFUNDS = 20;

function fact(name: string, value: Html | string | null): Html | null {
  return value === null || value === '' ? null : html`<dt>${name}</dt><dd>${value}</dd>\n`;
}

function metadataFact(name: MetadataName, text: string | null, t: AccountTexts['payment']): Html | null {
  if (!text || SHOWN_APART.includes(name)) return null;
  const shown = shortenedBy(t.cut)(text);
  return fact(t[name], html`<bdi>${IN_QUOTES.includes(name) ? `“${shown}”` : shown}</bdi>`);
}

function money(satoshis: bigint | null, usdRate: string | null, words: Words): Html | null {
  if (satoshis === null) return null;
  const usd = inUsd(satoshis, usdRate);
  return html`<span class="amount">${satoshisText(satoshis, words)}</span>${usd !== null && html` <span class="muted amount">(${moneyText(numberText(usd as Written, words.language), 'USD', words.language)})</span>`}`;
}

const TOKEN_BANNERS: Record<TokenValidity, string> = {
  unverified: 'banner-warning',
  valid: 'banner-success',
  invalid: 'banner-danger',
  unknown: 'banner-warning',
};

function paymentPage(
  { payment, outputs }: StoredPayment,
  sender: Sender | undefined,
  application: Application | null,
  refunds: Awaited<ReturnType<typeof refundsOf>>,
  mayRefund: boolean,
  { viewer, words }: Visit,
): Page {
  const { account } = words.texts;
  const t = account.payment;
  const shortened = shortenedBy(t.cut);
  const senderClause = senderDoubt(sender, words);
  const moved = movedText(payment.satoshis, payment, words);
  const sent = payment.userId === viewer.user.id;
  const { fee, spend } = sumsOf(payment);
  const doubt =
    amountDeviates({ payment, outputs }) === true &&
    html`<p class="banner banner-danger" role="note">${deviates(payment, payment) === true ? t.deviates({ amount: claimedText(payment.amount, payment.currency, words) }) : t.deviatesBelow} ${t.relyOnSatoshis}</p>`;
  const isContested = payment.status === 'RECEIVED' && payment.network !== 'seen' && !sent;
  const back =
    sent || !application
      ? { path: '/account/payments', name: t.all }
      : { path: `/account/applications/${application.id}/payments`, name: application.name };
  return {
    title: t.title({ amount: moved }),
    description: t.description,
    section: sent || !application ? 'payments' : 'applications',
    main: html`
<div class="stack stack-tight">
<p>${backLink(back.path, html`<bdi>${back.name}</bdi>`, words)}</p>
<h1 class="title"><span class="visually-hidden">${t.heading} </span><span class="${amountClass(payment.currency)}">${moved}</span></h1>
<p class="cluster">${movedSatoshis(payment.satoshis, payment, words)} ${statusBadge(payment.status, words)}${networkBadge(payment, words)}${tokenBadge(payment, words)}${refundBadge(payment, words)}</p>
<p class="muted">${account.statuses[payment.status].text}${payment.statusDescription !== null && html` <span class="anywhere">${translated(payment.statusDescription, account.descriptions)}</span>`}</p>
${isContested && html`<p class="banner banner-danger" role="note">${account.contested.text}</p>`}${doubt}
${payment.tokenValidity && !sent && html`<p class="banner ${TOKEN_BANNERS[payment.tokenValidity]}" role="note">${t.tokenValidity[payment.tokenValidity].text}</p>`}</div>
<section class="card stack" aria-labelledby="facts">
<h2 class="subheading" id="facts">${t.details}</h2>
<dl class="facts">
${fact(t.time, moment(payment.createdAt, words))}${payment.currency !== 'BSV' && fact(t.claimed, html`<span class="${amountClass(payment.currency)} anywhere">${claimedText(payment.amount, payment.currency, words)}</span>`)}${fact(t.from, sent ? t.you : html`${senderText(payment, sender, words)}${senderClause && html` <span class="muted">(${senderClause})</span>`}`)}${fact(t.note, sender?.note ? html`<bdi>${shortened(sender.note)}</bdi>` : null)}${fact(t.site, payment.origin && html`<bdi class="anywhere">${payment.origin}</bdi>`)}${fact(t.application, application && named(application.name))}${METADATA_NAMES.map((name) => metadataFact(name, payment[name], t))}${fact(t.refundOf, payment.refundSatoshis !== null ? html`<a class="link mono whole" href="/account/payments/${payment.refundOf}">${payment.refundOf}</a>` : null)}${fact(t.refunded, payment.refundedSatoshis > 0n ? html`<span class="amount">${movedText(payment.refundedSatoshis, payment, words)}</span> <span class="muted amount">(${satoshisText(payment.refundedSatoshis, words)})</span>` : null)}${sent && html`${fact(t.networkFee, money(fee, payment.usdRate, words))}${fact(t.total, money(spend, payment.usdRate, words))}`}${fact(t.id, html`<span class="mono whole">${payment.id}</span>`)}${fact(t.transaction, html`<span class="mono whole">${payment.txid}</span>`)}</dl>
${payment.buttonData !== null && payment.buttonData !== '' && html`<div class="stack stack-tight"><h3 class="label" id="data">${t.buttonData}</h3><pre class="well code wrapped" dir="auto" tabindex="0" role="group" aria-labelledby="data">${shortened(payment.buttonData)}</pre></div>`}
</section>
${recipientSection({ payment, outputs }, words)}
${
  refunds.length > 0 &&
  html`<section class="stack" aria-labelledby="refunds">
<h2 class="subheading" id="refunds">${refunds.length === 1 ? account.refund : t.refunds}</h2>
<ul class="card card-flush list">
${refunds.map(({ id, satoshis, status, createdAt }) => html`<li class="list-row"><span class="list-main"><span class="cluster"><a class="link" href="/account/payments/${id}">${moment(createdAt, words)}</a>${statusBadge(status, words)}</span></span><span class="list-aside"><span class="amount">${movedText(satoshis, payment, words)}</span><span class="list-note amount">${satoshisText(satoshis, words)}</span></span></li>\n`)}</ul>
</section>`
}
${mayRefund && html`<p><a class="button button-quiet" href="/account/payments/${payment.id}/refund">${t.refund}</a></p>`}`,
  };
}

/** Serves GET /account/payments/{id}; 404 for users without read access. */
export function paymentPages({ get }: AccountRouter, { db, network }: AccountContext): void {
  get('/account/payments/:id', async (visit) => {
    const { user } = visit.viewer;
    const own = await listApplications(db, user.id);
    const found = await readPayment(
      db,
      { userId: user.id, clientIdentifiers: own.map(({ clientIdentifier }) => clientIdentifier) },
      String(visit.request.params.id),
    );
    const sender = (await sendersOf(db, user.id, [found.payment.id])).get(found.payment.id);
    const application = own.find((one) => one.clientIdentifier === found.payment.clientIdentifier) ?? null;
    return paymentPage(
      found,
      sender,
      application,
      await refundsOf(db, found.payment.id, MAX_SHOWN_REFUNDS),
      refundable(found, await mayGiveBack(db, found, user.id), network) !== null,
      visit,
    );
  });
}
