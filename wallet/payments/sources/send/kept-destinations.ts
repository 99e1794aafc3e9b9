/**
 * Destinations that recipients' hosts issued for the send form, in memory: quotes are requested repeatedly while the
 * user types, and the click pays what was quoted. A destination is removed when it is used, so that payments never
 * share one.
 */
import type { Network } from '../../../../protocol/bitcoin/address.ts';
import { TOKEN_SATOSHIS } from '../../../../protocol/assets/bsv21/validity.ts';
import { readSettings } from '../../../settings.ts';
import { ordinalScriptFor, scriptsFor, type Recipient, type Resolved } from '../../../recipients/resolve.ts';
import { publicKeys } from '../../../vault/vault.ts';
import { OWN } from '../../../sites/site.ts';
import { part, type Wallet } from '../../../platform.ts';

/** How long one is cached (milliseconds). */
const FRESH_MS = 300_000;
/** Maximum number of entries. */
const MOST = 200;

export interface Given {
  key: string;
  recipient: Recipient;
  satoshis: bigint;
  resolved: Resolved;
  /** Just fetched from a host, and not shown yet. */
  unseen: boolean;
}

const memoryOf = part(() => ({
  kept: [] as { key: string; at: number; resolved: Resolved }[],
}));

/** @param what the amount in satoshis, or `ordinal`: hosts issue different destinations for tokens and ordinals */
async function keyOf(wallet: Wallet, recipient: Recipient, what: string): Promise<string> {
  const { serviceUrl } = await readSettings(wallet);
  // Another wallet must not use these entries, which may name the sender and reveal the recipients.
  const { identity } = await publicKeys(wallet);
  return JSON.stringify([identity, serviceUrl, recipient.type, recipient.text, what]);
}

/**
 * A recipient's destination: cached from an earlier quote, or requested from its host now. A caller that does not use
 * it returns it to the cache.
 * @throws ServiceError like `scriptsFor`
 */
export async function takeDestination(wallet: Wallet, recipient: Recipient, satoshis: bigint): Promise<Given> {
  const ask = (network: Network) => scriptsFor(wallet, recipient, satoshis, network, OWN);
  return { ...(await take(wallet, await keyOf(wallet, recipient, satoshis.toString()), ask)), recipient, satoshis };
}

/** The same for a token or an ordinal. @throws ServiceError like `ordinalScriptFor` */
export async function takeOrdinalDestination(wallet: Wallet, recipient: Recipient): Promise<Given> {
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
): Promise<Pick<Given, 'key' | 'resolved' | 'unseen'>> {
  const memory = memoryOf(wallet);
  const found = memory.kept.find((one) => one.key === key && Math.abs(wallet.now() - one.at) < FRESH_MS);
  memory.kept = memory.kept.filter((one) => one !== found);
  const resolved = found?.resolved ?? (await ask((await readSettings(wallet)).network));
  return { key, resolved, unseen: !found && resolved.host !== null };
}

/** Returns unused destinations to the cache. */
export function giveBack(wallet: Wallet, all: readonly Given[]): void {
  const memory = memoryOf(wallet);
  for (const { key, resolved } of all) if (resolved.host) memory.kept.push({ key, at: wallet.now(), resolved });
  memory.kept = memory.kept.slice(-MOST);
}
