/**
 * Formats the activity as comma-separated values (RFC 4180). Values are as recorded and never converted at the current
 * rate.
 */
import { writeTokenDecimal } from '../../../protocol/assets/bsv21/amount.ts';
import { CSV_BOM, csvLine } from '../../../protocol/text/csv-line.ts';
import { fromSatoshis, satoshisToBsv } from '../../../protocol/money/money.ts';
import type { ExportedActivity } from '../../../protocol/messages/wallet-messages.ts';

/** Column names, which must not change, because users' spreadsheets depend on them. */
const COLUMNS = [
  'time',
  'direction',
  'status',
  'site',
  'recipients',
  'amount',
  'currency',
  'satoshis',
  'fee satoshis',
  'txid',
  'block height',
  'payment id',
  'button id',
  'sender',
  'sender verified',
  'note',
  'label',
  'value then',
  'value currency',
  'price then',
  'value source',
  'bsv',
  'kind',
  'refund of',
  'asset id',
  'asset amount',
  'asset symbol',
  'asset source',
] as const;

/** The start of a file: byte order mark and header. */
export const CSV_START = CSV_BOM + csvLine(COLUMNS);

/** Formats rows as CSV lines. Times are ISO 8601 in UTC, empty if unknown. Received money has no payment ID. */
export function csvLines(items: readonly ExportedActivity[]): string {
  return items
    .map((item) =>
      csvLine([
        item.isTimeUnknown ? null : new Date(item.time).toISOString(),
        item.isUnverified ? 'unknown' : item.direction,
        item.status,
        item.origin,
        recipientsOf(item),
        ...askedFor(item),
        isMoney(item) ? item.satoshis : null,
        item.feeSatoshis,
        item.txid,
        item.height === null ? null : String(item.height),
        item.direction === 'sent' && !item.isFromChain ? item.id : null,
        item.buttonId,
        item.sender?.paymail ?? null,
        item.sender === null ? null : item.sender.verified ? 'yes' : 'no',
        item.note,
        item.label ?? null,
        ...valueThen(item),
        isMoney(item) ? satoshisToBsv(BigInt(item.satoshis)) : null,
        kindOf(item),
        item.refundOf?.id ?? item.givesBack ?? null,
        ...assetOf(item),
      ]),
    )
    .join('');
}

/** False if the amount is unknown, or for satoshis that carry an asset and are excluded from the balance. */
const isMoney = ({ isUnverified, asset }: ExportedActivity) => !isUnverified && asset === undefined;

/**
 * Returns the requested amount and currency. Returns nulls for an asset without a symbol, because its record contains
 * the carrying satoshi's amount instead.
 */
const askedFor = ({ amount, currency, asset }: ExportedActivity) =>
  asset && currency === 'BSV' ? [null, null] : [amount, currency];

/**
 * Returns the asset sent, minted or received: the token's ID or the ordinal's output, its decimal amount, its symbol,
 * and the source of the claim. `wallet`: verified by the wallet, `index`: reported by the index, empty: sent by the
 * wallet.
 */
function assetOf({ asset, paidBeside, assetWord, txid }: ExportedActivity): (string | null)[] {
  const paid = asset ?? paidBeside;
  if (!paid) return [null, null, null, null];
  const source = assetWord === undefined ? null : assetWord === 'chain' ? 'wallet' : 'index';
  if (paid.type === 'ordinal') return [paid.outpoint, null, null, source];
  const id = paid.type === 'mint' ? txid && `${txid}_0` : paid.id;
  return [id, writeTokenDecimal(BigInt(paid.units), paid.decimals), paid.symbol, source];
}

/**
 * Returns the value at the time of the payment, with two to eight decimals, its currency, the price of one BSV, and the
 * source of the price. `asked`: requested in this currency, `wallet`: the wallet's price, `service`: the price stored
 * by the account's service, `unknown`: no price was stored.
 */
function valueThen({
  amount,
  currency,
  quotedPrice,
  priceThen,
  worthThen,
  satoshis,
  isUnverified,
  asset,
}: ExportedActivity): (string | null)[] {
  if (asset) return [null, null, null, 'unknown'];
  if (amount !== null && currency !== null && currency !== 'BSV')
    return [amount, currency, quotedPrice ?? null, 'asked'];
  if (priceThen && !isUnverified) {
    const value = fromSatoshis(BigInt(satoshis), priceThen.price, 8).replace(/0{1,6}$/, '');
    return [value, priceThen.currency, priceThen.price, 'wallet'];
  }
  return worthThen ? [worthThen.amount, worthThen.currency, null, 'service'] : [null, null, null, 'unknown'];
}

function kindOf({ isUnverified, isCancellation, direction, refundOf, givesBack, asset }: ExportedActivity): string {
  if (isUnverified) return 'unknown';
  if (isCancellation) return 'cancellation';
  if (asset?.type === 'mint') return 'mint';
  if (direction === 'sent') return givesBack ? 'refund' : 'payment';
  return refundOf ? (refundOf.isConfirmed ? 'refund' : 'possible refund') : 'received';
}

/** Lists the recipients, with amounts if there are several, and the number of recipients that aren't stored. */
function recipientsOf({ recipients, recipientCount }: ExportedActivity): string {
  if (recipients.length === 0) return '';
  const more = recipientCount - recipients.length;
  if (recipients.length === 1 && more <= 0) return recipients[0]?.to ?? '';
  const named = recipients.map(({ to, satoshis }) => `${to} (${satoshis} satoshis)`);
  return [...named, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}
