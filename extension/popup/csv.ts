/** The activity as comma-separated values (RFC 4180): facts alone, nothing worked out at today's rate. */
import { fromSatoshis, satoshisToBsv } from '../../protocol/money.ts';
import type { ExportedActivity } from '../../protocol/wallet-messages.ts';

/** Names of the columns. They are an interface: people build spreadsheets on them. */
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
] as const;

/**
 * What a file begins with: a byte order mark, without which spreadsheets take UTF-8 for something else, and the header.
 */
export const CSV_START = `\uFEFF${line(COLUMNS)}`;

/**
 * Rows as lines. Times are ISO 8601 in UTC, empty where unknown; the id of money received is its transaction's, so it has
 * no payment id.
 */
export function csvLines(items: readonly ExportedActivity[]): string {
  return items
    .map((item) =>
      line([
        item.isTimeUnknown ? null : new Date(item.time).toISOString(),
        item.isUnverified ? 'unknown' : item.direction,
        item.status,
        item.origin,
        recipientsOf(item),
        item.amount,
        item.currency,
        item.isUnverified ? null : item.satoshis,
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
        item.isUnverified ? null : satoshisToBsv(BigInt(item.satoshis)),
        kindOf(item),
        item.refundOf?.id ?? item.givesBack ?? null,
      ]),
    )
    .join('');
}

/**
 * What it was worth when it was paid or arrived: the value with two to eight digits behind the point, its currency, what one
 * BSV cost in it, and where that is from. `asked`: the amount was asked in this currency; `wallet`: the price that the
 * wallet knew then; `service`: what the account's service noted when the payment was reported; `unknown`: nobody noted it.
 */
function valueThen({
  amount,
  currency,
  quotedPrice,
  priceThen,
  worthThen,
  satoshis,
  isUnverified,
}: ExportedActivity): (string | null)[] {
  if (amount !== null && currency !== null && currency !== 'BSV')
    return [amount, currency, quotedPrice ?? null, 'asked'];
  if (priceThen && !isUnverified) {
    const value = fromSatoshis(BigInt(satoshis), priceThen.price, 8).replace(/0{1,6}$/, '');
    return [value, priceThen.currency, priceThen.price, 'wallet'];
  }
  return worthThen ? [worthThen.amount, worthThen.currency, null, 'service'] : [null, null, null, 'unknown'];
}

function kindOf({ isUnverified, isCancellation, direction, refundOf, givesBack }: ExportedActivity): string {
  if (isUnverified) return 'unknown';
  if (isCancellation) return 'cancellation';
  if (direction === 'sent') return givesBack ? 'refund' : 'payment';
  return refundOf ? (refundOf.isConfirmed ? 'refund' : 'possible refund') : 'received';
}

/** One as it is; several each with what it got, and how many more there are where not all are stored. */
function recipientsOf({ recipients, recipientCount }: ExportedActivity): string {
  if (recipients.length === 0) return '';
  const more = recipientCount - recipients.length;
  if (recipients.length === 1 && more <= 0) return recipients[0]?.to ?? '';
  const named = recipients.map(({ to, satoshis }) => `${to} (${satoshis} satoshis)`);
  return [...named, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

function line(cells: readonly (string | null)[]): string {
  return `${cells.map((cell) => quoted(defused(cell ?? ''))).join(',')}\r\n`;
}

/**
 * A cell that a spreadsheet would take for a formula, made plain text: sites choose some of what stands here, and a
 * formula can send the rest of the table away (OWASP, CSV Injection). Where people write 0,5, a spreadsheet opens this
 * file with the semicolon for its separator, to which no quotation mark of ours means anything: there a cell begins
 * after each of them, and a row after each line break.
 */
function defused(cell: string): string {
  return cell.replaceAll(/(^(?=[\t\r\n])|(?:^|[;\t\r\n])(?=[\s"']*[=+\-@＝＋－＠]))/g, "$1'");
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
