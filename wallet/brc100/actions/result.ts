import { Brc100Error, WALLET_ERRORS, invalidParameter } from '../../../protocol/brc100/errors.ts';
import type { Brc100Results, ReviewActionResult, SendWithResult } from '../../../protocol/brc100/methods.ts';
import { fromHex } from '../../../protocol/bitcoin/bytes.ts';
import { serializeTransaction, txidOf } from '../../../protocol/bitcoin/transaction.ts';
import { atomicBeef, beefOf, type FindMember } from '../../chain/beef.ts';
import { networkInfo } from '../../chain/network.ts';
import { readBeef } from '../../chain/read-beef.ts';
import { outpoint, dotted } from '../../coins/coin.ts';
import { readTransaction, database } from '../../store/database.ts';
import { mayBeSent } from '../../payments/network/finality.ts';
import { giveUpUnsigned } from '../../payments/network/give-up.ts';
import { processPayment } from '../../payments/runner/runner.ts';
import type { PaymentRecord, SignedPart } from '../../payments/record.ts';
import { isLive } from '../../payments/move.ts';
import { paymentByTxid, releaseHeld, triedToSend } from '../../payments/sources/action/send-held.ts';
import { countHostRequests } from '../../request-limits/rate-limit.ts';
import { unsignedAction } from '../../payments/sources/action/sign-action.ts';
import type { Caller } from '../caller.ts';
import { requireUnlocked } from '../permissions/require.ts';
import { readPayment, paymentsMaking } from '../../payments/store.ts';
import { actionOf } from '../../baskets/actions.ts';
import type { Wallet } from '../../platform.ts';

export interface ResultOptions {
  acceptDelayedBroadcast: boolean;
  returnTXIDOnly: boolean;
  noSend: boolean;
  sendWith: readonly string[];
  /** The application's source transactions (BEEF), which are stored only until the action is signed. */
  beef?: Uint8Array | undefined;
}

/**
 * Returns the transaction that the application must sign, with its reference and ancestors. Abandons the action and
 * releases its coins if the index doesn't have the ancestors or the site has reached its request limit.
 * @throws ServiceError `too-many-requests`, `network-unavailable`, `too-large`
 */
export async function signableOf(wallet: Wallet, record: PaymentRecord): Promise<Brc100Results['createAction']> {
  const { id, origin, action } = record;
  const bytes = serializeTransaction(await unsignedAction(wallet, record));
  try {
    const tx = await atomicOf(wallet, txidOf(bytes), bytes, action?.beef, () => countHostRequests(wallet, origin, 1));
    return { signableTransaction: { tx, reference: action?.reference ?? '' } };
  } catch (error) {
    await giveUpUnsigned(wallet, id, 'action-aborted');
    throw error;
  }
}

/**
 * Broadcasts the transactions and returns the result. If the call waits for the network, a rejection by the network is
 * an error.
 * @param record a signed payment; null to send only the transactions in `sendWith`
 * @throws Brc100Error `WERR_REVIEW_ACTIONS`, `WERR_INVALID_PARAMETER` (`sendWith` names another site's transaction)
 * @throws ServiceError those of `requireUnlocked`, if `sendWith` names an unsent transaction; `action-ended`
 */
export async function sentResult(
  wallet: Wallet,
  caller: Caller,
  record: PaymentRecord | null,
  { acceptDelayedBroadcast, returnTXIDOnly, noSend, sendWith, beef }: ResultOptions,
): Promise<Brc100Results['createAction']> {
  const { origin } = caller;
  const along = await paymentsOf(wallet, origin, sendWith);
  if (along.some(({ trouble }) => trouble === 'held')) await requireUnlocked(wallet, caller);
  await releaseHeld(
    wallet,
    along.map(({ id }) => id),
  );
  const sent = [...along, ...(record && !noSend ? [record] : [])];
  if (record) void processPayment(wallet, record.id);
  const now = await Promise.all(
    acceptDelayedBroadcast
      ? sent.map((record) => readNow(wallet, record))
      : sent.map(({ id }) => triedToSend(wallet, id)),
  );
  const { txid, ...rest } = (record?.signed ?? {}) as Partial<SignedPart>;
  const result = {
    ...(txid !== undefined && { txid }),
    ...(rest.rawtx !== undefined &&
      !returnTXIDOnly &&
      (await knownTransaction(wallet, origin, txid as string, rest.rawtx, beef))),
    ...(record?.signed && noSend && { noSendChange: (await changeOf(wallet, record)).map(dotted) }),
    ...(sendWith.length > 0 && { sendWithResults: now.slice(0, along.length).map(sendWithResult) }),
  };
  if (acceptDelayedBroadcast || now.every(isTaken)) return result;
  throw new Brc100Error({
    code: WALLET_ERRORS.reviewActions,
    name: 'WERR_REVIEW_ACTIONS',
    description: 'Undelayed createAction or signAction results require review.',
    sendWithResults: [],
    ...result,
    reviewActionResults: now.map(reviewed),
  });
}

