/**
 * Reads and writes addresses within a transaction, and updates each chain's {@link Reach}. Apart from this file, only
 * the database upgrade writes addresses.
 */
import { p2pkhScript } from '../../../protocol/bitcoin/address.ts';
import { ownerHash } from '../../../protocol/assets/bsv21/inscription.ts';
import { fromHex, toHex } from '../../../protocol/bitcoin/bytes.ts';
import { type Address, GAP_LIMIT, NO_REACH, type Reach } from './address.ts';
import { getTotal, putTotal } from '../../store/totals.ts';
import type { Reading, WriteTransaction } from '../../store/database.ts';
import type { Chain } from '../../keys/keys.ts';
import type { Coin } from '../coin.ts';
import { reservations } from '../holder.ts';
import { getReceipt } from '../receipts/receipts.ts';
import { lightMaking } from '../../payments/store.ts';
import type { Wallet } from '../../platform.ts';

export function indexed({ free: _, ...address }: Address): Address {
  return address.used ? address : { ...address, free: address.index };
}

/** Returns the P2PKH script (hex) of an output's owner, without an inscription, or null for other scripts. */
export function addressScriptOf(lockingScript: Uint8Array): string | null {
  const hash = ownerHash(lockingScript);
  return hash && toHex(p2pkhScript(hash));
}

/** Reads one chain's addresses from index `from` to `to`, both inclusive. */
export type ReadAddresses = (from: number, to: number) => Promise<readonly Address[]>;

/** Continues a gap-limit search from the address found at `from`. Returns the index of the last one found. */
export async function reachFrom(
  read: ReadAddresses,
  from: number,
  isFound = ({ seen }: Address) => seen === true,
): Promise<number> {
  for (let reach = from; ;) {
    const next = (await read(reach + 1, reach + GAP_LIMIT)).findLast(isFound);
    if (!next) return reach;
    reach = next.index;
  }
}

export async function reachAfter(reach: number, { index, seen }: Address, read: ReadAddresses): Promise<number> {
  if (seen) return index > reach && index <= reach + GAP_LIMIT ? reachFrom(read, index) : reach;
  if (index > reach) return reach;
  const before = (await read(index - GAP_LIMIT, index - 1)).findLast((one) => one.seen)?.index ?? -1;
  const next = (await read(index + 1, before + GAP_LIMIT)).some((one) => one.seen);
  return next ? reach : before;
}

/** Returns the wallet's address with this locking script (hex). */
export const getAddress = (tx: Reading, script: string): Promise<Address | undefined> =>
  tx.objectStore('addresses').get(script);

/** Returns the wallet's address that can spend an output, even if the output has an inscription. */
export async function addressOf(tx: Reading, lockingScript: Uint8Array): Promise<Address | undefined> {
  const script = addressScriptOf(lockingScript);
  return script === null ? undefined : getAddress(tx, script);
}

/** True if one of the wallet's addresses can spend an output. */
export const isWalletScript = async (tx: Reading, lockingScript: Uint8Array): Promise<boolean> =>
  (await addressOf(tx, lockingScript)) !== undefined;

/** Returns the {@link Reach} of each chain. */
export const reachIn = async (tx: Reading): Promise<Reach> => (await getTotal(tx, 'reach')) ?? NO_REACH;

const readerOf =
  (wallet: Wallet, tx: Reading, chain: Chain): ReadAddresses =>
  (from, to) =>
    from > to
      ? Promise.resolve([])
      : tx
          .objectStore('addresses')
          .index('chain')
          .getAll(wallet.keyRange.bound([chain, from], [chain, to]));

/** Stores a changed address and updates its chain's reach. */
export async function putAddress(wallet: Wallet, tx: WriteTransaction, address: Address): Promise<void> {
  const addresses = tx.objectStore('addresses');
  const before = await addresses.get(address.script);
  await addresses.put(indexed(address));
  if ((before?.seen ?? false) === (address.seen ?? false)) return;
  const { chain } = address;
  const reach = await reachIn(tx);
  const read = readerOf(wallet, tx, chain);
  const now = await reachAfter(reach[chain], address, read);
  if (now !== reach[chain]) await putTotal(tx, 'reach', { ...reach, [chain]: now });
}

/** Notes whether the index reports, without proof, that an address was used. Returns the address. */
export async function noteClaim(
  wallet: Wallet,
  tx: WriteTransaction,
  script: string,
  isClaimed: boolean,
): Promise<Address | undefined> {
  const before = await getAddress(tx, script);
  if (!before || before.seen) return before;
  const { claimed: was, ...address } = before;
  if (isClaimed) await putAddress(wallet, tx, { ...address, used: true, claimed: true });
  else if (was) await putAddress(wallet, tx, address);
  await settleAddress(wallet, tx, script);
  return getAddress(tx, script);
}

/** Marks one of the wallet's addresses as used so that it isn't issued again. Ignores other addresses. */
export async function markAddressUsed(wallet: Wallet, tx: WriteTransaction, script: string): Promise<void> {
  const address = await getAddress(tx, script);
  if (address && !address.used) await putAddress(wallet, tx, { ...address, used: true });
}

/** True if `count` more addresses on a chain can be issued, up to `ahead` past the last one found. */
export async function hasFree(
  wallet: Wallet,
  tx: WriteTransaction,
  chain: Chain,
  count: number,
  ahead: number,
): Promise<boolean> {
  const addresses = tx.objectStore('addresses');
  const upTo = (await reachIn(tx))[chain] + ahead;
  const isDerived = (await addresses.index('chain').getKey([chain, upTo])) !== undefined;
  return !isDerived || (await addresses.index('free').count(wallet.keyRange.bound([chain, 0], [chain, upTo]))) >= count;
}

