/** Implements `listActions` of the BSV wallet interface (BRC-100). Sites see only their own actions. */
import type { Brc100Args, Brc100Results, WalletAction } from '../../../protocol/brc100/methods.ts';
import { fromHex, toHex } from '../../../protocol/bitcoin/bytes.ts';
import { parseTransaction } from '../../../protocol/bitcoin/transaction.ts';
import { sumOf } from '../../transaction/plan.ts';
import type { AppAction } from '../../baskets/app-action.ts';
import { actionsOf } from '../../baskets/list.ts';
import { outpoint } from '../../coins/coin.ts';
import type { Receipt } from '../../coins/receipts/receipt.ts';
import { database, readTransaction } from '../../store/database.ts';
import type { ActionPart } from '../../payments/action.ts';
import type { PaymentRecord, SignedPart } from '../../payments/record.ts';
import type { Caller } from '../caller.ts';
import { requireConnection } from '../permissions/require.ts';
import { readPayment } from '../../payments/store.ts';
import { outputIn } from '../../baskets/outputs.ts';
import { readReceipt } from '../../coins/receipts/receipts.ts';
import type { Wallet } from '../../platform.ts';

type Args = Brc100Args<'listActions'>;

/** Lists the site's actions, oldest first. */
export async function listActions(wallet: Wallet, args: Args, caller: Caller): Promise<Brc100Results['listActions']> {
  const { origin } = caller;
  await requireConnection(wallet, caller, { prompt: args.seekPermission });
  const { labels, labelQueryMode, limit, offset } = args;
  const { total, records } = await actionsOf(wallet, origin, labels, labelQueryMode, { limit, offset });
  return {
    totalActions: total,
    actions: await Promise.all(records.map((action) => shownAction(wallet, action, args))),
  };
}

async function shownAction(wallet: Wallet, action: AppAction, args: Args): Promise<WalletAction> {
  const { txid, description, labels, incoming } = action;
  const payment = action.paymentId === null ? undefined : await readPayment(wallet, action.paymentId);
  // Skips the receipt if it would reveal that the transaction pays the user.
  const isTheirs = payment !== undefined || incoming?.satoshis === 0n;
  const receipt = isTheirs || txid === null ? undefined : await readReceipt(wallet, txid);
  const part = payment?.action;
  const gain = incoming?.satoshis ?? (payment ? gainOf(payment) : gainOnChain(receipt));
  return {
    txid: txid ?? '',
    ...(gain !== null && { satoshis: Number(gain) }),
    status: payment ? statusOf(payment) : statusOnChain(receipt, incoming?.isProven),
    isOutgoing: !incoming && (payment !== undefined || !receipt || receipt.spent !== undefined),
    description,
    ...(args.includeLabels && { labels }),
    version: incoming?.version ?? part?.version ?? 1,
    lockTime: incoming?.lockTime ?? part?.lockTime ?? 0,
    ...(args.includeInputs && { inputs: payment && part ? inputsOf(payment, part, args) : [] }),
    ...(args.includeOutputs && { outputs: await outputsOf(wallet, action, part, args) }),
  };
}

/** Returns the effect on the wallet's balance in satoshis, negative if it spent money. */
function gainOf({ action, signed }: PaymentRecord): bigint | null {
  if (!action) return null;
  return sumOf(action.inputs) - sumOf(action.outputs) - (signed?.feeSatoshis ?? action.unsigned?.feeSatoshis ?? 0n);
}

/**
 * Returns the effect on the balance, in satoshis, of a transaction by another wallet with the same recovery words. Null
 * if the transaction hasn't been read yet, or has third-party inputs.
 */
function gainOnChain(receipt: Receipt | undefined): bigint | null {
  if (!receipt || receipt.reading === 'waiting' || receipt.reading === 'unverified') return null;
  const { satoshis, spent } = receipt;
  if (!spent) return satoshis;
  return spent.feeSatoshis === null ? null : -(satoshis + spent.feeSatoshis);
}

function statusOf({ state, trouble, height }: PaymentRecord): WalletAction['status'] {
  if (state === 'signable') return 'unsigned';
  if (state === 'failed' || trouble === 'aborted') return 'failed';
  if (state === 'signed') return trouble === 'held' ? 'nosend' : 'sending';
  return height === null ? 'unproven' : 'completed';
}

/** Returns the status of an action without a payment record. A receipt shows whether the transaction is confirmed. */
function statusOnChain(receipt: Receipt | undefined, isProven = false): WalletAction['status'] {
  if (receipt) return receipt.failed ? 'failed' : receipt.height === null ? 'unproven' : 'completed';
  return isProven ? 'completed' : 'unproven';
}

/** Returns the application's own inputs. Inputs added by the wallet are private. */
function inputsOf(
  { signed }: PaymentRecord,
  { inputs }: ActionPart,
  { includeInputSourceLockingScripts, includeInputUnlockingScripts }: Args,
): NonNullable<WalletAction['inputs']> {
  const transaction = signed && parseTransaction(fromHex((signed as SignedPart).rawtx));
  return inputs.map(({ txid, vout, satoshis, script, description, sequence }, i) => ({
    sourceOutpoint: `${txid}.${vout}`,
    sourceSatoshis: Number(satoshis),
    ...(includeInputSourceLockingScripts && { sourceLockingScript: script }),
    ...(includeInputUnlockingScripts &&
      transaction && { unlockingScript: toHex(transaction.inputs[i]?.unlockingScript ?? new Uint8Array()) }),
    inputDescription: description,
    sequenceNumber: sequence,
  }));
}

async function outputsOf(
  wallet: Wallet,
  { txid, origin, outputs }: AppAction,
  part: ActionPart | undefined,
  { includeOutputLockingScripts }: Args,
): Promise<NonNullable<WalletAction['outputs']>> {
  const tx = readTransaction(await database(wallet));
  const listed = await Promise.all(
    outputs.map(async ({ vout, description }, i) => {
      const kept = txid === null ? undefined : await outputIn(tx, outpoint(txid, vout), origin);
      const asked = part?.outputs[i];
      const satoshis = asked?.satoshis ?? kept?.satoshis;
      if (satoshis === undefined) return [];
      const script = asked ? toHex(asked.lockingScript) : kept?.script;
      const customInstructions = kept?.customInstructions ?? asked?.customInstructions ?? null;
      return {
        satoshis: Number(satoshis),
        ...(includeOutputLockingScripts && script !== undefined && { lockingScript: script }),
        spendable: kept?.status === 'available',
        ...(customInstructions !== null && { customInstructions }),
        tags: kept?.tags ?? asked?.tags ?? [],
        outputIndex: vout,
        outputDescription: description,
        basket: kept?.basket ?? asked?.basket ?? '',
      };
    }),
  );
  return listed.flat();
}
