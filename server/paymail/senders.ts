/**
 * Who sent something, as far as that is known: what the sender signed, and what the sender's own host says of the key.
 */
import type { Network } from '../../protocol/address.ts';
import { MAX_NOTE, readPaymail, writePaymail, type p2pMetadata } from '../../protocol/paymail.ts';
import { ServiceError } from '../../protocol/errors.ts';
import { asShownText } from '../../protocol/shown-text.ts';
import type * as z from 'zod/mini';
import type { Addresses } from '../config.ts';
import type { Database } from '../database/connect.ts';
import { findByHandle } from '../identity/accounts.ts';
import { signerOf } from '../identity/signed-message.ts';
import { resolveSrv } from '../outbound-requests/paymail-host.ts';
import { isKeyOf } from './sender-host.ts';

/** How long a sender's host has to answer (milliseconds). */
const TIMEOUT_MS = 5_000;

/** Says whether a key (compressed, lower-case hex) is that of a paymail. False where its host cannot be asked. */
export type SenderCheck = (paymail: string, publicKey: string) => Promise<boolean>;

/** Checks senders: those of this service by its own accounts, all others at their hosts. */
export function createSenderCheck({
  db,
  network,
  addresses,
}: {
  db: Database;
  network: Network;
  addresses: Addresses;
}): SenderCheck {
  return async (text, publicKey) => {
    const paymail = readPaymail(text);
    if (!paymail) return false;
    if (paymail.domain === addresses.paymailDomain)
      return (await findByHandle(db, paymail.alias))?.publicKey === publicKey;
    return isKeyOf(paymail, publicKey, { network, resolveSrv, timeoutMs: TIMEOUT_MS });
  };
}

/** What a transaction's metadata say of its sender. `publicKey` (hex) is what signed its id, null for nothing. */
export interface ToldSender {
  sender: string | null;
  publicKey: string | null;
  note: string | null;
}

/**
 * Reads the metadata of a transaction. Empty texts count as missing; so does an unreadable signature, because some
 * clients use another form: the payment is accepted, its sender is not verified.
 * @throws ServiceError `invalid-signature` for a signature that is not of this transaction by the given key
 */
export function readMetadata(metadata: z.output<typeof p2pMetadata> | null | undefined, txid: string): ToldSender {
  const { sender, pubkey, signature, note } = metadata ?? {};
  const paymail = readPaymail(sender ?? '');
  const signer = signature ? signerOf(txid, signature) : null;
  if (signer !== null && pubkey && pubkey.toLowerCase() !== signer) throw new ServiceError('invalid-signature');
  return {
    sender: paymail && writePaymail(paymail),
    publicKey: signer,
    note: note ? asShownText(note.slice(0, MAX_NOTE)) : null,
  };
}
