/** A signed payment and the network: given to it until it definitely answers, then watched until a block holds it. */
import { broadcast, outcomeOf, transactionStatus, type BroadcastOutcome } from '../chain/arc.ts';
import { fetchTransaction, provenBlock } from '../chain/evidence.ts';
import { networkInfo, type NetworkInfo } from '../chain/network.ts';
import { transactionHex } from '../chain/whats-on-chain.ts';
import { putCoin } from '../coins/holdings.ts';
import { placeInBlock } from '../coins/store.ts';
import { fateOf } from './fate.ts';
import { postpone } from './postpone.ts';
import { stateOnNetwork, step, type PaymentRecord, type SignedPart } from './record.ts';
import { releasePayment } from './release.ts';

/** So many tries without a yes, and the wallet looks for itself whether it can still become one. */
const TRIES_BEFORE_DOUBT = 3;
/** Marks a first "no" that still has to be confirmed. */
const REFUSED_ONCE = 'refused: ';

/** Gives a signed payment to the network. @returns the payment as `broadcast` (or `settled`, where nobody is to be told of it), or null where that did not come about */
export async function giveToNetwork(record: PaymentRecord): Promise<PaymentRecord | null> {
  const signed = record.signed as SignedPart;
  const info = await networkInfo();
  const outcome = await tryBroadcast(info, signed);
  if (outcome.kind === 'accepted') return markBroadcast(record.id);
  if (outcome.kind === 'rejected' && (await isFinalNo(info, record))) {
    await releasePayment(record.id, [], outcome.detail);
    return null;
  }
  if (outcome.kind === 'contested' && record.delivery.attempts >= TRIES_BEFORE_DOUBT) {
    const fate = await fateOf(info, signed);
    if (fate.kind === 'known') return markBroadcast(record.id);
    if (fate.kind === 'dead') {
      await releasePayment(record.id, fate.gone, outcome.detail);
      return null;
    }
  }
  const problem = { unreachable: 'network-unavailable', contested: `contested: ${outcome.detail}`, rejected: REFUSED_ONCE + outcome.detail };
  await postpone(record.id, problem[outcome.kind]);
  return null;
}

/** One try. An earlier one may have got through although its answer did not: what counts is what the network has. */
async function tryBroadcast({ arcUrl }: NetworkInfo, { rawtx, txid }: SignedPart): Promise<BroadcastOutcome> {
  const outcome = await broadcast(arcUrl, rawtx, txid);
  if (outcome.kind === 'accepted') return outcome;
  const known = await transactionStatus(arcUrl, txid).catch(() => undefined);
  if (known) return outcomeOf(known);
  return known === undefined && outcome.kind === 'rejected' ? { ...outcome, kind: 'unreachable' } : outcome;
}

/**
 * Is a "no" the end? Not while the index has the transaction; and where an earlier try went unanswered, another gateway
 * may have taken it, so the "no" has to be heard twice.
 */
async function isFinalNo(info: NetworkInfo, { delivery, signed }: PaymentRecord): Promise<boolean> {
  if (delivery.attempts > 0 && !delivery.problem?.startsWith(REFUSED_ONCE)) return false;
  return (await fetchTransaction(info, (signed as SignedPart).txid)) === null;
}

/** The network has it: its inputs are spent, its change may be spent. */
function markBroadcast(id: string): Promise<PaymentRecord | null> {
  return step(id, 'signed', async (record, tx) => {
    const coins = tx.objectStore('coins');
    for (const key of record.signed?.inputs ?? []) {
      const coin = await coins.get(key);
      if (coin) await putCoin(tx, { ...coin, status: 'spent' });
    }
    for (const key of record.signed?.ownOutputs ?? []) {
      const coin = await coins.get(key);
      if (coin?.status === 'pending') await putCoin(tx, { ...coin, status: 'available' });
    }
    return { state: stateOnNetwork(record), delivery: { attempts: 0, nextAt: 0, problem: null } };
  });
}

/**
 * Sees whether a block holds it, and believes that only by a checked merkle path. What the network dropped is given to it
 * again, and ended once it can never be mined.
 */
export async function confirm(record: PaymentRecord): Promise<PaymentRecord | null> {
  if (record.height !== null || !record.signed) return null;
  const info = await networkInfo();
  const { txid, rawtx } = record.signed;
  const status = await transactionStatus(info.arcUrl, txid);
  const outcome = status && outcomeOf(status);
  const mined = status?.txStatus === 'MINED' || status?.txStatus === 'MINED_IN_STALE_BLOCK';
  // ARC forgets after a while, so its silence says nothing about a block.
  const block = status === null || mined ? await provenBlock(info, txid) : null;
  if (block) {
    return step(record.id, ['broadcast', 'settled'], async (_, tx) => ((await placeInBlock(tx, txid, block)) ? { height: block.height } : {}));
  }
  // Its block was replaced, perhaps, and it did not come back: ARC may not have noticed.
  if (mined && (await transactionHex(info.wocUrl, txid)) === null) await broadcast(info.arcUrl, rawtx, txid);
  if (status === null || outcome?.kind === 'rejected' || outcome?.kind === 'contested') {
    const fate = await fateOf(info, record.signed);
    if (fate.kind === 'dead') {
      await releasePayment(record.id, fate.gone, 'dropped by the network');
      return null;
    }
    if (fate.kind === 'open') await broadcast(info.arcUrl, rawtx, txid);
  }
  await postpone(record.id, null);
  return null;
}
