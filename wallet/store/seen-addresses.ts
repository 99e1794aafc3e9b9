/**
 * Upgrades the database to version 6: determines from an older wallet's data which addresses the network has seen. Must
 * not change, even if other code does.
 */
import type { IDBPTransaction } from 'idb';
import type { Wallet } from '../platform.ts';

interface OldAddress {
  chain: string;
  index: number;
  used: boolean;
}

interface OldCoin {
  outpoint: string;
  txid: string;
  chain: string;
  index: number;
  status: string;
  height: number | null;
  seen: boolean;
}

interface OldPayment {
  state: string;
  action?: { unsigned?: { change: string[] } };
}

type Stores = Pick<IDBPTransaction<unknown, string[], 'versionchange'>, 'objectStore'>;

const GAP_LIMIT = 20;
const COINS_PER_READ = 5000;

/**
 * Stores which addresses the network has seen and which are free, and the last address per chain that a restore would
 * find.
 */
export async function noteSeenAddresses(wallet: Wallet, upgrade: unknown): Promise<void> {
  const tx = upgrade as Stores;
  const { paid, awaited, known } = await readCoins(wallet, tx);
  const setAside = new Set(
    ((await tx.objectStore('payments').index('state').getAll('signable')) as OldPayment[]).flatMap(
      ({ action }) => action?.unsigned?.change ?? [],
    ),
  );
  // In a restored wallet, an address below the last used one may have been used even if it has no coin.
  const isRestored = (await tx.objectStore('keyval').getKey('history')) !== undefined;
  const addresses = (await tx.objectStore('addresses').getAll()) as (OldAddress & { script: string })[];
  const reach: Record<string, number> = { receive: -1, change: -1, service: -1 };
  const lastUsed: Record<string, number> = {};
  for (const { chain, index, used } of addresses) if (used) lastUsed[chain] = Math.max(lastUsed[chain] ?? -1, index);
  addresses.sort((a, b) => a.index - b.index);
  for (const address of addresses) {
    const { script, chain, index } = address;
    const key = keyOf(address);
    const seen = paid.has(key) || (address.used && !known.has(key) && !setAside.has(script));
    const used = address.used || seen || awaited.has(key) || (isRestored && index < (lastUsed[chain] ?? -1));
    const found = reach[chain] ?? -1;
    if (seen && index <= found + GAP_LIMIT) reach[chain] = index;
    await tx.objectStore('addresses').put?.({
      ...address,
      used,
      ...(seen && { seen }),
      ...(!used && { free: index }),
    });
  }
  if (addresses.length > 0) await tx.objectStore('totals').put?.(reach, 'reach');
}

const keyOf = ({ chain, index }: Pick<OldAddress, 'chain' | 'index'>) => `${chain} ${index}`;

/**
 * Returns the addresses that have a coin, those that a transaction on the network pays, and those that may still be
 * paid.
 */
async function readCoins(
  wallet: Wallet,
  tx: Stores,
): Promise<{ known: Set<string>; paid: Set<string>; awaited: Set<string> }> {
  const [known, paid, awaited] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (let after = ''; ;) {
    const coins = (await tx
      .objectStore('coins')
      .getAll(wallet.keyRange.lowerBound(after, true), COINS_PER_READ)) as OldCoin[];
    for (const coin of coins) {
      const key = keyOf(coin);
      known.add(key);
      if (coin.status === 'void') {
        const maker = await makerOf(tx, coin);
        if (maker && maker.state !== 'failed') awaited.add(key);
      } else if (!paid.has(key) && (await isOnNetwork(tx, coin))) paid.add(key);
    }
    if (coins.length < COINS_PER_READ) return { known, paid, awaited };
    after = coins.at(-1)?.outpoint ?? '';
  }
}

const makerOf = (tx: Stores, { txid }: OldCoin) =>
  tx.objectStore('payments').index('txid').get(txid) as Promise<OldPayment | undefined>;

async function isOnNetwork(tx: Stores, coin: OldCoin): Promise<boolean> {
  if (coin.height !== null || coin.seen || coin.status === 'available') return true;
  if (coin.status !== 'reserved' && coin.status !== 'spent') return false;
  const maker = await makerOf(tx, coin);
  if (maker) return maker.state === 'broadcast' || maker.state === 'settled';
  const receipt = (await tx.objectStore('receipts').get(coin.txid)) as { failed?: string } | undefined;
  return receipt !== undefined && receipt.failed === undefined;
}
