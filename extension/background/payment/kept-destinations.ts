/**
 * Destinations that recipients' hosts gave for what stands in the send form, in memory: a quote is asked for again and
 * again while it is typed, and the click pays what was quoted. A destination is taken out where it is used, so that no
 * two payments share one.
 */
import { readSettings } from '../settings.ts';
import { scriptsFor, type Recipient, type Resolved } from '../recipients/resolvers.ts';
import { publicKeys } from '../vault/vault.ts';
import { OWN } from '../sites/site.ts';

/** How long one is kept (milliseconds). */
const FRESH_MS = 300_000;
/** Most that are kept. */
const MOST = 200;

/** What one recipient is paid, with what its host gave for that. */
export interface Given {
  recipient: Recipient;
  satoshis: bigint;
  resolved: Resolved;
  /** Asked of a host just now: nobody has seen what it says. */
  unseen: boolean;
}

let kept: { key: string; at: number; resolved: Resolved }[] = [];

async function keyOf(recipient: Recipient, satoshis: bigint): Promise<string> {
  const { serviceUrl } = await readSettings();
  // What was asked for one wallet is of no use to the next one: it may name the sender, and tells whom that has paid
  // before.
  const { identity } = await publicKeys();
  return JSON.stringify([identity, serviceUrl, recipient.type, recipient.text, satoshis.toString()]);
}

/**
 * What a recipient is paid with: kept from an earlier quote, or asked of its host now. Whoever does not use it gives it
 * back.
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
