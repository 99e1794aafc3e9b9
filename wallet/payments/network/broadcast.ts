/**
 * Broadcasts a signed payment until the network responds, then watches until the payment or a conflicting transaction
 * is mined.
 */
import { stageOf, type Outcome } from '../../../protocol/network/broadcaster/outcome.ts';
import { provenByPath } from '../../chain/check-beef.ts';
import { submit, transactionStatus } from '../../chain/operators.ts';
import { fetchTransaction, provenBlock } from '../../chain/headers/spv.ts';
import { networkInfo } from '../../chain/network.ts';
import type { Header } from '../../chain/whats-on-chain.ts';
import { watchAgain } from './abandon.ts';
import { noteRival } from './altered.ts';
import { noteMined, markCoinsSpent } from './conflicts.ts';
import { checkDoubleSpend } from './double-spend-check.ts';
import { isRequestedAgain } from './replace.ts';
import { postpone } from './postpone.ts';
import type { PaymentRecord, SignedPart, Trouble } from '../record.ts';
import { isWithheldByApplication, isOnlyWatched, isOnNetwork } from '../move.ts';
import { MINUTE_MS } from '../retry.ts';
import { readSite, isBlocked } from '../../sites/store.ts';
import { transition, paymentsMaking } from '../store.ts';
import { inTransaction, readTransaction, database } from '../../store/database.ts';
import type { NetworkInfo } from '../../chain/network-info.ts';
import { coinsAt, readCoins } from '../../coins/records.ts';
import { getReceipts } from '../../coins/receipts/receipts.ts';
import { heldTip } from '../../chain/headers/store.ts';
import type { Wallet } from '../../platform.ts';

/** Number of failed broadcasts after which the wallet itself checks whether the payment can still succeed. */
const TRIES_BEFORE_DOUBT = 3;
/** Number of blocks without a proof after which ARC's status `seen` no longer suffices. */
const BLOCKS_BEFORE_DOUBT = 6;
/** Time without confirmation after which a payment is considered slow, in seconds, according to block timestamps. */
const SLOW_AFTER = 2 * 3600;

/**
 * Broadcasts a signed payment.
 * @returns the payment as `broadcast` (or `settled`, if it needs no report or delivery), or null if the network hasn't
 * accepted it
 */
export async function broadcastPayment(wallet: Wallet, record: PaymentRecord): Promise<PaymentRecord | null> {
  const signed = record.signed as SignedPart;
  const info = await networkInfo(wallet);
  if (
    record.replacedBy ||
    isKeptBack(record) ||
    (await waitsForMaker(wallet, record)) ||
    (await isRequestedAgain(wallet, record))
  )
    return watch(wallet, info, record);
  const { attempts } = record.broadcast;
  const doubtful = attempts >= TRIES_BEFORE_DOUBT;
  const outcome = await offer(wallet, info, record, signed, attempts > 0);
  if (outcome.kind === 'accepted') return markBroadcast(wallet, record);
  // A conflicting transaction may already be mined. Without this check, a refused sweep would be submitted forever.
  const isHopeless = outcome.kind === 'contested' || (outcome.kind === 'refused' && record.sweep === true);
  if (isHopeless && doubtful) return watch(wallet, info, record);
  // The index may list a transaction that operators reject or don't have. If the index can't be reached, the next
  // attempt queries it again.
  const isListed =
    (outcome.kind === 'refused' || doubtful) &&
    (await fetchTransaction(wallet, info, signed.txid).catch(() => null)) !== null;
  if (isListed) return watch(wallet, info, record);
  await postpone(wallet, record.id, ...postponement(outcome, doubtful));
  return null;
}

/** Returns the problem that delays the next broadcast, the changes to store, and the minimum delay. */
function postponement(
  outcome: Exclude<Outcome, { kind: 'accepted' }>,
  doubtful: boolean,
): [problem: string, found: Partial<Pick<PaymentRecord, 'trouble'>>, waitMs: number] {
  if (outcome.kind === 'contested') return ['payment-contested', { trouble: 'contested' }, 0];
  // Longer delays are stored per operator (wallet/chain/operators.ts), because others may accept the payment sooner.
  if (outcome.kind === 'later') return ['network-unavailable', {}, Math.min(outcome.retryAfterMs ?? 0, MINUTE_MS)];
  // Otherwise, the next attempt may succeed, because the rejection isn't permanent or came from only one of several
  // operators.
  if (outcome.kind === 'refused' && (outcome.isDefinite || doubtful))
    return ['network-rejected', { trouble: 'refused' }, 0];
  return ['network-unavailable', {}, 0];
}

