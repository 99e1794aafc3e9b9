/**
 * Chooses the payment that a new one replaces, and checks whether the network could accept both. A payment that every
 * operator rejected may still be valid, and others may have its bytes. Only spending one of the rejected payment's
 * coins ensures that at most one of the two payments is mined.
 */
import { mayCarryToken, type Coin } from '../../coins/coin.ts';
import { inTransaction, type WriteTransaction, readTransaction, database } from '../../store/database.ts';
import { OWN } from '../../sites/site.ts';
import { liveSpenders, rivalsOf } from './conflicts.ts';
import { isKnown } from './on-network.ts';
import type { LightPayment, PaymentRecord } from '../record.ts';
import { isCancellable, isLive, isOpen, isWithheldByApplication, isOnNetwork, PATIENCE_ATTEMPTS } from '../move.ts';
import {
  readPayment,
  getPayment,
  lightIn,
  lightUnfinished,
  paymentsIn,
  transition,
  allRequests,
  paymentsMaking,
} from '../store.ts';
import { shortRecipient } from '../../store/write-transaction.ts';
import { getCoin } from '../../coins/records.ts';
import type { Wallet } from '../../platform.ts';
import type { Plan } from '../../transaction/plan.ts';
import type { Quote } from '../../recipients/quote.ts';
import { isAcceptedLate } from './taken-late.ts';
import { tipIn } from '../../chain/headers/store.ts';

export interface ReplacementTarget {
  record: PaymentRecord;
  /**
   * The coin that replacements must spend. All payments in a chain spend the same anchor, so at most one can be mined.
   */
  anchor: Coin;
  /** The other coins of the payment and of earlier payments in the chain, which can also be spent. */
  others: Coin[];
  /** The payments in the chain, with their debits from allowances. */
  chain: PaymentRecord[];
  /**
   * False if the anchor may have caused the rejection or may already be spent. Such an anchor is used only as a last
   * resort.
   */
  trusted: boolean;
}

/** An unconfirmed coin is doubtful once this many rejected payments have spent it. */
const DOUBT = 2;

/** Maximum number of reads per search, because sites can withhold thousands of actions with many inputs each. */
const MAX_READS = 10_000;

/** The parts of a payment that show whether it repeats an earlier one. */
export interface Repeating {
  origin: string;
  quote: { outputs: readonly { to: string }[] };
}

/** True if the user may consider a payment a retry of an earlier one: it has the same site or recipient. */
export function repeats({ origin, quote }: Repeating, earlier: Repeating): boolean {
  if (origin === earlier.origin && origin !== OWN) return true;
  const paid = new Set(earlier.quote.outputs.map(({ to }) => to));
  return quote.outputs.some(({ to }) => paid.has(to));
}

/** Like {@link repeats}, but compares only the parts of recipients that light copies contain. */
const mayRepeat = (next: Repeating, light: Repeating): boolean => repeats(shortened(next), shortened(light));

const shortened = ({ origin, quote }: Repeating): Repeating => ({
  origin,
  quote: { outputs: quote.outputs.map(({ to }) => ({ to: shortRecipient(to) })) },
});

/**
 * Returns the payment that the next one replaces, or null. Chooses among payments that the network hasn't accepted:
 * preferably one that the next payment repeats, otherwise the oldest. A contested payment may still be accepted, so
 * only a payment that repeats it replaces it.
 */
export async function nextToReplace(wallet: Wallet, next: Repeating): Promise<ReplacementTarget | null> {
  const signed = await lightIn(readTransaction(await database(wallet)), 'signed');
  const isWanted = (one: LightPayment, isRepeated = repeats) =>
    isOpen(one) && (one.trouble !== 'contested' || isRepeated(next, one));
  const rank = (one: LightPayment) => Number(mayRepeat(next, one));
  const open = signed.filter((one) => isWanted(one, mayRepeat));
  for (const { id } of open.sort((a, b) => rank(b) - rank(a) || a.createdAt - b.createdAt)) {
    const record = await readPayment(wallet, id);
    if (!record || !isWanted(record) || !(await isLast(wallet, record))) continue;
    // No other payment may depend on the replaced one, and the network must have the coins that it spends.
    const rival = await inTransaction(wallet, (tx) => rivalIn(tx, record, null));
    if (rival) return rival;
  }
  return null;
}

/**
 * True if no live payment replaces this one. A replacement by an unsent or aborted action, which only earlier versions
 * created, doesn't count.
 */
async function isLast(wallet: Wallet, record: PaymentRecord): Promise<boolean> {
  const last = await lastOfChain(wallet, record);
  return last.id === record.id || last.trouble === 'held' || last.trouble === 'aborted';
}

