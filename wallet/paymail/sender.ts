/** Identifies the sender in a request for a payment destination. */
import { sha256 } from '@noble/hashes/sha2.js';
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { paymentDestinationMessage } from '../../protocol/http/paymail.ts';
import type { Wallet } from '../platform.ts';
import { OWN } from '../sites/site.ts';
import { readKey } from '../store/database.ts';
import { signAsIdentity } from '../vault/identity.ts';
import { publicKeys, vaultStatus } from '../vault/vault.ts';

/** Placeholder for an anonymous sender. The top-level domain `invalid` is never assigned (RFC 6761). */
const NOBODY = 'anonymous@anonymous.invalid';

/**
 * Returns a function that creates the sender's fields. If the user requests the destination and has an account, the
 * sender is the user, with a signature. Otherwise, the sender is anonymous. `signs` is true if the fields are signed:
 * the text or, if `hashed`, its SHA-256 in lower-case hex.
 */
export async function senderOf(
  wallet: Wallet,
  satoshis: bigint,
  client: string,
  isDemanded: boolean,
): Promise<((hashed: boolean) => Promise<object>) & { signs: boolean }> {
  const dt = new Date(wallet.now()).toISOString();
  const amount = Number(satoshis);
  const account = await readKey(wallet, 'account');
  if (client !== OWN || !account || (await vaultStatus(wallet)).locked) {
    if (isDemanded) throw new ServiceError('unsupported-recipient', { detail: 'the host requires a sender' });
    return Object.assign(() => Promise.resolve({ senderHandle: NOBODY, dt, amount }), { signs: false });
  }
  const fields = { senderHandle: account.paymail, dt, amount };
  const text = paymentDestinationMessage(fields);
  const { identity } = await publicKeys(wallet);
  return Object.assign(
    async (hashed: boolean) => ({
      ...fields,
      signature: await signAsIdentity(wallet, hashed ? toHex(sha256(new TextEncoder().encode(text))) : text),
      pubkey: identity,
    }),
    { signs: true },
  );
}
