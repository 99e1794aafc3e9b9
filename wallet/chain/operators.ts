/**
 * The operators that connect the wallet to its network: the user's or the network's own first, then fallbacks. Records
 * their recent failures, and converts transactions to Extended Format (BRC-30) for them.
 */
import { createBroadcaster, type Broadcaster, type Dialect } from '../../protocol/network/broadcaster/broadcaster.ts';
import {
  createOperators,
  type Operators,
  type Failure,
  type FailureMemory,
} from '../../protocol/network/broadcaster/operators.ts';
import type { Outcome } from '../../protocol/network/broadcaster/outcome.ts';
import type { NetworkTransaction } from '../../protocol/network/arc.ts';
import { changeKey, readKey } from '../store/database.ts';
import type { FeeRate } from '../transaction/plan.ts';
import { send } from './http.ts';
import { operatorKey } from './operator-keys.ts';
import type { NetworkInfo } from './network-info.ts';
import { part, type Wallet } from '../platform.ts';
import { hash160 } from '../keys/keys.ts';
import { p2pkhScript } from '../../protocol/bitcoin/address.ts';
import { extendedFormat } from '../../protocol/network/broadcaster/extended-format.ts';
import { fromHex, toHex } from '../../protocol/bitcoin/bytes.ts';
import { parseTransactionHex, type Transaction, type TransactionOutput } from '../../protocol/bitcoin/transaction.ts';
import { mayCarryToken, outpoint } from '../coins/coin.ts';
import type { Input } from '../transaction/input.ts';
import { fetchTransaction } from './headers/spv.ts';
import { readCoins } from '../coins/records.ts';

/** A transaction to submit, with the known outputs that it spends. */
export interface Submitted extends Spends {
  txid: string;
}

type Where = Pick<NetworkInfo, 'arcUrl' | 'otherArcUrls' | 'wocUrl'>;

// Clients by URL. Lost when the worker stops, except for their API dialects, which are stored.
const clients = part(() => new Map<string, Broadcaster>());

/** Returns the client for an operator's URL. @param key defaults to the stored key */
export async function operatorAt(wallet: Wallet, url: string, key?: string | null): Promise<Broadcaster> {
  const sent = key === undefined ? await operatorKey(wallet, url) : key;
  const id = `${url} ${sent ?? ''}`;
  const existing = clients(wallet).get(id);
  if (existing) return existing;
  const known = (await readKey(wallet, 'network'))?.dialects?.[url] ?? null;
  const client = createBroadcaster(
    { url, key: sent },
    { send: (url, request) => send(wallet, url, request), now: () => wallet.now() },
    { known, onDialect: (dialect) => keepDialect(wallet, url, dialect).catch(() => undefined) },
  );
  clients(wallet).set(id, client);
  return client;
}

/** Deletes an operator's recorded failure, because its key may have changed. */
export const forgetFailure = async (wallet: Wallet, url: string): Promise<void> =>
  void (await operatorFailures(wallet)).delete(url);

const keepDialect = (wallet: Wallet, url: string, dialect: Dialect): Promise<void> =>
  changeKey(wallet, 'network', (stored) => ({ ...stored, dialects: { ...stored?.dialects, [url]: dialect } }));

async function operatorsOf(
  wallet: Wallet,
  { arcUrl, otherArcUrls = [] }: Pick<Where, 'arcUrl' | 'otherArcUrls'>,
): Promise<Operators> {
  const all = await Promise.all([arcUrl, ...otherArcUrls].map((url) => operatorAt(wallet, url)));
  return createOperators(all, await operatorFailures(wallet), {
    now: () => wallet.now(),
    pause: (ms) => new Promise((resolve) => wallet.setTimeout(resolve, ms)),
  });
}

/**
 * Submits a transaction to the operators in order, in Extended Format if the outputs that it spends can be found. Waits
 * about five seconds for the verdict on a pending transaction. Queries the index for unknown outputs. Never throws.
 * @param everywhere also tries other operators if one reports the transaction as pending or contested
 */
export async function submit(
  wallet: Wallet,
  info: Where,
  transaction: Submitted,
  everywhere = false,
): Promise<Outcome> {
  const { txid, rawtx } = transaction;
  const operators = await operatorsOf(wallet, info);
  const extended = await extendedOf(wallet, info, transaction).catch(() => null);
  return operators.submit({ txid, rawtx, extended }, { everywhere });
}

/**
 * Returns a transaction's status from the operators; null if none has a verdict.
 * @throws ServiceError `network-unavailable` if none responded
 */
export async function transactionStatus(wallet: Wallet, info: Where, txid: string): Promise<NetworkTransaction | null> {
  return (await operatorsOf(wallet, info)).status(txid);
}

/** Returns the network's fee rate. @throws ServiceError `network-unavailable` */
export async function fetchPolicy(wallet: Wallet, info: Pick<Where, 'arcUrl' | 'otherArcUrls'>): Promise<FeeRate> {
  return (await operatorsOf(wallet, info)).policy();
}