/**
 * True if the account's service has issued the address and a restore would miss it, even if it found the addresses that
 * the index claims to be used.
 */
export async function isUnfound(
  wallet: Wallet,
  tx: WriteTransaction,
  { chain, index }: Pick<Address, 'chain' | 'index'>,
): Promise<boolean> {
  if (chain !== 'service') return false;
  const reach = (await reachIn(tx))[chain];
  const isFound = ({ seen, claimed }: Address) => seen === true || claimed === true;
  return index > reach && index > (await reachFrom(readerOf(wallet, tx, chain), reach, isFound));
}

/**
 * True if any of the addresses was unused when it was read, but is used now. Reusing it would harm privacy. Also true
 * if the wallet was removed and restored in between and lacks an address, because it wouldn't notice a payment to that
 * address.
 */
export async function isUsedSince(tx: WriteTransaction, addresses: readonly Address[]): Promise<boolean> {
  const isTaken = async ({ script, used }: Address) => {
    const now = await getAddress(tx, script);
    return !now || (!used && now.used);
  };
  return (await firstWhere(addresses, isTaken)) !== undefined;
}

/** Marks one of the wallet's addresses as paid on the network. Ignores other addresses. */
export async function markSeen(wallet: Wallet, tx: WriteTransaction, script: string): Promise<void> {
  const address = await getAddress(tx, script);
  if (!address || (address.used && address.seen)) return;
  const { claimed: _, ...known } = address;
  await putAddress(wallet, tx, { ...known, used: true, seen: true });
}

/** Number of coins read at a time. */
const COINS_PER_READ = 2000;

/**
 * Marks addresses as claimed instead of seen if the wallet has no coin that paid them, because an index may have
 * claimed that they were paid.
 */
export async function forgetClaims(wallet: Wallet, tx: WriteTransaction): Promise<void> {
  const coins = tx.objectStore('coins');
  const claimed = new Map<string, Address>();
  for (const address of await tx.objectStore('addresses').getAll())
    if (address.seen && (await coins.index('script').getKey(address.script)) === undefined)
      claimed.set(address.script, address);
  // A coin with an inscription has a different script.
  for (let range: IDBKeyRange | null = null; claimed.size > 0;) {
    const some: Coin[] = await coins.getAll(range, COINS_PER_READ);
    for (const { script } of some) claimed.delete(addressScriptOf(fromHex(script)) ?? script);
    const last = some.at(-1);
    if (!last || some.length < COINS_PER_READ) break;
    range = wallet.keyRange.lowerBound(last.outpoint, true);
  }
  for (const { seen: _, ...address } of claimed.values()) await putAddress(wallet, tx, { ...address, claimed: true });
}

/**
 * Updates an address after a payment to it has failed. It becomes unused again, to avoid a gap, unless another payment
 * may still pay it. Addresses given to other people remain marked as used, because they may still be paid.
 * @param ending ID of the payment that has failed
 */
export async function settleAddress(
  wallet: Wallet,
  tx: WriteTransaction,
  script: string,
  ending?: string,
): Promise<void> {
  const address = await getAddress(tx, script);
  if (!address) return;
  const coins = await tx.objectStore('coins').index('script').getAll(script);
  const isPaid = (await firstWhere(coins, (coin) => isOnNetwork(tx, coin))) !== undefined;
  // If no coin has this script, `seen` came from a proof (wallet/scan/history/gap.ts) or from an inscribed coin.
  const seen = coins.length === 0 ? address.seen : isPaid;
  const isAwaited =
    address.claimed === true ||
    (address.chain !== 'change' && coins.length > 0) ||
    (await firstWhere(coins, (coin) => mayCome(tx, coin))) !== undefined ||
    (await isSetAside(tx, script, ending));
  const used = seen === true || (address.used && isAwaited);
  if (used !== address.used || seen !== address.seen)
    await putAddress(wallet, tx, { ...address, used, ...(seen !== undefined && { seen }) });
}

async function firstWhere<T>(items: readonly T[], is: (item: T) => Promise<boolean>): Promise<T | undefined> {
  for (const item of items) if (await is(item)) return item;
  return undefined;
}

/** True if the coin's transaction is on the network, as far as the wallet can tell. */
async function isOnNetwork(tx: WriteTransaction, coin: Coin): Promise<boolean> {
  if (coin.status === 'void' || coin.status === 'gone' || coin.status === 'pending') return false;
  if (coin.status === 'available' || coin.height !== null) return true;
  if ((await getReceipt(tx, coin.txid))?.failed !== undefined) return false;
  if (coin.seen) return true;
  const makers = await lightMaking(tx, coin.txid);
  return (
    makers.length === 0 ||
    makers.some(({ state, trouble }) => (state === 'broadcast' || state === 'settled') && trouble !== 'unseen')
  );
}

/** True if the coin's transaction is on the network or may still reach it. */
async function mayCome(tx: WriteTransaction, coin: Coin): Promise<boolean> {
  if (coin.status !== 'void') return true;
  const makers = await lightMaking(tx, coin.txid);
  return makers.some(({ state }) => state !== 'failed');
}

/** True if the script receives the change of a transaction that an application has yet to sign. */
async function isSetAside(tx: WriteTransaction, script: string, ending: string | undefined): Promise<boolean> {
  return (await reservations(tx)).some(({ id, change }) => id !== ending && change.includes(script));
}
