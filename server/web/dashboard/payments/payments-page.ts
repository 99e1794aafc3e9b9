/** Payments that the user sent and received. */
import { PAYMENT_STATUSES, type PaymentStatus } from '../../../../protocol/payments/payment.ts';
import { listPayments, readCursor, writeCursor, type Page as Listed } from '../../../payments/read.ts';
import { sendersOf, type Sender } from '../../../received/senders.ts';
import { html, type Html } from '../../../page/html.ts';
import type { Page } from '../../../page/layout.ts';
import type { Words } from '../../../page/page-locale.ts';
import type { AccountContext, AccountRouter } from '../account-router.ts';
import { PER_PAGE, pager, paymentList } from './payment-list.ts';

const PATH = '/account/payments';
/** Excludes PENDING, because no stored payment has that status. */
const FILTERS: readonly (PaymentStatus | null)[] = [null, ...PAYMENT_STATUSES.filter((status) => status !== 'PENDING')];

function filterLinks(chosen: PaymentStatus | null, { payments: t, statuses }: Words['texts']['account']): Html {
  return html`<nav class="cluster" aria-label="${t.status}">${FILTERS.map(
    (status) =>
      html`<a class="button button-small filter" href="${PATH}${status && `?status=${status}`}"${status === chosen && html` aria-current="true"`}>${status === null ? t.all : statuses[status].name}</a>\n`,
  )}</nav>`;
}

/** Returns the cursor for the next page, or null on the last page. */
export function nextOf({ payments, more }: Listed): string | null {
  const last = payments.at(-1);
  return more && last ? writeCursor(last.payment) : null;
}

function paymentsPage(
  listed: Listed,
  senders: ReadonlyMap<string, Sender>,
  status: PaymentStatus | null,
  cursor: string | null,
  words: Words,
): Page {
  const { payments: t, statuses } = words.texts.account;
  const empty =
    cursor !== null
      ? t.noMore
      : status === null
        ? html`<p>${t.none}</p><p>${t.noneText}</p><p><a class="button" href="/shop">${t.tryShop}</a></p>`
        : html`<p>${t.noneWithStatus({ status: statuses[status].name })}</p><p><a class="link" href="${PATH}">${t.showAll}</a></p>`;
  return {
    title: t.title,
    description: t.description,
    section: 'payments',
    main: html`
<div class="stack stack-tight">
<h1 class="title">${t.title}</h1>
<p class="lead">${t.lead} <span data-zone-note>${t.timesInUtc}</span></p>
</div>
${filterLinks(status, words.texts.account)}
${listed.payments.length === 0 ? html`<div class="card empty">${empty}</div>` : paymentList(listed.payments, words, senders)}
${pager(PATH, status === null ? {} : { status }, { cursor, next: nextOf(listed) }, words)}`,
  };
}

/** Serves GET /account/payments?status&cursor. */
export function paymentsPages({ get }: AccountRouter, { db }: AccountContext): void {
  get(PATH, async ({ viewer, request, words }) => {
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
    return paymentsPage(listed, senders, status, cursor, words);
  });
}
