/**
 * A signed payment and the network: given to it until it answers, then watched until a block holds it, or another in
 * its place.
 */
import { broadcast, outcomeOf, transactionStatus, type BroadcastOutcome } from '../chain/arc.ts';
import { fetchTransaction, provenBlock } from '../chain/spv.ts';
import { heldTip } from '../chain/headers.ts';
import { networkInfo } from '../chain/network.ts';
import { noteDead, noteMined, takeCoins } from './conflicts.ts';
import { checkDoubleSpend } from './double-spend-check.ts';
import { waitsForMaker } from './on-network.ts';
import { isAskedAgain } from './pay-twice.ts';
import { postpone } from './postpone.ts';
import { isKeptByApplication, stateOnNetwork, type PaymentRecord, type SignedPart, type Trouble } from './record.ts';
import { isBlocked } from '../sites/site.ts';
import { readSite } from '../sites/store.ts';
import { transition } from './transition.ts';
import type { NetworkInfo } from '../chain/network-info.ts';

/** So many tries without a yes, and the wallet looks for itself whether it can still become one. */
const TRIES_BEFORE_DOUBT = 3;
/** So many blocks without a proof, and ARC's word that it has been seen is not enough any more. */
const BLOCKS_BEFORE_DOUBT = 6;
/** A payment that no block takes for so long, by the blocks' own times, is slow (seconds). */
const SLOW_AFTER = 2 * 3600;

/**
 * Broadcasts a signed payment.
 * @returns the payment as `broadcast` (or `settled`, if there is nobody to report or deliver it to), or null if the
 * network has not accepted it
 */
export async function broadcastPayment(record: PaymentRecord): Promise<PaymentRecord | null> {
  const signed = record.signed as SignedPart;
  const info = await networkInfo();
  if (record.replacedBy || isKeptBack(record) || (await waitsForMaker(record)) || (await isAskedAgain(record)))
    return watch(info, record);
  const doubtful = record.broadcast.attempts >= TRIES_BEFORE_DOUBT;
  const outcome = await offer(info, signed, doubtful);
  if (outcome.kind === 'accepted') return markBroadcast(record.id);
  if (outcome.kind === 'rejected') {
    // The index may have what ARC refuses. Where it does not answer, that is not known; it is looked at again.
    if ((await fetchTransaction(info, signed.txid).catch(() => null)) !== null) return markBroadcast(record.id);
    await postpone(record.id, 'network-rejected', { trouble: 'refused' });
    return null;
  }
  if (outcome.kind === 'contested' && doubtful) return watch(info, record);
  const contested = outcome.kind === 'contested';
  await postpone(
    record.id,
    contested ? 'payment-contested' : 'network-unavailable',
    contested ? { trouble: 'contested' } : {},
  );
  return null;
}

/**
 * True if every ARC refused it, or an application keeps it or has given it up. A sweep is offered again: no payment
 * replaces it, and no one requests it again.
 */
const isKeptBack = (record: PaymentRecord) =>
  (record.trouble === 'refused' && !record.sweep) || isKeptByApplication(record);

/**
 * True if the network isn't asked about a payment that an application keeps: right after it was made nobody has it, and a
 * blocked site has no requests made.
 */
export async function isLeftAlone(record: PaymentRecord): Promise<boolean> {
  const { origin, trouble, broadcast, replacedBy } = record;
  const { attempts } = broadcast;
  if (!isKeptByApplication(record) || replacedBy) return false;
  return (trouble === 'held' && attempts === 0) || isBlocked(await readSite(origin), Date.now());
}

/** Checks whether the network has it after all, or a block decided otherwise, without broadcasting it again. */
async function watch(info: NetworkInfo, record: PaymentRecord): Promise<PaymentRecord | null> {
  const { id, signed, broadcast: tries, replacedBy } = record;
  if (await isLeftAlone(record)) {
    await postpone(id, tries.problem);
    return null;
  }
  const fate = await checkDoubleSpend(info, signed as SignedPart, tries.attempts);
  if (fate.kind === 'mined') return noteMined(id, fate.block);
  // Of two that exclude each other, the index's word that it has seen one decides nothing.
  if (fate.kind === 'known' && !replacedBy) return markBroadcast(id);
  if (fate.kind === 'dead') await noteDead(id, fate.outpoint, fate.spender, fate.block);
  else await postpone(id, tries.problem);
  return null;
}

/**
 * Offers it to ARC, and to another one where the first refuses it or, in doubt, does not take it. An ARC that does not
 * answer has no say.
 */
