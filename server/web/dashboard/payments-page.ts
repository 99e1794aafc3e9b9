/** The payments that one made and got. */
import { PAYMENT_STATUSES, type PaymentStatus } from '../../../protocol/payment.ts';
import { listPayments, readCursor, writeCursor, type Page as Listed } from '../../payments/read.ts';
import { sendersOf, type Sender } from '../../received/senders.ts';
import { html, type Html } from '../../page/html.ts';
import type { Page } from '../../page/layout.ts';
import type { AccountContext, AccountRouter } from './account-router.ts';
import { statusName } from './parts.ts';
import { PER_PAGE, pager, paymentList } from './payment-list.ts';

const PATH = '/account/payments';
/** A payment that is reported here is signed already, so none is PENDING. */
const FILTERS: readonly (PaymentStatus | null)[] = [null, ...PAYMENT_STATUSES.filter((status) => status !== 'PENDING')];

function filterLinks(chosen: PaymentStatus | null): Html {
  return html`<nav class="cluster" aria-label="Status">${FILTERS.map(
    (status) =>
      html`<a class="button button-small filter" href="${PATH}${status && `?status=${status}`}"${status === chosen && html` aria-current="true"`}>${status === null ? 'All' : statusName(status)}</a>\n`,
  )}</nav>`;
}

/** Where a list continues, or null at its end. */
export function nextOf({ payments, more }: Listed): string | null {
  const last = payments.at(-1);
  return more && last ? writeCursor(last.payment) : null;
}

function paymentsPage(
  listed: Listed,
  senders: ReadonlyMap<string, Sender>,
  status: PaymentStatus | null,
  cursor: string | null,
): Page {
  const empty =
    cursor !== null
      ? 'No more payments.'
      : status === null
        ? html`<p>You have not paid or got anything yet.</p><p>Payments that you make with your wallet, and what comes in for your paymail, stand here once the network has them.</p><p><a class="button" href="/shop">Try the demo shop</a></p>`
        : html`<p>No payment of yours is “${statusName(status)}”.</p><p><a class="link" href="${PATH}">Show all payments</a></p>`;
  return {
    title: 'Payments',
    description: 'Payments you sent and received, with their status.',
    section: 'payments',
    main: html`
<div class="stack stack-tight">
<h1 class="title">Payments</h1>
<p class="lead">What you paid with your wallet and received at your paymail, newest first. <span data-zone-note>Times are in UTC.</span></p>
</div>
${filterLinks(status)}
${listed.payments.length === 0 ? html`<div class="card empty">${empty}</div>` : paymentList(listed.payments, senders)}
${pager(PATH, status === null ? {} : { status }, { cursor, next: nextOf(listed) })}`,
  };
}

/** GET /account/payments?status&cursor */
export function paymentsPages({ get }: AccountRouter, { db }: AccountContext): void {
  get(PATH, async ({ viewer, request }) => {
    const status = FILTERS.find((one) => one !== null && one === request.query.status) ?? null;
    const cursor = typeof request.query.cursor === 'string' ? request.query.cursor : null;
    const listed = await listPayments(
      db,
      { userId: viewer.user.id, clientIdentifiers: [] },
      { status: status ?? undefined },
      { limit: PER_PAGE, after: cursor === null ? undefined : readCursor(cursor) },
    );
    const senders = await sendersOf(
      db,
      viewer.user.id,
      listed.payments.map(({ payment }) => payment.id),
    );
    return paymentsPage(listed, senders, status, cursor);
  });
}
