/** Drafts a transaction: chooses coins and change addresses, and computes the fee. */
import { fromHex } from '../../../protocol/bitcoin/bytes.ts';
import type { TransactionOutput } from '../../../protocol/bitcoin/transaction.ts';
import { meaningOf, ServiceError, toWireError } from '../../../protocol/errors/service-error.ts';
import {
  chooseCoins,
  MAX_INPUTS,
  TIERS,
  without,
  type CoinSource,
  gentle,
  plus,
  availableCoins,
  countCoins,
} from '../../coins/choose.ts';
import { feeRate } from '../../chain/network.ts';
import type { Address } from '../../coins/addresses/address.ts';
import { outpoint, type Coin } from '../../coins/coin.ts';
import type { Wallet } from '../../platform.ts';
import type { ApplicationInput } from '../../transaction/input.ts';
import { changeOutputCount, type Plan, spendingFee, type FeeRate } from '../../transaction/plan.ts';
import { nextToReplace, type Repeating, type ReplacementTarget } from '../network/replace.ts';
import { newlyReserved, waitingActions, type Waiting } from '../set-aside.ts';
import { changeAddresses, checkChange } from './change-addresses.ts';
import { planAnew } from './stored-fees.ts';

/** A planned transaction, its change addresses, and the payment that it replaces. */
export interface Draft {
  plan: Plan<Coin>;
  change: Address[];
  rival: ReplacementTarget | null;
  /** The positions of an action's requested outputs in the transaction. */
  places?: number[];
  /** IDs of the actions awaiting signatures that lose their reserved coins to this transaction. */
  ends?: string[];
}

/** The requirements of a transaction. */
export interface TransactionSpec {
  outputs: TransactionOutput[];
  preserveOrder: boolean;
  /** The application's inputs. `required` coins must be spent, although coin selection would never choose them. */
  given: readonly ApplicationInput[];
  required: readonly Coin[];
  /** True if the payment can replace a rejected one. */
  mayReplace: boolean;
  /** Set if the action reserves coins: at most `most` satoshis (null for no limit), and no coins of other actions. */
  setAside?: { most: bigint | null };
  /** Actions that await signatures and whose coins must not be used: those of one site, or all. */
  spares?: { site: string } | 'all';
  /** True if an application withholds the transaction for now. */
  isKept?: boolean;
}

/**
 * Chooses coins and change addresses for a transaction. If the unreserved coins are insufficient, uses coins reserved
 * by actions that wait for signatures.
 * @param mostFee maximum fee, in satoshis; no limit if omitted
 * @throws ServiceError `insufficient-funds`, `amount-too-many-coins`, `fee-changed`, `network-unavailable`,
 * `data-too-large`, `wallet-not-set-up`
 */
export async function draftTransaction(
  wallet: Wallet,
  record: Repeating,
  wish: TransactionSpec,
  mostFee?: bigint,
): Promise<Draft> {
  try {
    return await draftFrom(wallet, record, () => availableCoins(wallet), wish, mostFee);
  } catch (error) {
    if (wish.setAside || wish.spares === 'all' || !isShort(error)) throw error;
    const draft = await draftWithWaiting(wallet, record, wish, wish.spares?.site, mostFee);
    if (!draft) throw error;
    return draft;
  }
}

const isShort = (error: unknown) => toWireError(error).code === 'insufficient-funds';

/**
 * Plans a payment that also uses the coins of as few waiting actions as possible. Returns null if even the coins of all
 * waiting actions are insufficient.
 */
async function draftWithWaiting(
  wallet: Wallet,
  record: Repeating,
  wish: TransactionSpec,
  except?: string,
  mostFee?: bigint,
): Promise<Draft | null> {
  for (let waiting = await waitingActions(wallet, except); ;) {
    const draft = await draftWithSome(wallet, record, wish, waiting, mostFee);
    if (draft) return draft;
    // A new action may have reserved available coins since the waiting actions were read.
    const known = new Set(waiting.map(({ id }) => id));
    waiting = await waitingActions(wallet, except);
    if (waiting.every(({ id }) => known.has(id))) return null;
  }
}

