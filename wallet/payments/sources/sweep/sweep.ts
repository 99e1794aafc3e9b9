/**
 * Sweeps money received at derived keys (BRC-29) to the wallet's own addresses, where a restore from the recovery words
 * finds it. The transaction is signed before anything is stored, and stored together with the coins.
 */
import { p2pkhScript, writeAddress } from '../../../../protocol/bitcoin/address.ts';
import { ownerHash } from '../../../../protocol/assets/bsv21/inscription.ts';
import { fromHex, toHex } from '../../../../protocol/bitcoin/bytes.ts';
import { ServiceError } from '../../../../protocol/errors/service-error.ts';
import { normalizedTxidOf } from '../../../../protocol/bitcoin/transaction.ts';
import { recordEntry } from '../../../app-log/record.ts';
import { finalFeeRate } from '../../../chain/network.ts';
import { unusedAddress } from '../../../coins/addresses/addresses.ts';
import { isUsedSince } from '../../../coins/addresses/records.ts';
import { MAX_SPENT_OUTPOINTS, type Receipt } from '../../../coins/receipts/receipt.ts';
import { outpoint, type Block } from '../../../coins/coin.ts';
import { placeInBlock } from '../../../coins/coin-store.ts';
import {
  inTransaction,
  readTransaction,
  type Reading,
  type WriteTransaction,
  database,
} from '../../../store/database.ts';
import { announceChange } from '../../../events.ts';
import { readSettings } from '../../../settings.ts';
import { planTransaction, type Plan } from '../../../transaction/plan.ts';
import { signTransaction } from '../../../transaction/sign.ts';
import type { Remittance } from '../../../keys/derived-keys.ts';
import { hash160, type KeyPair } from '../../../keys/keys.ts';
import { withPaymentKeys } from '../../../vault/payment-key.ts';
import { publicKeys } from '../../../vault/vault.ts';
import type { SignedDraft } from '../../plan/sign.ts';
import { processPayment } from '../../runner/runner.ts';
import { isLive } from '../../move.ts';
import { storeSigned } from '../../plan/store-signed.ts';
import type { Address } from '../../../coins/addresses/address.ts';
import { lightSpenders } from '../../store.ts';
import { getReceipt, putReceipt } from '../../../coins/receipts/receipts.ts';
import { ownPayment, startPayment } from '../../start.ts';
import type { Wallet } from '../../../platform.ts';

/** A received output locked to a derived key. */
export interface DerivedCoin {
  txid: string;
  vout: number;
  satoshis: bigint;
  /** Locking script in hex. */
  script: string;
  remittance: Remittance;
}

/** The transaction that contains the received outputs. */
export interface Arrival {
  txid: string;
  /** The outpoints that the transaction spends. */
  spends: string[];
  /** The transaction's block according to a verified proof, or null. */
  block: Block | null;
  /** The site that submitted the transaction, and the site's claims about it. Undefined if unknown. */
  broughtBy?: NonNullable<Receipt['broughtBy']>;
}

const MAX_TRIES = 20;

type SweptCoin = DerivedCoin & { outpoint: string; depth: number };

/**
 * Checks that outputs are locked to keys of this wallet.
 * @throws ServiceError `wallet-locked`, `payment-mismatch` (one is locked to a different script)
 */
export async function checkDerived(wallet: Wallet, coins: readonly DerivedCoin[]): Promise<void> {
  await withPaymentKeys(
    wallet,
    coins.map((coin) => coin.remittance),
    (pairs) => {
      for (const [i, { script }] of coins.entries())
        if (script !== scriptOf(pairs[i] as KeyPair)) throw new ServiceError('payment-mismatch');
    },
  );
}

const scriptOf = ({ publicKey }: KeyPair) => toHex(p2pkhScript(hash160(publicKey)));

/**
 * Accepts outputs at derived keys: signs a transaction that sweeps them, and stores it, the outputs and the writes of
 * `also` in one database transaction. Skips outputs that were accepted earlier.
 * @param coins verified outputs of one transaction
 * @throws ServiceError `wallet-locked`, `amount-too-small` (the fee would exceed their value), `network-unavailable`,
 * `busy`
 */
