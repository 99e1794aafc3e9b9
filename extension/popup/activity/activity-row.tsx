import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import type { Network } from '../../../protocol/bitcoin/address.ts';
import { lookAlike } from '../../../protocol/text/look-alike.ts';
import type { PaymentStatus } from '../../../protocol/payments/payment.ts';
import type { ActivityItem, Rate } from '../../../protocol/messages/wallet-messages.ts';
import { assetName } from '../../ui/amounts/asset-name.ts';
import { ContactName } from '../../ui/people/contact-name.tsx';
import { Avatar } from '../../ui/people/avatar.tsx';
import { formatAge, formatAmount, formatMoney, shorten, visible } from '../../ui/amounts/format.ts';
import { ChevronIcon, CrossIcon, InIcon, OutIcon } from '../../ui/controls/icons.tsx';
import { hostOf } from '../../ui/sites/origin.ts';
import { quoted } from '../../ui/controls/quoted.ts';
import { activityTexts as t, assetTexts, texts } from '../../ui/texts/texts.ts';
import { Details } from './activity-details.tsx';
import { faceOf } from './activity-face.ts';
import { OperationsRow } from './activity-operations-row.tsx';
import { unpaidWord } from './activity-unpaid.ts';

const badges: Record<PaymentStatus, string> = {
  PENDING: 'badge-warning',
  RECEIVED: 'badge-accent',
  COMPLETED: '',
  FAILED: 'badge-danger',
};
/** CSS classes for received outputs whose token is unverified or forged. */
const CLAIMS = { unchecked: 'activity-unsure', forged: 'activity-forged' };
/** Maximum length of a note in a row (characters). A row shows one line of the note. */
const NOTE_SHOWN = 100;
/** Names up to this length (characters) are shown in full, because the end of a host name identifies its owner. */
const NAME_SHOWN = 64;

interface ActivityRowProps {
  item: ActivityItem;
  rate: Rate | null;
  network: Network;
  now: number;
}

/** Shows a payment, receipt or operation in a row that expands to all details. */
export function ActivityRow(props: ActivityRowProps) {
  const { item, now } = props;
  return item.operations ? (
    <OperationsRow item={item} operations={item.operations} now={now} />
  ) : (
    <MoneyRow {...props} />
  );
}

