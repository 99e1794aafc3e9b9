/**
 * Resolves conflicts between the wallet's payments that spend the same coins. At most one is ever mined, and the others
 * then end. Each decision is one database transaction, and is reverted if a reorganization removes the block.
 */
import { ServiceError } from '../../../protocol/errors/service-error.ts';
import { refundDebit } from '../../allowances/spend.ts';
import { releaseOutput, setMade, spendOutput, spentElsewhere } from '../../baskets/outputs.ts';
import type { Header } from '../../chain/whats-on-chain.ts';
import { fromHex } from '../../../protocol/bitcoin/bytes.ts';
import type { Transaction } from '../../../protocol/bitcoin/transaction.ts';
import { type Coin, heldAs, outpoint as outpointOf } from '../../coins/coin.ts';
import { placeInBlock } from '../../coins/coin-store.ts';
import { inTransaction, type WriteTransaction } from '../../store/database.ts';
import { announceChange, signalChange } from '../../events.ts';
import { freeStatuses } from './on-network.ts';
import { hasRival, markUnproven } from '../../coins/unproven.ts';
import type { Ended, LightPayment, PaymentRecord } from '../record.ts';
import { isLive, isOnNetwork } from '../move.ts';
import { reopenEnded } from './swept.ts';
import { markOfLate } from './taken-late.ts';
import type { Debit } from '../../allowances/allowance.ts';
import { markSeen, settleAddress, markAddressUsed, addressScriptOf } from '../../coins/addresses/records.ts';
import { NOT_TRIED } from '../retry.ts';
import { getLight, getPayment, lightSpenders, paymentsSpending, putPayment } from '../store.ts';
import { getCoin, changeCoin } from '../../coins/records.ts';
import { isInChain } from '../../chain/headers/store.ts';
import type { Wallet } from '../../platform.ts';

/** The mined transaction that conflicts with a payment. */
type Winner = Omit<Ended, 'state'> & { isCancel: boolean };

/** Returns the live payments (signed, and mined or possibly still mined) that spend an outpoint, newest first. */
export async function spendersOf(tx: WriteTransaction, outpoint: string): Promise<PaymentRecord[]> {
  return newestLive(await paymentsSpending(tx, outpoint));
}

const newestLive = <P extends LightPayment>(payments: readonly P[]): P[] =>
  payments.filter(isLive).sort((a, b) => b.createdAt - a.createdAt);

/**
 * Returns a function like {@link spendersOf} for many outpoints (see {@link lightSpenders}). It returns each payment as
 * first read, even if the payment has changed since.
 */
export function liveSpenders(tx: WriteTransaction): (outpoint: string) => Promise<LightPayment[]> {
  const spendersOf = lightSpenders(tx);
  return async (outpoint) => newestLive(await spendersOf(outpoint));
}

/** Returns the other live payments in a payment's chain of replacements, newest first. */
export async function rivalsOf(
  tx: WriteTransaction,
  { id, group }: { id: string; group?: string | undefined },
): Promise<PaymentRecord[]> {
  if (group === undefined) return [];
  return (await spendersOf(tx, group)).filter((one) => one.id !== id && one.group === group);
}

export function sharesOf(payments: readonly PaymentRecord[]): Debit[] {
  return payments.flatMap((payment) => payment.allowance ?? []);
}

/**
 * Removes a payment's outputs from the balance until it is mined. Frees the change addresses if the payment has ended.
 */
export async function voidOutputs(wallet: Wallet, tx: WriteTransaction, { id, signed }: PaymentRecord): Promise<void> {
  await setMade(wallet, tx, id, 'void');
  for (const key of signed?.ownOutputs ?? []) {
    const coin = await getCoin(tx, key);
    if (!coin) continue;
    // A mined output exists regardless of the payment's record.
    if ((coin.status === 'pending' || coin.status === 'available') && coin.height === null)
      await changeCoin(tx, coin, { event: 'void' });
    await settleAddress(wallet, tx, ownScriptOf(coin));
  }
}

export const ownScriptOf = ({ script }: Coin) => addressScriptOf(fromHex(script)) ?? script;

/**
 * Restores a payment's voided outputs: `pending` until the network has the transaction, then `available`. They remain
 * `pending` while the payment has a rival.
 */
