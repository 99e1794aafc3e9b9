/**
 * Which addresses of a user senders are given: of `m/44'/236'/2'/0`, each once as long as some within the gap limit are
 * left, so that a wallet that is restored from its words finds everything that was ever paid.
 */
import { ripemd160 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { eq, lte, and, sql } from 'drizzle-orm';
import { p2pkhScript } from '../../protocol/address.ts';
import { toHex } from '../../protocol/bytes.ts';
import { ServiceError } from '../../protocol/errors.ts';
import type { Database } from '../database/connect.ts';
import { users } from '../database/schema.ts';
import { readReceivingXpub } from '../identity/registration.ts';

/** How many unused addresses in a row end a restored wallet's search (BIP 44, "Address gap limit"). */
export const GAP_LIMIT = 20;

/** An address of a user: its locking script (hex) and index. */
export interface GivenAddress {
  script: string;
  index: number;
}

/**
 * Gives out the next `count` addresses ({@link GAP_LIMIT} at most, all different) of a user. None is further than the gap limit
 * from the last one that was paid: when so many are unpaid, they are given out again in turn.
 * @throws ServiceError `unknown-recipient`
 */
export async function giveAddresses(db: Database, userId: number, count: number): Promise<GivenAddress[]> {
  // One statement: of any number at once each gets turns of its own.
  const [user] = await db.update(users).set({ receivingTurn: sql`${users.receivingTurn} + ${count}` }).where(eq(users.id, userId))
    .returning({ xpub: users.receivingXpub, base: users.receivingBase, end: users.receivingTurn });
  if (!user) throw new ServiceError('unknown-recipient');
  const first = user.end - count;
  const indexes = Array.from({ length: count }, (_, i) => user.base + ((first + i) % GAP_LIMIT));
  const chain = readReceivingXpub(user.xpub).deriveChild(0);
  return indexes.map((index) => ({ index, script: toHex(p2pkhScript(ripemd160(sha256(chain.deriveChild(index).publicKey as Uint8Array)))) }));
}

/** Notes that addresses of a user were paid: the gap begins anew behind the last of them. What was given out beyond it stays given out. */
export async function markPaid(tx: Database, userId: number, indexes: readonly number[]): Promise<void> {
  const base = Math.max(-1, ...indexes) + 1;
  await tx.update(users).set({
    receivingBase: base,
    receivingTurn: sql`greatest(0, least(${users.receivingTurn}, ${GAP_LIMIT}) + ${users.receivingBase} - ${base})`,
  }).where(and(eq(users.id, userId), lte(users.receivingBase, base - 1)));
}
