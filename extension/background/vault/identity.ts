/** Signing with the identity key. Only texts that the wallet worked out itself come here. */
import { identityKeyOf } from './keys.ts';
import { withSeed } from './session.ts';
import { signMessage } from './signed-message.ts';

/**
 * The identity key's signature of a text: a Bitcoin signed message, base64.
 * @throws ServiceError `wallet-locked`
 */
export function signAsIdentity(text: string): Promise<string> {
  return withSeed((seed) => {
    const key = identityKeyOf(seed);
    try {
      return signMessage(new TextEncoder().encode(text), key);
    } finally {
      key.fill(0);
    }
  });
}
