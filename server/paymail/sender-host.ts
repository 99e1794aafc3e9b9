/** A minimal paymail client, which asks a claimed sender's host to confirm a key. */
import {
  CAPABILITIES,
  fillTemplate,
  pkiResponse,
  verifyPublicKeyResponse,
  type Paymail,
} from '../../protocol/http/paymail.ts';
import { requestJson, capabilitiesOf, type PaymailHostRules } from '../outbound-requests/paymail-host.ts';

/**
 * True if the paymail's own host confirms that the key (compressed, lowercase hex) belongs to the paymail. False in all
 * other cases, so requesters learn nothing about the host.
 * @param rules includes the total time limit for a check's requests (ms)
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
        await requestJson(fillTemplate(verify, paymail, publicKey), rules.network, signal),
      );
      return match && pubkey.toLowerCase() === publicKey;
    }
    return (
      pkiResponse
        .parse(await requestJson(fillTemplate(String(pki), paymail), rules.network, signal))
        .pubkey.toLowerCase() === publicKey
    );
  } catch {
    return false;
  }
}
