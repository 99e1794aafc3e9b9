/** Implements `internalizeAction` of the BSV wallet interface (BRC-100). */
import { invalidParameter } from '../../../../protocol/brc100/errors.ts';
import type { Brc100Args, Brc100Results } from '../../../../protocol/brc100/methods.ts';
import { toHex } from '../../../../protocol/bitcoin/bytes.ts';
import { ServiceError } from '../../../../protocol/errors/service-error.ts';
import { noteAction, actionsByTxid } from '../../../baskets/actions.ts';
import { storeOutput } from '../../../baskets/outputs.ts';
import { actionBytes, checkQuota, outputBytes } from '../../../baskets/site-quota.ts';
import { mayChangeId } from '../../../chain/changeable-id.ts';
import { checkMember } from '../../../chain/check-beef.ts';
import { networkInfo } from '../../../chain/network.ts';
import { readBeef, type BeefMember } from '../../../chain/read-beef.ts';
import { outpoint } from '../../../coins/coin.ts';
import { inTransaction, type WriteTransaction } from '../../../store/database.ts';
import { watchAgain } from '../../../payments/network/abandon.ts';
import { checkDerived, sweepCoins, type DerivedCoin } from '../../../payments/sources/sweep/sweep.ts';
import { countHostRequests } from '../../../request-limits/rate-limit.ts';
import { checkSoon } from '../../../scan/basket-spend-check.ts';
import type { Caller } from '../../caller.ts';
import { requirePermission } from '../../permissions/require.ts';
import { requireBaskets } from '../../outputs/baskets.ts';
import { refuseUnpermitted } from '../../../permissions/store.ts';
import { paymentsMaking } from '../../../payments/store.ts';
import { isLive } from '../../../payments/move.ts';
import { madeBy, sentBy } from '../sources.ts';
import type { Wallet } from '../../../platform.ts';

type Args = Brc100Args<'internalizeAction'>;

/** An output to be stored in a basket. */
interface Insertion {
  vout: number;
  satoshis: bigint;
  script: string;
  basket: string;
  customInstructions: string | null;
  tags: string[];
}

/**
 * Internalizes outputs of a transaction, either as payments to keys derived for this wallet (BRC-29) or into a basket.
 * The transaction is verified by its merkle path or by the network. If the network doesn't have it, it is broadcast
 * unless the wallet withholds it. Nothing is stored unless all outputs are valid.
 */
export async function internalizeAction(
  wallet: Wallet,
  args: Args,
  caller: Caller,
): Promise<Brc100Results['internalizeAction']> {
  const { beef, member } = readSubject(args.tx);
  const coins = paymentsIn(member, args);
  const insertions = insertionsIn(member, args);
  await requireBaskets(
    wallet,
    insertions.map(({ basket }) => basket),
    caller,
    args.seekPermission,
  );
  if (coins.length > 0) {
    // Checking that outputs pay this wallet reveals its identity, because a page could test one key after another.
    await requirePermission(wallet, { kind: 'identity' }, caller, { prompt: args.seekPermission });
    await checkDerived(wallet, coins).catch((error: unknown) => {
      if (error instanceof ServiceError && error.code !== 'wallet-locked')
        throw invalidParameter('paymentRemittance', 'that of an output that pays this wallet.');
      throw error;
    });
  }
  const { origin } = caller;
  const { txid, transaction } = member;
  const action = actionOf(args, member, { origin, coins });
  const more = insertions.reduce(
    (sum, one) => sum + outputBytes({ ...one, origin, description: args.description }),
    actionBytes(action),
  );
  // Payments are never rejected for lack of storage.
  if (insertions.length > 0)
    await inTransaction(wallet, async (tx) =>
      checkQuota(wallet, tx, origin, (await isNoted(tx, txid, origin)) ? 0 : more),
    );
  const takeTurn = () => countHostRequests(wallet, origin, 1);
  const info = await networkInfo(wallet);
  const refuseForged = (error: unknown): never => {
    const isForged =
      error instanceof ServiceError && ['invalid-proof', 'invalid-transaction', 'too-large'].includes(error.code);
    throw isForged ? invalidParameter('tx', 'a transaction that is mined or that the network accepts.') : error;
  };
  // Payments are tracked until they are confirmed, but basket outputs aren't.
  if (
    insertions.length > 0 &&
    (await mayChangeId(wallet, info, beef, member, madeBy(wallet, origin), takeTurn).catch(refuseForged))
  )
    throw invalidParameter(
      'tx',
      'a mined transaction, because third parties can change the ID of a version 2 transaction.',
    );
  const isSent = sentBy(wallet, info, origin, takeTurn);
  const block = await checkMember(wallet, info, beef, member, isSent, takeTurn).catch(refuseForged);
  const broughtBy = { origin, description: args.description };
  const spends = transaction.inputs.map((input) => outpoint(input.txid, input.vout));
  const baskets = insertions.map(({ basket }) => ({ kind: 'basket', basket }) as const);
  await sweepCoins(wallet, coins, { txid, spends, block, broughtBy }, async (tx) => {
    if (baskets.length > 0) await refuseUnpermitted(wallet, tx, origin, baskets);
    // The network has the transaction, so the wallet tracks it again even if the user had stopped tracking it.
    await watchAgain(wallet, tx, txid);
    await insert(wallet, tx, txid, insertions, broughtBy);
    if (!(await isNoted(tx, txid, origin)))
      await noteAction(wallet, tx, { ...action, incoming: { ...action.incoming, isProven: block !== null } });
    if (insertions.length > 0) await checkQuota(wallet, tx, origin);
  });
  // A proof shows that the output was created, not that it is still unspent.
  checkSoon(
    wallet,
    origin,
    insertions.map(({ vout }) => outpoint(txid, vout)),
  );
  return { accepted: true };
}

