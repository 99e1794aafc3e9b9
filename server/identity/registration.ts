/** Validation of handles, names and extended public keys at registration. Pure. */
import { HDKey } from '@scure/bip32';
import type { Network } from '../../protocol/bitcoin/address.ts';
import { handle as handleForm, type Registration } from '../../protocol/http/api.ts';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { isShownName } from '../../protocol/text/shown-text.ts';
import { skeletonOf } from '../../protocol/text/confusables.ts';

/** Handles that could be mistaken for the service, a system mailbox (RFC 2142) or a placeholder. */
const RESERVED = new Set(
  `abuse account accounts admin administration administrator administrators admins anonymous api app apps auth bank billing bitcoin bitcoin-sv
  blog bot bounce bounces bsv bsvalias button careers cashier cdn compliance contact custody customer-service daemon deposit deposits dev developer developers
  devnet dns docs domain domains donate donations everybody everyone exchange faucet feedback fees finance fraud ftp guest help help-desk help-line
  hostmaster imap info invalid invoice invoices jobs kyc legal listserv localhost login logout mail mailer-daemon
  mainnet majordomo marketing me miner mod moderator moderators mods money network newsletter news no-reply noc nobody null oauth office official
  operations operator owner pay payment payments paymail payout payouts pop postmaster press privacy recovery refund refunds register
  root safety sales secure security server service services service-button settings shop sign-in sign-up smtp ssl ssl-admin
  staff status subscribe sudo support sysadmin system team testnet treasury trust undefined unknown unsubscribe usenet user users uucp verification verified verify
  wallet wallets web webmaster withdraw withdrawal withdrawals www`
    .split(/\s+/)
    .map(skeletonOf),
);

/** True for a reserved handle or a lookalike. */
export function isReserved(handle: string): boolean {
  return RESERVED.has(skeletonOf(handle));
}

/** Returns the handle if its format is valid. @throws ServiceError `invalid-handle` */
export function readHandle(text: string): string {
  const read = handleForm.safeParse(text);
  if (!read.success) throw new ServiceError('invalid-handle');
  return read.data;
}

// BIP 32 version bytes. @scure/bip32 accepts one pair at a time.
const VERSIONS = {
  xpub: { private: 0x0488ade4, public: 0x0488b21e },
  tpub: { private: 0x04358394, public: 0x043587cf },
};

/** Parses an extended public key, xpub or tpub. @throws Error if it is malformed or private */
export function readReceivingXpub(text: string): HDKey {
  const key = HDKey.fromExtendedKey(text, VERSIONS[text.startsWith('tpub') ? 'tpub' : 'xpub']);
  if (key.privateKey !== null) throw new Error('an extended private key');
  return key;
}

/**
 * Checks the extended public key of account `m/44'/236'/2'`: public, hardened, depth 3. Mainnet accepts only xpub. Test
 * networks accept tpub and xpub, because many wallets use xpub on every network.
 */
export function isReceivingXpub(text: string, network: Network): boolean {
  if (!/^[xt]pub/.test(text) || (text.startsWith('tpub') && network === 'mainnet')) return false;
  try {
    const key = readReceivingXpub(text);
    return key.depth === 3 && key.index === 0x8000_0002;
  } catch {
    return false;
  }
}

/**
 * Validates a registration, except for the handle's availability.
 * @throws ServiceError `handle-taken` (reserved), `invalid-request`
 */
export function checkRegistration(registration: Registration, network: Network): void {
  if (isReserved(registration.handle)) throw new ServiceError('handle-taken');
  if (!isShownName(registration.name)) {
    throw new ServiceError('invalid-request', { message: 'The name contains characters that can’t be displayed.' });
  }
  if (!isReceivingXpub(registration.receivingXpub, network)) {
    throw new ServiceError('invalid-request', {
      message: "receivingXpub must be the extended public key of account m/44'/236'/2' on this network.",
    });
  }
}