function MoneyRow({ item, rate, network, now }: ActivityRowProps) {
  const [open, setOpen] = useState(false);
  const sent = item.direction === 'sent';
  const failed = item.status === 'FAILED';
  const unpaid = unpaidWord(item);
  const money = item.isUnverified
    ? t.unknown
    : item.isCancellation || item.isSweep || item.isSplit
      ? formatMoney(BigInt(item.feeSatoshis ?? 0), rate)
      : item.tokenClaim
        ? assetTexts.claims[item.tokenClaim]
        : item.asset
          ? assetName(item.asset)
          : item.amount !== null && item.currency !== null
            ? formatAmount(item.amount, item.currency)
            : formatMoney(BigInt(item.satoshis), rate);
  const name = nameOf(item);
  // A contact's name is shown only if the row would otherwise show a paymail or an address.
  const contact = item.contact !== undefined && item.origin === null && !item.isCancellation ? item.contact : null;
  const face = faceOf(item);
  // A mint isn't shown as an expense, because it costs only the network fee.
  const isOut = sent && item.asset?.type !== 'mint';
  // A received token isn't shown as a gain until it is verified.
  const isDoubtful = item.isUnverified || item.tokenClaim !== undefined;
  const look = unpaid !== null || ((isOut || isDoubtful) && !failed) ? '' : failed ? 'activity-failed' : 'activity-in';
  const Icon = unpaid !== null ? CrossIcon : isOut ? OutIcon : InIcon;
  return (
    <li>
      <details
        class={`activity ${unpaid === null ? '' : 'activity-unpaid'}`}
        data-id={item.id}
        onToggle={(event) => setOpen(event.currentTarget.open)}
      >
        <summary class="list-row">
          {face === null || unpaid !== null ? (
            <span class={`activity-sign ${look}`}>
              <Icon size={18} />
            </span>
          ) : (
            <span class="activity-face">
              <Avatar {...face} />
              <span class={`activity-sign ${look}`}>
                <Icon size={12} />
              </span>
            </span>
          )}
          <span class="list-main">
            <span class={`list-title ${item.sender?.verified === false ? 'activity-claim' : ''}`} title={name}>
              <bdi>{breakable(name)}</bdi>
            </span>
            {contact !== null && <ContactName name={contact} />}
            {item.note !== null && item.note !== '' && (
              <span class="list-note activity-note" data-part="note" dir="auto">
                {visible(item.note.slice(0, NOTE_SHOWN)).replaceAll(/\s+/g, ' ')}
              </span>
            )}
            {item.label && unpaid === null && (
              <span class="list-note activity-note" data-part="label" dir="auto">
                {quoted(item.label.slice(0, NOTE_SHOWN))}
              </span>
            )}
            {item.assetWord === 'index' && (
              <span class="list-note activity-unsure" data-part="index-word">
                {assetTexts.accordingToIndex}
              </span>
            )}
            <span
              class={`badge ${item.trouble ? 'badge-warning' : unpaid === null ? badges[item.status] : ''}`}
              data-trouble={item.trouble ?? undefined}
            >
              {item.trouble ? t.badges[item.trouble] : (unpaid ?? texts.statuses[item.status])}
            </span>
          </span>
          <span class={`list-aside ${item.asset || item.tokenClaim ? 'activity-asset' : ''}`}>
            {/* If no money moved, the amount is shown only in the details. */}
            {unpaid === null && (
              <span
                class={`amount activity-amount ${failed ? 'muted struck' : item.tokenClaim ? CLAIMS[item.tokenClaim] : isOut ? '' : 'good'}`}
              >
                {/* Screen readers skip a plus or minus sign, so a hidden word replaces it. */}
                {!isDoubtful && (
                  <>
                    <span class="visually-hidden">{isOut ? t.sent : sent ? t.minted : t.received} </span>
                    <span aria-hidden="true">{isOut ? '−' : '+'}</span>
                  </>
                )}
                {money}
              </span>
            )}
            {/* A restored row's time is known only after its block is known. */}
            {!item.isTimeUnknown && (
              <time class="list-note" dateTime={new Date(item.time).toISOString()}>
                {formatAge(item.time, now)}
              </time>
            )}
          </span>
          <span class="activity-chevron">
            <ChevronIcon size={16} />
          </span>
        </summary>
        {open && <Details item={item} rate={rate} network={network} />}
      </details>
    </li>
  );
}

/** Allows a line break before a paymail's host. */
function breakable(name: string) {
  return name.split(/(?=@)/).map((part, i) => (
    <Fragment key={i}>
      {i > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}

/** Returns the requesting site, otherwise the recipient or the sender. */
function nameOf({
  origin,
  direction,
  recipientCount,
  counterparty,
  sender,
  isCancellation,
  isSweep,
  isSplit,
  asset,
  refundOf,
  isUnverified,
  isFromChain,
}: ActivityItem): string {
  if (isUnverified) return t.unverified;
  if (isCancellation) return t.cancellation;
  if (isSweep) return t.sweep;
  if (isSplit) return t.split;
  if (asset?.type === 'mint') return t.minted;
  if (origin !== null) return hostOf(visible(origin));
  if (direction === 'received' && refundOf && (sender === null || refundOf.isConfirmed)) {
    const whose = refundOf.origin !== null ? hostOf(visible(refundOf.origin)) : recipient(refundOf.to);
    return refundOf.isConfirmed ? t.refundFrom({ whose }) : t.maybeRefund({ whose });
  }
  if (direction === 'received')
    return sender === null
      ? t.received
      : sender.verified
        ? person(sender.paymail)
        : t.says({ paymail: person(sender.paymail) });
  if (recipientCount === 0) return isFromChain ? t.sent : t.onlyData;
  if (recipientCount > 1) return t.recipients({ n: recipientCount });
  return counterparty === '' ? t.sent : recipient(counterparty);
}

function recipient(to: string): string {
  if (/^\d+$/.test(to)) return t.user({ id: to });
  return to.includes('@') ? person(to) : shorten(visible(to));
}

/** Shows a name in ASCII if it can be mistaken for another name. */
function person(paymail: string): string {
  const odd = lookAlike(paymail);
  const name = odd !== null && (odd.kind === 'mixed' || odd.kind === 'hidden') ? odd.ascii : visible(paymail);
  return name.length > NAME_SHOWN ? shorten(name) : name;
}
