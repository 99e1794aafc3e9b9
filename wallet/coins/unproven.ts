/** Marks change that counts toward the balance only once the network has its transaction (`isUnproven`). */
import { getPayment, lightMaking, lightSpenders } from '../payments/store.ts';
import type { WriteTransaction } from '../store/database.ts';
import { outpoint } from './coin.ts';
import { isLive, isOnNetwork } from './holder.ts';
import { getReceipt } from './receipts/receipts.ts';
import { amendCoin, getCoin } from './records.ts';

interface MaybeExcluded {
  height: number | null;
  /** The ID of a conflicting transaction with outputs that the index lists. */
  rival?: string | null;
  signed: { txid?: string } | null;
}

/** The fields of a payment that determine whether its change counts. */
interface Made extends MaybeExcluded {
  signed: { txid?: string; inputs: string[]; inputSatoshis: bigint[]; ownOutputs: string[] } | null;
  action?: { inputs: readonly { txid: string; vout: number }[] };
}

interface Heir {
  id: string;
  createdAt: number;
  approvedAt: number | null;
}

/** True if the index lists outputs of a transaction that conflicts with an unmined payment. */
export async function hasRival(tx: WriteTransaction, { rival, height, signed }: MaybeExcluded): Promise<boolean> {
  if (!rival || height !== null || rival === signed?.txid) return false;
  const makers = await lightMaking(tx, rival);
  return makers.length > 0 ? makers.some(isLive) : (await getReceipt(tx, rival))?.failed === undefined;
}

/**
 * Marks those of a payment's outputs to the wallet that aren't covered by the wallet's own coins, because only the
 * network verifies an application's inputs, and missing money may never return. Marks all of them if the payment has a
 * rival. Removes the marks once the network has the payment. Payments that spend these outputs are marked accordingly.
 */
export async function markUnproven(tx: WriteTransaction, made: Made, status: 'pending' | 'available'): Promise<void> {
  await markSpenders(tx, await markOutputs(tx, made, status));
}

/**
 * Marks the change of payments that spend the given outpoints, and of payments that spend that change, if the network
 * doesn't have them, or has had a rival of theirs.
 */
export async function markSpenders(tx: WriteTransaction, outpoints: readonly string[]): Promise<void> {
  const heirs = new Map<string, Heir>();
  const add = async (keys: readonly string[]) => {
    const spendersOf = lightSpenders(tx);
    for (const key of keys)
      for (const heir of await spendersOf(key))
        if (isLive(heir) && (!isOnNetwork(heir) || heir.rival)) heirs.set(heir.id, heir);
  };
  await add(outpoints);
  // Parents precede the payments that spend their outputs. In any other order, a payment could be marked once per path.
  const timeOf = ({ approvedAt, createdAt }: Heir) => approvedAt ?? createdAt;
  while (heirs.size > 0) {
    const first = [...heirs.values()].reduce((one, other) => (timeOf(other) < timeOf(one) ? other : one));
    heirs.delete(first.id);
    const whole = await getPayment(tx, first.id);
    if (whole) await add(await markOutputs(tx, whole, isOnNetwork(whole) ? 'available' : 'pending'));
  }
}

/** Marks only the payment's own outputs. @returns the outpoints whose mark has changed */
async function markOutputs(tx: WriteTransaction, made: Made, status: 'pending' | 'available'): Promise<string[]> {
  let left = status === 'pending' ? await provenIn(tx, made) : null;
  if (await hasRival(tx, made)) left = 0n;
  const changed: string[] = [];
  for (const key of made.signed?.ownOutputs ?? []) {
    const coin = await getCoin(tx, key);
    if (!coin) continue;
    const { isUnproven: wasUnproven = false, ...proven } = coin;
    const isUnproven = left !== null && coin.satoshis > left;
    if (left !== null && !isUnproven) left -= coin.satoshis;
    if (isUnproven === wasUnproven) continue;
    await amendCoin(tx, isUnproven ? { ...coin, isUnproven } : proven, {});
    changed.push(key);
  }
  return changed;
}

/** Returns the value of a transaction's inputs, excluding an application's inputs, missing money and marked coins. */
async function provenIn(tx: WriteTransaction, { signed, action }: Made): Promise<bigint> {
  const given = new Set(action?.inputs.map(({ txid, vout }) => outpoint(txid, vout)));
  let sum = 0n;
  for (const [i, key] of (signed?.inputs ?? []).entries())
    if (!given.has(key) && !(await getCoin(tx, key))?.isUnproven && !(await getReceipt(tx, key.slice(0, 64)))?.failed)
      sum += signed?.inputSatoshis[i] as bigint;
  return sum;
}
