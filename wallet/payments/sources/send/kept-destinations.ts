/**
 * Caches destinations that recipients' hosts issued for the send form, in memory. Quotes are requested repeatedly while
 * the user types, and the click pays the destination that was quoted. A used destination is removed so that payments
 * never share one.
 */
import type { Network } from '../../../../protocol/bitcoin/address.ts';
import { TOKEN_SATOSHIS } from '../../../../protocol/assets/bsv21/validity.ts';
import { readSettings } from '../../../settings.ts';
import { ordinalScriptFor, scriptsFor, type Recipient, type Resolved } from '../../../recipients/resolve.ts';
import { publicKeys } from '../../../vault/vault.ts';
import { OWN } from '../../../sites/site.ts';
import { part, type Wallet } from '../../../platform.ts';

/** Lifetime of a cached destination since it was issued, in milliseconds. */
const FRESH_MS = 300_000;
const MAX_CACHED_DESTINATIONS = 200;

export interface CachedDestination {
  key: string;
  recipient: Recipient;
  satoshis: bigint;
  resolved: Resolved;
  /** When the host issued the destination (milliseconds since 1970). */
  at: number;
  /** True if a host has only just issued the destination, in which case the user hasn't seen it yet. */
  unseen: boolean;
}

const memoryOf = part(() => ({
  kept: [] as { key: string; at: number; resolved: Resolved }[],
}));

/**
 * Returns a destination's cache key.
 * @param what the amount in satoshis, or `ordinal` for tokens and ordinals, for which hosts issue separate destinations
 */
async function keyOf(wallet: Wallet, recipient: Recipient, what: string): Promise<string> {
  const { serviceUrl } = await readSettings(wallet);
  // Another wallet must not use these entries, because they may identify the sender and reveal the recipients.
  const { identity } = await publicKeys(wallet);
  return JSON.stringify([identity, serviceUrl, recipient.type, recipient.text, what]);
}

/**
 * Takes a recipient's destination from the cache, or requests one from the host. Callers must return an unused
 * destination with {@link returnDestinations}.
 * @throws ServiceError see `scriptsFor`
 */
export async function obtainDestination(
  wallet: Wallet,
  recipient: Recipient,
  satoshis: bigint,
): Promise<CachedDestination> {
  const ask = (network: Network) => scriptsFor(wallet, recipient, satoshis, network, OWN);
  return { ...(await take(wallet, await keyOf(wallet, recipient, satoshis.toString()), ask)), recipient, satoshis };
}

/** Like {@link obtainDestination}, for a token or an ordinal. @throws ServiceError see `ordinalScriptFor` */
export async function obtainOrdinalDestination(wallet: Wallet, recipient: Recipient): Promise<CachedDestination> {
  const ask = (network: Network) => ordinalScriptFor(wallet, recipient, network, OWN);
  return {
    ...(await take(wallet, await keyOf(wallet, recipient, 'ordinal'), ask)),
    recipient,
    satoshis: TOKEN_SATOSHIS,
  };
}

async function take(
  wallet: Wallet,
  key: string,
  ask: (network: Network) => Promise<Resolved>,
): Promise<Pick<CachedDestination, 'key' | 'resolved' | 'at' | 'unseen'>> {
  const memory = memoryOf(wallet);
  const found = memory.kept.find((one) => one.key === key && Math.abs(wallet.now() - one.at) < FRESH_MS);
  memory.kept = memory.kept.filter((one) => one !== found);
  if (found) return { ...found, unseen: false };
  const resolved = await ask((await readSettings(wallet)).network);
  return { key, resolved, at: wallet.now(), unseen: resolved.host !== null };
}

/** Returns unused destinations to the cache. */
export function returnDestinations(wallet: Wallet, all: readonly CachedDestination[]): void {
  const memory = memoryOf(wallet);
  for (const { key, at, resolved } of all) if (resolved.host) memory.kept.push({ key, at, resolved });
  memory.kept = memory.kept.slice(-MAX_CACHED_DESTINATIONS);
}
