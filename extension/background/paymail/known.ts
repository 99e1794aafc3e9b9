/**
 * Paymails that this wallet has paid, and the public keys that they had: so that a host cannot exchange a person
 * unseen.
 */
import { database, type WriteTransaction } from '../database.ts';
import type { PaidHost } from './paid-host.ts';

/**
 * Compares what this wallet remembers about a paymail with the key that its host gives now (null if none). A host that
 * gave one before and gives none now may hide a different key: that is reported, too.
 */
export async function compareKnown(
  paymail: string,
  publicKey: string | null,
): Promise<Pick<PaidHost, 'known' | 'keyChangedSince' | 'keyUnavailable'>> {
  const known = await (await database()).get('paymails', paymail);
  if (!known) return { known: false, keyChangedSince: null };
  const changed = publicKey !== null && known.publicKey !== null && known.publicKey !== publicKey;
  return {
    known: true,
    keyChangedSince: changed ? known.since : null,
    ...(publicKey === null && known.publicKey !== null && { keyUnavailable: true }),
  };
}

/**
 * Remembers whom a payment pays, in the transaction that signs it. Another key takes the place of the one before: the
 * user has seen that and paid. Silence of a host takes nothing away.
 */
export async function rememberPaymails(tx: WriteTransaction, hosts: readonly PaidHost[]): Promise<void> {
  const paymails = tx.objectStore('paymails');
  for (const host of hosts) {
    const known = await paymails.get(host.paymail);
    const publicKey = host.publicKey ?? known?.publicKey ?? null;
    if (known?.publicKey !== publicKey) await paymails.put({ paymail: host.paymail, publicKey, since: Date.now() });
  }
}