export async function restoreOutputs(
  wallet: Wallet,
  tx: WriteTransaction,
  record: PaymentRecord,
  wanted: 'pending' | 'available',
): Promise<void> {
  const status = (await hasRival(tx, record)) ? 'pending' : wanted;
  await setMade(wallet, tx, record.id, status);
  for (const key of record.signed?.ownOutputs ?? []) {
    const coin = await getCoin(tx, key);
    if (!coin) continue;
    const isFree = coin.status === 'void' || coin.status === 'pending' || coin.status === 'available';
    if (isFree && coin.status !== status)
      await changeCoin(tx, coin, { event: status === 'available' ? 'accept' : 'await' });
    await markAddressUsed(wallet, tx, ownScriptOf(coin));
    await (status === 'available' ? markSeen : settleAddress)(wallet, tx, ownScriptOf(coin));
  }
  await markUnproven(tx, record, status);
}

/** Marks a payment's inputs as spent and its change as spendable, once it is accepted or mined. */
export async function markCoinsSpent(wallet: Wallet, tx: WriteTransaction, record: PaymentRecord): Promise<void> {
  for (const key of record.signed?.inputs ?? []) {
    const coin = await getCoin(tx, key);
    if (coin) await changeCoin(tx, coin, heldAs(true, record.id));
    else await spendOutput(wallet, tx, key, record);
  }
  await restoreOutputs(wallet, tx, record, 'available');
}

/** Runs a decision in one database transaction, then announces the payments that it changed. */
export async function decide<T>(
  wallet: Wallet,
  change: (tx: WriteTransaction, touched: Set<string>) => Promise<T>,
): Promise<T> {
  const touched = new Set<string>();
  const result = await inTransaction(wallet, (tx) => change(tx, touched));
  for (const id of touched) signalChange(wallet, id);
  if (touched.size > 0) announceChange(wallet);
  return result;
}

/**
 * Records that a verified proof places a payment in a block. The payment's coins are then spent, its change exists, and
 * every other payment that spends one of its coins fails.
 * @returns the payment, or null if it is already mined or the proven block has been replaced
 */
export function noteMined(wallet: Wallet, id: string, block: Header): Promise<PaymentRecord | null> {
  return decide(wallet, (tx, touched) => mine(wallet, tx, id, block, touched));
}

/** Like {@link noteMined}, within the transaction of a {@link decide} call. */
export async function mine(
  wallet: Wallet,
  tx: WriteTransaction,
  id: string,
  block: Header,
  touched: Set<string>,
): Promise<PaymentRecord | null> {
  const record = await getPayment(tx, id);
  if (!record?.signed || !isLive(record) || record.height !== null) return null;
  const { txid, inputs } = record.signed;
  if (!(await placeInBlock(wallet, tx, txid, block))) return null;
  touched.add(id);
  const mined = await putPayment(wallet, tx, record, {
    event: 'mine',
    height: block.height,
    broadcast: NOT_TRIED,
    confirmation: NOT_TRIED,
    trouble: null,
    replacedBy: null,
    ...markOfLate(record),
  });
  await markCoinsSpent(wallet, tx, mined);
  const winner = { txid, height: block.height, isCancel: record.cancel === true };
  const spendersAt = liveSpenders(tx);
  for (const key of inputs) {
    for (const rival of await spendersAt(key))
      if (rival.id !== id && rival.signed?.txid !== txid) await end(wallet, tx, rival, winner, touched);
  }
  await reinstateReplaced(wallet, tx, mined, touched);
  return mined;
}

/**
 * Ends the payments that spend `outpoint`, because a verified proof shows that a different transaction that spends it
 * (`spender`) is mined. If the spender is one of the wallet's payments, marks it as mined. Does nothing if the block
 * has been replaced.
 * @param transaction the spender, which excludes the payments that spend any of its inputs; null if unknown
 */
export function markConflicted(
  wallet: Wallet,
  id: string,
  outpoint: string,
  spender: string,
  block: Header,
  transaction: Transaction | null = null,
): Promise<void> {
  return decide(wallet, async (tx, touched) => {
    const record = await getPayment(tx, id);
    if (!record || !isLive(record) || record.height !== null) return;
    if (!(await isInChain(tx, block.hash))) return;
    const ours = (await spendersOf(tx, outpoint)).find(({ signed }) => signed?.txid === spender);
    if (ours) {
      await mine(wallet, tx, ours.id, block, touched);
      return;
    }
    const winner = { txid: spender, height: block.height, isCancel: false };
    const spent = new Set([
      outpoint,
      ...(transaction?.inputs.map((input) => outpointOf(input.txid, input.vout)) ?? []),
    ]);
    const spendersAt = liveSpenders(tx);
    for (const key of spent) for (const rival of await spendersAt(key)) await end(wallet, tx, rival, winner, touched);
    for (const key of spent) {
      // If a reorganization reverts the spending transaction, the next refresh of the address finds the coin again.
      const coin = await getCoin(tx, key);
      // Other outputs in baskets are checked, and watched for reorganizations, by a refresh (basket-spend-check.ts).
      if (!coin && key === outpoint) await spentElsewhere(wallet, tx, key, true);
      if (!coin) continue;
      // An action that reserves the coin has yet to be signed, and releases it when it ends.
      if (coin.status !== 'gone' && coin.status !== 'reserved')
        await changeCoin(tx, coin, { event: 'spend-elsewhere' });
    }
  });
}

