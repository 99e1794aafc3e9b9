/**
 * Ends a signed payment that can never be mined: its coins are free again, what it would have given us never was, and its
 * allowance has back what it took.
 */
import { ServiceError } from '../../../protocol/errors.ts';
import { giveBack } from '../allowances/spend.ts';
import { deleteCoin, putCoin } from '../coins/holdings.ts';
import type { StepTransaction } from '../database.ts';
import { step, type PaymentRecord } from './record.ts';

/**
 * Releases a payment in one database transaction. Does nothing to one that is proven in a block.
 * @param gone outpoints among its inputs that somebody else spent, or that do not exist
 * @param detail for our own log
 */
export function releasePayment(id: string, gone: readonly string[], detail: string): Promise<PaymentRecord | null> {
  const { code, message } = new ServiceError('network-rejected');
  return step(id, ['signed', 'broadcast', 'settled'], async ({ signed, delivery, deliveries = [], height, allowance }, tx) => {
    if (height !== null) return {};
    const coins = tx.objectStore('coins');
    for (const key of signed?.inputs ?? []) {
      const coin = await coins.get(key);
      if (coin?.paymentId !== id || (coin.status !== 'reserved' && coin.status !== 'spent')) continue;
      // What is gone may come back by the index's word alone: the next look at the address finds it then.
      if (gone.includes(key)) await deleteCoin(tx, key);
      else await putCoin(tx, { ...coin, status: 'available', paymentId: null });
    }
    for (const key of signed?.ownOutputs ?? []) await forgetOutput(tx, key);
    if (allowance) await giveBack(tx, allowance);
    const ended = deliveries.map((one) => (one.state === 'waiting' ? { ...one, state: 'given-up' as const } : one));
    return { state: 'failed', error: { code, message }, delivery: { ...delivery, problem: detail }, deliveries: ended };
  });
}

/**
 * Removes an output that never came to be. A change address counts as unused again: addresses that nobody on the chain has
 * seen, more than the gap limit in a row, would hide every later coin from a wallet restored from words.
 */
async function forgetOutput(tx: StepTransaction, key: string): Promise<void> {
  const coins = tx.objectStore('coins');
  const coin = await coins.get(key);
  if (!coin) return;
  await deleteCoin(tx, key);
  if (coin.chain !== 'change' || (await coins.index('script').count(coin.script)) > 0) return;
  const address = await tx.objectStore('addresses').get(coin.script);
  if (address) await tx.objectStore('addresses').put({ ...address, used: false });
}
