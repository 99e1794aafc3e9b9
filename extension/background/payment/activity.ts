/** What the popup's activity lists: payments made and money received, newest first. */
import type { ActivityItem } from '../../../protocol/wallet-messages.ts';
import { database } from '../database.ts';
import type { Receipt } from '../coins/receipt.ts';
import { isOver } from './prune.ts';
import { statusOf, type PaymentRecord } from './record.ts';

/**
 * One page of the activity. `before` is the last row of the page before: its time and id as `time/id`.
 */
export async function listActivity(before: string | undefined, limit: number): Promise<{ items: ActivityItem[]; more: boolean }> {
  const [time, id] = before === undefined ? [Number.POSITIVE_INFINITY, ''] : [Number(before.split('/')[0]), before.slice(before.indexOf('/') + 1)];
  const range = before === undefined ? null : IDBKeyRange.upperBound(time);
  const db = await database();
  const items: ActivityItem[] = [];
  for (const store of ['payments', 'receipts'] as const) {
    const wanted = items.length + limit + 1;
    const tx = db.transaction(store);
    for (let cursor = await tx.store.index('createdAt').openCursor(range, 'prev'); cursor && items.length < wanted; cursor = await cursor.continue()) {
      const item = 'txid' in cursor.value ? received(cursor.value) : sent(cursor.value);
      if (item && (item.time < time || item.id < id)) items.push(item);
    }
  }
  items.sort((a, b) => b.time - a.time || (a.id < b.id ? 1 : -1));
  return { items: items.slice(0, limit), more: items.length > limit };
}

/** A payment that was never decided is no activity, nor for long one that came to nothing. */
function sent(record: PaymentRecord): ActivityItem | null {
  const { id, origin, quote, signed, error, createdAt } = record;
  if (!quote || record.state === 'requested' || isOver(record, Date.now())) return null;
  const [first] = quote.outputs;
  return {
    id, direction: 'sent', origin,
    counterparty: quote.outputs.length === 1 && first ? first.to : `${quote.outputs.length} recipients`,
    satoshis: quote.satoshis.toString(), feeSatoshis: signed?.feeSatoshis.toString() ?? null,
    amount: quote.amount, currency: quote.currency,
    status: statusOf(record), statusDescription: error?.message ?? null, txid: signed?.txid ?? null, time: createdAt,
  };
}

function received({ txid, satoshis, address, createdAt, height }: Receipt): ActivityItem {
  return {
    id: txid, direction: 'received', origin: null, counterparty: address, satoshis: satoshis.toString(), feeSatoshis: null,
    amount: null, currency: null, status: height === null ? 'RECEIVED' : 'COMPLETED', statusDescription: null, txid, time: createdAt,
  };
}
