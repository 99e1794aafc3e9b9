/**
 * Paymails that this wallet has paid or that its user saved, and the public keys and hosts that they had: so that a host cannot
 * exchange a person unseen.
 */
import { database, type WriteTransaction } from '../database.ts';
import type { KnownPaymail, PaidHost } from './paid-host.ts';

/** What is remembered of a paymail, compared with now. */
export type Compared = Pick<PaidHost, 'known' | 'keyChangedSince' | 'keyUnavailable' | 'originBefore'>;

/**
 * Compares what this wallet remembers about a paymail with the key that its host gives now (null if none), and with the
 * origin of that host, where it is known. A host that gave a key before and gives none now may hide a different one: that is
 * reported, too.
 */
export async function compareKnown(paymail: string, publicKey: string | null, origin?: string): Promise<Compared> {
  const known = await (await database()).get('paymails', paymail);
  if (!known) return { known: false, keyChangedSince: null };
  const changed = publicKey !== null && known.publicKey !== null && known.publicKey !== publicKey;
  const moved = origin !== undefined && known.origin !== undefined && known.origin !== origin;
  return {
    known: !known.isUnpaid,
    keyChangedSince: changed ? known.since : null,
    ...(publicKey === null && known.publicKey !== null && { keyUnavailable: true }),
    ...(moved && known.origin !== undefined && { originBefore: known.origin }),
  };
}

/**
 * Remembers whom a payment pays, in the transaction that signs it. Another key or host takes the place of the one before: the
 * user has seen that and paid. Silence of a host takes nothing away.
 */
export async function rememberPaymails(tx: WriteTransaction, hosts: readonly PaidHost[]): Promise<void> {
  const paymails = tx.objectStore('paymails');
  for (const { paymail, publicKey, origin } of hosts) await remember(paymails, { paymail, publicKey, origin });
}

/** The store of paymails in whatever transaction changes it. */
interface Paymails {
  get(paymail: string): Promise<KnownPaymail | undefined>;
  put(known: KnownPaymail): Promise<unknown>;
  delete(paymail: string): Promise<void>;
}

/** Remembers a paymail that is saved as a contact, unless it is known: what was seen when it was paid counts. */
export async function rememberSaved(paymails: Paymails, seen: Omit<KnownPaymail, 'since'>): Promise<void> {
  if (!(await paymails.get(seen.paymail))) await remember(paymails, { ...seen, isUnpaid: true });
}

/** Forgets one that was saved and never paid. */
export async function forgetSaved(paymails: Paymails, paymail: string): Promise<void> {
  if ((await paymails.get(paymail))?.isUnpaid) await paymails.delete(paymail);
}

async function remember(paymails: Paymails, seen: Omit<KnownPaymail, 'since'>): Promise<void> {
  const known = await paymails.get(seen.paymail);
  const publicKey = seen.publicKey ?? known?.publicKey ?? null;
  const since = known?.publicKey === publicKey ? known.since : Date.now();
  await paymails.put({ ...seen, publicKey, since });
}