/** Ends a payment and those that spend its outputs. Releases their coins and credits their allowances. */
export async function end(
  wallet: Wallet,
  tx: WriteTransaction,
  { id }: { id: string },
  winner: Winner,
  touched: Set<string>,
): Promise<void> {
  const before = await getLight(tx, id);
  // A mined payment never ends, because two mined payments can't conflict.
  if (!before || !isLive(before) || before.height !== null) return;
  const record = await getPayment(tx, id);
  if (!record?.signed) return;
  touched.add(id);
  const { isCancel, ...by } = winner;
  const { code, message } = new ServiceError(
    record.wasConfirmed ? 'payment-lost' : isCancel ? 'payment-cancelled' : 'network-rejected',
  );
  await putPayment(wallet, tx, record, {
    event: 'conflict',
    height: null,
    error: { code, message },
    ended: { ...by, state: record.state },
    deliveries: record.deliveries.map((one) =>
      one.state === 'waiting' ? { ...one, state: 'given-up' as const } : one,
    ),
  });
  const heirsOf = liveSpenders(tx);
  for (const key of record.signed.ownOutputs)
    for (const heir of await heirsOf(key)) await end(wallet, tx, heir, winner, touched);
  await voidOutputs(wallet, tx, record);
  await releaseCoins(wallet, tx, record.signed.inputs, id);
  if (record.sweep) await reopenEnded(wallet, tx, record.signed.inputs);
  await reinstateReplaced(wallet, tx, record, touched);
  if (record.allowance) await refundDebit(wallet, tx, record.allowance, sharesOf(await rivalsOf(tx, record)));
}

/**
 * Reinstates live payments whose replacement has ended or is mined. Also reinstates and rebroadcasts a cancellation
 * whose replacement spends a different coin, because the cancellation's coin would otherwise remain reserved.
 */
export async function reinstateReplaced(
  wallet: Wallet,
  tx: WriteTransaction,
  record: PaymentRecord,
  touched: Set<string>,
): Promise<void> {
  const before = record.replaces === undefined ? undefined : await getPayment(tx, record.replaces);
  const keys = new Set([...(record.signed?.inputs ?? []), ...(before?.signed?.inputs ?? [])]);
  const spenders = await Promise.all([...keys].map(liveSpenders(tx)));
  for (const found of new Map(spenders.flat().map((spender) => [spender.id, spender])).values()) {
    const isFreed = found.replacedBy === record.id;
    const cancelsIt = found.cancel === true && found.replaces === record.id && found.replacedBy === null;
    const one = isFreed || cancelsIt ? await getPayment(tx, found.id) : undefined;
    if (!one) continue;
    const isNeeded = cancelsIt || (one.cancel === true && before !== undefined && !isLive(before));
    const offered = isNeeded && one.state === 'signed' ? { trouble: null, broadcast: NOT_TRIED } : {};
    await putPayment(wallet, tx, one, { ...offered, replacedBy: null });
    await restoreOutputs(wallet, tx, one, isOnNetwork(one) ? 'available' : 'pending');
    touched.add(one.id);
  }
}

/** Releases coins that a payment no longer spends, unless another live payment spends them or they no longer exist. */
export async function releaseCoins(
  wallet: Wallet,
  tx: WriteTransaction,
  outpoints: readonly string[],
  id: string,
): Promise<void> {
  const spendersAt = liveSpenders(tx);
  const statusOf = freeStatuses(tx);
  for (const key of outpoints) {
    const coin = await getCoin(tx, key);
    const others = await spendersAt(key);
    const [other] = others;
    // A withheld transaction's output becomes `pending`, so another withheld action can spend it.
    const status = await statusOf(coin ?? { txid: key.slice(0, 64), height: null });
    // The wallet's coin can also be in an application's basket.
    const by = others.map(({ id: spender, origin, state }) => ({ id: spender, origin, isSent: state !== 'signed' }));
    await releaseOutput(wallet, tx, key, id, by, status !== 'pending');
    if (coin?.paymentId !== id || (coin.status !== 'reserved' && coin.status !== 'spent')) continue;
    await changeCoin(tx, coin, other ? heldAs(other.state !== 'signed', other.id) : { event: 'release', free: status });
  }
}
