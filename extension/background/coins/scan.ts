/** Looks on the network for coins of ours, checks each against its own transaction, and notes what was confirmed. */
import { parseTransactionHex, txidOf } from '../../../protocol/transaction.ts';
import { fromHex, toHex } from '../../../protocol/bytes.ts';
import { ServiceError } from '../../../protocol/errors.ts';
import { announceChange } from '../changes.ts';
import { networkInfo, type NetworkInfo } from '../chain/network.ts';
import { checkProof } from '../chain/proof.ts';
import { ADDRESSES_PER_REQUEST, blockHeader, isUsed, merkleProof, spenderOf, transactionHex, unspentOf, type Unspent } from '../chain/whats-on-chain.ts';
import { database, readKey, writeKey } from '../database.ts';
import { CHAINS } from '../vault/keys.ts';
import { publicKeys } from '../vault/vault.ts';
import { chainAddresses, extendAddresses, GAP_LIMIT, nextUnused, type Address } from './addresses.ts';
import { outpoint, type Coin } from './coin.ts';
import { addFoundCoins, confirmTransaction, markSpentElsewhere, type FoundCoin } from './store.ts';

/** A wallet looks at all its addresses, not only the latest, this often (milliseconds). */
const SWEEP_EVERY_MS = 24 * 3600_000;

let running: Promise<void> | null = null;
let following: Promise<void> | null = null;

/**
 * Brings the coins up to date. Calls that come while one runs share the one after it: the running one may have looked
 * already where the caller knows of news.
 * @throws ServiceError `network-unavailable`, `service-unavailable`, `invalid-proof`, `wallet-not-set-up`
 */
export function refreshCoins(): Promise<void> {
  if (running) {
    following ??= running.catch(() => undefined).then(() => {
      following = null;
      return refreshCoins();
    });
    return following;
  }
  running = refresh().finally(() => {
    running = null;
  });
  return running;
}

async function refresh(): Promise<void> {
  const keys = await publicKeys();
  const info = await networkInfo();
  await extendAddresses(keys, info.network);
  const scan = (await readKey('scan')) ?? { addresses: 0, coins: 0, done: true, sweptAt: 0 };
  if (!scan.done) await restore(info);
  const sweep = Date.now() - scan.sweptAt > SWEEP_EVERY_MS;
  // What turns out to be used leads to new addresses: those too, each once.
  const seen = new Set<string>();
  for (let fresh = await addressesToLookAt(sweep); fresh.length > 0; ) {
    for (const { script } of fresh) seen.add(script);
    if ((await lookAt(info, fresh)) > 0) announceChange();
    await extendAddresses(keys, info.network);
    fresh = (await addressesToLookAt(false)).filter((a) => !seen.has(a.script));
  }
  await confirmReceipts(info);
  if (sweep) await writeKey('scan', { ...scan, done: true, sweptAt: Date.now() });
}

/** The latest addresses of each chain and those that hold something unconfirmed; on a sweep all that were ever derived. */
async function addressesToLookAt(all: boolean): Promise<Address[]> {
  const chains = await Promise.all(CHAINS.map(chainAddresses));
  if (all) return chains.flat();
  const recent = chains.flatMap((addresses) => addresses.slice(Math.max(0, nextUnused(addresses) - GAP_LIMIT)));
  const db = await database();
  const unconfirmed = (await db.getAllFromIndex('coins', 'status', 'available')).filter((coin) => coin.height === null);
  const scripts = new Set(recent.map((a) => a.script));
  const more = await Promise.all([...new Set(unconfirmed.map((coin) => coin.script))].filter((s) => !scripts.has(s)).map((s) => db.get('addresses', s)));
  return [...recent, ...more.filter((a) => a !== undefined)];
}

/** Finds every coin of a restored wallet: chain by chain, until twenty addresses in a row were never used (BIP44). */
async function restore(info: NetworkInfo): Promise<void> {
  const keys = await publicKeys();
  const progress = { addresses: 0, coins: 0, done: false, sweptAt: 0 };
  for (const chain of CHAINS) {
    for (let from = 0; ; ) {
      await extendAddresses(keys, info.network);
      const batch = (await chainAddresses(chain)).slice(from, from + ADDRESSES_PER_REQUEST);
      if (batch.length === 0) break;
      from += batch.length; // may be fewer: only twenty beyond the last used one are known yet
      progress.coins += await lookAt(info, batch);
      const last = await lastUsed(info, chain, batch);
      progress.addresses += batch.length;
      await writeKey('scan', progress);
      announceChange();
      if (last === null) break;
    }
  }
  await writeKey('scan', { ...progress, done: true, sweptAt: Date.now() });
  announceChange();
}

