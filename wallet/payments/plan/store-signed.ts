/** Stores the data of a signed payment within its transaction: its bytes, our outputs, and an application's. */
import { toHex } from '../../../protocol/bitcoin/bytes.ts';
import { actionOf, actionSigned, noteAction } from '../../baskets/actions.ts';
import { keepOutput } from '../../baskets/outputs.ts';
import { checkRoom } from '../../baskets/room.ts';
import { outpoint, type Coin } from '../../coins/coin.ts';
import { takeAddress } from '../../coins/addresses/put-address.ts';
import type { WriteTransaction } from '../../store/database.ts';
import type { Input } from '../../transaction/input.ts';
import type { Plan } from '../../transaction/plan.ts';
import type { Signed } from '../../transaction/sign.ts';
import { SIGNABLE_FOR_MS, sumOf, type ActionPart } from '../action.ts';
import type { Draft, SignedDraft } from './build.ts';
import { refuseStored } from './known-transaction.ts';
import type { PaymentRecord } from '../record.ts';
import { noteOwnTokens } from './own-tokens.ts';
import { releaseMakers } from './release.ts';
import type { Change } from '../move.ts';
import { addressOf } from '../../coins/addresses/records.ts';
import { addCoin } from '../../coins/put-coin.ts';
import type { Wallet } from '../../platform.ts';

type SpentCoin = Input & Pick<Coin, 'outpoint' | 'depth' | 'isUnproven'>;

/**
 * Stores the result of signing within a larger transaction.
 * @returns the changes of the payment's own record
 * @throws ServiceError `unusable-input` (the transaction is stored already), `baskets-full`
 */
export async function storeSigned(
  wallet: Wallet,
  tx: WriteTransaction,
  record: PaymentRecord,
  { plan, places = [] }: { plan: Plan<SpentCoin>; places?: readonly number[] | undefined },
  signed: SignedDraft,
): Promise<Change> {
  const { action } = record;
  await refuseStored(tx, signed.txid);
  const given = plan.given ?? [];
  const depths = plan.inputs.map((coin) => coin.depth);
  const depth = 1 + Math.max(given.length > 0 ? 1 : 0, ...depths);
  // Only the value of the wallet's own coins is certain before the network has checked the application's inputs.
  const certain = action ? sumOf(plan.inputs.filter(({ isUnproven }) => !isUnproven)) : null;
  const ownOutputs = await storeOwnOutputs(tx, signed, { depth, certain, paymentId: record.id });
  await noteOwnTokens(wallet, tx, signed, plan.inputs, ownOutputs);
  const inputs = [...plan.inputs.map((coin) => coin.outpoint), ...given.map(({ txid, vout }) => outpoint(txid, vout))];
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
      inputSatoshis: [...plan.inputs, ...given].map(({ satoshis }) => satoshis),
      ownOutputs,
      ...(signed.senderProof && { senderProof: signed.senderProof }),
    },
  };
}

function finished({ unsigned, expiresAt, ...action }: ActionPart): ActionPart {
  return action;
}

/** Reserves coins and change addresses of a transaction that an application is yet to sign. */
export async function setAside(
  wallet: Wallet,
  tx: WriteTransaction,
  { plan, change, places = [] }: Draft,
  record: PaymentRecord,
): Promise<Change> {
  for (const { script } of change) await takeAddress(tx, script);
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

/** @throws ServiceError `baskets-full` */
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
    await keepOutput(wallet, tx, {
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
  if (action.outputs.some(({ basket }) => basket !== null)) await checkRoom(tx, record.origin);
}

/**
 * Stores change and other outputs to the wallet's addresses. They can be spent once the network has the transaction.
 * @param certain maximum that they add to the balance before that (satoshis); null for all of it
 */
async function storeOwnOutputs(
  tx: WriteTransaction,
  { transaction, txid }: Signed,
  { depth, certain, paymentId }: { depth: number; certain: bigint | null; paymentId: string },
): Promise<string[]> {
  const own: string[] = [];
  let left = certain;
  for (const [vout, { satoshis, lockingScript }] of transaction.outputs.entries()) {
    const script = toHex(lockingScript);
    const address = await addressOf(tx, lockingScript);
    if (!address) continue;
    const key = outpoint(txid, vout);
    own.push(key);
    const { chain, index } = address;
    const isUnproven = left !== null && satoshis > left;
    if (left !== null && !isUnproven) left -= satoshis;
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
      ...(isUnproven && { isUnproven }),
    });
    await takeAddress(tx, address.script);
  }
  return own;
}
