/**
 * Finds the outputs that an application spends: reads their amounts and locking scripts from their source transactions.
 */
import { invalidParameter } from '../../../protocol/brc100/errors.ts';
import type { Brc100Args } from '../../../protocol/brc100/methods.ts';
import { fromHex, toHex } from '../../../protocol/bitcoin/bytes.ts';
import { parseTransaction, type Transaction } from '../../../protocol/bitcoin/transaction.ts';
import { ServiceError } from '../../../protocol/errors/service-error.ts';
import type { AppOutput } from '../../baskets/app-output.ts';
import { usableOutput } from '../../baskets/outputs.ts';
import { checkMember, isKnown } from '../../chain/check-beef.ts';
import { networkInfo } from '../../chain/network.ts';
import type { NetworkInfo } from '../../chain/network-info.ts';
import { readBeef, type Beef } from '../../chain/read-beef.ts';
import { fetchTransaction } from '../../chain/headers/spv.ts';
import { spenderOf } from '../../chain/whats-on-chain.ts';
import { inTransaction } from '../../store/database.ts';
import type { ActionInput } from '../../payments/action.ts';
import { isLive, isOnNetwork } from '../../payments/move.ts';
import { paymentByTxid } from '../../payments/sources/action/send-held.ts';
import { countHostRequests } from '../../request-limits/rate-limit.ts';
import { isOfOneKey } from '../../transaction/unlocks.ts';
import type { Caller } from '../caller.ts';
import { requireBaskets } from '../outputs/baskets.ts';
import { fromDotted } from '../../coins/coin.ts';
import type { Wallet } from '../../platform.ts';

type RequestedInput = Brc100Args<'createAction'>['inputs'][number];

/**
 * Reads the amounts of an application's inputs from their source transactions, and verifies those transactions by
 * merkle path or through the network. The result doesn't depend on whether an input is the wallet's own money, so pages
 * can't learn which coins are the user's (wallet/payments/plan/sign.ts). An output in another site's basket that this
 * site may not use is treated like a third party's.
 * @throws Brc100Error `WERR_INVALID_PARAMETER`; ServiceError `invalid-proof`, `invalid-transaction`,
 * `network-unavailable`
 */
export async function readInputs(
  wallet: Wallet,
  { inputs, inputBEEF }: Pick<Brc100Args<'createAction'>, 'inputs' | 'inputBEEF'>,
  caller: Caller,
): Promise<ActionInput[]> {
  const beef = inputBEEF === undefined ? null : readGiven(inputBEEF);
  if (new Set(inputs.map(({ outpoint }) => outpoint)).size < inputs.length)
    throw invalidParameter('inputs', 'free of duplicate outpoints.');
  const kept = await inTransaction(wallet, (tx) =>
    Promise.all(inputs.map(({ outpoint }) => usableOutput(tx, fromDotted(outpoint), caller.origin))),
  );
  await requireBaskets(
    wallet,
    kept.flatMap((output) => output?.basket ?? []),
    caller,
  );
  const sources = new Map<string, Transaction>();
  const read: ActionInput[] = [];
  const find = (txid: string) => sourceOf(wallet, txid, beef, caller.origin);
  for (const [i, input] of inputs.entries()) read.push(await readInput(input, kept[i], sources, find));
  const { wocUrl } = await networkInfo(wallet);
  for (const [i, input] of read.entries())
    if (!(await isVerified(wallet, input, kept[i], caller.origin, wocUrl))) read[i] = { ...input, isUnverified: true };
  return read;
}

/**
 * True if an input's amount can be credited: the network has its source transaction, the index reports no spender, and
 * the wallet can verify its unlocking script. Doesn't depend on the user's own records. False if the site has reached
 * its request limit.
 * @throws Brc100Error `WERR_INVALID_PARAMETER` (spent); ServiceError `network-unavailable`
 */
async function isVerified(
  wallet: Wallet,
  { txid, vout, script }: ActionInput,
  kept: AppOutput | undefined,
  origin: string,
  wocUrl: string,
): Promise<boolean> {
  if (kept?.status === 'pending' || (await paymentByTxid(wallet, origin, txid))?.state === 'signed') return false;
  try {
    countHostRequests(wallet, origin, 1);
  } catch {
    return false;
  }
  if ((await spenderOf(wallet, wocUrl, txid, vout)) !== null)
    throw invalidParameter('outpoint', `unspent: ${txid}.${vout}`);
  return isOfOneKey(script);
}

