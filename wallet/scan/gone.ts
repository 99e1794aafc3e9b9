/** Determines whether unconfirmed incoming money that the index no longer lists has been dropped or double-spent. */
import { stageOf } from '../../protocol/network/broadcaster/outcome.ts';
import { transactionStatus } from '../chain/operators.ts';
import { fetchTransaction, minedRival } from '../chain/headers/spv.ts';
import { transactionHex } from '../chain/whats-on-chain.ts';
import { announceAltered } from '../coins/altered.ts';
import { lostCoin, markFailed, recordCheck } from '../coins/gone.ts';
import { outpoint } from '../coins/coin.ts';
import { MAX_SPENT_OUTPOINTS, type LostTo, type Receipt } from '../coins/receipts/receipt.ts';
import { announceChange } from '../events.ts';
import type { NetworkInfo } from '../chain/network-info.ts';
import type { Wallet } from '../platform.ts';

/**
 * A transaction is considered dropped if this many consecutive checks, over at least this time (milliseconds), don't
 * find it.
 */
const [LOOKS, DROPPED_AFTER_MS] = [4, 30 * 60_000];
/** Time between two checks (milliseconds): daily for a failed transaction, in case it reappears. */
const [LOOK_EVERY_MS, GONE_EVERY_MS] = [9 * 60_000, 24 * 3600_000];
/** Number of inputs checked each time. The next check continues with the following inputs. */
const INPUTS_PER_CHECK = 5;

/** Approximate number of requests per check. */
export const QUESTIONS = 3;

/** True if a check is due. A time in the future was recorded before the clock was set back. */
export function isCheckDue({ look, failed }: Receipt, now: number): boolean {
  const age = now - (look?.at ?? 0);
  return age < 0 || age >= (failed ? GONE_EVERY_MS : LOOK_EVERY_MS);
}

/**
 * Checks a transaction. Removes its money from the balance if another transaction in a verified block spends one of its
 * inputs or of its parents' inputs, or if several checks over a longer period haven't found it. If the transaction was
 * mined under a different ID, the wallet adopts that ID.
 * @param isReplaced true if the index lists a transaction with the same inputs, so one check suffices
 * @throws ServiceError `network-unavailable`, `invalid-proof`, `too-large`
 */
export async function checkReceipt(
  wallet: Wallet,
  info: NetworkInfo,
  { txid, spends = [], look, failed }: Receipt,
  isReplaced = false,
): Promise<void> {
  const now = wallet.now();
  const before = look ?? { at: 0, unknown: 0, since: now };
  const fail = async ({ txid: winner, height, hash }: LostTo) => {
    await markFailed(wallet, txid, 'double-spent', { ...before, at: now }, { txid: winner, height, hash });
    announceChange(wallet);
  };
  const lost = await lostCoin(wallet, spends);
  if (lost) return fail(lost);
  const inputs = await inputsOf(wallet, info, txid, spends);
  const from = (before.next ?? 0) % Math.max(1, inputs.length);
  for (const spent of [...inputs.slice(from), ...inputs.slice(0, from)].slice(0, INPUTS_PER_CHECK)) {
    const [parent = '', vout] = spent.split(':');
    const rival = await minedRival(wallet, info, { txid: parent, vout: Number(vout) }, txid);
    if (!rival) continue;
    const { spender: to, transaction, block } = rival;
    if (await announceAltered(wallet, { from: txid, to, block }, transaction)) return;
    return fail({ txid: to, height: block.height, hash: block.hash });
  }
  const rotation = inputs.length > INPUTS_PER_CHECK && { next: (from + INPUTS_PER_CHECK) % inputs.length };
  if (await isKnown(wallet, info, txid))
    return recordCheck(wallet, txid, { at: now, unknown: 0, since: now, ...rotation });
  const missed = { unknown: before.unknown + 1, since: before.unknown === 0 ? now : Math.min(before.since, now) };
  const checked = { at: now, ...missed, ...rotation };
  if (!failed && !isReplaced && (missed.unknown < LOOKS || now - missed.since < DROPPED_AFTER_MS))
    return recordCheck(wallet, txid, checked);
  await markFailed(wallet, txid, failed ?? 'dropped', checked);
  announceChange(wallet);
}

/** Returns the outpoints that a transaction spends. A receipt with many inputs contains only the first of them. */
async function inputsOf(
  wallet: Wallet,
  info: NetworkInfo,
  txid: string,
  spends: readonly string[],
): Promise<readonly string[]> {
  if (spends.length < MAX_SPENT_OUTPOINTS) return spends;
  const transaction = await fetchTransaction(wallet, info, txid).catch(() => null);
  return transaction?.inputs.map((input) => outpoint(input.txid, input.vout)) ?? spends;
}

async function isKnown(wallet: Wallet, info: NetworkInfo, txid: string): Promise<boolean> {
  const status = await transactionStatus(wallet, info, txid);
  if (status && !['refused', 'contested'].includes(stageOf(status))) return true;
  return (await transactionHex(wallet, info.wocUrl, txid)) !== null;
}
