/** Receives transactions that pay destinations. Validates and broadcasts them, then stores them for the wallet. */
import type * as z from 'zod/mini';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import type { p2pMetadata } from '../../protocol/http/paymail.ts';
import { normalizedTxidOfBytes, parseOutputs, txidOf } from '../../protocol/bitcoin/transaction.ts';
import type { ArcClient } from '../chain/arc-client.ts';
import { EnvelopeError } from '../chain/envelope-error.ts';
import { subjectOfBeef } from '../chain/envelope.ts';
import type { Database } from '../database/connect.ts';
import type { User } from '../identity/accounts.ts';
import { assertAccepted } from '../payments/acceptance.ts';
import { storeReceived } from '../received/store.ts';
import { findDestination } from '../destinations/destinations.ts';
import { assertPays, assertPaysAll, findDelivery } from '../destinations/claims.ts';
import type { Attempt } from './refused-deliveries.ts';
import { readMetadata, type SenderCheck } from './senders.ts';

/** A delivered transaction in hex: raw, or as the last transaction in a BEEF. */
export interface Delivery {
  form: 'raw' | 'beef';
  hex: string;
  reference: string;
  metadata?: z.output<typeof p2pMetadata> | null | undefined;
}

export interface ReceiveContext {
  db: Database;
  arc: ArcClient;
  now: () => Date;
  isSender: SenderCheck;
  /** Called before each delivery is read (see refused-deliveries.ts). */
  attempt: () => Attempt;
}

/**
 * Accepts a transaction that pays a user under `paymail`. Idempotent.
 * @returns the txid
 * @throws ServiceError `unknown-reference`, `invalid-transaction`, `payment-conflict`, `invalid-signature`,
 * `payment-mismatch`, `not-accepted`, `network-unavailable`, `too-large`, `too-many-requests`
 */
export async function receive(
  { db, arc, now, isSender, attempt }: ReceiveContext,
  user: User,
  paymail: string,
  delivery: Delivery,
): Promise<string> {
  const { reference, hex, metadata } = delivery;
  const destination = await findDestination(db, reference);
  if (destination?.userId !== user.id) throw new ServiceError('unknown-reference');
  const attempted = attempt();
  const rawtx = rawTransaction(delivery);
  const outputs = parseOutputs(rawtx);
  // Checked before anything is hashed, because hashing a large transaction blocks the process.
  assertPaysAll(outputs, [destination]);
  const txid = txidOf(rawtx);
  const normalizedTxid = normalizedTxidOfBytes(rawtx);
  const delivered = await findDelivery(db, { reference, normalizedTxid });
  // The transaction of a failed payment is acknowledged only if the network accepts it after all.
  const known = delivered?.hasFailed ? null : delivered;
  if (known) attempted.accepted();
  if (known && (known.sender !== null || !metadata?.sender)) return txid;
  const { sender, publicKey, note } = readMetadata(metadata, txid);
  await assertPays(db, { reference, userId: user.id, normalizedTxid, outputs }, destination);
  const senderIsVerified = async () => sender !== null && publicKey !== null && isSender(sender, publicKey);
  const received = {
    user,
    paymail,
    reference,
    txid,
    normalizedTxid,
    rawtx,
    outputs,
    sender,
    note,
  };
  if (known) {
    await storeReceived(db, { ...received, senderVerified: await senderIsVerified() }, now());
    return txid;
  }
  // The key includes the format, because a raw transaction can fail for a missing parent that a BEEF contains.
  const key = `${delivery.form} ${txid}`;
  attempted.assertNotRefused(key);
  const broadcast = async () => {
    let ancestors = 0;
    try {
      assertAccepted(await arc.broadcast(hex, txid, () => (ancestors += 1)));
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'not-accepted') {
        if (ancestors > 0) attempted.submitted(ancestors);
        attempted.refused(key);
      }
      throw error;
    }
  };
  // Concurrent, so an unreachable sender's host adds little delay.
  const [, senderVerified] = await Promise.all([broadcast(), senderIsVerified()]);
  attempted.accepted();
  await storeReceived(db, { ...received, senderVerified }, now());
  return txid;
}

function rawTransaction({ form, hex }: Delivery): Uint8Array {
  const bytes = new Uint8Array(Buffer.from(hex, 'hex'));
  if (form === 'raw') return bytes;
  try {
    return subjectOfBeef(bytes);
  } catch (cause) {
    throw cause instanceof EnvelopeError ? new ServiceError('invalid-transaction', { cause }) : cause;
  }
}
