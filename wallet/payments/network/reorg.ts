import type { WriteTransaction } from '../../store/database.ts';
import { signalChange } from '../../events.ts';
import { liveSpenders, rivalsOf, sharesOf, voidOutputs, ownScriptOf, restoreOutputs } from './conflicts.ts';
import { reopenSwept } from './swept.ts';
import { scheduleWork } from '../schedule.ts';
import { NOT_TRIED } from '../retry.ts';
import {
  paymentsMinedAbove,
  putPayment,
  getLight,
  getPayment,
  idsSpendingOutputs,
  lightMaking,
  paymentsEnded,
  paymentsMaking,
} from '../store.ts';
import type { Wallet } from '../../platform.ts';
import { repeatDebit } from '../../allowances/spend.ts';
import { restoreOutput, reserveOutput, spendOutput } from '../../baskets/outputs.ts';
import { mayReturn, heldAs, outpoint } from '../../coins/coin.ts';
import { hasReceipt } from '../../coins/receipts/receipts.ts';
import type { Ended, LightPayment, PaymentRecord } from '../record.ts';
import { isAbandoned, isLive, isOnNetwork, isWithheldByApplication, stateBeforeEnd } from '../move.ts';
import { markAddressUsed } from '../../coins/addresses/records.ts';
import { getCoin, changeCoin } from '../../coins/records.ts';

/**
 * Undoes the effects of blocks above a height: payments confirmed there become unconfirmed, payments ended there by a
 * conflict are reinstated, and payments to derived keys swept there by other wallets become due again.
 * @returns a function that requests proofs again, to be called after the commit
 */
export async function reopenAbove(wallet: Wallet, tx: WriteTransaction, height: number): Promise<() => Promise<void>> {
  const ids = [...(await unconfirmAbove(wallet, tx, height)), ...(await reviveAbove(wallet, tx, height))];
  await reopenSwept(wallet, tx, height);
  return async () => {
    for (const id of ids) signalChange(wallet, id);
    if (ids.length > 0) await scheduleWork(wallet);
  };
}

/** Marks payments mined above a height as unconfirmed, to request new proofs or broadcast again. @returns their IDs */
async function unconfirmAbove(wallet: Wallet, tx: WriteTransaction, height: number): Promise<string[]> {
  const taken = await paymentsMinedAbove(wallet, tx, height);
  for (const payment of taken) {
    const changes = { height: null, wasConfirmed: true, seenAt: null, confirmation: NOT_TRIED } as const;
    const unconfirmed = await putPayment(wallet, tx, payment, changes);
    // A restore needs the log entries of the applications' outputs that the payment spends.
    for (const key of payment.signed?.inputs ?? [])
      if (!(await getCoin(tx, key))) await spendOutput(wallet, tx, key, unconfirmed);
  }
  return taken.map(({ id }) => id);
}

/**
 * Reinstates payments ended by a conflict in a block above a height, because they may be mined again. Reserves their
 * coins again unless other payments spend them, and debits their allowances again.
 * @returns their IDs
 */
export async function reviveAbove(wallet: Wallet, tx: WriteTransaction, height: number): Promise<string[]> {
  const ended = await paymentsEnded(wallet, tx, height);
  ended.sort(byAge);
  for (const { id } of ended) await revive(wallet, tx, (await getPayment(tx, id)) as PaymentRecord);
  return ended.map(({ id }) => id);
}

async function revive(wallet: Wallet, tx: WriteTransaction, record: PaymentRecord): Promise<void> {
  const { id, ended } = record;
  // The transaction that ended the payment may be mined again, and its outputs to the wallet already count. With height
  // 0, it is instead the temporary ID of a transaction whose output the payment spends.
  const isRival = ended && ended.height > 0 && (await hasReceipt(tx, ended.txid));
  const rival = isRival && { rival: ended.txid };
  const { successor, earlier } = await competitorsOf(tx, record);
  await reinstate(wallet, tx, { ...record, ...rival }, troubleOnceRevived(record), successor);
  const isReplaced = Boolean((await getLight(tx, id))?.replacedBy);
  if (!isReplaced) for (const one of earlier) await replaceWith(wallet, tx, one, id);
}

/** Records that a reinstated payment replaces a live one. */
async function replaceWith(wallet: Wallet, tx: WriteTransaction, id: string, replacedBy: string): Promise<void> {
  const replaced = await getPayment(tx, id);
  if (!replaced || !isLive(replaced) || replaced.replacedBy) return;
  await putPayment(wallet, tx, replaced, { replacedBy });
  await voidOutputs(wallet, tx, replaced);
}

