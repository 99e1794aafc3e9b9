import type {
  ActivityItem,
  ExportedActivity,
  HeldAsset,
  PaymentTrouble,
} from '../../protocol/messages/wallet-messages.ts';
import type { Failure, Receipt, SpentPart } from '../coins/receipts/receipt.ts';
import { shortRecipient } from '../store/write-transaction.ts';
import { isOver } from '../payments/prune.ts';
import type { PaymentRecord } from '../payments/record.ts';
import { isLive, statusOf } from '../payments/move.ts';
import type { OperationsRecord } from '../crypto-operations/operations-record.ts';
import type { QuotedAsset } from '../recipients/quote.ts';
import type { Entry, MoneyEntry } from './newest-first.ts';
import { OWN } from '../sites/site.ts';

/**
 * True if the activity shows the entry. Hides payments awaiting the user's decision, receipts for transactions that
 * haven't been read, unsigned cancellations and coin splits, and, after a while, failed payments that weren't signed.
 * @param now milliseconds since 1970
 */
export function isShown(entry: Entry, now: number): boolean {
  return (
    entry.store === 'operations' ||
    (entry.store === 'receipts' && entry.record.reading !== 'waiting') ||
    (entry.store === 'payments' &&
      entry.record.state !== 'requested' &&
      !((entry.record.cancel || entry.record.split !== undefined) && entry.record.signed === null) &&
      !isOver(entry.record, now))
  );
}

/** Returns the entry's row. As everywhere in the activity list, its amount excludes the network fee. */
export function rowOf(entry: Entry): ActivityItem {
  if (entry.store === 'operations') return operationsItem(entry.record);
  if (entry.store === 'payments') return sent(entry.record);
  return entry.record.spent ? paidElsewhere(entry.record, entry.record.spent) : received(entry.record);
}

/** Returns the row for an export. @param row the entry's row in the list */
export function exported(entry: MoneyEntry, row: ActivityItem): ExportedActivity {
  const { height } = entry.record;
  if (entry.store === 'receipts')
    return {
      ...row,
      recipients: recipientsOf(entry.record),
      height,
      buttonId: entry.record.record?.buttonId ?? null,
      ...givenBack(entry.record.record?.refundOf),
    };
  const { quote, options } = entry.record;
  return {
    ...row,
    recipients: quote.outputs.map(({ to, satoshis }) => ({ to: shortRecipient(to), satoshis })),
    height,
    buttonId: options.buttonId ?? null,
    ...givenBack(options.refundOf),
    ...(quote.rate && quote.currency !== 'BSV' && { quotedPrice: quote.rate.price }),
    ...(quote.asset && !row.asset && { paidBeside: tokenIn(quote.asset) }),
  };
}

const givenBack = (payment: string | null | undefined) => (payment ? { givesBack: payment } : null);

/** Returns the row for a site's crypto operations without a payment. */
function operationsItem({ id, origin, clientIdentifier, createdAt, operations }: OperationsRecord): ActivityItem {
  return {
    id,
    direction: 'sent',
    origin,
    counterparty: '',
    recipientCount: 0,
    satoshis: '0',
    feeSatoshis: null,
    amount: null,
    currency: null,
    status: 'COMPLETED',
    statusDescription: null,
    txid: null,
    time: createdAt,
    sender: null,
    note: null,
    operations,
    clientIdentifier,
  };
}

function sent(record: PaymentRecord): ActivityItem {
  const { id, origin, options, quote, signed, error, createdAt, note = null, priceThen } = record;
  return {
    id,
    direction: 'sent',
    origin: origin === OWN ? null : origin,
    counterparty: shortRecipient(quote.outputs[0]?.to ?? ''),
    recipientCount: quote.outputs.length,
    satoshis: quote.satoshis.toString(),
    feeSatoshis: signed === null || record.state === 'failed' ? null : signed.feeSatoshis.toString(),
    amount: quote.amount,
    currency: quote.currency,
    status: statusOf(record),
    statusDescription: error?.message ?? null,
    statusCode: error?.code ?? null,
    trouble: troubleOf(record),
    isCancellation: record.cancel === true,
    ...(record.sweep && { isSweep: true }),
    ...(record.split !== undefined && { isSplit: true }),
    ...paidAsset(record),
    txid: signed?.txid ?? null,
    time: createdAt,
    sender: null,
    note,
    label: options.label ?? null,
    ...(priceThen && { priceThen: { currency: priceThen.currency, price: priceThen.price } }),
  };
}

