/** Plans a payment's transaction with the current coins. */
import { MAX_MINT_HEX } from '../../../protocol/assets/assets.ts';
import { fromHex } from '../../../protocol/bitcoin/bytes.ts';
import { ServiceError } from '../../../protocol/errors/service-error.ts';
import { chooseCoins, availableCoins } from '../../coins/choose.ts';
import { mayCarryToken, type Coin } from '../../coins/coin.ts';
import { refuseOldRate } from '../../chain/rates.ts';
import { feeRate } from '../../chain/network.ts';
import { inTransaction } from '../../store/database.ts';
import { leastPiece, transactionSize } from '../../transaction/plan.ts';
import { arranged, type ActionPart } from '../action.ts';
import type { AssetPart } from '../asset-part.ts';
import { changeAddresses, withheldChange } from './change-addresses.ts';
import { planAnew } from './stored-fees.ts';
import { draftTransaction, type Draft, type TransactionSpec } from './draft.ts';
import type { PaymentRecord } from '../record.ts';
import { cancellation, type Repeating } from '../network/replace.ts';
import { reservesCoins } from '../move.ts';
import { tokenCoins } from './token-coins.ts';
import { readCoins } from '../../coins/records.ts';
import type { Wallet } from '../../platform.ts';
import { transactionOutputs, refuseClaims } from '../../recipients/resolve.ts';

interface DraftOptions {
  mostSetAside?: bigint | null | undefined;
  sparesWaiting?: boolean;
}

/**
 * Plans a payment with the current coins. Works while the wallet is locked. If the network rejected an earlier payment,
 * spends one of its coins if possible, so at most one of the two can be mined. If the unreserved coins are
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
  const draft = await draftTransaction(wallet, record, sparesWaiting ? { ...wish, spares: 'all' } : wish, mostFee);
  return record.action ? { ...draft, ...arranged(wallet, draft.plan, record.action, wish.outputs) } : draft;
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
  const draft = await draftTransaction(wallet, record, wish, mostFee);
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
    // A replacement must be broadcast and spend only the wallet's coins so that no third party can invalidate it.
    mayReplace: !signLater && !noSend && noSendChange.length === 0 && inputs.length === 0,
    ...(reservesCoins({ action }) && { setAside: { most } }),
    spares: { site: origin },
    isKept: signLater || noSend,
  };
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
