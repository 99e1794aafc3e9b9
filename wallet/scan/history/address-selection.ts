/** Selects the addresses to search: likely ones each time, and all others in rotation. */
import { addressesBetween, recentAddresses } from '../../coins/addresses/addresses.ts';
import { database, readTransaction } from '../../store/database.ts';
import { CHAINS } from '../../keys/keys.ts';
import type { Address } from '../../coins/addresses/address.ts';
import type { ScanPosition, ScanProgress } from './progress.ts';
import { newestPayments } from '../../payments/store.ts';
import { availableScripts, getCoin } from '../../coins/records.ts';
import { getAddress } from '../../coins/addresses/records.ts';
import type { Wallet } from '../../platform.ts';

/**
 * Returns the latest addresses on each chain, those paid by transactions that haven't been read yet, and those that
 * refunds would pay.
 */
export async function likelyAddresses(wallet: Wallet, { unread }: ScanProgress): Promise<Address[]> {
  const recent = (await Promise.all(CHAINS.map((chain) => recentAddresses(wallet, chain)))).flat();
  const known = new Set(recent.map(({ script }) => script));
  const others = new Set([...(unread?.scripts ?? []), ...(await refundScripts(wallet))]);
  return [
    ...(await addressesOf(
      wallet,
      [...others].filter((script) => !known.has(script)),
    )),
    ...recent,
  ];
}

/**
 * Number of recent payments whose refund addresses are searched each time. Refund addresses of older payments are
 * searched in rotation.
 */
const MAX_REFUND_SEARCHES = 20;

/** Returns the addresses of the latest payments' first inputs, where refunds are sent. */
async function refundScripts(wallet: Wallet): Promise<string[]> {
  const tx = readTransaction(await database(wallet));
  const scripts: string[] = [];
  let left = MAX_REFUND_SEARCHES;
  for await (const { signed } of newestPayments(wallet, tx, null)) {
    const input = signed?.inputs[0];
    if (input === undefined) continue;
    const coin = await getCoin(tx, input);
    if (coin) scripts.push(coin.script);
    left -= 1;
    if (left === 0) break;
  }
  return scripts;
}

const ADDRESS_SCRIPT_LENGTH = 50;

/** Returns up to `most` addresses with spendable coins, ordered by script, beginning after the script `after`. */
export async function holdingAddresses(wallet: Wallet, after: string | undefined, most: number): Promise<Address[]> {
  const scripts: string[] = [];
  for await (const script of availableScripts(wallet, readTransaction(await database(wallet)), after)) {
    if (scripts.length === most) break;
    // The index lists no coins with an inscription in their script.
    if (script.length === ADDRESS_SCRIPT_LENGTH) scripts.push(script);
  }
  return addressesOf(wallet, scripts);
}

/** Returns the wallet's addresses with these scripts. Ignores all other scripts. */
export async function addressesOf(wallet: Wallet, scripts: readonly string[]): Promise<Address[]> {
  const tx = readTransaction(await database(wallet));
  const found = await Promise.all(scripts.map((script) => getAddress(tx, script)));
  return found.filter((address) => address !== undefined);
}

/**
 * Returns up to `most` addresses on a chain, starting at a position, and the next position, which may be on the next
 * chain.
 */
export async function addressesFrom(
  wallet: Wallet,
  place: ScanPosition | undefined,
  most: number,
): Promise<{ addresses: Address[]; next: ScanPosition }> {
  const { chain, from } = place ?? { chain: CHAINS[0], from: 0 };
  const addresses = await addressesBetween(wallet, chain, from, from + most - 1);
  if (addresses.length === most) return { addresses, next: { chain, from: from + most } };
  return { addresses, next: { chain: CHAINS[(CHAINS.indexOf(chain) + 1) % CHAINS.length] ?? CHAINS[0], from: 0 } };
}
