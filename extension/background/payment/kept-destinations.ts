/**
 * Destinations that recipients' hosts issued for the send form, in memory: quotes are requested repeatedly during
 * typing, and the click pays what was quoted. A destination is removed when it is used, so that no two payments share
 * one.
 */
import type { Network } from '../../../protocol/address.ts';
import { TOKEN_SATOSHIS } from '../../../protocol/bsv21/validity.ts';
import { readSettings } from '../settings.ts';
import { ordinalScriptFor, scriptsFor, type Recipient, type Resolved } from '../recipients/resolvers.ts';
import { publicKeys } from '../vault/vault.ts';
import { OWN } from '../sites/site.ts';

/** How long one is cached (milliseconds). */
const FRESH_MS = 300_000;
/** Maximum number of entries. */
const MOST = 200;

export interface Given {
  key: string;
  recipient: Recipient;
  satoshis: bigint;
  resolved: Resolved;
  /** Fetched from a host just now, and not shown yet. */
  unseen: boolean;
}

let kept: { key: string; at: number; resolved: Resolved }[] = [];

/** @param what the amount in satoshis, or `ordinal`: hosts issue other destinations for tokens and ordinals */
async function keyOf(recipient: Recipient, what: string): Promise<string> {
  const { serviceUrl } = await readSettings();
  // One wallet's entries must not be used by the next one, as they may name the sender and reveal the recipients.
  const { identity } = await publicKeys();
  return JSON.stringify([identity, serviceUrl, recipient.type, recipient.text, what]);
}

/**
 * A recipient's destination: cached from an earlier quote, or requested from its host now. A caller that does not use
 * it returns it to the cache.
 * @throws ServiceError like `scriptsFor`
 */
export async function takeDestination(recipient: Recipient, satoshis: bigint): Promise<Given> {
  const ask = (network: Network) => scriptsFor(recipient, satoshis, network, OWN);
  return { ...(await take(await keyOf(recipient, satoshis.toString()), ask)), recipient, satoshis };
}

/** The same for a token or an ordinal. @throws ServiceError like `ordinalScriptFor` */
export async function takeOrdinalDestination(recipient: Recipient): Promise<Given> {
  const ask = (network: Network) => ordinalScriptFor(recipient, network, OWN);
  return { ...(await take(await keyOf(recipient, 'ordinal'), ask)), recipient, satoshis: TOKEN_SATOSHIS };
}

async function take(
  key: string,
  ask: (network: Network) => Promise<Resolved>,
): Promise<Pick<Given, 'key' | 'resolved' | 'unseen'>> {
  const found = kept.find((one) => one.key === key && Math.abs(Date.now() - one.at) < FRESH_MS);
  kept = kept.filter((one) => one !== found);
  const resolved = found?.resolved ?? (await ask((await readSettings()).network));
  return { key, resolved, unseen: !found && resolved.host !== null };
}

/** Returns unused destinations to the cache. */
export function giveBack(all: readonly Given[]): void {
  for (const { key, resolved } of all) if (resolved.host) kept.push({ key, at: Date.now(), resolved });
  kept = kept.slice(-MOST);
}
