/** Plans a payment's transaction with the current coins. */
import { MAX_MINT_HEX } from '../../../protocol/assets/assets.ts';
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
import { mayCarryToken, outpoint, type Coin } from '../../coins/coin.ts';
import { refuseOldRate } from '../../chain/rates.ts';
import { feeRate } from '../../chain/network.ts';
import { inTransaction } from '../../store/database.ts';
import {
  leastPiece,
  changeOutputCount,
  planTransaction,
  type Plan,
  type PlanRequest,
  spendingFee,
  transactionSize,
  type FeeRate,
} from '../../transaction/plan.ts';
import type { ApplicationInput } from '../../transaction/input.ts';
import { arranged, type ActionPart } from '../action.ts';
import type { AssetPart } from '../asset-part.ts';
import { changeAddresses, checkChange, withheldChange } from './change-addresses.ts';
import { feesOfEnded } from './ended-fees.ts';
import type { PaymentRecord } from '../record.ts';
import { cancellation, nextToReplace, type Repeating, type ReplacementTarget } from '../network/replace.ts';
import { newlyReserved, waitingActions } from '../set-aside.ts';
import { reservesCoins } from '../move.ts';
import type { Address } from '../../coins/addresses/address.ts';
import { tokenCoins } from './token-coins.ts';
import { readCoins } from '../../coins/records.ts';
import type { Wallet } from '../../platform.ts';
import { transactionOutputs, refuseClaims } from '../../recipients/resolve.ts';

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

interface DraftOptions {
  mostSetAside?: bigint | null | undefined;
  sparesWaiting?: boolean;
}

/**
 * Plans a payment with the current coins. Works while the wallet is locked. If the network rejected an earlier payment,
 * spends one of its coins if possible, so that at most one of the two can be mined. If the other coins are
 * insufficient, uses coins reserved by other sites' actions that wait for signatures.
 * @param mostFee maximum fee, in satoshis; no limit if omitted
 * @param options.mostSetAside maximum value of the wallet's coins that an unfinished action may reserve, in satoshis;
 * null for no limit
 * @param options.sparesWaiting true if the coins of waiting actions must not be used
 * @throws ServiceError `insufficient-funds`, `insufficient-assets`, `invalid-recipient` (see {@link refuseClaims}),
 * `amount-too-many-coins`, `fee-changed` (above `mostFee`), `network-unavailable`, `data-too-large`,
 * `wallet-not-set-up`, `rate-unavailable` (the quote's rate is too old), `approval-unknown` (the payment to cancel can
 * no longer be canceled)
 */
export async function draftPayment(
  wallet: Wallet,
  record: Pick<PaymentRecord, 'origin' | 'quote' | 'options' | 'action' | 'asset' | 'split' | 'cancel' | 'replaces'>,
  mostFee?: bigint,
  { mostSetAside = null, sparesWaiting = false }: DraftOptions = {},
): Promise<Draft> {
  refuseOldRate(record.quote.rate, wallet.now());
  if (record.cancel && record.replaces) return draftCancellation(wallet, record.replaces, mostFee);
  if (record.asset) return draftAsset(wallet, record, record.asset, mostFee);
  if (record.split !== undefined) return draftSplit(wallet, record.split, mostFee);
  const wish = record.action
    ? await wishOf(wallet, record, record.action, mostSetAside)
    : await wishOfQuote(wallet, record);
  const draft = await draftOf(wallet, record, sparesWaiting ? { ...wish, spares: 'all' } : wish, mostFee);
  return record.action ? { ...draft, ...arranged(wallet, draft.plan, record.action, wish.outputs) } : draft;
}

