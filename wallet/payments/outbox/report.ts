import { MAX_REPORTED_INPUTS, type PaymentReport } from '../../../protocol/http/api.ts';
import type { MintReport } from '../../../protocol/assets/assets.ts';
import { ServiceError } from '../../../protocol/errors/service-error.ts';
import { metadataOf } from '../../../protocol/payments/metadata.ts';
import type { CryptoResult } from '../../../protocol/payments/payment.ts';
import { mintedTokenId } from '../mint-record.ts';
import type { PaymentRecord } from '../record.ts';
import type { PaidHost } from '../../paymail/paid-host.ts';
import type { ResolvedOutput } from '../../recipients/quote.ts';
import { resultOf, type Outcome } from '../../crypto-operations/outcome.ts';

/** True if this service issued a destination, or receives the transaction. */
function isAt(service: string, { origin, receiveUrl, receiveBeefUrl }: PaidHost): boolean {
  return [origin, receiveUrl, receiveBeefUrl].some(
    (url) => url && URL.canParse(url) && new URL(url).origin === service,
  );
}

/** A user ID is valid only at its own service. Any other service gets the paid paymail instead. */
function recipientFor(
  service: string,
  { scripts, host, ...output }: ResolvedOutput,
): Omit<ResolvedOutput, 'scripts' | 'host'> {
  if (output.type !== 'USER' || !host?.namedBy || host.namedBy === service) return output;
  return { ...output, type: 'PAYMAIL', to: host.paymail, paymail: host.paymail, userId: null };
}

/**
 * The report of a signed payment.
 * @param service the receiving origin. It doesn't get another host's reference, with which it could deliver the
 * transaction before the wallet, under any sender's name
 */
export function reportOf(
  { id, origin, options, quote, signed, operations }: PaymentRecord,
  service: string,
): PaymentReport {
  if (!signed) throw new ServiceError('internal', { detail: 'nothing to report' });
  const inputs = signed.inputSatoshis.map(String);
  return {
    id,
    inputProof: signed.inputProof,
    rawtx: signed.rawtx,
    // The signature over a token's coin proves its value only together with the coin's own script.
    ...(inputs.length > 0 && inputs.length <= MAX_REPORTED_INPUTS && !quote.asset && { inputs }),
    amount: quote.amount,
    currency: quote.currency,
    origin,
    clientIdentifier: options.clientIdentifier ?? null,
    ...metadataOf(options),
    ...(options.choice && { choice: options.choice }),
    outputs: quote.outputs.map((output) => ({
      ...recipientFor(service, output),
      ...(output.host && { reference: isAt(service, output.host) ? output.host.reference : null }),
      scripts: output.scripts.map(({ script, satoshis }) => ({ script, satoshis: satoshis.toString() })),
    })),
    ...(operations && { cryptoOperations: operations.map(withoutPlaintext) }),
  };
}

/** The report of a mint, to the service that describes the asset. */
export function mintReportOf({ signed }: PaymentRecord): MintReport {
  if (!signed) throw new ServiceError('internal', { detail: 'nothing to report' });
  const { txid, rawtx, inputProof } = signed;
  return { tokenId: mintedTokenId(txid), rawtx, inputProof };
}

/** Decrypted data is between the user and the page. */
function withoutPlaintext(outcome: Outcome): CryptoResult {
  const result = resultOf(outcome);
  return result.method === 'decrypt' ? { ...result, value: null } : result;
}