async function draftWithSome(
  wallet: Wallet,
  record: Repeating,
  wish: TransactionSpec,
  waiting: readonly Waiting[],
  mostFee?: bigint,
): Promise<Draft | null> {
  // The first attempt uses no waiting action's coins, because an action may have just ended and released its coins.
  for (let count = 0; count === 0 || count < 2 * waiting.length; count = Math.max(1, 2 * count)) {
    const ended = waiting.slice(0, count);
    const more = ended.flatMap(({ coins }) => coins);
    const keys = new Set(more.map((coin) => coin.outpoint));
    const coins = () => plus(without(availableCoins(wallet), keys), more);
    try {
      const draft = await draftFrom(wallet, record, coins, wish, mostFee);
      const spent = new Set(draft.plan.inputs.map((coin) => coin.outpoint));
      const isTaken = ({ coins }: { coins: Coin[] }) => coins.some((coin) => spent.has(coin.outpoint));
      return { ...draft, ends: ended.filter(isTaken).map(({ id }) => id) };
    } catch (error) {
      if (!isShort(error)) throw error;
    }
  }
  return null;
}

async function draftFrom(
  wallet: Wallet,
  record: Repeating,
  coins: () => CoinSource,
  wish: TransactionSpec,
  mostFee?: bigint,
): Promise<Draft> {
  const [rate, rival] = await Promise.all([feeRate(wallet), wish.mayReplace ? nextToReplace(wallet, record) : null]);
  const given = new Set(wish.given.map(({ txid, vout }) => outpoint(txid, vout)));
  let first: unknown;
  for (const required of waysToReplace(rival, rate)) {
    if (required.some((coin) => given.has(coin.outpoint))) continue;
    try {
      const offered = without(coins(), given);
      const source = wish.setAside ? gentle(offered, TIERS, wish.setAside.most) : offered;
      const inputs = await chooseCoins(source, wish.outputs, rate, [...wish.required, ...required], wish.given);
      const most = wish.setAside?.most ?? null;
      if (most !== null && newlyReserved(inputs) > most) throw new ServiceError('insufficient-funds');
      const replaced = required.length > 0 ? rival : null;
      return { ...(await planned(wallet, wish, inputs, rate, replaced, mostFee)), rival: replaced };
    } catch (error) {
      // A different set of coins may suffice or cost less.
      const { final, blame } = meaningOf(toWireError(error).code);
      if (!final || blame !== 'user') throw error;
      first ??= error;
    }
  }
  throw first;
}

/** Returns the sets of a rejected payment's coins to try, in order of preference. The empty set replaces nothing. */
function waysToReplace(rival: ReplacementTarget | null, rate: FeeRate): Coin[][] {
  // A coin that costs more to spend than it is worth would raise the payment's fee unexpectedly.
  if (!rival || rival.anchor.satoshis <= spendingFee(rate)) return [[]];
  const all = [rival.anchor, ...rival.others].slice(0, MAX_INPUTS);
  return rival.trusted ? [[rival.anchor], all, []] : [[], [rival.anchor], all];
}

async function planned(
  wallet: Wallet,
  { outputs, preserveOrder, given, isKept }: TransactionSpec,
  inputs: Coin[],
  rate: FeeRate,
  rival: ReplacementTarget | null,
  mostFee?: bigint,
): Promise<Omit<Draft, 'rival'>> {
  const { available, pending } = await countCoins(wallet);
  const taken = inputs.filter(({ status }) => status === 'available').length;
  // Each piece of change occupies an address until the network accepts the transaction.
  const pieces = isKept ? 1 : changeOutputCount({ available: available - taken, pending });
  const places = await changeAddresses(wallet, pieces, rival, inputs, isKept);
  const change = places.addresses;
  const changeScripts = change.map(({ script }) => fromHex(script));
  const plan = await planAnew(wallet, {
    outputs,
    inputs,
    given,
    changeScripts,
    rate,
    preserveOrder,
    ...(mostFee !== undefined && { mostFee }),
    // With the same coins and change addresses, the new transaction could be identical to the replaced one. The extra
    // fee prevents that.
    extraFee: BigInt(rival?.chain.length ?? 0),
  });
  checkChange(places, plan);
  return { plan, change: change.slice(0, plan.changeIndexes.length) };
}
