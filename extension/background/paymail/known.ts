/**
 * Paymails that this wallet has paid, and the public keys that they had: so that a host cannot exchange a person
 * unseen.
 */
import { database, type WriteTransaction } from '../database.ts';
import type { PaidHost } from './paid-host.ts';

/**
 * What this wallet's own memory says of a paymail and the key that its host tells now (null where it tells none). A
 * host that told one before and is silent now may hide that it is another: that is said, too.
 */
export async function compareKnown(
  paymail: string,
  publicKey: string | null,
): Promise<Pick<PaidHost, 'known' | 'keyChangedSince' | 'keyUntold'>> {
  const known = await (await database()).get('paymails', paymail);
  if (!known) return { known: false, keyChangedSince: null };
  const changed = publicKey !== null && known.publicKey !== null && known.publicKey !== publicKey;
  return {
    known: true,
    keyChangedSince: changed ? known.since : null,
    ...(publicKey === null && known.publicKey !== null && { keyUntold: true }),
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