// Failures by URL. They are also stored, because a worker often stops before the retry delay is over.
const failures = part(() => new Map<string, Failure>());
const rememberedOf = part(() => ({
  recalled: null as Promise<void> | null,
}));

const memory = part((wallet): FailureMemory => ({
  get: (url) => failures(wallet).get(url),
  set(url, failure) {
    failures(wallet).set(url, failure);
    store(wallet, url, failure);
  },
  delete(url) {
    if (failures(wallet).delete(url)) store(wallet, url);
  },
}));

/** Returns the recorded failures, including those stored by earlier workers. */
export async function operatorFailures(wallet: Wallet): Promise<FailureMemory> {
  const remembered = rememberedOf(wallet);
  remembered.recalled ??= recall(wallet).catch((error: unknown) => {
    remembered.recalled = null;
    throw error;
  });
  await remembered.recalled;
  return memory(wallet);
}

async function recall(wallet: Wallet): Promise<void> {
  for (const [url, failure] of Object.entries((await readKey(wallet, 'network'))?.failures ?? {}))
    failures(wallet).set(url, failure);
}

/** Stores an operator's failure or success. If the write is lost, the only effect is an earlier retry. */
function store(wallet: Wallet, url: string, failure?: Failure): void {
  changeKey(wallet, 'network', (stored) => {
    const { [url]: _, ...others } = stored?.failures ?? {};
    return { ...stored, failures: failure ? { ...others, [url]: failure } : others };
  }).catch(() => undefined);
}

/** A transaction and the known outputs that it spends. */
export interface Spends {
  /** Hexadecimal. */
  rawtx: string;
  /** Input amounts by outpoint (satoshis), if the wallet signed the transaction. */
  satoshis?: ReadonlyMap<string, bigint>;
  /** Other parties' outputs that the transaction spends. */
  given?: readonly Input[];
  /** Looks up transactions submitted together with this one, by ID. */
  parents?: (txid: string) => Transaction | undefined;
}

/** Maximum number of parents fetched per transaction. A third party's transaction may spend thousands of outputs. */
export const MAX_FETCHED = 20;

/**
 * Returns the transaction in Extended Format (hex), or null if an output that it spends can't be found. Searches the
 * wallet's coins first, then queries the index and checks its bytes against the IDs.
 * @throws ServiceError `network-unavailable`, `invalid-transaction`, `invalid-proof`, `too-large`
 */
export async function extendedOf(
  wallet: Wallet,
  info: Pick<NetworkInfo, 'wocUrl'>,
  { rawtx, satoshis, given = [], parents }: Spends,
): Promise<string | null> {
  const transaction = parseTransactionHex(rawtx);
  const others = new Map(given.map((one) => [outpoint(one.txid, one.vout), one]));
  const fetched = new Map<string, Promise<Transaction | null>>();
  const sources: TransactionOutput[] = [];
  const keys = transaction.inputs.map(({ txid, vout }) => outpoint(txid, vout));
  const coins = await readCoins(wallet, keys);
  for (const [i, { txid, vout, unlockingScript }] of transaction.inputs.entries()) {
    const key = keys[i] as string;
    const known = others.get(key) ?? coins[i];
    const worth = satoshis?.get(key);
    // The script of a one-satoshi coin may also contain an inscription.
    const script = worth === undefined || mayCarryToken({ satoshis: worth }) ? null : ownScript(unlockingScript);
    if (known) sources.push({ satoshis: known.satoshis, lockingScript: fromHex(known.script) });
    else if (worth !== undefined && script) sources.push({ satoshis: worth, lockingScript: script });
    else {
      if (!fetched.has(txid) && !parents?.(txid) && fetched.size >= MAX_FETCHED) return null;
      const parent = parents?.(txid) ?? (await fetchOnce(wallet, fetched, info, txid));
      const output = parent?.outputs[vout];
      if (!output) return null;
      sources.push(output);
    }
  }
  return toHex(extendedFormat(transaction, sources));
}

function fetchOnce(
  wallet: Wallet,
  fetched: Map<string, Promise<Transaction | null>>,
  info: Pick<NetworkInfo, 'wocUrl'>,
  txid: string,
): Promise<Transaction | null> {
  const running = fetched.get(txid) ?? fetchTransaction(wallet, info, txid);
  fetched.set(txid, running);
  return running;
}

/** Derives the P2PKH script from an input that has a signature and a compressed key; null for any other input. */
function ownScript(unlockingScript: Uint8Array): Uint8Array | null {
  const [length = 0] = unlockingScript;
  const key = unlockingScript.subarray(length + 2);
  return length > 8 && length < 0x4c && unlockingScript[length + 1] === 33 && key.length === 33
    ? p2pkhScript(hash160(key))
    : null;
}