function readSubject(bytes: Uint8Array): { beef: ReturnType<typeof readBeef>; member: BeefMember } {
  try {
    const beef = readBeef(bytes);
    // Without a subject (BRC-95), the last transaction is used, as in the reference implementation.
    const member = beef.subject === null ? [...beef.members.values()].at(-1) : beef.members.get(beef.subject);
    if (member) return { beef, member };
  } catch {
    // an error is thrown below
  }
  throw invalidParameter('tx', 'valid AtomicBEEF');
}

function outputAt({ transaction }: BeefMember, vout: number): { satoshis: bigint; script: string } {
  const output = transaction.outputs[vout];
  if (!output) throw invalidParameter('outputIndex', 'the index of an output of the transaction.');
  return { satoshis: output.satoshis, script: toHex(output.lockingScript) };
}

function paymentsIn(member: BeefMember, { outputs }: Args): DerivedCoin[] {
  if (new Set(outputs.map(({ outputIndex }) => outputIndex)).size < outputs.length)
    throw invalidParameter('outputs', 'free of duplicate outputs.');
  return outputs.flatMap(({ protocol, outputIndex, paymentRemittance }) =>
    protocol === 'wallet payment' && paymentRemittance
      ? { txid: member.txid, vout: outputIndex, ...outputAt(member, outputIndex), remittance: paymentRemittance }
      : [],
  );
}

function insertionsIn(member: BeefMember, { outputs }: Args): Insertion[] {
  return outputs.flatMap(({ protocol, outputIndex, insertionRemittance }) => {
    if (protocol !== 'basket insertion' || !insertionRemittance) return [];
    const { basket, customInstructions = null, tags } = insertionRemittance;
    return { vout: outputIndex, ...outputAt(member, outputIndex), basket, customInstructions, tags };
  });
}

/** Stores outputs in baskets. @throws Brc100Error if an output is already in a different basket of the site */
async function insert(
  wallet: Wallet,
  tx: WriteTransaction,
  txid: string,
  insertions: readonly Insertion[],
  { origin, description }: { origin: string; description: string },
): Promise<void> {
  // Outputs created by one of the wallet's payments become void if that payment ends.
  const maker = (await paymentsMaking(tx, txid)).find(isLive);
  for (const { vout, ...insertion } of insertions) {
    const kept = await storeOutput(wallet, tx, {
      ...insertion,
      outpoint: outpoint(txid, vout),
      origin,
      description,
      status: 'available',
      madeBy: maker?.id ?? null,
    });
    if (kept.basket !== insertion.basket)
      throw invalidParameter('basket', 'the basket that already contains the output.');
  }
}

/** True if the site's action list already contains the transaction. */
async function isNoted(tx: WriteTransaction, txid: string, origin: string): Promise<boolean> {
  const known = await actionsByTxid(tx, txid);
  return known.some((action) => action.origin === origin);
}

/** Returns the entry for the site's action list. */
function actionOf(
  { description, labels, outputs }: Args,
  { txid, transaction: { version, lockTime } }: BeefMember,
  { origin, coins }: { origin: string; coins: readonly DerivedCoin[] },
) {
  const satoshis = coins.reduce((sum, coin) => sum + coin.satoshis, 0n);
  return {
    origin,
    txid,
    paymentId: null,
    description,
    labels,
    outputs: outputs.map(({ outputIndex }) => ({ vout: outputIndex, description })),
    incoming: { satoshis, isProven: false, version, lockTime },
  };
}
