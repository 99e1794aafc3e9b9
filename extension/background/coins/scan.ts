/** Looks on the network for coins of ours, checks each against its own transaction, and notes what was confirmed. */
import { toHex } from '../../../protocol/bytes.ts';
import { ServiceError, type ErrorCode } from '../../../protocol/errors.ts';
import { announceChange } from '../changes.ts';
import { networkInfo, type NetworkInfo } from '../chain/network.ts';
import { fetchTransaction, provenBlock, signedSpender } from '../chain/evidence.ts';
import { followChain } from '../chain/follow.ts';
import { ADDRESSES_PER_REQUEST, isUsed, unspentOf, type Unspent } from '../chain/whats-on-chain.ts';
import { database, readKey, writeKey } from '../database.ts';
import { CHAINS } from '../vault/keys.ts';
import { publicKeys } from '../vault/vault.ts';
import { chainAddresses, extendAddresses, recentAddresses, type Address } from './addresses.ts';
import { isSpentElsewhere, outpoint } from './coin.ts';
import { addFoundCoins, confirmTransaction, markSpentElsewhere, unconfirmedCoins, type FoundCoin } from './store.ts';

/** A wallet looks at all its addresses, not only the latest, this often (milliseconds). */
const SWEEP_EVERY_MS = 24 * 3600_000;

/** How far the search for a restored wallet's coins is, and when all addresses were last looked at (milliseconds since 1970). */
export interface ScanProgress {
  addresses: number;
  coins: number;
  done: boolean;
  sweptAt: number;
  /** The address to go on with. */
  next?: { chain: Address['chain']; from: number };
}

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
  const found: Found = { mined: new Set(), faults: [] };
  const { faults } = found;
  if ((await readKey('scan'))?.done === false) await restore(info, found);
  const scan = (await readKey('scan')) ?? { addresses: 0, coins: 0, done: true, sweptAt: 0 };
  const sweep = Date.now() - scan.sweptAt > SWEEP_EVERY_MS;
  // What turns out to be used leads to new addresses: those too, each once.
  const seen = new Set<string>();
  for (let fresh = await addressesToLookAt(sweep); fresh.length > 0; ) {
    for (const { script } of fresh) seen.add(script);
    if ((await lookAt(info, fresh, found)) > 0) announceChange();
    await extendAddresses(keys, info.network);
    fresh = (await addressesToLookAt(false)).filter((a) => !seen.has(a.script));
  }
  if (sweep) await writeKey('scan', { ...scan, done: true, sweptAt: Date.now() });
  // Confirmations come last: whatever is wrong with the chain keeps no coin from being found.
  await passingOver(faults, () => followChain(info));
  // What came in and was spent before a block held it is in no list of coins any more: its proof is asked for by itself.
  const receipts = await (await database()).getAllFromIndex('receipts', 'unconfirmed', 1);
  for (const txid of new Set([...found.mined, ...receipts.map((receipt) => receipt.txid)])) await noteProof(info, txid, faults);
  if (faults[0]) throw faults[0];
}

/** What a look at the addresses leaves to be done: transactions that the index calls mined, and what went wrong. */
interface Found {
  mined: Set<string>;
  faults: ServiceError[];
}

/** The latest addresses of each chain and those that hold something unconfirmed; on a sweep all that were ever derived. */
async function addressesToLookAt(all: boolean): Promise<Address[]> {
  if (all) return (await Promise.all(CHAINS.map(chainAddresses))).flat();
  const recent = (await Promise.all(CHAINS.map(recentAddresses))).flat();
  const known = new Set(recent.map((a) => a.script));
  const others = new Set((await unconfirmedCoins()).map((coin) => coin.script).filter((script) => !known.has(script)));
  const db = await database();
  const more = await Promise.all([...others].map((script) => db.get('addresses', script)));
  return [...recent, ...more.filter((a) => a !== undefined)];
}

/**
 * Finds every coin of a restored wallet: chain by chain, until twenty addresses in a row were never used (BIP44). Goes on
 * where an earlier life of the worker was cut off.
 */
