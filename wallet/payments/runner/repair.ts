/** Uses the blockchain to correct stored payments and coins. Blocks override any stored state. */
import { dropAction } from '../../baskets/actions.ts';
import { remakeOutputs } from '../../baskets/outputs.ts';
import type { NetworkInfo } from '../../chain/network-info.ts';
import { provenBlock } from '../../chain/headers/spv.ts';
import { heldBy } from '../../coins/holder.ts';
import { inTransaction, type WriteTransaction, readTransaction, database } from '../../store/database.ts';
import { ServiceError } from '../../../protocol/errors/service-error.ts';
import { announceChange, signalChange } from '../../events.ts';
import { noteMined } from '../network/conflicts.ts';
import { reinstate } from '../network/reorg.ts';
import { endSwept } from '../network/swept.ts';
import { markUnproven } from '../../coins/unproven.ts';
import { isLive, isOnNetwork } from '../move.ts';
import type { PaymentRecord, SignedPart } from '../record.ts';
import { processAll } from './runner.ts';
import {
  copiedTxids,
  getPayment,
  paymentsEnded,
  paymentsIn,
  paymentsMaking,
  paymentsUnfinished,
  putPayment,
} from '../store.ts';
import { getCoin, amendCoin, changeCoin } from '../../coins/records.ts';
import type { Wallet } from '../../platform.ts';

/** Maximum number of failed payments that one repair looks up on the network. */
const MAX_LOOKED_UP = 20;

/**
 * Merges records of the same transaction, reinstates failed payments that are mined, reserves the coins that payments
 * spend, and retires the log entries of swept payments.
 * @throws ServiceError `network-unavailable`, `invalid-proof`
 */
export async function repairPayments(wallet: Wallet, info: NetworkInfo): Promise<void> {
  const changed = await inTransaction(wallet, async (tx) => [
    ...(await mergeCopies(wallet, tx)),
    ...(await endedByThemselves(wallet, tx)),
  ]);
  await inTransaction(wallet, (tx) => takeInputs(wallet, tx));
  await inTransaction(wallet, (tx) => markChange(wallet, tx));
  await inTransaction(wallet, (tx) => endSwept(wallet, tx));
  for (const id of changed) signalChange(wallet, id);
  const mined = await reinstateMined(wallet, info);
  if (changed.length === 0 && !mined) return;
  announceChange(wallet);
  void processAll(wallet);
}

/** Merges the records of each transaction into the oldest one. @returns IDs of the changed records */
async function mergeCopies(wallet: Wallet, tx: WriteTransaction): Promise<string[]> {
  const changed: string[] = [];
  for (const txid of await copiedTxids(tx)) {
    const [first, ...copies] = (await paymentsMaking(tx, txid)).sort((a, b) => a.createdAt - b.createdAt);
    if (!first) continue;
    for (const copy of copies) await dropCopy(wallet, tx, first.id, copy);
    changed.push(first.id, ...copies.map(({ id }) => id));
  }
  return changed;
}

/** Ends a duplicate record of a transaction, and assigns its outputs and coins to the record with the ID `to`. */
async function dropCopy(
  wallet: Wallet,
  tx: WriteTransaction,
  to: string,
  { signed, action, ...copy }: PaymentRecord,
): Promise<void> {
  const { code, message } = new ServiceError('unusable-input');
  const { replaces: _, group: __, ...rest } = copy;
  await putPayment(
    wallet,
    tx,
    { ...rest, ...(action && { action }), signed },
    {
      event: 'merge',
      error: { code, message },
      signed: null,
      ended: null,
      height: null,
      trouble: null,
      replacedBy: null,
    },
  );
  await dropAction(wallet, tx, copy.id);
  await remakeOutputs(tx, copy.id, to);
  const { inputs, ownOutputs } = signed as SignedPart;
  for (const key of [...inputs, ...ownOutputs]) {
    const coin = await getCoin(tx, key);
    if (coin?.paymentId === copy.id) await amendCoin(tx, coin, { paymentId: to });
  }
  const first = (await getPayment(tx, to)) as PaymentRecord & { signed: SignedPart };
  const own = new Set([...first.signed.ownOutputs, ...ownOutputs]);
  await putPayment(wallet, tx, first, { signed: { ...first.signed, ownOutputs: [...own] } });
}

/**
 * Reinstates payments that were ended by mistake because of a duplicate record, which made them seem to conflict with
 * their own or a parent's transaction.
 * @returns their IDs
 */
async function endedByThemselves(wallet: Wallet, tx: WriteTransaction): Promise<string[]> {
  const ended = await paymentsEnded(wallet, tx);
  const reinstated = new Map<string, string>();
  const changed: string[] = [];
  for (const record of ended.sort((a, b) => a.createdAt - b.createdAt)) {
    const { txid, inputs } = record.signed as SignedPart;
    const by = record.ended?.txid ?? '';
    const makers = inputs.map((key) => key.slice(0, 64));
    if (by !== txid && !makers.some((maker) => maker === by || reinstated.get(maker) === by)) continue;
    await reinstate(wallet, tx, record);
    reinstated.set(txid, by);
    changed.push(record.id);
  }
  return changed;
}

async function takeInputs(wallet: Wallet, tx: WriteTransaction): Promise<void> {
  const unfinished = await paymentsUnfinished(wallet, tx);
  for (const { signed, action } of unfinished)
    for (const key of signed?.inputs ?? action?.unsigned?.coins ?? []) {
      const coin = await getCoin(tx, key);
      const held = coin?.status === 'available' ? await heldBy(tx, coin) : null;
      if (coin && held) await changeCoin(tx, coin, held);
    }
}

/**
 * Corrects which change is marked as unproven. Earlier versions lost marks, or marked change from the wallet's own
 * coins.
 */
async function markChange(wallet: Wallet, tx: WriteTransaction): Promise<void> {
  const unfinished = await paymentsUnfinished(wallet, tx);
  for (const record of unfinished.filter(isLive))
    await markUnproven(tx, record, isOnNetwork(record) ? 'available' : 'pending');
}

/** Reinstates failed payments that are mined. @returns true if any was found */
async function reinstateMined(wallet: Wallet, info: NetworkInfo): Promise<boolean> {
  const failed = await paymentsIn(readTransaction(await database(wallet)), 'failed');
  const signed = failed.filter((record) => record.signed !== null).sort((a, b) => a.createdAt - b.createdAt);
  const from = Math.floor(wallet.random() * Math.max(1, signed.length - MAX_LOOKED_UP + 1));
  let isFound = false;
  for (const { id, signed: part } of signed.slice(from, from + MAX_LOOKED_UP)) {
    const block = await provenBlock(wallet, info, (part as SignedPart).txid);
    if (!block) continue;
    await inTransaction(wallet, async (tx) => {
      const record = await getPayment(tx, id);
      if (record?.state === 'failed' && record.signed) await reinstate(wallet, tx, record);
    });
    await noteMined(wallet, id, block);
    isFound = true;
  }
  return isFound;
}
