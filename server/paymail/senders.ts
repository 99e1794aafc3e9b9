/** Verifies a delivery's sender, using the signature and the key that the sender's host confirms. */
import type { Network } from '../../protocol/bitcoin/address.ts';
import { MAX_NOTE, readPaymail, writePaymail, type p2pMetadata } from '../../protocol/http/paymail.ts';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { isSameDomain } from '../../protocol/text/paymail-domain.ts';
import { asShownText } from '../../protocol/text/shown-text.ts';
import type * as z from 'zod/mini';
import type { Addresses } from '../config.ts';
import type { Database } from '../database/connect.ts';
import { findByHandle } from '../identity/accounts.ts';
import { signerOf } from '../identity/signed-message.ts';
import { resolveSrv } from '../outbound-requests/paymail-host.ts';
import { isKeyOf } from './sender-host.ts';

/** Timeout for a sender's host (ms). */
const TIMEOUT_MS = 5_000;

/**
 * Returns whether a key (compressed, lowercase hex) belongs to a paymail. False if the paymail's host doesn't respond.
 */
export type SenderCheck = (paymail: string, publicKey: string) => Promise<boolean>;

/** Checks senders with an account here in the database, and other senders at their hosts. */
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
    if (isSameDomain(paymail.domain, addresses.paymailDomain))
      return (await findByHandle(db, paymail.alias))?.publicKey === publicKey;
    return isKeyOf(paymail, publicKey, { network, resolveSrv, timeoutMs: TIMEOUT_MS });
  };
}

/** A transaction's claimed sender. `publicKey` (hex) is the key that signed the txid; null if unsigned. */
export interface ClaimedSender {
  sender: string | null;
  publicKey: string | null;
  note: string | null;
}

/**
 * Reads a transaction's metadata. Treats empty strings as missing. Treats malformed signatures the same way, because
 * some clients use a different format.
 * @throws ServiceError `invalid-signature` if the given key didn't sign this transaction
 */
export function readMetadata(metadata: z.output<typeof p2pMetadata> | null | undefined, txid: string): ClaimedSender {
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
