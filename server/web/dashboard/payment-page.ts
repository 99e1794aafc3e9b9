/** One payment, for its sender, its recipients, and the owner of the application that it was made through. */
import { listApplications, type Application } from '../../applications/store.ts';
import { readPayment } from '../../payments/read.ts';
import { refundsOf } from '../../payments/refunds.ts';
import type { StoredPayment } from '../../payments/stored-payment.ts';
import { inUsd, sumsOf } from '../../payments/sums.ts';
import { amountDeviates, deviates } from '../../payments/worth.ts';
import { sendersOf, type Sender } from '../../received/senders.ts';
import { html, type Html } from '../../page/html.ts';
import type { Page } from '../../page/layout.ts';
import type { AccountContext, AccountRouter, Visit } from './account-router.ts';
import { senderDoubt, senderText } from './payment-list.ts';
import { refundable } from './refund-page.ts';
import { moment, movedText, named, refundBadge, satoshisText, shortAmount, statusBadge, statusText } from './parts.ts';

const KINDS = { ADDRESS: 'Address', SCRIPT: 'Script', PAYMAIL: 'Paymail', USER: 'User ID' } as const;
/** Longer texts are cut: whole, they are in the API. */
const SHOWN = 2_000;
/** More are in the API, each a payment of its own. */
const MOST_REFUNDS = 20;
const shortened = (text: string) =>
  text.length > SHOWN ? `${text.slice(0, SHOWN)}… (${text.length} characters)` : text;

function fact(name: string, value: Html | string | null): Html | null {
  return value === null || value === '' ? null : html`<dt>${name}</dt><dd>${value}</dd>\n`;
}

function money(satoshis: bigint | null, usdRate: string | null): Html | null {
  if (satoshis === null) return null;
  const usd = inUsd(satoshis, usdRate);
  return html`<span class="amount">${satoshisText(satoshis)}</span>${usd !== null && html` <span class="muted amount">(${usd} USD)</span>`}`;
}

function paymentPage(
  { payment, outputs }: StoredPayment,
  sender: Sender | undefined,
  application: Application | null,
  refunds: Awaited<ReturnType<typeof refundsOf>>,
  mayRefund: boolean,
  { viewer }: Visit,
): Page {
  const sent = payment.userId === viewer.user.id;
  const { fee, spend } = sumsOf(payment);
  const doubt =
    amountDeviates({ payment, outputs }) === true &&
    html`<p class="banner banner-danger" role="note">${deviates(payment, payment) === true ? `The sender claims ${shortAmount(payment.amount)} ${payment.currency}, which isn’t what was paid.` : 'What the sender claims for a recipient below isn’t what was paid.'} Rely on the satoshis: that’s what the transaction moved.</p>`;
  const back =
    sent || sender || !application
      ? { path: '/account/payments', name: 'All payments' }
      : { path: `/account/applications/${application.id}`, name: application.name };
  return {
    title: `Payment of ${movedText(payment.satoshis, payment)}`,
    description: 'One payment, with its recipients and status.',
    section: sent || sender || !application ? 'payments' : 'applications',
    main: html`
<div class="stack stack-tight">
<p><a class="link" href="${back.path}">← <bdi>${back.name}</bdi></a></p>
<h1 class="title"><span class="visually-hidden">Payment of </span><span class="amount">${movedText(payment.satoshis, payment)}</span></h1>
<p class="cluster"><span class="amount">${satoshisText(payment.satoshis)}</span> ${statusBadge(payment.status)}${refundBadge(payment)}</p>
<p class="muted">${statusText(payment.status)}${payment.statusDescription !== null && html` <span class="anywhere">${payment.statusDescription}</span>`}</p>
${doubt}</div>
<section class="card stack" aria-labelledby="facts">
<h2 class="subheading" id="facts">Details</h2>
<dl class="facts">
${fact('Time', moment(payment.createdAt))}${payment.currency !== 'BSV' && fact('Claimed by sender', html`<span class="amount anywhere">${shortAmount(payment.amount)} ${payment.currency}</span>`)}${fact('From', sent ? 'You' : html`${senderText(payment, sender)}${senderDoubt(sender) && html` <span class="muted">(${senderDoubt(sender)})</span>`}`)}${fact('Note', sender?.note ? html`<bdi>${shortened(sender.note)}</bdi>` : null)}${fact('Site', payment.origin)}${fact('Application', application && named(application.name))}${fact('Label', payment.label && html`<bdi>“${shortened(payment.label)}”</bdi>`)}${fact('Refund of', payment.refundSatoshis !== null ? html`<a class="link mono whole" href="/account/payments/${payment.refundOf}">${payment.refundOf}</a>` : null)}${fact('Refunded', payment.refundedSatoshis > 0n ? html`<span class="amount">${movedText(payment.refundedSatoshis, payment)}</span> <span class="muted amount">(${satoshisText(payment.refundedSatoshis)})</span>` : null)}${fact('Button ID', payment.buttonId && html`<bdi>${shortened(payment.buttonId)}</bdi>`)}${sent && html`${fact('Network fee', money(fee, payment.usdRate))}${fact('Total', money(spend, payment.usdRate))}`}${fact('Payment ID', html`<span class="mono whole">${payment.id}</span>`)}${fact('Transaction', html`<span class="mono whole">${payment.txid}</span>`)}</dl>
${payment.buttonData !== null && payment.buttonData !== '' && html`<div class="stack stack-tight"><h3 class="label" id="data">Button data</h3><pre class="well code wrapped" tabindex="0" aria-labelledby="data">${shortened(payment.buttonData)}</pre></div>`}
</section>
<section class="stack" aria-labelledby="recipients">
<h2 class="subheading" id="recipients">${outputs.length === 1 ? 'Recipient' : `${outputs.length} recipients`}</h2>
<ul class="card card-flush list">
${outputs.map(({ type, to, amount, currency, satoshis }) => html`<li class="list-row"><span class="list-main"><span class="list-note">${KINDS[type]}</span><bdi class="mono anywhere">${shortened(to)}</bdi>${deviates({ amount, satoshis }, payment) === true && html`<span class="list-note list-doubt anywhere">The sender claims ${shortAmount(amount)} ${currency}</span>`}</span><span class="list-aside"><span class="amount">${movedText(satoshis, payment)}</span><span class="list-note amount">${satoshisText(satoshis)}</span></span></li>\n`)}</ul>
</section>
${
  refunds.length > 0 &&
  html`<section class="stack" aria-labelledby="refunds">
<h2 class="subheading" id="refunds">${refunds.length === 1 ? 'Refund' : 'Refunds'}</h2>
<ul class="card card-flush list">
${refunds.map(({ id, satoshis, status, createdAt }) => html`<li class="list-row"><span class="list-main"><span class="cluster"><a class="link" href="/account/payments/${id}">${moment(createdAt)}</a>${statusBadge(status)}</span></span><span class="list-aside"><span class="amount">${movedText(satoshis, payment)}</span><span class="list-note amount">${satoshisText(satoshis)}</span></span></li>\n`)}</ul>
</section>`
}
${mayRefund && html`<p><a class="button button-quiet" href="/account/payments/${payment.id}/refund">Refund…</a></p>`}`,
  };
}

/** GET /account/payments/{id}: 404 for who may not read it */
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
      await refundsOf(db, found.payment.id, MOST_REFUNDS),
      refundable(found, user.id, application, network) !== null,
      visit,
    );
  });
}
