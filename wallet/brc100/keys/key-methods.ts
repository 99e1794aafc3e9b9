/**
 * The BRC-100 methods that use an application's keys. As in the reference wallet, all of them, even verification,
 * require the user's permission for the protocol. Level 0 keys require a connected site.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { Brc100Error, invalidParameter, unsupported, WALLET_ERRORS } from '../../../protocol/brc100/errors.ts';
import type { Brc100Args, Brc100Results } from '../../../protocol/brc100/methods.ts';
import { fromHex, toHex } from '../../../protocol/bitcoin/bytes.ts';
import { ServiceError } from '../../../protocol/errors/service-error.ts';
import { CONNECT, isReserved, PAYMENT_PROTOCOL, type Permission } from '../../../protocol/messages/permission.ts';
import { derivedPublicKey, type KeyName } from '../../keys/derived-keys.ts';
import { isPublicKey, publicKeyOf } from '../../keys/ecdsa.ts';
import { withIdentityKey } from '../../vault/identity.ts';
import type { Caller } from '../caller.ts';
import { decryptUnder, encryptUnder, hmacUnder, isHmacUnder, isSignedUnder, signUnder } from './operations.ts';
import type { Wallet } from '../../platform.ts';

type KeyMethod =
  | 'getPublicKey'
  | 'encrypt'
  | 'decrypt'
  | 'createHmac'
  | 'verifyHmac'
  | 'createSignature'
  | 'verifySignature';

type KeyMethods = { [M in KeyMethod]: (args: Brc100Args<M>, caller: Caller) => Promise<Brc100Results[M]> };

/** Permission check, replaced in tests. */
interface Permitting {
  permission: (permission: Permission, caller: Caller, options?: { prompt?: boolean }) => Promise<void>;
}

const refusal = (code: 3 | 4, name: string, description: string) => new Brc100Error({ code, name, description });

export function keyMethods(wallet: Wallet, { permission }: Permitting): KeyMethods {
  /** Checks the site's permission, then runs `use` with the private identity key and the key's name. */
  async function withKey<T>(
    args: Omit<Brc100Args<'encrypt'>, 'plaintext'>,
    caller: Caller,
    use: (identityKey: Uint8Array, name: KeyName) => T | Promise<T>,
    counterparty = args.counterparty ?? 'self',
  ): Promise<T> {
    const [level, protocol] = args.protocolID;
    if (args.privileged) throw unsupported('privileged keys');
    // Permission checks reject reserved names. Level 0 has no permission check, so they are rejected here.
    if (isReserved({ kind: 'protocol', level: 1, protocol, counterparty: null }))
      throw new ServiceError('reserved-name');
    if (counterparty.length === 66 && !isPublicKey(fromHex(counterparty)))
      throw invalidParameter('counterparty', 'a point on the curve.');
    const asked: Permission =
      level === 0 ? CONNECT : { kind: 'protocol', level, protocol, counterparty: level === 2 ? counterparty : null };
    await permission(asked, caller, { prompt: args.seekPermission });
    return withIdentityKey(wallet, (key) => use(key, { protocol: args.protocolID, keyID: args.keyID, counterparty }));
  }

  return {
    async getPublicKey(args, caller) {
      if (args.identityKey === true) {
        if (args.privileged) throw unsupported('privileged keys');
        await permission({ kind: 'identity' }, caller, { prompt: args.seekPermission });
        return { publicKey: toHex(await withIdentityKey(wallet, publicKeyOf)) };
      }
      const key = await withKey(args, caller, (own, name) => derivedPublicKey(own, name, args.forSelf));
      return { publicKey: toHex(key) };
    },
    async encrypt(args, caller) {
      const bytes = await withKey(args, caller, (own, name) => encryptUnder(wallet, own, name, args.plaintext));
      return { ciphertext: Array.from(bytes) };
    },
    async decrypt(args, caller) {
      const bytes = await withKey(args, caller, (own, name) => decryptUnder(own, name, args.ciphertext));
      return { plaintext: Array.from(bytes) };
    },
    async createHmac(args, caller) {
      const bytes = await withKey(args, caller, (own, name) => hmacUnder(own, name, args.data));
      return { hmac: Array.from(bytes) };
    },
    async verifyHmac(args, caller) {
      const valid = await withKey(args, caller, (own, name) => isHmacUnder(own, name, args.data, args.hmac));
      if (!valid) throw refusal(WALLET_ERRORS.invalidHmac, 'WERR_INVALID_HMAC', 'The HMAC is not valid.');
      return { valid };
    },
    async createSignature(args, caller) {
      // Payments between wallets (BRC-29) are locked to these keys until they are swept.
      if (args.protocolID[1] === PAYMENT_PROTOCOL)
        throw invalidParameter('protocolID', 'a different protocol, as these keys hold the wallet’s own money.');
      const digest = args.hashToDirectlySign ?? sha256(args.data as Uint8Array);
      const counterparty = args.counterparty ?? 'anyone';
      const bytes = await withKey(args, caller, (own, name) => signUnder(own, name, digest), counterparty);
      return { signature: Array.from(bytes) };
    },
    async verifySignature(args, caller) {
      const digest = args.hashToDirectlyVerify ?? sha256(args.data as Uint8Array);
      const valid = await withKey(args, caller, (own, name) =>
        isSignedUnder(own, name, digest, args.signature, args.forSelf),
      );
      if (!valid)
        throw refusal(WALLET_ERRORS.invalidSignature, 'WERR_INVALID_SIGNATURE', 'The signature is not valid.');
      return { valid };
    },
  };
}
