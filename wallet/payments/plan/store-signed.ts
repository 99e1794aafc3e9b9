/** Stores the data of a signed payment: its bytes, the wallet's outputs, and an application's outputs. */
import { toHex, fromHex } from '../../../protocol/bitcoin/bytes.ts';
import { actionOf, actionSigned, noteAction, countActionsOf } from '../../baskets/actions.ts';
import { storeOutput, countOutputsOf } from '../../baskets/outputs.ts';
import { checkQuota } from '../../baskets/site-quota.ts';
import { outpoint, type Coin } from '../../coins/coin.ts';
import { markAddressUsed, addressOf } from '../../coins/addresses/records.ts';
import type { WriteTransaction } from '../../store/database.ts';
import type { Input } from '../../transaction/input.ts';
import type { Plan } from '../../transaction/plan.ts';
import type { Signed } from '../../transaction/sign.ts';
import { SIGNABLE_FOR_MS, type ActionPart } from '../action.ts';
import type { Draft } from './draft.ts';
import type { SignedDraft } from './sign.ts';
import type { PaymentRecord } from '../record.ts';
import { releaseMakers } from './release.ts';
import { markUnproven } from '../../coins/unproven.ts';
import type { Change } from '../move.ts';
import { addCoin, countCoinsMadeBy } from '../../coins/records.ts';
import type { Wallet } from '../../platform.ts';
import { ServiceError } from '../../../protocol/errors/service-error.ts';
import { isKnown } from '../../chain/check-beef.ts';
import { networkInfo } from '../../chain/network.ts';
import { countMaking } from '../store.ts';
import { hasReceipt } from '../../coins/receipts/receipts.ts';
import { isToBeRead } from '../../coins/history.ts';
import { readToken, tokenId } from '../../../protocol/assets/bsv21/token.ts';
import {
  TOKEN_SATOSHIS,
  tokenOutputs,
  validOutputs,
  type TokenAmount,
} from '../../../protocol/assets/bsv21/validity.ts';
import { assetIn, putAsset } from '../../assets/store.ts';

type SpentCoin = Input & Pick<Coin, 'outpoint' | 'depth'>;

/**
 * Stores the result of signing, within the caller's database transaction.
 * @returns the changes to the payment's own record
 * @throws ServiceError `unusable-input` (the transaction is already stored), `baskets-full`
 */
export async function storeSigned(
  wallet: Wallet,
  tx: WriteTransaction,
  record: PaymentRecord,
  { plan, places = [] }: { plan: Plan<SpentCoin>; places?: readonly number[] | undefined },
  signed: SignedDraft,
): Promise<Change> {
  const { action } = record;
  await refuseStored(wallet, tx, signed.txid);
  const given = plan.given ?? [];
  const depths = plan.inputs.map((coin) => coin.depth);
  const depth = 1 + Math.max(given.length > 0 ? 1 : 0, ...depths);
  const ownOutputs = await storeOwnOutputs(wallet, tx, signed, { depth, paymentId: record.id });
  await storeOwnTokens(wallet, tx, signed, plan.inputs, ownOutputs);
  const inputs = [...plan.inputs.map((coin) => coin.outpoint), ...given.map(({ txid, vout }) => outpoint(txid, vout))];
  const inputSatoshis = [...plan.inputs, ...given].map(({ satoshis }) => satoshis);
  await markUnproven(tx, { ...record, signed: { inputs, inputSatoshis, ownOutputs } }, 'pending');
  if (action && !action.noSend) await releaseMakers(wallet, tx, record.origin, inputs);
  if (action) await storeActionOutputs(wallet, tx, record, action, signed.txid, places);
  return {
    event: 'sign',
    ...(action && { action: finished(action), trouble: action.noSend ? ('held' as const) : null }),
    signed: {
      rawtx: toHex(signed.bytes),
      txid: signed.txid,
      normalizedTxid: signed.normalizedTxid,
      inputProof: signed.inputProof,
      feeSatoshis: plan.feeSatoshis,
      inputs,
      inputSatoshis,
      ownOutputs,
      ...(signed.senderProof && { senderProof: signed.senderProof }),
    },
  };
}

function finished({ unsigned, expiresAt, ...action }: ActionPart): ActionPart {
  return action;
}

/** Reserves the coins and change addresses of a transaction that an application has yet to sign. */
export async function storeUnsigned(
  wallet: Wallet,
  tx: WriteTransaction,
  { plan, change, places = [] }: Draft,
  record: PaymentRecord,
): Promise<Change> {
  for (const { script } of change) await markAddressUsed(wallet, tx, script);
  const { outputs, feeSatoshis } = plan;
  await noteAction(wallet, tx, { ...entryOf(record), txid: null, outputs: [] });
  return {
    event: 'set-aside',
    action: {
      ...(record.action as ActionPart),
      expiresAt: wallet.now() + SIGNABLE_FOR_MS,
      unsigned: {
        coins: plan.inputs.map((coin) => coin.outpoint),
        outputs,
        places,
        change: change.map(({ script }) => script),
        feeSatoshis,
      },
    },
  };
}

