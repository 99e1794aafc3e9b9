/** An application's payments as CSV for spreadsheets (RFC 4180). */
import { inUsd } from '../../../payments/sums.ts';
import { isAssetName } from '../../../../protocol/assets/asset-name.ts';
import { CSV_BOM, csvLine } from '../../../../protocol/text/csv-line.ts';
import { paidUnit } from '../../../payments/token.ts';
import { worthOf } from '../../../payments/worth.ts';
import type { Sale } from '../../../payments/sales/sales.ts';

const COLUMNS: readonly (readonly [name: string, value: (sale: Sale) => string | bigint | null])[] = [
  ['created_at_utc', ({ createdAt }) => createdAt.toISOString()],
  ['payment_id', ({ id }) => id],
  ['status', ({ status }) => status],
  ['amount', (sale) => worthOf(sale.satoshis, sale)],
  ['currency', (sale) => paidUnit(sale.currency, sale)],
  // A token output's single satoshi isn't the amount paid.
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

/** Byte order mark and column names. `amount` is at the service's rate at the time of payment; empty if unknown. */
export const CSV_HEAD = CSV_BOM + csvLine(COLUMNS.map(([name]) => name));
export const salesLine = (sale: Sale) => csvLine(COLUMNS.map(([, value]) => String(value(sale) ?? '')));