function troubleOnceRevived({ ended, trouble, cancel, sweep, action }: PaymentRecord): PaymentRecord['trouble'] {
  // Nodes may have dropped the payment in favor of the conflicting transaction.
  if (ended?.state !== 'signed') return 'unseen';
  // Users don't repeat cancellations, sweeps and actions.
  if (cancel || sweep || action || isWithheldByApplication({ trouble })) return trouble;
  // The page may have been notified of the failure, and the user may have paid again with other coins.
  return 'refused';
}

/**
 * Reinstates payments that ended because a transaction had lost the ID `txid` (altered.ts), together with the payments
 * that spend their outputs, because the transaction has this ID again.
 */
export async function reviveHeirs(
  wallet: Wallet,
  tx: WriteTransaction,
  txid: string,
  touched: Set<string>,
): Promise<void> {
  const heirs = new Map<string, PaymentRecord>();
  const made = [txid];
  for (const maker of made)
    for (const id of await idsSpendingOutputs(wallet, tx, maker)) {
      const heir = await getPayment(tx, id);
      if (heir?.ended?.height !== 0 || heirs.has(id)) continue;
      heirs.set(id, heir);
      if (heir.signed) made.push(heir.signed.txid);
    }
  /** The mined transactions that conflict with these payments or their parents, by the ID of the payment or parent. */
  const winners = new Map<string, Winner>();
  for (const heir of [...heirs.values()].sort(byAge)) {
    for (const maker of makersOf(heir)) {
      const winner = winners.has(maker) ? null : winnerOver(await paymentsMaking(tx, maker));
      if (winner) winners.set(maker, winner);
    }
    if (!(await hasInputs(tx, heir, new Set([txid, ...winners.keys()])))) continue;
    touched.add(heir.id);
    const winner = lowest([await minedRivalOf(tx, heir), ...makersOf(heir).map((maker) => winners.get(maker))]);
    if (winner && heir.signed) winners.set(heir.signed.txid, winner);
    if (winner) await putPayment(wallet, tx, heir, { ended: { ...(heir.ended as Ended), ...winner } });
    else await revive(wallet, tx, heir);
  }
}

/**
 * Makes payments that blocks have ended wait for `reviveHeirs` if they depend on an output of a transaction that has
 * lost the ID `from`. If a reorganization reinstated them, their inputs would not exist.
 */
export async function keepHeirsEnded(
  wallet: Wallet,
  tx: WriteTransaction,
  { from, to }: { from: string; to: string },
): Promise<void> {
  const made = new Set([from]);
  for (const maker of made)
    for (const id of await idsSpendingOutputs(wallet, tx, maker)) {
      const heir = await getPayment(tx, id);
      if (!heir?.signed || heir.height !== null) continue;
      made.add(heir.signed.txid);
      if (heir.ended && heir.ended.height > 0)
        await putPayment(wallet, tx, heir, { ended: { ...heir.ended, txid: to, height: 0 } });
    }
}

type Winner = Pick<Ended, 'txid' | 'height'>;

/** Returns the mined transaction that ended one of these payments. */
function winnerOver(payments: readonly PaymentRecord[]): Winner | null {
  const ended = payments.find((one) => one.ended && one.ended.height > 0)?.ended;
  return ended ? { txid: ended.txid, height: ended.height } : null;
}

/** Returns the winner in the lowest block, because all higher blocks are undone with it. */
const lowest = (winners: readonly (Winner | null | undefined)[]): Winner | undefined =>
  winners.filter((one) => one !== null && one !== undefined).sort((a, b) => a.height - b.height)[0];

const makersOf = ({ signed }: PaymentRecord) => [...new Set(signed?.inputs.map((key) => key.slice(0, 64)))];

/**
 * False if a transaction that creates one of a payment's inputs has ended, or now has a different ID.
 * @param ignored IDs of transactions that aren't checked
 */
async function hasInputs(
  tx: WriteTransaction,
  { signed, action }: PaymentRecord,
  ignored: ReadonlySet<string>,
): Promise<boolean> {
  const given = new Set(action?.inputs.map((input) => outpoint(input.txid, input.vout)));
  const known = new Map<string, LightPayment[]>();
  for (const key of signed?.inputs ?? []) {
    const maker = key.slice(0, 64);
    if (ignored.has(maker)) continue;
    const makers = known.get(maker) ?? (await lightMaking(tx, maker));
    known.set(maker, makers);
    const isThere =
      makers.length > 0
        ? makers.some((one) => isLive(one) || isAbandoned(one))
        : given.has(key) || (await getCoin(tx, key)) !== undefined || (await hasReceipt(tx, maker));
    if (!isThere) return false;
  }
  return true;
}

