/** An application's payments as a table for spreadsheets (RFC 4180). */
import { inUsd } from '../../payments/sums.ts';
import { isAssetName } from '../../../protocol/asset-name.ts';
import { paidUnit } from '../../payments/token.ts';
import { worthOf } from '../../payments/worth.ts';
import type { Sale } from '../../payments/sales.ts';

/**
 * What begins like a formula behind what a spreadsheet may take for the end of a cell: where the decimal sign is a
 * comma, it splits at semicolons and not at commas, and quotes within such a cell hold nothing together. East Asian ones
 * take full-width signs, too.
 */
const FORMULA = /([;\t]|\r\n?|\n)(?=(?:[^\S\t\r\n]|")*[=+\-@＝＋－＠])/g;

/**
 * One field. Spreadsheets run what begins like a formula, even in quotes: an apostrophe makes it text again (OWASP, "CSV
 * Injection").
 */
function cell(value: string): string {
  const text = value.replace(/^(?=\s*[=+\-@＝＋－＠\t\r])/, "'").replace(FORMULA, "$1'");
  return /["',;\n\r\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const COLUMNS: readonly (readonly [name: string, value: (sale: Sale) => string | bigint | null])[] = [
  ['created_at_utc', ({ createdAt }) => createdAt.toISOString()],
  ['payment_id', ({ id }) => id],
  ['status', ({ status }) => status],
  ['amount', (sale) => worthOf(sale.satoshis, sale)],
  ['currency', (sale) => paidUnit(sale.currency, sale)],
  // The satoshi that carries a token is not what was paid.
  ['satoshis', ({ satoshis, currency }) => (isAssetName(currency) ? null : satoshis)],
  ['amount_usd', ({ satoshis, currency, usdRate }) => (isAssetName(currency) ? null : inUsd(satoshis, usdRate))],
  ['amount_stated_by_payer', ({ amount }) => amount],
  ['payer_user_id', ({ userId }) => (userId === null ? null : String(userId))],
  ['payer_paymail', ({ senderPaymail }) => senderPaymail],
  ['button_label', ({ label }) => label],
  ['button_id', ({ buttonId }) => buttonId],
  ['site', ({ origin }) => origin],
  ['refunded_satoshis', ({ refundedSatoshis }) => refundedSatoshis],
  ['refund', ({ refundSatoshis }) => (refundSatoshis === null ? null : 'yes')],
  ['refund_of', ({ refundSatoshis, refundOf }) => (refundSatoshis === null ? null : refundOf)],
  ['transaction_id', ({ txid }) => txid],
  ['token_id', ({ tokenId }) => tokenId],
  ['token_smallest_units', ({ tokenUnits }) => tokenUnits],
  ['token_validity', ({ tokenValidity }) => tokenValidity],
];

const line = (fields: readonly string[]) => `${fields.map(cell).join(',')}\r\n`;
/** The names of the columns. `amount` is what was paid, at the service's own rate at that time; empty: not known. */
export const CSV_HEAD = line(COLUMNS.map(([name]) => name));
/** One payment. */
export const csvLine = (sale: Sale) => line(COLUMNS.map(([, value]) => String(value(sale) ?? '')));
