/**
 * Destinations that recipients' hosts issued for the send form, in memory: quotes are requested repeatedly during
 * typing, and the click pays what was quoted. A destination is removed when it is used, so that no two payments share
 * one.
 */
import { readSettings } from '../settings.ts';
import { scriptsFor, type Recipient, type Resolved } from '../recipients/resolvers.ts';
import { publicKeys } from '../vault/vault.ts';
import { OWN } from '../sites/site.ts';

/** How long one is cached (milliseconds). */
const FRESH_MS = 300_000;
/** Maximum number of entries. */
const MOST = 200;

/** What one recipient is paid, with what its host gave for that. */
export interface Given {
  recipient: Recipient;
  satoshis: bigint;
  resolved: Resolved;
  /** Fetched from a host just now, and not shown yet. */
  unseen: boolean;
}

let kept: { key: string; at: number; resolved: Resolved }[] = [];

async function keyOf(recipient: Recipient, satoshis: bigint): Promise<string> {
  const { serviceUrl } = await readSettings();
  // One wallet's entries must not be used by the next one: they may name the sender, and reveal whom that has paid.
  const { identity } = await publicKeys();
  return JSON.stringify([identity, serviceUrl, recipient.type, recipient.text, satoshis.toString()]);
}

/**
 * A recipient's destination: cached from an earlier quote, or requested from its host now. A caller that does not use
 * it returns it to the cache.
 * @throws ServiceError like `scriptsFor`
 */
export async function takeDestination(recipient: Recipient, satoshis: bigint): Promise<Given> {
  const key = await keyOf(recipient, satoshis);
  const found = kept.find((one) => one.key === key && Math.abs(Date.now() - one.at) < FRESH_MS);
  kept = kept.filter((one) => one !== found);
  const { network } = await readSettings();
  const resolved = found?.resolved ?? (await scriptsFor(recipient, satoshis, network, OWN));
  return { recipient, satoshis, resolved, unseen: !found && resolved.host !== null };
}

/** Keeps what was taken, and not used, for the next time. */
export async function giveBack(all: readonly Given[]): Promise<void> {
  for (const { recipient, satoshis, resolved } of all) {
    if (resolved.host) kept.push({ key: await keyOf(recipient, satoshis), at: Date.now(), resolved });
  }
  kept = kept.slice(-MOST);
}