async function restore(info: NetworkInfo, found: Found): Promise<void> {
  const keys = await publicKeys();
  const { addresses = 0, coins = 0, next = { chain: CHAINS[0], from: 0 } } = (await readKey('scan')) ?? {};
  const progress = { addresses, coins, done: false, sweptAt: 0 };
  for (const chain of CHAINS.slice(CHAINS.indexOf(next.chain))) {
    for (let from = chain === next.chain ? next.from : 0; ; ) {
      await extendAddresses(keys, info.network);
      const batch = (await chainAddresses(chain)).slice(from, from + ADDRESSES_PER_REQUEST);
      if (batch.length === 0) break;
      from += batch.length; // may be fewer: only twenty beyond the last used one are known yet
      progress.coins += await lookAt(info, batch, found);
      const last = await lastUsed(info, chain, batch);
      progress.addresses += batch.length;
      await writeKey('scan', { ...progress, next: { chain, from } });
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

/**
 * Asks for the coins of some addresses, stores what is new or spent and notes what is mined. Returns how many coins were new. What
 * turns out to be wrong is passed over and kept as the refresh's failure: anybody can pay us a monster, or the index may
 * lie about one coin, and neither may hide the others.
 */
async function lookAt(info: NetworkInfo, addresses: readonly Address[], { mined, faults }: Found): Promise<number> {
  let added = 0;
  for (let i = 0; i < addresses.length; i += ADDRESSES_PER_REQUEST) {
    const batch = addresses.slice(i, i + ADDRESSES_PER_REQUEST);
    const unspent = (await unspentOfEach(info, batch, faults)).filter((u) => !u.spentInMempool);
    for (const u of unspent) {
      await passingOver(faults, async () => {
        const coin = await checkedCoin(info, batch, u);
        if (coin) added += await addFoundCoins([coin]);
      });
    }
    await noteSpent(info, batch, unspent, faults);
    for (const txid of await minedNow(unspent)) mined.add(txid);
  }
  return added;
}

/** Faults of one transaction or proof, which say nothing about the others. */
const PASSED_OVER: readonly ErrorCode[] = ['invalid-proof', 'invalid-transaction', 'too-large'];

async function passingOver(faults: ServiceError[], work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof ServiceError) || !PASSED_OVER.includes(error.code)) throw error;
    faults.push(error);
  }
}

/** All at once; address by address where the answer for all is too large. */
async function unspentOfEach(info: NetworkInfo, batch: readonly Address[], faults: ServiceError[]): Promise<Unspent[]> {
  try {
    return await unspentOf(info.wocUrl, batch.map((a) => a.address));
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'too-large') throw error;
    const found: Unspent[] = [];
    for (const { address } of batch) await passingOver(faults, async () => void found.push(...(await unspentOf(info.wocUrl, [address]))));
    return found;
  }
}

/** A coin that is not known as it is told now and that its own transaction really holds; null where nothing is new. */
async function checkedCoin(info: NetworkInfo, batch: readonly Address[], u: Unspent): Promise<FoundCoin | null> {
  const own = batch.find((a) => a.address === u.address) as Address;
  const coin = { txid: u.txid, vout: u.vout, satoshis: u.satoshis, script: own.script, chain: own.chain, index: own.index, address: own.address };
  const known = await (await database()).get('coins', outpoint(u.txid, u.vout));
  if (known) return known.seen && !isSpentElsewhere(known) ? null : coin;
  const output = (await fetchTransaction(info, u.txid))?.outputs[u.vout];
  if (!output || output.satoshis !== u.satoshis || toHex(output.lockingScript) !== own.script) {
    throw new ServiceError('invalid-proof', { detail: 'not the output' });
  }
  return coin;
}

/** Coins that the index showed before and shows no longer: spent by another wallet with the same words. */
async function noteSpent(info: NetworkInfo, batch: readonly Address[], unspent: readonly Unspent[], faults: ServiceError[]): Promise<void> {
  const there = new Set(unspent.map((u) => outpoint(u.txid, u.vout)));
  const db = await database();
  const known = (await Promise.all(batch.map(({ script }) => db.getAllFromIndex('coins', 'script', script)))).flat();
  for (const coin of known.filter((c) => c.status === 'available' && c.seen && !there.has(c.outpoint))) {
    await passingOver(faults, async () => {
      if ((await signedSpender(info, coin)) !== null) await markSpentElsewhere(coin.outpoint);
    });
  }
}

/** Transactions that the index calls confirmed and the wallet does not. */
async function minedNow(unspent: readonly Unspent[]): Promise<string[]> {
  const db = await database();
  const mined: string[] = [];
  for (const txid of new Set(unspent.filter((u) => u.height > 0).map((u) => u.txid))) {
    const coins = await db.getAllFromIndex('coins', 'txid', txid);
    if (coins.some((coin) => coin.height === null)) mined.push(txid);
  }
  return mined;
}

async function noteProof(info: NetworkInfo, txid: string, faults: ServiceError[]): Promise<void> {
  await passingOver(faults, async () => {
    const block = await provenBlock(info, txid);
    if (!block) return;
    await confirmTransaction(txid, block);
    announceChange();
  });
}