/**
 * Returns a transaction's change outpoints. Excludes outputs requested by the application, because they would reveal
 * which addresses are the user's.
 */
export async function changeOf(wallet: Wallet, { id, signed }: PaymentRecord): Promise<string[]> {
  const action = await actionOf(readTransaction(await database(wallet)), id);
  const asked = new Set(action?.outputs.map(({ vout }) => outpoint(signed?.txid ?? '', vout)));
  return (signed?.ownOutputs ?? []).filter((own) => !asked.has(own));
}

/**
 * Returns the site's payments named in `sendWith`. Also called before anything is paid, because callers repeat failed
 * calls.
 * @throws Brc100Error if a transaction isn't one of the site's `noSend` transactions, or its lock time hasn't passed
 */
export async function paymentsOf(wallet: Wallet, origin: string, txids: readonly string[]): Promise<PaymentRecord[]> {
  const looked = new Set<string>();
  return Promise.all(
    [...new Set(txids)].map(async (txid) => {
      const payment = await paymentByTxid(wallet, origin, txid);
      if (!payment || payment.trouble === 'aborted' || payment.replacedBy)
        throw invalidParameter('sendWith', `transactions that the application had made with noSend: ${txid}`);
      if (payment.action && !(await mayBeSent(wallet, origin, payment.action, payment.signed?.inputs ?? [], looked)))
        throw invalidParameter('sendWith', `transactions whose lock time is in the past: ${txid}`);
      return payment;
    }),
  );
}

const readNow = async (wallet: Wallet, record: PaymentRecord): Promise<PaymentRecord> =>
  (await readPayment(wallet, record.id)) ?? record;

const isTaken = ({ state }: PaymentRecord) => state === 'broadcast' || state === 'settled';
const txidIn = ({ signed }: PaymentRecord) => (signed as SignedPart).txid;

function sendWithResult(record: PaymentRecord): SendWithResult {
  const status = isTaken(record)
    ? 'unproven'
    : record.state === 'failed' || record.trouble === 'refused'
      ? 'failed'
      : 'sending';
  return { txid: txidIn(record), status };
}

function reviewed(record: PaymentRecord): ReviewActionResult {
  const { trouble, state } = record;
  const failed =
    trouble === 'contested'
      ? 'doubleSpend'
      : trouble === 'refused' || state === 'failed'
        ? 'invalidTx'
        : 'serviceError';
  return { txid: txidIn(record), status: isTaken(record) ? 'success' : failed };
}

/**
 * Returns the transaction with its ancestors. If the index doesn't have the ancestors or the site has reached its
 * request limit, returns only the ID, because the transaction is already signed.
 */
async function knownTransaction(
  wallet: Wallet,
  origin: string,
  txid: string,
  rawtx: string,
  beef: Uint8Array | undefined,
): Promise<{ tx?: number[] }> {
  return atomicOf(wallet, txid, fromHex(rawtx), beef, () => countHostRequests(wallet, origin, 1)).then(
    (tx) => ({ tx }),
    () => ({}),
  );
}

async function atomicOf(
  wallet: Wallet,
  txid: string,
  bytes: Uint8Array,
  beef: Uint8Array | undefined,
  takeTurn: () => void,
): Promise<number[]> {
  const { wocUrl } = await networkInfo(wallet);
  const lookup = { find: memberFinder(wallet, beef), takeTurn };
  return [...atomicBeef(txid, await beefOf(wallet, wocUrl, bytes, lookup))];
}

/** Returns a function that looks up transactions in the application's BEEF and among those signed by this wallet. */
export function memberFinder(wallet: Wallet, given?: Uint8Array): FindMember {
  const beef = given && readBeef(given);
  return async (txid) => {
    const member = beef?.members.get(txid);
    if (member) return { bytes: member.bytes, path: member.bump?.bytes };
    const [payment] = await paymentsMaking(readTransaction(await database(wallet)), txid);
    if (!payment?.signed || !isLive(payment)) return null;
    return { bytes: fromHex(payment.signed.rawtx), path: payment.height === null ? null : undefined };
  };
}
