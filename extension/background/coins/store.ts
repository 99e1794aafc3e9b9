/** The coins as stored: what is there, what came in, what is spent. */
import { database } from '../database.ts';
import { isSpentElsewhere, outpoint, type Coin } from './coin.ts';

/** Coins that may be spent now. */
export async function availableCoins(): Promise<Coin[]> {
  return (await database()).getAllFromIndex('coins', 'status', 'available');
}

/** What the wallet holds, in satoshis: all of it, change on its way included, and the part that no checked block holds yet. */
export async function balance(): Promise<{ satoshis: bigint; unconfirmed: bigint }> {
  const coins = [...(await availableCoins()), ...(await (await database()).getAllFromIndex('coins', 'status', 'pending'))];
  const sum = (some: Coin[]) => some.reduce((total, coin) => total + coin.satoshis, 0n);
  return { satoshis: sum(coins), unconfirmed: sum(coins.filter((coin) => coin.height === null)) };
}

/** A coin that the index showed and whose transaction was checked. */
export type FoundCoin = Pick<Coin, 'txid' | 'vout' | 'satoshis' | 'script' | 'chain' | 'index'> & { address: string };

/**
 * Stores coins found on the network; those known already stay as they are. A transaction that no payment of ours made
 * becomes a receipt. Returns how many were new.
 */
export async function addFoundCoins(found: readonly FoundCoin[]): Promise<number> {
  const tx = (await database()).transaction(['coins', 'addresses', 'receipts'], 'readwrite');
  const [coins, addresses, receipts] = [tx.objectStore('coins'), tx.objectStore('addresses'), tx.objectStore('receipts')];
  let added = 0;
  for (const { address, ...coin } of found) {
    const key = outpoint(coin.txid, coin.vout);
    const known = await coins.get(key);
    if (known) {
      const status = isSpentElsewhere(known) ? 'available' : known.status;
      if (!known.seen || status !== known.status) await coins.put({ ...known, status, seen: true });
      continue;
    }
    added += 1;
    await coins.put({ ...coin, outpoint: key, status: 'available', paymentId: null, height: null, seen: true });
    const own = await addresses.get(coin.script);
    if (own && !own.used) await addresses.put({ ...own, used: true });
    const receipt = (await receipts.get(coin.txid)) ?? { txid: coin.txid, satoshis: 0n, address, createdAt: Date.now(), height: null, unconfirmed: 1 as const };
    await receipts.put({ ...receipt, satoshis: receipt.satoshis + coin.satoshis });
  }
  await tx.done;
  return added;
}

/** Marks what a checked proof places in a block. */
export async function confirmTransaction(txid: string, height: number): Promise<void> {
  const tx = (await database()).transaction(['coins', 'receipts'], 'readwrite');
  for (const coin of await tx.objectStore('coins').index('txid').getAll(txid)) {
    await tx.objectStore('coins').put({ ...coin, height, seen: true });
  }
  const receipt = await tx.objectStore('receipts').get(txid);
  if (receipt) await tx.objectStore('receipts').put({ ...receipt, height, unconfirmed: 0 });
  await tx.done;
}

/** Marks a coin that another wallet with the same words has spent. Only an available one: ours are the payments' affair. */
export async function markSpentElsewhere(key: string): Promise<void> {
  const tx = (await database()).transaction('coins', 'readwrite');
  const coin = await tx.store.get(key);
  if (coin?.status === 'available') await tx.store.put({ ...coin, status: 'spent', paymentId: null });
  await tx.done;
}