/** Returns the asset that was paid, if nothing else was paid. */
function paidAsset({ asset, quote }: PaymentRecord): Pick<ActivityItem, 'asset'> {
  if (asset) return { asset: asset.asset };
  if (!quote.asset || !quote.outputs.every(({ token }) => token)) return {};
  return { asset: tokenIn(quote.asset) };
}

function tokenIn({ id, symbol, decimals, units }: QuotedAsset): HeldAsset {
  return { type: 'token', id, symbol, decimals, units };
}

/** Returns the problem recorded for a payment. `row-now.ts` adds problems with its replacement. */
function troubleOf(record: PaymentRecord): PaymentTrouble | null {
  if (record.state === 'signable') return 'signable';
  if (!isLive(record) || record.height !== null) return null;
  return record.replacedBy ? 'replaced' : record.trouble;
}

/** Exports contain these English messages. Windows show translated ones. */
const FAILURES: Record<Failure, string> = {
  'double-spent': 'The sender spent this money elsewhere.',
  dropped: 'The network does not know this transaction any more.',
};

/** Returns the recipients. `to` is empty for an output without an address. */
export function recipientsOf({
  address,
  satoshis,
  spent,
  reading,
  record,
}: Receipt): { to: string; satoshis: string }[] {
  if (reading === 'unverified') return [];
  if (!spent) return [{ to: address, satoshis: satoshis.toString() }];
  if (record) return record.outputs.map((one) => ({ to: one.to, satoshis: one.satoshis.toString() }));
  return spent.paid.map((one) => ({ to: one.address ?? '', satoshis: one.satoshis.toString() }));
}

/**
 * Returns the row for a payment made by another wallet with the same recovery words. The site is available only if the
 * service recorded the payment.
 */
function paidElsewhere(receipt: Receipt, { feeSatoshis, count, paid }: SpentPart): ActivityItem {
  const { record } = receipt;
  return {
    ...received(receipt),
    direction: 'sent',
    isFromChain: true,
    ...(record && { isFromService: true }),
    ...(record?.worth && { worthThen: record.worth }),
    origin: record?.origin ?? null,
    label: record?.label ?? null,
    counterparty: record?.outputs[0]?.to || (paid[0]?.address ?? ''),
    recipientCount: record?.outputs.length ?? count,
    feeSatoshis: feeSatoshis?.toString() ?? null,
    statusDescription: null,
    failure: null,
    sender: null,
    note: null,
    refundOf: null,
  };
}

function received({
  txid,
  satoshis,
  address,
  createdAt,
  height,
  failed,
  sender = null,
  note = null,
  refundOf,
  reading,
  isFoundLater,
  priceThen,
  broughtBy,
}: Receipt): ActivityItem {
  return {
    id: txid,
    direction: 'received',
    origin: broughtBy?.origin ?? null,
    counterparty: address,
    recipientCount: 1,
    satoshis: satoshis.toString(),
    feeSatoshis: null,
    amount: null,
    currency: null,
    status: failed ? 'FAILED' : height === null ? 'RECEIVED' : 'COMPLETED',
    statusDescription: failed ? FAILURES[failed] : null,
    failure: failed ?? null,
    txid,
    time: createdAt,
    sender,
    note,
    label: broughtBy?.description ?? null,
    refundOf: refundOf ?? null,
    ...(priceThen && { priceThen: { currency: priceThen.currency, price: priceThen.price } }),
    ...(reading === 'unverified' && { isUnverified: true }),
    ...(isFoundLater && height === null && { isTimeUnknown: true }),
  };
}