/** Returns a mined payment that spends one of a payment's inputs, or null. */
async function minedRivalOf(tx: WriteTransaction, { signed }: PaymentRecord): Promise<Winner | null> {
  const spendersOf = liveSpenders(tx);
  for (const key of signed?.inputs ?? [])
    for (const other of await spendersOf(key))
      if (other.signed && other.height !== null) return { txid: other.signed.txid, height: other.height };
  return null;
}

/** Orders payments so that parents are reinstated before the payments that spend their change. */
const byAge = (a: Aged, b: Aged) => (a.approvedAt ?? a.createdAt) - (b.approvedAt ?? b.createdAt);

type Aged = Pick<PaymentRecord, 'approvedAt' | 'createdAt'>;

/**
 * Returns the payments that spend a coin released when the payment ended, so that only one of them is broadcast: the ID
 * of the payment that replaces it, because the network may already have that one, or the IDs of those that it replaces.
 * A later payment replaces an earlier one, unless the network had accepted only the earlier one.
 */
async function competitorsOf(
  tx: WriteTransaction,
  record: PaymentRecord,
): Promise<{ successor: string | null; earlier: Set<string> }> {
  const { id, group, replaces, signed } = record;
  const isUnsent = stateBeforeEnd(record) === 'signed';
  const earlier = new Set<string>();
  const spendersOf = liveSpenders(tx);
  for (const key of signed?.inputs ?? [])
    for (const other of await spendersOf(key)) {
      const isOfChain =
        (group !== undefined && other.group === group) || other.replaces === id || other.id === replaces;
      if (isOfChain || other.replacedBy || other.height !== null) continue;
      if (byAge(record, other) <= 0 || (isUnsent && other.state !== 'signed')) return { successor: other.id, earlier };
      earlier.add(other.id);
    }
  return { successor: null, earlier };
}

/**
 * Reinstates an ended payment within the caller's database transaction. Reserves its coins again unless other payments
 * hold them, and debits its allowance again if it was credited. Also reinstates parents that the user has ended.
 * @param successor ID of the later payment that replaces it
 */
export async function reinstate(
  wallet: Wallet,
  tx: WriteTransaction,
  record: PaymentRecord,
  trouble: PaymentRecord['trouble'] = record.trouble,
  successor: string | null = null,
): Promise<void> {
  const { id } = record;
  for (const txid of new Set(record.signed?.inputs.map((key) => key.slice(0, 64))))
    for (const maker of (await paymentsMaking(tx, txid)).filter(isAbandoned)) {
      await reinstate(wallet, tx, maker);
      signalChange(wallet, maker.id);
    }
  const deliveries = record.deliveries.map((one) =>
    one.state === 'given-up' ? { ...one, state: 'waiting' as const, nextAt: 0 } : one,
  );
  // The payment that replaced it may have ended since.
  const next = record.replacedBy ? await getLight(tx, record.replacedBy) : undefined;
  const revived = await putPayment(wallet, tx, record, {
    event: 'reinstate',
    trouble,
    replacedBy: next && isLive(next) ? next.id : successor,
    ended: null,
    error: null,
    deliveries,
    seenAt: null,
    broadcast: NOT_TRIED,
    confirmation: NOT_TRIED,
    // If the clock was ahead, stored times are corrected later (stored-times/), but not those of ended payments.
    report: { ...record.report, nextAt: 0 },
    serviceReport: record.serviceReport && { ...record.serviceReport, nextAt: 0 },
  });
  const { state } = revived;
  for (const key of record.signed?.inputs ?? []) {
    const coin = await getCoin(tx, key);
    if (coin && (coin.status === 'available' || coin.status === 'pending' || mayReturn(coin)))
      await changeCoin(tx, coin, heldAs(state !== 'signed', id));
    if (coin) continue;
    if (state === 'signed') await restoreOutput(wallet, tx, key);
    await (state === 'signed' ? reserveOutput(wallet, tx, key, record) : spendOutput(wallet, tx, key, revived));
  }
  const before = revived.replaces === undefined ? undefined : await getPayment(tx, revived.replaces);
  if (before && successor === null) await replaceWith(wallet, tx, before.id, id);
  if (!revived.replacedBy) await restoreOutputs(wallet, tx, revived, isOnNetwork(revived) ? 'available' : 'pending');
  for (const key of revived.signed?.ownOutputs ?? []) {
    const coin = await getCoin(tx, key);
    if (coin) await markAddressUsed(wallet, tx, ownScriptOf(coin));
  }
  if (revived.allowance && !isAbandoned(record))
    await repeatDebit(wallet, tx, revived.allowance, sharesOf(await rivalsOf(tx, revived)));
}
