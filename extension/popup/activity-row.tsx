/** One payment or receipt: a line that opens to its details. */
import type { PaymentStatus } from '../../protocol/payment.ts';
import type { ActivityItem, Rate } from '../../protocol/wallet-messages.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { formatAge, formatAmount, formatMoney, formatSatoshis, formatTime, shorten, visible } from '../ui/format.ts';
import { ChevronIcon, InIcon, OutIcon } from '../ui/icons.tsx';
import { hostOf } from '../ui/origin.ts';
import { texts } from '../ui/texts.ts';

const badges: Record<PaymentStatus, string> = { PENDING: 'badge-warning', RECEIVED: 'badge-accent', COMPLETED: '', FAILED: 'badge-danger' };

/** `now` is milliseconds since 1970. */
export function ActivityRow({ item, rate, now }: { item: ActivityItem; rate: Rate | null; now: number }) {
  const sent = item.direction === 'sent';
  const failed = item.status === 'FAILED';
  const money = item.amount !== null && item.currency !== null ? formatAmount(item.amount, item.currency) : formatMoney(BigInt(item.satoshis), rate);
  const name = item.origin !== null ? hostOf(visible(item.origin)) : sent ? shorten(visible(item.counterparty)) : texts.popup.received;
  return (
    <li>
      <details class="activity">
        <summary class="list-row">
          <span class={`activity-sign ${failed ? 'activity-failed' : sent ? '' : 'activity-in'}`}>{sent ? <OutIcon size={18} /> : <InIcon size={18} />}</span>
          <span class="list-main">
            <span class="list-title" title={name}><bdi>{name}</bdi></span>
            <span class={`badge ${badges[item.status]}`}>{texts.statuses[item.status]}</span>
          </span>
          <span class="list-aside">
            <span class={`amount activity-amount ${failed ? 'muted struck' : sent ? '' : 'good'}`}>
              {/* Screen readers skip a bare sign: the word stands for it. */}
              <span class="visually-hidden">{sent ? texts.activity.sent : texts.activity.received} </span>
              <span aria-hidden="true">{sent ? '−' : '+'}</span>{money}
            </span>
            <time class="list-note" dateTime={new Date(item.time).toISOString()}>{formatAge(item.time, now)}</time>
          </span>
          <span class="activity-chevron"><ChevronIcon size={16} /></span>
        </summary>
        <Details item={item} />
      </details>
    </li>
  );
}

function Details({ item }: { item: ActivityItem }) {
  const sent = item.direction === 'sent';
  return (
    <div class="activity-details">
      <dl class="facts small">
        {item.origin !== null && <><dt>{texts.activity.site}</dt><dd>{visible(item.origin)}</dd></>}
        <dt>{sent ? texts.activity.to : texts.activity.at}</dt><dd class="mono">{visible(item.counterparty)}</dd>
        <dt>{texts.activity.amount}</dt><dd class="amount">{formatSatoshis(BigInt(item.satoshis))}</dd>
        {item.feeSatoshis !== null && <><dt>{texts.activity.fee}</dt><dd class="amount">{formatSatoshis(BigInt(item.feeSatoshis))}</dd></>}
        <dt>{texts.activity.when}</dt><dd>{formatTime(item.time)}</dd>
        <dt>{texts.activity.state}</dt><dd>{texts.statuses[item.status]}</dd>
        {item.statusDescription !== null && <><dt>{texts.activity.reason}</dt><dd>{item.statusDescription}</dd></>}
        {item.txid !== null && <><dt>{texts.activity.transaction}</dt><dd class="mono">{item.txid}</dd></>}
      </dl>
      {item.txid !== null && <CopyButton text={item.txid} label={texts.activity.copyTransaction} />}
    </div>
  );
}