function readGiven(bytes: Uint8Array): Beef {
  try {
    return readBeef(bytes);
  } catch {
    throw invalidParameter('inputBEEF', 'valid BEEF');
  }
}

async function readInput(
  { outpoint, inputDescription, unlockingScript, unlockingScriptLength, sequenceNumber }: RequestedInput,
  kept: AppOutput | undefined,
  sources: Map<string, Transaction>,
  find: (txid: string) => Promise<Transaction | null>,
): Promise<ActionInput> {
  const [txid = '', place] = outpoint.split('.');
  const vout = Number(place);
  if (kept && kept.status !== 'pending' && kept.status !== 'available')
    throw invalidParameter('outpoint', `unspent: ${outpoint}`);
  const { satoshis, script } = kept ?? (await outputAt(txid, vout, sources, find));
  return {
    txid,
    vout,
    satoshis,
    script,
    sequence: sequenceNumber,
    unlockingScript: unlockingScript === undefined ? null : fromHex(unlockingScript),
    unlockingBytes: unlockingScriptLength ?? (unlockingScript as string).length / 2,
    description: inputDescription,
  };
}

async function outputAt(
  txid: string,
  vout: number,
  sources: Map<string, Transaction>,
  find: (txid: string) => Promise<Transaction | null>,
): Promise<{ satoshis: bigint; script: string }> {
  const source = sources.get(txid) ?? (await find(txid));
  if (!source) throw invalidParameter('inputBEEF', `with the transaction of each input: ${txid} is unknown.`);
  sources.set(txid, source);
  const output = source.outputs[vout];
  if (!output) throw invalidParameter('outpoint', `an output of its transaction: ${txid}.${vout}`);
  return { satoshis: output.satoshis, script: toHex(output.lockingScript) };
}

/**
 * Returns a source transaction, or null if unknown. Network requests for it count against the site's request limit,
 * because a page may name a thousand transactions without the user's permission.
 */
async function sourceOf(wallet: Wallet, txid: string, beef: Beef | null, origin: string): Promise<Transaction | null> {
  const own = await ownTransaction(wallet, origin, txid);
  if (own) return own;
  const info = await networkInfo(wallet);
  const member = beef?.members.get(txid);
  const takeTurn = () => countHostRequests(wallet, origin, 1);
  if (!beef || !member) {
    takeTurn();
    return fetchTransaction(wallet, info, txid);
  }
  await checkMember(wallet, info, beef, member, madeBy(wallet, origin), takeTurn);
  return member.transaction;
}

/**
 * Returns a transaction that this wallet signed for the site, if it has been mined or still can be. Transactions signed
 * for other sites are looked up like third parties' transactions, because the number and duration of requests must not
 * reveal which are the user's.
 */
async function ownTransaction(wallet: Wallet, origin: string, txid: string): Promise<Transaction | null> {
  const payment = await paymentByTxid(wallet, origin, txid);
  return payment?.signed && isLive(payment) ? parseTransaction(fromHex(payment.signed.rawtx)) : null;
}

/** Returns a predicate for transactions signed for the site by this wallet that have been mined or still can be. */
export const madeBy =
  (wallet: Wallet, origin: string) =>
  async (txid: string): Promise<boolean> =>
    (await ownTransaction(wallet, origin, txid)) !== null;

/**
 * Returns a predicate for transactions that this wallet signed for the site and that the network has. It is false for a
 * transaction that the wallet is still broadcasting, because others may broadcast it as well. It throws
 * `network-unavailable`, or `invalid-transaction` if the wallet isn't broadcasting the transaction and the network
 * doesn't have it.
 * @param takeTurn called before each network request about a transaction; an error it throws aborts the check
 */
export const sentBy =
  (wallet: Wallet, info: NetworkInfo, origin: string, takeTurn: () => void) =>
  async (txid: string): Promise<boolean> => {
    const payment = await paymentByTxid(wallet, origin, txid);
    if (!payment || !isLive(payment)) return false;
    if (isOnNetwork(payment)) return true;
    const { trouble, replacedBy } = payment;
    if (!replacedBy && (trouble === null || trouble === 'unseen')) return false;
    takeTurn();
    // The application may have broadcast a transaction that it had withheld from the wallet.
    if (await isKnown(wallet, info, txid)) return true;
    throw new ServiceError('invalid-transaction', { detail: 'BEEF: unsent transaction' });
  };
