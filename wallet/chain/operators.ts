/** The operators that connect the wallet to its network: the user's or the network's own first, then fallbacks. */
import { createBroadcaster, type Broadcaster, type Dialect } from '../../protocol/network/broadcaster/broadcaster.ts';
import { createOperators, type Operators } from '../../protocol/network/broadcaster/operators.ts';
import type { Outcome } from '../../protocol/network/broadcaster/outcome.ts';
import type { NetworkTransaction } from '../../protocol/network/arc.ts';
import { changeKey, readKey } from '../store/database.ts';
import type { FeeRate } from '../transaction/plan.ts';
import { extendedOf, type Spends } from './extended.ts';
import { send } from './http.ts';
import { operatorFailures } from './operator-failures.ts';
import { operatorKey } from './operator-keys.ts';
import type { NetworkInfo } from './network-info.ts';
import { part, type Wallet } from '../platform.ts';

/** A transaction to submit, with the known outputs that it spends. */
export interface Submitted extends Spends {
  txid: string;
}

type Where = Pick<NetworkInfo, 'arcUrl' | 'otherArcUrls' | 'wocUrl'>;

// Lost when the worker stops, but API dialects are stored.
const clients = part(() => new Map<string, Broadcaster>());

/** Returns the client of an operator URL. @param key defaults to the stored one */
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
 * about five seconds for the verdict on a pending one. Queries the index for unknown outputs. Never throws.
 * @param everywhere also tries other operators if one reports it as pending or contested
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
