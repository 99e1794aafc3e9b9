/** Implements `signAction` of the BSV wallet interface (BRC-100). */
import { invalidParameter } from '../../../protocol/brc100/errors.ts';
import type { Brc100Args, Brc100Results } from '../../../protocol/brc100/methods.ts';
import { fromHex, toHex } from '../../../protocol/bitcoin/bytes.ts';
import { parseTransaction, serializeTransaction, txidOf } from '../../../protocol/bitcoin/transaction.ts';
import { outpoint } from '../../coins/coin.ts';
import type { ActionInput, ActionPart } from '../../payments/action.ts';
import { isOwnInput } from '../../payments/plan/sign.ts';
import { mayBeSent } from '../../payments/network/finality.ts';
import { refuseOnNetwork } from '../../payments/plan/store-signed.ts';
import type { PaymentRecord } from '../../payments/record.ts';
import { signAction as sign, unsignedAction } from '../../payments/sources/action/sign-action.ts';
import { unlocksItself } from '../../transaction/unlocks.ts';
import type { Caller } from '../caller.ts';
import { requireUnlocked } from '../permissions/require.ts';
import { paymentsOf, sentResult } from './result.ts';
import { readTransaction, database } from '../../store/database.ts';
import { readPayment, paymentOfReference } from '../../payments/store.ts';
import type { Wallet } from '../../platform.ts';

type Args = Brc100Args<'signAction'>;

/** Completes an action with the application's unlocking scripts, then signs and broadcasts it. Idempotent. */
export async function signAction(wallet: Wallet, args: Args, caller: Caller): Promise<Brc100Results['signAction']> {
  const { reference, spends, options } = args;
  const record = await paymentOfReference(readTransaction(await database(wallet)), caller.origin, reference);
  if (!record?.action) throw invalidParameter('reference', 'that of an action that waits for its signatures.');
  const { answer, noSend, beef } = record.action;
  const merged = {
    acceptDelayedBroadcast: options.acceptDelayedBroadcast && answer.acceptDelayedBroadcast,
    returnTXIDOnly: options.returnTXIDOnly || answer.returnTXIDOnly,
    noSend: options.noSend || noSend,
    sendWith: [...new Set([...answer.sendWith, ...options.sendWith])],
    beef,
  };
  await paymentsOf(wallet, caller.origin, merged.sendWith);
  const signed = record.signed ? record : await signNow(wallet, record, spends, merged.noSend, caller);
  if (!isSameSpends(signed, spends))
    throw invalidParameter('reference', 'that of an action that waits for its signatures.');
  return sentResult(wallet, caller, signed, merged);
}

async function signNow(
  wallet: Wallet,
  record: PaymentRecord,
  spends: Args['spends'],
  noSend: boolean,
  caller: Caller,
): Promise<PaymentRecord> {
  if (record.state !== 'signable')
    throw invalidParameter('reference', 'that of an action that waits for its signatures.');
  const action: ActionPart = { ...(record.action as ActionPart), noSend };
  const inputs = completed(action.inputs, spends);
  const complete = { ...record, action: { ...action, inputs } };
  const spent = [...action.noSendChange, ...inputs.map(({ txid, vout }) => outpoint(txid, vout))];
  if (!noSend && !(await mayBeSent(wallet, caller.origin, complete.action, spent)))
    throw invalidParameter('sequenceNumber', 'final until the lock time, unless noSend is true.');
  const transaction = await unsignedAction(wallet, complete);
  const isUnlocked = unlocksItself(transaction);
  const refuse = ({ txid, vout }: ActionInput) =>
    invalidParameter('unlockingScript', `a valid signature of input ${txid}.${vout}`);
  for (const input of inputs) if (!isUnlocked(input)) throw refuse(input);
  // If no wallet coins are spent, the transaction is now fully signed. The network is queried before ownership is
  // checked, because otherwise the response would reveal whose inputs they are.
  if (action.unsigned?.coins.length === 0) await refuseOnNetwork(wallet, txidOf(serializeTransaction(transaction)));
  for (const input of inputs) if (await isOwnInput(wallet, input)) throw refuse(input);
  await requireUnlocked(wallet, caller);
  const signed = (await sign(wallet, complete)) ?? (await readPayment(wallet, record.id));
  if (!signed?.signed) throw invalidParameter('reference', 'that of an action that waits for its signatures.');
  return signed;
}

/** Adds the unlocking scripts to the application's inputs. */
function completed(inputs: readonly ActionInput[], spends: Args['spends']): ActionInput[] {
  for (const index of Object.keys(spends))
    if (!inputs[Number(index)]) throw invalidParameter('spends', 'a map of indexes of the application’s own inputs.');
  return inputs.map((input, index) => {
    const spend = Object.hasOwn(spends, index) ? spends[index] : undefined;
    if (!spend) {
      if (input.unlockingScript === null)
        throw invalidParameter('spends', `with an unlocking script for input ${index}.`);
      return input;
    }
    const unlockingScript = fromHex(spend.unlockingScript);
    // The user approved a fee based on the announced length.
    if (unlockingScript.length > input.unlockingBytes)
      throw invalidParameter('unlockingScript', `no more than the announced ${input.unlockingBytes} bytes.`);
    return { ...input, unlockingScript, sequence: spend.sequenceNumber ?? input.sequence };
  });
}

function isSameSpends({ signed }: PaymentRecord, spends: Args['spends']): boolean {
  const { inputs } = parseTransaction(fromHex(signed?.rawtx ?? ''));
  return Object.entries(spends).every(
    ([index, spend]) => toHex(inputs[Number(index)]?.unlockingScript ?? new Uint8Array()) === spend.unlockingScript,
  );
}
