/** Requests additional data to show about a recipient, without delaying a payment. */
import { writePaymail, type Paymail } from '../../protocol/http/paymail.ts';
import type { KnownHost } from './discovery.ts';
import { HostCache } from './known.ts';
import { publicKeyAt } from './pki.ts';
import { profileName } from './profile.ts';
import type { PaidHost } from './paid-host.ts';
import { part, type Wallet } from '../platform.ts';

/** Timeout for name and key (milliseconds). */
const TIMEOUT_MS = 2500;
/** How long a host's response is reused (milliseconds), because each digit typed in an amount causes a quote. */
const FRESH_MS = 60_000;

type RecipientProfile = Pick<PaidHost, 'name' | 'publicKey'>;

const told = part((wallet) => new HostCache<Promise<RecipientProfile>>(wallet, FRESH_MS));

/** Returns a paymail's name and key from its host; null for each one that doesn't arrive within the timeout. */
export function profileOf(wallet: Wallet, host: KnownHost, paymail: Paymail): Promise<RecipientProfile> {
  const key = `${host.origin} ${writePaymail(paymail)}`;
  const kept = told(wallet).get(host.client, key);
  if (kept) return kept;
  const facts = ask(wallet, host, paymail);
  told(wallet).set(host.client, key, facts);
  return facts;
}

async function ask(wallet: Wallet, host: KnownHost, paymail: Paymail): Promise<RecipientProfile> {
  const orNull = (): null => null;
  const [name, key] = await Promise.all([
    profileName(wallet, host, paymail, TIMEOUT_MS).catch(orNull),
    publicKeyAt(wallet, host, paymail, TIMEOUT_MS).catch(orNull),
  ]);
  return { name, publicKey: key?.publicKey ?? null };
}
