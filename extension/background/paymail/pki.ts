/** The public key of a paymail, asked of its own host. */
import { ServiceError } from '../../../protocol/errors.ts';

/** A paymail's public key (compressed, hex), and the origin that told it. */
export interface PaymailKey {
  publicKey: string;
  origin: string;
}

/** Asks for it. */
export async function publicKeyOf(_paymail: string): Promise<PaymailKey> {
  throw new ServiceError('unsupported-recipient');
}