/**
 * True if every operator refused the payment, it was reinstated after it failed, or an application withholds it or has
 * given it up. A refused sweep is submitted again, because no payment replaces it.
 */
const isKeptBack = (record: PaymentRecord) =>
  (record.trouble === 'refused' && !record.sweep) || isWithheldByApplication(record);

/**
 * True if the wallet doesn't query the network about a withheld action, because the action is new and no one else has
 * it, or because its site is blocked. False once the index has listed one of the action's outputs, under any ID.
 */
export async function isNotQueried(wallet: Wallet, record: PaymentRecord): Promise<boolean> {
  const { origin, trouble, broadcast, replacedBy } = record;
  const { attempts } = broadcast;
  if (!isOnlyWatched(record) || replacedBy) return false;
  const mayBeQuiet = (trouble === 'held' && attempts === 0) || isBlocked(await readSite(wallet, origin), wallet.now());
  return mayBeQuiet && !(await isShown(wallet, record));
}

/**
 * True if the index has listed one of the action's outputs. If third parties have changed the action's ID, the wallet
 * has a receipt for a transaction that spends the action's inputs.
 */
async function isShown(wallet: Wallet, { signed }: PaymentRecord): Promise<boolean> {
  const own = (await readCoins(wallet, signed?.ownOutputs ?? [])).filter((coin) => coin !== undefined);
  if (own.some(({ seen }) => seen)) return true;
  const tx = readTransaction(await database(wallet));
  const atAddresses = (await Promise.all(own.map(({ script }) => coinsAt(tx, script)))).flat();
  const receipts = await getReceipts(tx, new Set(atAddresses.map(({ txid }) => txid)));
  return receipts.some(({ spends }) => spends?.some((key) => signed?.inputs.includes(key)));
}

/** Checks, without broadcasting, whether the network has the payment, or whether a conflicting transaction is mined. */
async function watch(wallet: Wallet, info: NetworkInfo, record: PaymentRecord): Promise<PaymentRecord | null> {
  const { id, signed, broadcast: tries, replacedBy } = record;
  if (await isNotQueried(wallet, record)) {
    await postpone(wallet, id, tries.problem);
    return null;
  }
  const fate = await checkDoubleSpend(wallet, info, signed as SignedPart, tries.attempts);
  if (fate.kind === 'mined') return markMined(wallet, record, fate.block);
  // If the payment was replaced, a listing in the index doesn't show which of the two payments will be mined.
  if (fate.kind === 'known' && !replacedBy) return markBroadcast(wallet, record);
  if (fate.kind === 'dead') await noteRival(wallet, id, fate);
  else await postpone(wallet, id, tries.problem);
  return null;
}

/** Submits a signed payment in Extended Format, with the wallet's data about the spent outputs. */
function offer(
  wallet: Wallet,
  info: NetworkInfo,
  { action }: Pick<PaymentRecord, 'action'>,
  { rawtx, txid, inputs, inputSatoshis }: SignedPart,
  everywhere: boolean,
): Promise<Outcome> {
  const satoshis = new Map(inputs.map((key, i) => [key, inputSatoshis[i] as bigint]));
  return submit(wallet, info, { rawtx, txid, satoshis, given: action?.inputs ?? [] }, everywhere);
}

const markBroadcast = (wallet: Wallet, record: PaymentRecord) =>
  evenIfEnded(wallet, record, (id) => markAccepted(wallet, id));

const markMined = (wallet: Wallet, record: PaymentRecord, block: Header) =>
  evenIfEnded(wallet, record, (id) => noteMined(wallet, id, block));

