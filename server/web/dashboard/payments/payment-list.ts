import type { ListedPayment } from '../../../payments/read.ts';
import { amountDeviates } from '../../../payments/worth.ts';
import type { Sender } from '../../../received/senders.ts';
import { html, type Html } from '../../../page/html.ts';
import type { Words } from '../../../page/page-locale.ts';
import {
  amountClass,
  claimedText,
  moment,
  movedSatoshis,
  movedText,
  refundBadge,
  networkBadge,
  statusBadge,
  tokenBadge,
} from '../parts.ts';

export const PER_PAGE = 20;

/** Renders `alice@example.com and 2 more`. CSS truncates long text. */
function recipients({ outputs }: ListedPayment, { texts }: Words): Html {
  const [first, ...others] = outputs.map(({ to }) => to);
  return html`<bdi>${first?.slice(0, 100)}</bdi>${others.length > 0 && ` ${texts.account.payments.andMore({ count: others.length })}`}`;
}

export function senderText({ userId }: ListedPayment['payment'], sender: Sender | undefined, { texts }: Words): Html {
  const t = texts.account.payments;
  if (sender?.sender) return html`<bdi>${sender.sender.slice(0, 100)}</bdi>`;
  return html`${userId === null ? t.unknownSender : t.user({ id: String(userId) })}`;
}

/** Returns a warning about an unverified sender, or null. */
export function senderDoubt(sender: Sender | undefined, { texts }: Words): string | null {
  return sender?.sender && !sender.senderVerified ? texts.account.payments.notVerified : null;
}

/** Renders a payment, with the sender if the user received it, otherwise with the recipients. */
function row(listed: ListedPayment, senders: ReadonlyMap<string, Sender>, words: Words): Html {
  const { account } = words.texts;
  const t = account.payments;
  const sender = senders.get(listed.payment.id);
  const doubt = senderDoubt(sender, words);
  const { id, createdAt, origin, amount, currency, satoshis, status, label, buttonId } = listed.payment;
  return html`<li><a class="list-row payment-row" href="/account/payments/${id}">
<span class="list-main">
<span class="list-title">${sender ? t.from({ sender: senderText(listed.payment, sender, words) }) : html`<span class="visually-hidden">${t.to} </span>${recipients(listed, words)}`}</span>
<span class="list-note">${moment(createdAt, words)}${doubt && html` · ${doubt}`}${origin !== null && html` · <bdi class="anywhere">${origin.replace('https://', '')}</bdi>`}${label !== null && html` · <bdi class="anywhere">“${label.slice(0, 40)}”</bdi>`}${buttonId !== null && html` · <bdi class="anywhere">${buttonId.slice(0, 40)}</bdi>`}</span>
${amountDeviates(listed) === true && html`<span class="list-note list-doubt anywhere">${account.claims({ amount: claimedText(amount, currency, words) })}</span>`}</span>
<span class="list-aside"><span class="${amountClass(currency)}">${movedText(satoshis, listed.payment, words)}</span>${movedSatoshis(satoshis, listed.payment, words)}${statusBadge(status, words)}${networkBadge(listed.payment, words)}${tokenBadge(listed.payment, words)}${refundBadge(listed.payment, words)}</span>
</a></li>`;
}

/** Renders payments as links. @param senders the senders of received payments, by payment ID */
export function paymentList(
  payments: readonly ListedPayment[],
  words: Words,
  senders: ReadonlyMap<string, Sender> = new Map(),
): Html {
  return html`<ul class="card card-flush list">${payments.map((listed) => html`${row(listed, senders, words)}\n`)}</ul>`;
}

/** Renders links to the next page of a list and back to the first. */
export function pager(
  path: string,
  parameters: Readonly<Record<string, string>>,
  { cursor, next }: { cursor: string | null; next: string | null },
  { texts }: Words,
  label = texts.account.payments.more,
): Html | null {
  if (cursor === null && next === null) return null;
  const address = (more: Record<string, string>) => {
    const query = new URLSearchParams({ ...parameters, ...more }).toString();
    return query === '' ? path : `${path}?${query}`;
  };
  return html`<nav class="row" aria-label="${label}">
${cursor === null ? html`<span></span>` : html`<a class="button" href="${address({})}">${texts.account.payments.newest}</a>`}
${next !== null && html`<a class="button" href="${address({ cursor: next })}" rel="next">${texts.account.payments.older}</a>`}
</nav>`;
}