export async function sweepCoins(
  wallet: Wallet,
  coins: readonly DerivedCoin[],
  arrival: Arrival,
  also: (tx: WriteTransaction) => Promise<void>,
): Promise<void> {
  const { network } = await readSettings(wallet);
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const fresh = await notTaken(wallet, coins);
    const sweep = fresh.length > 0 ? await draftSweep(wallet, fresh) : null;
    const record = sweep && ownPayment(wallet, 'sweep', { sweep: true });
    const isStored = await inTransaction(wallet, async (tx) => {
      const spendersOf = lightSpenders(tx);
      for (const { outpoint: key } of fresh) if ((await spendersOf(key)).some(isLive)) return false;
      if (sweep && record) {
        if (await isUsedSince(tx, [sweep.change])) return false;
        const signed = await storeSigned(wallet, tx, record, sweep, sweep.signed);
        await startPayment(wallet, tx, record, { signed });
        await storeReceipt(wallet, tx, record.id, fresh, arrival, network);
      }
      await also(tx);
      return true;
    });
    if (!isStored) continue;
    announceChange(wallet);
    if (record) void processPayment(wallet, record.id);
    return;
  }
  throw new ServiceError('busy');
}

async function notTaken(wallet: Wallet, coins: readonly DerivedCoin[]): Promise<SweptCoin[]> {
  const spendersOf = lightSpenders(readTransaction(await database(wallet)));
  const found = await Promise.all(
    coins.map(async (coin) => {
      const key = outpoint(coin.txid, coin.vout);
      return (await spendersOf(key)).some(isLive) ? [] : { ...coin, outpoint: key, depth: 1 };
    }),
  );
  return found.flat();
}

/** True if one of the wallet's payments spends an output. Runs within the caller's database transaction. */
export const isSpentByWallet = async (tx: Reading, key: string) => (await lightSpenders(tx)(key)).some(isLive);

async function draftSweep(
  wallet: Wallet,
  inputs: SweptCoin[],
): Promise<{ plan: Plan<SweptCoin>; change: Address; signed: SignedDraft }> {
  const change = await unusedAddress(wallet, await publicKeys(wallet), (await readSettings(wallet)).network, 'change');
  const plan = planSweep(inputs, change, await finalFeeRate(wallet));
  const signed = await withPaymentKeys(
    wallet,
    inputs.map(({ remittance }) => remittance),
    (pairs) => signTransaction(plan, (coin) => pairs[inputs.indexOf(coin)] as KeyPair),
  );
  const proofs = { normalizedTxid: normalizedTxidOf(signed.transaction), inputProof: '', serviceProof: null };
  return { plan, change, signed: { ...signed, ...proofs } };
}

function planSweep(
  inputs: SweptCoin[],
  change: Address,
  rate: Awaited<ReturnType<typeof finalFeeRate>>,
): Plan<SweptCoin> {
  const planned = () =>
    planTransaction({ outputs: [], inputs, changeScripts: [fromHex(change.script)], rate, preserveOrder: false });
  try {
    const plan = planned();
    if (plan.changeIndexes.length > 0) return plan;
  } catch {
    // their value is less than the fee
  }
  throw new ServiceError('amount-too-small');
}

async function storeReceipt(
  wallet: Wallet,
  tx: WriteTransaction,
  sweepId: string,
  coins: readonly SweptCoin[],
  arrival: Arrival,
  network: Parameters<typeof writeAddress>[1],
): Promise<void> {
  // Excludes coins of earlier sweeps that have ended, because the receipt already contains these coins.
  const spendersOf = lightSpenders(tx);
  const added: SweptCoin[] = [];
  for (const coin of coins) {
    const spenders = await spendersOf(coin.outpoint);
    if (!spenders.some(({ id, sweep }) => sweep && id !== sweepId)) added.push(coin);
  }
  if (added.length > 0) await noteReceived(wallet, tx, added, arrival, network);
  for (const { outpoint: key, satoshis: value, remittance } of coins)
    await recordEntry(wallet, tx, { kind: 'wallet-payment', outpoint: key, satoshis: value.toString(), ...remittance });
}

/** Stores coins from one transaction as received, within the caller's database transaction. */
export async function noteReceived(
  wallet: Wallet,
  tx: WriteTransaction,
  coins: readonly Pick<SweptCoin, 'satoshis' | 'script'>[],
  { txid, spends, block, broughtBy }: Arrival,
  network: Parameters<typeof writeAddress>[1],
): Promise<void> {
  const [first] = coins as [SweptCoin];
  const hash = ownerHash(fromHex(first.script));
  if (!hash) return;
  const known = await getReceipt(tx, txid);
  const receipt: Receipt = known ?? {
    txid,
    satoshis: 0n,
    address: writeAddress(hash, network),
    createdAt: wallet.now(),
    height: null,
    unconfirmed: 1,
    spends: spends.slice(0, MAX_SPENT_OUTPOINTS),
  };
  const satoshis = coins.reduce((sum, coin) => sum + coin.satoshis, receipt.satoshis);
  await putReceipt(tx, { ...receipt, satoshis, ...(broughtBy && { broughtBy }) });
  if (block && !known) await placeInBlock(wallet, tx, txid, block);
}