/** The last used address of a batch, marked as used; null where none is. */
async function lastUsed(info: NetworkInfo, chain: Address['chain'], batch: Address[]): Promise<number | null> {
  const now = (await chainAddresses(chain)).slice(batch[0]?.index, (batch.at(-1)?.index ?? 0) + 1);
  for (const address of now.reverse()) {
    if (address.used) return address.index;
    if (await isUsed(info.wocUrl, address.address)) {
      await (await database()).put('addresses', { ...address, used: true });
      return address.index;
    }
  }
  return null;
}

/** Asks for the coins of some addresses and stores what is new, spent or confirmed. Returns how many coins were new. */
async function lookAt(info: NetworkInfo, addresses: readonly Address[]): Promise<number> {
  let added = 0;
  for (let i = 0; i < addresses.length; i += ADDRESSES_PER_REQUEST) {
    const batch = addresses.slice(i, i + ADDRESSES_PER_REQUEST);
    const unspent = (await unspentOf(info.wocUrl, batch.map((a) => a.address))).filter((u) => !u.spentInMempool);
    added += await addFoundCoins(await checkedCoins(info, batch, unspent));
    await noteSpent(info, batch, unspent);
    await noteConfirmed(info, unspent);
  }
  return added;
}

/** The coins among `unspent` that are not known yet and that their own transactions really hold. */
async function checkedCoins(info: NetworkInfo, batch: readonly Address[], unspent: readonly Unspent[]): Promise<FoundCoin[]> {
  const db = await database();
  const found: FoundCoin[] = [];
  for (const u of unspent) {
    const own = batch.find((a) => a.address === u.address) as Address;
    const coin = { txid: u.txid, vout: u.vout, satoshis: u.satoshis, script: own.script, chain: own.chain, index: own.index, address: own.address };
    const known = await db.get('coins', outpoint(u.txid, u.vout));
    if (known) {
      if (!known.seen) found.push(coin);
      continue;
    }
    const hex = await transactionHex(info.wocUrl, u.txid);
    if (hex === null || txidOf(fromHex(hex)) !== u.txid) throw new ServiceError('invalid-proof', { detail: 'not the transaction' });
    const output = parseTransactionHex(hex).outputs[u.vout];
    if (!output || output.satoshis !== u.satoshis || toHex(output.lockingScript) !== own.script) {
      throw new ServiceError('invalid-proof', { detail: 'not the output' });
    }
    found.push(coin);
  }
  return found;
}

/** Coins that the index showed before and shows no longer: spent by another wallet with the same words. */
async function noteSpent(info: NetworkInfo, batch: readonly Address[], unspent: readonly Unspent[]): Promise<void> {
  const scripts = new Set(batch.map((a) => a.script));
  const there = new Set(unspent.map((u) => outpoint(u.txid, u.vout)));
  const available = await (await database()).getAllFromIndex('coins', 'status', 'available');
  for (const coin of available.filter((c) => c.seen && scripts.has(c.script) && !there.has(c.outpoint))) {
    if ((await spenderOf(info.wocUrl, coin.txid, coin.vout)) !== null) await markSpentElsewhere(coin.outpoint);
  }
}

/** What came in and was spent before a block held it is in no list of coins any more: its proof is asked for by itself. */
async function confirmReceipts(info: NetworkInfo): Promise<void> {
  for (const { txid } of await (await database()).getAllFromIndex('receipts', 'unconfirmed', 1)) {
    const height = await provenHeight(info, txid);
    if (height === null) continue;
    await confirmTransaction(txid, height);
    announceChange();
  }
}

/** Checks the proofs of what the index calls confirmed. */
async function noteConfirmed(info: NetworkInfo, unspent: readonly Unspent[]): Promise<void> {
  const db = await database();
  for (const txid of new Set(unspent.filter((u) => u.height > 0).map((u) => u.txid))) {
    const coins: Coin[] = await db.getAllFromIndex('coins', 'txid', txid);
    if (coins.every((coin) => coin.height !== null)) continue;
    const height = await provenHeight(info, txid);
    if (height === null) continue;
    await confirmTransaction(txid, height);
    announceChange();
  }
}

/**
 * The height of the block that a merkle proof places a transaction in, or null while it is in none.
 * @throws ServiceError `invalid-proof`
 */
export async function provenHeight(info: NetworkInfo, txid: string): Promise<number | null> {
  const proof = await merkleProof(info.wocUrl, txid);
  if (!proof) return null;
  const header = await blockHeader(info.wocUrl, proof.target);
  if (!header) return null;
  checkProof(txid, proof, header);
  return header.height;
}