/** Returns the last live payment in the chain of replacements, or the payment itself. */
export async function lastOfChain(wallet: Wallet, record: PaymentRecord): Promise<PaymentRecord> {
  for (let last = record; ;) {
    const next = last.replacedBy ? await readPayment(wallet, last.replacedBy) : undefined;
    if (!next || !isLive(next)) return last;
    last = next;
  }
}

/**
 * Returns the coins for a payment's cancellation, or null if it can't be canceled. If an earlier cancellation was
 * refused, the next one spends another of the payment's coins if possible.
 */
export async function cancellation(wallet: Wallet, id: string): Promise<ReplacementTarget | null> {
  const record = await readPayment(wallet, id);
  if (!record || record.cancel) return null;
  const last = await lastOfChain(wallet, record);
  if (!last.cancel && !(await isLast(wallet, record))) return null;
  if (!isCancellable({ ...record, replacedBy: null, trouble: last.trouble })) return null;
  return inTransaction(wallet, (tx) => rivalIn(tx, record, last));
}

async function rivalIn(
  tx: WriteTransaction,
  record: PaymentRecord,
  last: PaymentRecord | null,
): Promise<ReplacementTarget | null> {
  const chain = [record, ...(await rivalsOf(tx, record))];
  if (last && !chain.some(({ id }) => id === last.id)) chain.push(last);
  const ids = new Set(chain.map(({ id }) => id));
  const coins: Coin[] = [];
  for (const key of new Set(chain.flatMap(({ signed }) => signed?.inputs ?? []))) {
    const coin = await getCoin(tx, key);
    // A coin that carries an asset is never used for a replacement, which would destroy the asset.
    if (!coin || mayCarryToken(coin) || !(await isKnown(tx, coin))) continue;
    if (coin.paymentId && ids.has(coin.paymentId) && (coin.status === 'reserved' || coin.status === 'spent'))
      coins.push(coin);
  }
  const own = coins.filter(({ outpoint }) => record.signed?.inputs.includes(outpoint));
  const tried = last?.cancel ? new Set(chain.filter(({ cancel }) => cancel).map(({ group }) => group)) : new Set();
  const free = own.filter(({ outpoint }) => !tried.has(outpoint));
  const anchor =
    (last === null || tried.size === 0) && record.group !== undefined
      ? (own.find(({ outpoint }) => outpoint === record.group) ?? (chain.length === 1 ? best(own) : undefined))
      : best(free.length > 0 ? free : own);
  if (!anchor) return null;
  const others = coins.filter(({ outpoint }) => outpoint !== anchor.outpoint);
  const isSpent = chain.some(({ trouble }) => trouble === 'contested');
  return { record, anchor, others, chain, trusted: chain.length < DOUBT || (anchor.height !== null && !isSpent) };
}

/** Returns the largest confirmed coin, which certainly exists. If none is confirmed, returns the largest of all. */
function best(coins: readonly Coin[]): Coin | undefined {
  return [...coins].sort(
    (a, b) => Number(b.height !== null) - Number(a.height !== null) || Number(b.satoshis - a.satoshis),
  )[0];
}

type Next = Pick<PaymentRecord, 'origin' | 'quote' | 'action' | 'asset' | 'cancel'> & { id?: string };

/** Like {@link paysTwice}, in its own database transaction. */
export function mayPayTwice(
  wallet: Wallet,
  next: Next,
  plan: Pick<Plan<Coin>, 'inputs'>,
  { isInWindow = false } = {},
): Promise<boolean> {
  return inTransaction(wallet, (tx) => paysTwice(wallet, tx, next, plan, isInWindow));
}

/**
 * True if the network could accept both the new payment and an earlier one that it repeats, because they share no coin
 * or the new one isn't broadcast immediately. Also true if the network accepted the earlier payment after its page had
 * received a different result. Runs within the caller's database transaction.
 * @param isInWindow true if an approval window can warn the user, see {@link repeatsPending}
 */
