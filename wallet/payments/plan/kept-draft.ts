/**
 * Caches the draft shown in a window for a payment, a mint or a cancellation. The cached draft is signed unless a coin,
 * the rate or the payment has changed, in which case it is planned again. Storing the signed payment repeats the checks
 * (commit.ts).
 */
import { toHex } from '../../../protocol/bitcoin/bytes.ts';
import { refuseOldRate } from '../../chain/rates.ts';
import { feeRate } from '../../chain/network.ts';
import { mayCarryToken, type Coin } from '../../coins/coin.ts';
import { readCoins } from '../../coins/records.ts';
import { cancellation, nextToReplace } from '../network/replace.ts';
import type { PaymentRecord } from '../record.ts';
import { newlyReserved } from '../set-aside.ts';
import { reservesCoins } from '../move.ts';
import { draftPayment } from './build.ts';
import type { Draft } from './draft.ts';
import { feesOfStored } from './stored-fees.ts';
import type { FeeRate, Plan } from '../../transaction/plan.ts';
import { tokenCoins } from './token-coins.ts';
import { part, type Wallet } from '../../platform.ts';

/** Maximum number of cached drafts, one per window. A restart clears the cache. */
const MAX_CACHED_DRAFTS = 4;

/** A draft and the fee rate with which it was planned. */
interface Kept {
  draft: Draft;
  rate: FeeRate;
}

/** Cached drafts by {@link sourceOf}. */
const kept = part(() => new Map<string, Kept>());

/**
 * Returns the cached or a new draft of a payment that awaits the user's decision or was just approved.
 * @param mostFee maximum fee, in satoshis; no limit if omitted
 * @param mostSetAside see {@link draftPayment}
 * @throws ServiceError see {@link draftPayment}
 */
export async function cachedDraft(
  wallet: Wallet,
  record: PaymentRecord,
  mostFee?: bigint,
  mostSetAside: bigint | null = null,
): Promise<Draft> {
  const drafts = kept(wallet);
  const source = sourceOf(record);
  const before = drafts.get(source);
  if (before && (await isCurrent(wallet, record, before, mostFee, mostSetAside))) return before.draft;
  drafts.delete(source);
  const draft = await draftPayment(wallet, record, mostFee, { mostSetAside });
  drafts.set(source, { draft, rate: await feeRate(wallet) });
  for (const oldest of [...drafts.keys()].slice(0, -MAX_CACHED_DRAFTS)) drafts.delete(oldest);
  return draft;
}

/**
 * Returns the cache key: everything a draft depends on, except coins and rates. The key excludes the payment's ID,
 * because the popup shows a draft before the payment exists. An action's key is its record's ID and last change.
 */
function sourceOf({ id, updatedAt, origin, quote, options, action, asset, split, cancel, replaces }: PaymentRecord) {
  const exact = action ? [id, updatedAt] : [options.opReturn, options.preserveOrder, split, cancel, replaces];
  const paid = [quote.outputs.map(({ to, scripts }) => [to, scripts]), quote.asset?.id, quote.asset?.units];
  return JSON.stringify([origin, exact, paid, asset?.mint, asset?.coins, asset?.outputs], (_key, value: unknown) =>
    typeof value === 'bigint' ? `${value}` : value instanceof Uint8Array ? toHex(value) : value,
  );
}

/**
 * True if a draft is within the limits, and its coins, fee rate and replaced payment are unchanged. A draft that ends
 * actions awaiting signatures is never current, because other coins may suffice by now.
 */
async function isCurrent(
  wallet: Wallet,
  record: PaymentRecord,
  { draft: { plan, rival, ends }, rate }: Kept,
  mostFee: bigint | undefined,
  mostSetAside: bigint | null,
): Promise<boolean> {
  const { inputs, feeSatoshis } = plan;
  refuseOldRate(record.quote.rate, wallet.now());
  if (ends) return false;
  if (mostFee !== undefined && feeSatoshis > mostFee) return false;
  if (mostSetAside !== null && reservesCoins(record) && newlyReserved(inputs) > mostSetAside) return false;
  const now = await feeRate(wallet);
  if (now.satoshis !== rate.satoshis || now.bytes !== rate.bytes) return false;
  const replaced = record.cancel ? cancellation(wallet, record.replaces ?? '') : nextToReplace(wallet, record);
  if ((await replaced)?.record.id !== rival?.record.id) return false;
  if ((await feesOfStored(wallet, inputs)).has(feeSatoshis)) return false;
  if (!(await spendsSameTokens(wallet, record, plan))) return false;
  const coins = await readCoins(
    wallet,
    inputs.map(({ outpoint }) => outpoint),
  );
  return coins.every((coin, i) => coin?.status === inputs[i]?.status && coin?.paymentId === inputs[i]?.paymentId);
}

/** True if the paid tokens would still come from the same coins. A coin may have turned out to be forged. */
async function spendsSameTokens(
  wallet: Wallet,
  { quote: { asset } }: PaymentRecord,
  { inputs, outputs }: Plan<Coin>,
): Promise<boolean> {
  if (!asset) return true;
  const { coins, left } = await tokenCoins(wallet, asset.id, BigInt(asset.units));
  const spent = new Set(inputs.filter(mayCarryToken).map(({ outpoint }) => outpoint));
  const made = new Set(outputs.map(({ lockingScript }) => toHex(lockingScript)));
  return (
    spent.size === coins.length &&
    coins.every(({ outpoint }) => spent.has(outpoint)) &&
    left.every(({ lockingScript }) => made.has(toHex(lockingScript)))
  );
}