const entryOf = ({ id, origin, options, action }: PaymentRecord) => ({
  origin,
  paymentId: id,
  description: options.label ?? '',
  labels: action?.labels ?? [],
});

/** Stores an action, and its outputs that belong to baskets. @throws ServiceError `baskets-full` */
async function storeActionOutputs(
  wallet: Wallet,
  tx: WriteTransaction,
  record: PaymentRecord,
  action: ActionPart,
  txid: string,
  places: readonly number[],
): Promise<void> {
  const outputs = action.outputs.map(({ description }, i) => ({ vout: places[i] as number, description }));
  if (await actionOf(tx, record.id)) await actionSigned(wallet, tx, record.id, { txid, outputs });
  else await noteAction(wallet, tx, { ...entryOf(record), txid, outputs });
  for (const [
    i,
    { basket, satoshis, lockingScript, tags, customInstructions, description },
  ] of action.outputs.entries()) {
    if (basket === null) continue;
    await storeOutput(wallet, tx, {
      outpoint: outpoint(txid, places[i] as number),
      satoshis,
      script: toHex(lockingScript),
      basket,
      tags,
      customInstructions,
      description,
      origin: record.origin,
      status: 'pending',
      madeBy: record.id,
    });
  }
  if (action.outputs.some(({ basket }) => basket !== null)) await checkQuota(wallet, tx, record.origin);
}

/**
 * Stores the outputs that pay the wallet's addresses. The outputs are spendable once the network accepts the
 * transaction.
 */
async function storeOwnOutputs(
  wallet: Wallet,
  tx: WriteTransaction,
  { transaction, txid }: Signed,
  { depth, paymentId }: { depth: number; paymentId: string },
): Promise<string[]> {
  const own: string[] = [];
  for (const [vout, { satoshis, lockingScript }] of transaction.outputs.entries()) {
    const script = toHex(lockingScript);
    const address = await addressOf(tx, lockingScript);
    if (!address) continue;
    const key = outpoint(txid, vout);
    own.push(key);
    const { chain, index } = address;
    await addCoin(tx, {
      outpoint: key,
      txid,
      vout,
      satoshis,
      script,
      chain,
      index,
      status: 'pending',
      paymentId,
      height: null,
      depth,
      seen: false,
    });
    await markAddressUsed(wallet, tx, address.script);
  }
  return own;
}

/** All cases share one error so that a page can't find out which transactions are the user's. */
const isThere = () => new ServiceError('unusable-input', { detail: 'this transaction already exists' });

/**
 * Rejects a transaction that the wallet has already stored, for any site and in any state, within the caller's database
 * transaction. Two records would conflict and release the same coins twice.
 * @throws ServiceError `unusable-input`
 */
export async function refuseStored(wallet: Wallet, tx: WriteTransaction, txid: string): Promise<void> {
  const found = await Promise.all([
    countMaking(tx, txid),
    hasReceipt(tx, txid),
    isToBeRead(tx, txid),
    countCoinsMadeBy(tx, txid),
    countActionsOf(tx, txid),
    countOutputsOf(wallet, tx, txid),
  ]);
  if (found.some(Boolean)) throw isThere();
}

/**
 * Rejects a transaction that the network already has. Needed only if the transaction spends none of the wallet's coins,
 * because another party may then have created it.
 * @throws ServiceError `unusable-input`, `network-unavailable`
 */
export async function refuseOnNetwork(wallet: Wallet, txid: string): Promise<void> {
  if (await isKnown(wallet, await networkInfo(wallet), txid)) throw isThere();
}

/**
 * If the wallet itself verified the payment's tokens, records that they are valid, so the next payment needs no
 * lookup.
 * @param own outpoints of the wallet's outputs
 */
export async function storeOwnTokens(
  wallet: Wallet,
  tx: WriteTransaction,
  { transaction, txid }: Signed,
  inputs: readonly Input[],
  own: readonly string[],
): Promise<void> {
  const spent: TokenAmount[] = [];
  for (const { txid: from, vout, script, satoshis } of inputs) {
    const token = satoshis === TOKEN_SATOSHIS ? readToken(fromHex(script)) : null;
    if (!token) continue;
    const verdict = (await assetIn(tx, outpoint(from, vout)))?.verdict;
    // A mint contains the amount that it declares, even if no verdict is stored.
    if (token.op === 'deploy+mint' || (verdict?.state === 'valid' && verdict.word === 'chain'))
      spent.push({ id: token.op === 'transfer' ? token.id : tokenId(from, vout), amt: token.amt });
  }
  const mayMint = transaction.outputs.some(({ satoshis }) => satoshis === TOKEN_SATOSHIS);
  if (spent.length === 0 && !mayMint) return;
  const { outputs, unclear } = tokenOutputs(transaction, txid);
  if (unclear.length > 0) return;
  for (const { vout } of validOutputs(outputs, spent)) {
    const key = outpoint(txid, vout);
    if (own.includes(key))
      await putAsset(tx, { outpoint: key, verdict: { state: 'valid', word: 'chain', at: wallet.now() } });
  }
}
