/** The service's own small paymail client: asks a claimed sender's host whether a key is theirs. */
import {
  CAPABILITIES,
  fillTemplate,
  pkiResponse,
  verifyPublicKeyResponse,
  type Paymail,
} from '../../protocol/http/paymail.ts';
import { askJson, capabilitiesOf, type PaymailHostRules } from '../outbound-requests/paymail-host.ts';

/**
 * True if the paymail's own host confirms that the key (compressed, lower-case hex) belongs to it. False for any other
 * response, or none, so that the requester learns nothing about the host.
 * @param rules with the time for all requests of one check, in milliseconds
 */
export async function isKeyOf(
  paymail: Paymail,
  publicKey: string,
  rules: PaymailHostRules & { timeoutMs: number },
): Promise<boolean> {
  const signal = AbortSignal.timeout(rules.timeoutMs);
  try {
    const { [CAPABILITIES.verifyPublicKey]: verify, [CAPABILITIES.pki]: pki } = await capabilitiesOf(
      paymail.domain,
      rules,
      signal,
    );
    if (typeof verify === 'string') {
      const { match, pubkey } = verifyPublicKeyResponse.parse(
        await askJson(fillTemplate(verify, paymail, publicKey), rules.network, signal),
      );
      return match && pubkey.toLowerCase() === publicKey;
    }
    return (
      pkiResponse
        .parse(await askJson(fillTemplate(String(pki), paymail), rules.network, signal))
        .pubkey.toLowerCase() === publicKey
    );
  } catch {
    return false;
  }
}