interface TransactionSpec {
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
 * Returns a quote's outputs, with the paid asset's coins and change.
 * @throws ServiceError `insufficient-assets`
 */
async function wishOfQuote(
  wallet: Wallet,
  { quote, options }: Pick<PaymentRecord, 'quote' | 'options'>,
): Promise<TransactionSpec> {
  const { asset } = quote;
  refuseClaims(quote, options.opReturn);
  const { coins, left } = asset ? await tokenCoins(wallet, asset.id, BigInt(asset.units)) : { coins: [], left: [] };
  const outputs = [...transactionOutputs(quote, options.opReturn), ...left];
  return { outputs, preserveOrder: options.preserveOrder ?? false, given: [], required: coins, mayReplace: true };
}

/**
 * Plans an asset transfer. The asset's coins and outputs come first, in the given order. Other coins pay the fee.
 * @throws ServiceError `not-paid` (an asset coin is spent), `amount-too-many-coins`
 */
async function draftAsset(
  wallet: Wallet,
  record: Repeating,
  { coins: keys, outputs, mint }: AssetPart,
  mostFee?: bigint,
): Promise<Draft> {
  const carriers = await readCoins(wallet, keys);
  if (!carriers.every((coin) => coin?.status === 'available' && mayCarryToken(coin)))
    throw new ServiceError('not-paid', { detail: 'the coin with the asset is spent' });
  const required = carriers as Coin[];
  const wish = { outputs, preserveOrder: true, given: [], required, mayReplace: !mint };
  const draft = await draftOf(wallet, record, wish, mostFee);
  // The service rejects reports of larger transactions.
  const { inputs, outputs: made } = draft.plan;
  if (mint && transactionSize(inputs.length, made) * 2 > MAX_MINT_HEX) throw new ServiceError('amount-too-many-coins');
  const money = inputs.filter((coin) => !keys.includes(coin.outpoint));
  return { ...draft, plan: { ...draft.plan, inputs: [...required, ...money] } };
}

/** Plans a transaction that splits a coin into a piece of the given size and the rest. */
async function draftSplit(wallet: Wallet, satoshis: bigint, mostFee?: bigint): Promise<Draft> {
  const [{ addresses: change }, rate] = await Promise.all([changeAddresses(wallet, 2, null, []), feeRate(wallet)]);
  const [piece, rest = piece] = change.map(({ script }) => fromHex(script)) as [Uint8Array, Uint8Array?];
  const outputs = [{ satoshis, lockingScript: piece }];
  const plan = await planAnew(wallet, {
    outputs,
    inputs: await chooseCoins(availableCoins(wallet), outputs, rate),
    changeScripts: [rest],
    rate,
    preserveOrder: false,
    ...(mostFee !== undefined && { mostFee }),
  });
  return { plan, change: change.slice(0, 1 + plan.changeIndexes.length), rival: null };
}

/**
 * Returns the requirements of an application's action.
 * @throws ServiceError `unusable-input` if the change to spend is no longer available
 */
async function wishOf(
  wallet: Wallet,
  { origin }: Repeating,
  action: ActionPart,
  most: bigint | null,
): Promise<TransactionSpec> {
  const { outputs, inputs, noSendChange, signLater, noSend } = action;
  const required =
    noSendChange.length === 0 ? [] : await inTransaction(wallet, (tx) => withheldChange(tx, noSendChange));
  return {
    outputs: outputs.map(({ satoshis, lockingScript }) => ({ satoshis, lockingScript })),
    preserveOrder: true,
    given: inputs,
    required,
    // A replacement must be broadcast and spend only the wallet's coins, so that no third party can invalidate it.
    mayReplace: !signLater && !noSend && noSendChange.length === 0 && inputs.length === 0,
    ...(reservesCoins({ action }) && { setAside: { most } }),
    spares: { site: origin },
    isKept: signLater || noSend,
  };
}

async function draftOf(wallet: Wallet, record: Repeating, wish: TransactionSpec, mostFee?: bigint): Promise<Draft> {
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
  const waiting = await waitingActions(wallet, except);
  // The first attempt uses none, because an action may have just ended and released its coins.
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
  // A coin that costs more to spend than its value would raise the payment's fee unexpectedly.
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

/**
 * Plans a transaction whose fee differs from those of ended payments, because the wallet rejects a transaction that it
 * has already stored. Without change, the fee can't be raised.
 */
async function planAnew(wallet: Wallet, request: PlanRequest<Coin>): Promise<Plan<Coin>> {
  const fees = await feesOfEnded(wallet, request.inputs);
  for (let { extraFee = 0n } = request; ; extraFee += 1n) {
    const plan = planTransaction({ ...request, extraFee });
    if (plan.changeIndexes.length === 0 || !fees.has(plan.feeSatoshis)) return plan;
  }
}

/**
 * Plans a payment's cancellation, which returns one of the payment's coins to the wallet. Pays twice the network's fee
 * rate, in case the rate has risen recently.
 * @throws ServiceError `approval-unknown` (it can no longer be canceled), `insufficient-funds`, `fee-changed`,
 * `network-unavailable`
 */
async function draftCancellation(wallet: Wallet, id: string, mostFee?: bigint): Promise<Draft> {
  const rival = await cancellation(wallet, id);
  if (!rival) throw new ServiceError('approval-unknown');
  const price = await feeRate(wallet);
  const rate = { ...price, satoshis: price.satoshis * 2 };
  const { addresses: change } = await changeAddresses(wallet, 1, rival, [rival.anchor]);
  const changeScripts = change.map(({ script }) => fromHex(script));
  const back = changeScripts.map((lockingScript) => ({ satoshis: leastPiece(1, rate), lockingScript }));
  const inputs = await chooseCoins(availableCoins(wallet), back, rate, [rival.anchor]);
  const plan = await planAnew(wallet, {
    outputs: [],
    inputs,
    changeScripts,
    rate,
    preserveOrder: false,
    // With the same fee, the transaction would be identical to that of an earlier, rejected cancellation.
    extraFee: BigInt(rival.chain.filter(({ cancel }) => cancel).length),
    ...(mostFee !== undefined && { mostFee }),
  });
  return { plan, change, rival };
}
