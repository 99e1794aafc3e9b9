/** Finds money on the paths of other wallets with the same recovery words. Stores nothing. */
import { p2pkhScript, writeAddress } from '../../../protocol/bitcoin/address.ts';
import { fromHex, toHex } from '../../../protocol/bitcoin/bytes.ts';
import { parseTransaction, txidOf, type Transaction } from '../../../protocol/bitcoin/transaction.ts';
import type { NetworkInfo } from '../../chain/network-info.ts';
import { networkInfo } from '../../chain/network.ts';
import { transactionHex, unspentOf, ADDRESSES_PER_REQUEST, type Unspent } from '../../chain/whats-on-chain.ts';
import { historyOfMany } from '../../chain/address-histories.ts';
import { mayCarryToken, outpoint } from '../../coins/coin.ts';
import { readSettings } from '../../settings.ts';
import { chainsFor, type OtherKeys } from '../../vault/other-paths.ts';
import type { Wallet } from '../../platform.ts';

/** Maximum number of 20-address windows searched per chain. */
const MAX_WINDOWS = 50;
/** Maximum number of coins read and moved together. */
export const MAX_FOUND_COINS = 100;

/** A coin on another wallet's path, as read from the transaction that created it. */
export interface OtherCoin {
  outpoint: string;
  txid: string;
  vout: number;
  satoshis: bigint;
  script: string;
  depth: number;
  path: string;
  wallets: string;
  index: number;
  address: string;
  /** Outpoints that the coin's transaction spends. */
  spends: string[];
}

export interface OtherCoins {
  coins: OtherCoin[];
  left: number;
  /** Outpoints of coins that may contain a token or an ordinal. */
  apart: string[];
}

export type OtherPlace = Pick<OtherCoin, 'path' | 'wallets' | 'index' | 'address' | 'script'>;
type Claim = OtherPlace & { unspent: Unspent };

/**
 * Finds coins on the paths of other wallets.
 * @param isUsed returns true if addresses without coins hold something else, in which case the search continues beyond
 *   them
 * @throws ServiceError `network-unavailable`, `too-large`
 */
export async function findOtherCoins(
  wallet: Wallet,
  keys: OtherKeys,
  passphrase: string,
  isUsed: (places: readonly OtherPlace[]) => Promise<boolean> = async () => false,
): Promise<OtherCoins> {
  const info = await networkInfo(wallet);
  const { network } = await readSettings(wallet);
  const claims: Claim[] = [];
  for (const { path, wallets } of chainsFor(passphrase))
    for (let window = 0; window < MAX_WINDOWS; window += 1) {
      const indexes = Array.from({ length: ADDRESSES_PER_REQUEST }, (_, i) => window * ADDRESSES_PER_REQUEST + i);
      const places = keys.hashes(path, indexes).map((hash, i): OtherPlace => ({
        path,
        wallets,
        index: indexes[i] as number,
        address: writeAddress(hash, network),
        script: toHex(p2pkhScript(hash)),
      }));
      const found = await claimsAt(wallet, info, places);
      claims.push(...found.claims);
      if (!(await isUsed(places)) && !found.isUsed) break;
    }
  return readClaims(wallet, info, claims);
}

async function claimsAt(
  wallet: Wallet,
  info: NetworkInfo,
  places: readonly OtherPlace[],
): Promise<{ claims: Claim[]; isUsed: boolean }> {
  const addresses = places.map(({ address }) => address);
  const unspent = (await unspentOf(wallet, info.wocUrl, addresses)).filter(({ spentInMempool }) => !spentInMempool);
  const claims = unspent.flatMap((one) => {
    const place = places.find(({ address }) => address === one.address);
    return place ? [{ ...place, unspent: one }] : [];
  });
  const isUsed = claims.length > 0 || (await historyOfMany(wallet, info.wocUrl, addresses)).transactions.length > 0;
  return { claims, isUsed };
}

/** Reads the coins' transactions, the most valuable coins first. */
async function readClaims(wallet: Wallet, info: NetworkInfo, claims: readonly Claim[]): Promise<OtherCoins> {
  const money = claims.filter(({ unspent }) => !mayCarryToken(unspent));
  const sorted = money.toSorted((a, b) => Number(b.unspent.satoshis - a.unspent.satoshis));
  const read = new Map<string, Transaction | null>();
  const coins: OtherCoin[] = [];
  for (const claim of sorted.slice(0, MAX_FOUND_COINS)) {
    const { txid } = claim.unspent;
    if (!read.has(txid)) read.set(txid, await transaction(wallet, info, txid));
    const coin = coinOf(claim, read.get(txid) ?? null);
    if (coin) coins.push(coin);
  }
  const apart = claims.flatMap(({ unspent }) => (mayCarryToken(unspent) ? outpoint(unspent.txid, unspent.vout) : []));
  return { coins, left: Math.max(0, money.length - MAX_FOUND_COINS), apart };
}

async function transaction(wallet: Wallet, { wocUrl }: NetworkInfo, txid: string): Promise<Transaction | null> {
  const hex = await transactionHex(wallet, wocUrl, txid);
  if (hex === null) return null;
  const bytes = fromHex(hex);
  return txidOf(bytes) === txid ? parseTransaction(bytes) : null;
}

/**
 * Returns a claimed coin; null if it doesn't exist, or if it may hold a token or an ordinal, which spending would
 * destroy.
 */
function coinOf({ unspent: { txid, vout }, script, ...place }: Claim, made: Transaction | null): OtherCoin | null {
  const output = made?.outputs[vout];
  if (!made || !output || mayCarryToken(output) || toHex(output.lockingScript) !== script) return null;
  return {
    ...place,
    outpoint: outpoint(txid, vout),
    txid,
    vout,
    satoshis: output.satoshis,
    script,
    depth: 1,
    spends: made.inputs.map((input) => outpoint(input.txid, input.vout)),
  };
}