export async function paysTwice(
  wallet: Wallet,
  tx: WriteTransaction,
  next: Next,
  { inputs }: Pick<Plan<Coin>, 'inputs'>,
  isInWindow = false,
): Promise<boolean> {
  // An asset is minted only once.
  if (next.cancel || next.asset?.mint) return false;
  const isSent = !next.action?.noSend && !next.action?.signLater;
  const spent = new Set(isSent ? inputs.map(({ outpoint }) => outpoint) : []);
  const search: Search = { spent, known: new Map(), readsLeft: MAX_READS };
  // A concurrent decision may have approved this payment itself.
  const approved = isInWindow ? (await lightIn(tx, 'approved')).filter(({ id }) => id !== next.id) : [];
  for (const light of [...(await lightIn(tx, 'signed')), ...approved]) {
    const mayBePaid = isOpen(light) || light.wasRejected;
    if (!(mayBePaid && mayRepeat(next, light)) && !repeatsPending(next, light, true)) continue;
    const earlier = (await getPayment(tx, light.id)) as PaymentRecord;
    const isRepeated = (mayBePaid && repeats(next, earlier)) || repeatsPending(next, earlier, isInWindow);
    if (isRepeated && !(await isExcluded(tx, earlier, search))) return true;
  }
  const repeated = (await lightUnfinished(wallet, tx)).filter((light) => mayRepeat(next, light));
  if (repeated.length === 0) return false;
  const tip = (await tipIn(tx))?.height ?? null;
  for (const { id } of repeated.filter((light) => isAcceptedLate(wallet, light, tip)))
    if (repeats(next, (await getPayment(tx, id)) as PaymentRecord)) return true;
  return false;
}

/**
 * True if a payment repeats one that the network hasn't accepted yet. For an approval window, the two must have the
 * same site and amount. Otherwise, they must also have the same recipients, and three broadcasts of the earlier payment
 * must have failed, so that a short outage doesn't stop a site's small payments.
 */
function repeatsPending(next: Next, earlier: LightPayment, isInWindow: boolean): boolean {
  if (isWithheldByApplication(earlier)) return false;
  if (earlier.origin !== next.origin || earlier.action || next.action || earlier.cancel || earlier.sweep) return false;
  const [a, b] = [next.quote, earlier.quote];
  if (a.amount !== b.amount || a.currency !== b.currency) return false;
  const recipients = ({ outputs }: Quote) => outputs.map(({ to }) => to).join('\n');
  return isInWindow || (earlier.broadcast.attempts >= PATIENCE_ATTEMPTS && recipients(a) === recipients(b));
}

/**
 * Records that the page or the user has been shown that a payment succeeded. From then on, an identical request is a
 * new payment.
 * @param shown the payment's record as it was shown
 */
export async function noteKnownPaid(wallet: Wallet, shown: PaymentRecord): Promise<void> {
  if (isAcceptedLate(wallet, shown, null))
    await transition(wallet, shown.id, ['broadcast', 'settled'], () => ({ knownPaid: true }));
}

/**
 * True if a pending request repeats a payment that the network hasn't accepted. Broadcasting that payment now could pay
 * twice.
 */
export async function isRequestedAgain(wallet: Wallet, earlier: PaymentRecord): Promise<boolean> {
  if (!isOpen(earlier)) return false;
  const tx = readTransaction(await database(wallet));
  const waiting = [...(await paymentsIn(tx, 'requested')), ...(await paymentsIn(tx, 'approved'))];
  if (waiting.some((next) => !next.cancel && repeats(next, earlier))) return true;
  return (await allRequests(tx)).some(({ origin }) => origin === earlier.origin);
}

/** A search for excluded payments, shared by all payments of a check, so each parent is visited once. */
interface Search {
  /** The coins that the new payment spends. */
  spent: ReadonlySet<string>;
  /** The results, by payment ID or outpoint. */
  known: Map<string, boolean>;
  readsLeft: number;
}

/**
 * True if the payment can't be mined once the given coins are spent, directly or because of its parents. False if the
 * search takes too many reads, so the user is warned.
 */
function isExcluded(tx: WriteTransaction, { id, signed }: PaymentRecord, search: Search): Promise<boolean> {
  const inputs = signed?.inputs ?? [];
  return findOnce(search, id, async () => {
    if (inputs.some((key) => search.spent.has(key))) return true;
    for (const key of inputs) if (await isSpentOnNetwork(tx, key, search)) return true;
    for (const txid of new Set(inputs.map((key) => key.slice(0, 64)))) {
      if ((search.readsLeft -= 1) < 0) return false;
      for (const maker of await paymentsMaking(tx, txid))
        if (isLive(maker) && !isOnNetwork(maker) && (await isExcluded(tx, maker, search))) return true;
    }
    return false;
  });
}

const isSpentOnNetwork = (tx: WriteTransaction, outpoint: string, search: Search): Promise<boolean> =>
  findOnce(search, outpoint, async () => {
    if ((search.readsLeft -= 1) < 0) return false;
    const spenders = await liveSpenders(tx)(outpoint);
    search.readsLeft -= spenders.length;
    return spenders.some(isOnNetwork);
  });

async function findOnce({ known }: Search, key: string, find: () => Promise<boolean>): Promise<boolean> {
  if (!known.has(key)) known.set(key, await find());
  return known.get(key) as boolean;
}