/** Stores a payment's network status, even if the user ended the payment during the request. */
async function evenIfEnded(
  wallet: Wallet,
  { id, signed }: PaymentRecord,
  note: (id: string) => Promise<PaymentRecord | null>,
): Promise<PaymentRecord | null> {
  const noted = await note(id);
  if (noted) return noted;
  const isWatched = await inTransaction(wallet, (tx) => watchAgain(wallet, tx, signed?.txid ?? ''));
  return isWatched ? note(id) : null;
}

/**
 * Marks the inputs as spent and the change as spendable. Does nothing if the payment was replaced during the request,
 * because the replacement holds the coins until one of the two is mined.
 */
function markAccepted(wallet: Wallet, id: string): Promise<PaymentRecord | null> {
  return transition(wallet, id, 'signed', async (record, tx) => {
    if (record.replacedBy) return {};
    await markCoinsSpent(wallet, tx, record);
    return { event: 'accept', trouble: null };
  });
}

/**
 * Checks whether a verified merkle path proves that the payment is mined. Rebroadcasts a payment that the network
 * dropped, and ends one that can no longer be mined.
 */
export async function confirm(wallet: Wallet, record: PaymentRecord): Promise<PaymentRecord | null> {
  if (record.height !== null || !record.signed || record.confirmation.nextAt > wallet.now()) return null;
  const info = await networkInfo(wallet);
  const { txid } = record.signed;
  const status = await transactionStatus(wallet, info, txid);
  const stage = status && stageOf(status);
  const mined = stage === 'mined' || status?.txStatus === 'MINED_IN_STALE_BLOCK';
  const tip = await heldTip(wallet);
  const seenAt = record.seenAt ?? (tip ? { height: tip.height, time: tip.time } : null);
  const waited =
    tip && seenAt ? { blocks: tip.height - seenAt.height, seconds: tip.time - seenAt.time } : { blocks: 0, seconds: 0 };
  const overdue = waited.blocks >= BLOCKS_BEFORE_DOUBT;
  // Operators drop old transactions, so a transaction unknown to them may still be in a block.
  const told = status?.merklePath ? await provenByPath(wallet, info, txid, status.merklePath).catch(() => null) : null;
  const block = told ?? (status === null || mined || overdue ? await provenBlock(wallet, info, txid) : null);
  if (block) return markMined(wallet, record, block);
  const doubtful = overdue || status === null || mined || stage === 'refused' || stage === 'contested';
  const found = doubtful ? await reoffer(wallet, info, record, record.signed) : { trouble: null };
  if (found === null) return null;
  const slow = found.trouble === null && waited.seconds >= SLOW_AFTER;
  await postpone(wallet, record.id, null, { seenAt, trouble: slow ? 'slow' : found.trouble });
  return null;
}

/**
 * Checks the index for a payment that its operator may have lost. If the payment is missing and no other payment has
 * replaced it, submits it again, if necessary to several operators.
 * @returns null if the payment was mined or ended
 */
async function reoffer(
  wallet: Wallet,
  info: NetworkInfo,
  record: PaymentRecord,
  signed: SignedPart,
): Promise<{ trouble: Trouble | null } | null> {
  const { id, confirmation, replacedBy } = record;
  // A reorganization may have removed the payment's block without the operator noticing.
  const fate = await checkDoubleSpend(wallet, info, signed, confirmation.attempts);
  if (fate.kind === 'known') return { trouble: null };
  if (fate.kind === 'mined') {
    await markMined(wallet, record, fate.block);
    return null;
  }
  if (fate.kind === 'dead') {
    await noteRival(wallet, id, fate);
    return null;
  }
  if (!replacedBy && !(await waitsForMaker(wallet, record))) {
    await offer(wallet, info, record, signed, true);
  }
  return { trouble: 'unseen' };
}

/** True if a payment can't be broadcast yet, because it spends an output that the network doesn't have. */
export async function waitsForMaker(wallet: Wallet, { signed }: PaymentRecord): Promise<boolean> {
  const tx = readTransaction(await database(wallet));
  const txids = new Set(signed?.inputs.map((key) => key.slice(0, 64)));
  const makers = await Promise.all([...txids].map((txid) => paymentsMaking(tx, txid)));
  return makers.some((own) => own.length > 0 && !own.some(isOnNetwork));
}
