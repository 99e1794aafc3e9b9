import { Point } from '@noble/secp256k1';
import { pkiResponse, writePaymail, type Paymail } from '../../protocol/http/paymail.ts';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { capabilityUrl, hostOf, paymailOf, throwHostError, type KnownHost } from './discovery.ts';
import { requestHost } from './host.ts';
import type { Wallet } from '../platform.ts';

/** A paymail's public key (compressed, hex), and the origin that supplied it. */
export interface PaymailKey {
  publicKey: string;
  origin: string;
}

/**
 * Requests a paymail's public key.
 * @param client the requesting site, or `OWN`
 * @throws ServiceError `invalid-recipient`, `unknown-recipient`, `unsupported-recipient` (the host supplies no keys),
 * `paymail-unavailable`, `paymail-mismatch`
 */
export async function publicKeyOf(wallet: Wallet, paymail: string, client: string): Promise<PaymailKey> {
  const read = paymailOf(paymail);
  return publicKeyAt(wallet, await hostOf(wallet, read, client), read);
}

/** Requests the key from an already discovered host. @throws ServiceError like {@link publicKeyOf} */
export async function publicKeyAt(
  wallet: Wallet,
  host: KnownHost,
  paymail: Paymail,
  timeoutMs?: number,
): Promise<PaymailKey> {
  const url = await capabilityUrl(wallet, host, 'pki', paymail);
  if (url === null) throw new ServiceError('unsupported-recipient');
  const answer = await requestHost(wallet, url, { client: host.client, ...(timeoutMs !== undefined && { timeoutMs }) });
  throwHostError(answer);
  const read = pkiResponse.safeParse(answer.body);
  if (!read.success || !isPoint(read.data.pubkey))
    throw new ServiceError('paymail-mismatch', { detail: 'invalid public key' });
  if (!isSame(read.data.handle, paymail))
    throw new ServiceError('paymail-mismatch', { detail: `the key belongs to ${read.data.handle}` });
  return { publicKey: read.data.pubkey.toLowerCase(), origin: new URL(url).origin };
}

function isPoint(hex: string): boolean {
  try {
    Point.fromHex(hex.toLowerCase()).assertValidity();
    return true;
  } catch {
    return false;
  }
}

function isSame(handle: string, paymail: Paymail): boolean {
  try {
    return writePaymail(paymailOf(handle)) === writePaymail(paymail);
  } catch {
    return false;
  }
}