async function offer(
  { arcUrl, otherArcUrls = [] }: NetworkInfo,
  signed: SignedPart,
  doubtful: boolean,
): Promise<BroadcastOutcome> {
  const outcome = await tryBroadcast(arcUrl, signed);
  if (outcome.kind === 'accepted' || (outcome.kind !== 'rejected' && !doubtful)) return outcome;
  return (await offerElsewhere(otherArcUrls, signed)) ?? outcome;
}

/** What another ARC says that takes it, or calls it contested; null where none does. */
async function offerElsewhere(arcUrls: readonly string[], signed: SignedPart): Promise<BroadcastOutcome | null> {
  for (const arcUrl of arcUrls) {
    const outcome = await tryBroadcast(arcUrl, signed);
    if (outcome.kind === 'accepted' || outcome.kind === 'contested') return outcome;
  }
  return null;
}

/** One try. An earlier one may have got through although its answer did not: what counts is what the network has. */
async function tryBroadcast(arcUrl: string, { rawtx, txid }: SignedPart): Promise<BroadcastOutcome> {
  const outcome = await broadcast(arcUrl, rawtx, txid);
  if (outcome.kind === 'accepted') return outcome;
  const known = await transactionStatus(arcUrl, txid).catch(() => undefined);
  if (known) return outcomeOf(known);
  return known === undefined && outcome.kind === 'rejected' ? { ...outcome, kind: 'unreachable' } : outcome;
}

/**
 * The network has it: its inputs are spent, its change may be spent. Not where another payment has taken its place while
 * the network was asked: the coins are that one's then, until a block decides.
 */
function markBroadcast(id: string): Promise<PaymentRecord | null> {
  return transition(id, 'signed', async (record, tx) => {
    if (record.replacedBy) return {};
    await takeCoins(tx, record);
    return { state: stateOnNetwork(record), trouble: null };
  });
}

/**
 * Sees whether a block holds it, and believes that only by a checked merkle path. What the network dropped is given to
 * it again, and ended once it can never be mined.
 */
export async function confirm(record: PaymentRecord): Promise<PaymentRecord | null> {
  if (record.height !== null || !record.signed || record.confirmation.nextAt > Date.now()) return null;
  const info = await networkInfo();
  const { txid } = record.signed;
  const status = await transactionStatus(info.arcUrl, txid);
  const outcome = status && outcomeOf(status);
  const mined = status?.txStatus === 'MINED' || status?.txStatus === 'MINED_IN_STALE_BLOCK';
  const tip = await heldTip();
  const seenAt = record.seenAt ?? (tip ? { height: tip.height, time: tip.time } : null);
  const waited =
    tip && seenAt ? { blocks: tip.height - seenAt.height, seconds: tip.time - seenAt.time } : { blocks: 0, seconds: 0 };
  const overdue = waited.blocks >= BLOCKS_BEFORE_DOUBT;
  // ARC forgets after a while, so its silence says nothing about a block.
  const block = status === null || mined || overdue ? await provenBlock(info, txid) : null;
  if (block) return noteMined(record.id, block);
  const doubtful = overdue || status === null || mined || outcome?.kind === 'rejected' || outcome?.kind === 'contested';
  const found = doubtful ? await reoffer(info, record, record.signed) : { trouble: null };
  if (found === null) return null;
  const slow = found.trouble === null && waited.seconds >= SLOW_AFTER;
  await postpone(record.id, null, { seenAt, trouble: slow ? 'slow' : found.trouble });
  return null;
}

/**
 * What ARC had, and may have no more: does the index have it? If not, it is given to another ARC where there is one,
 * and to the same again, unless something else has taken its place.
 * @returns null where it has ended
 */
async function reoffer(
  info: NetworkInfo,
  record: PaymentRecord,
  signed: SignedPart,
): Promise<{ trouble: Trouble | null } | null> {
  const { id, confirmation, replacedBy } = record;
  // Its block was replaced, perhaps, and it did not come back: ARC may not have noticed.
  const fate = await checkDoubleSpend(info, signed, confirmation.attempts);
  if (fate.kind === 'known') return { trouble: null };
  if (fate.kind === 'mined') {
    await noteMined(id, fate.block);
    return null;
  }
  if (fate.kind === 'dead') {
    await noteDead(id, fate.outpoint, fate.spender, fate.block);
    return null;
  }
  if (!replacedBy && !(await waitsForMaker(record))) {
    await broadcast(info.arcUrl, signed.rawtx, signed.txid);
    await offerElsewhere(info.otherArcUrls ?? [], signed);
  }
  return { trouble: 'unseen' };
}
