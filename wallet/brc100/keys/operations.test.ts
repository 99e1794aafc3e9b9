/**
 * Compares the operations with ProtoWallet from @bsv/sdk: each side must decrypt and verify the other's output, under
 * random key names.
 */
import { KeyDeriver, PrivateKey, ProtoWallet, type WalletProtocol } from '@bsv/sdk';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromHex, toHex } from '../../../protocol/bitcoin/bytes.ts';
import { PAYMENT_PROTOCOL_ID } from '../../../protocol/messages/permission.ts';
import {
  derivedPrivateKey,
  derivedPublicKey,
  derivedSymmetricKey,
  paymentKeyName,
  type KeyName,
} from '../../keys/derived-keys.ts';
import { publicKeyOf } from '../../keys/ecdsa.ts';
import { decryptUnder, encryptUnder, hmacUnder, isHmacUnder, isSignedUnder, signUnder } from './operations.ts';
import { wallet as current } from '../../../testkit/wallet/current.ts';

const numRuns = 8;

const secret = fc.uint8Array({ minLength: 32, maxLength: 32 }).filter((bytes) => bytes[0]! > 0 && bytes[0]! < 255);
const name = fc.record({
  protocol: fc.tuple(
    fc.constantFrom<0 | 1 | 2>(0, 1, 2),
    fc.stringMatching(/^[a-z0-9]{5,40}( [a-z0-9]{1,20}){0,3}$/).filter((text) => !text.endsWith(' protocol')),
  ),
  keyID: fc.string({ unit: 'binary', minLength: 1, maxLength: 100 }).filter((text) => text.length <= 800),
});
// ProtoWallet rejects an empty plaintext, because it couldn't decrypt the result.
const data = fc.uint8Array({ minLength: 1, maxLength: 300 });
const base64 = fc.base64String({ minLength: 4, maxLength: 40 });
const remittance = fc.record({ derivationPrefix: base64, derivationSuffix: base64 });
const counterparty = fc.constantFrom('self', 'anyone', 'other');

interface Side {
  own: Uint8Array;
  wallet: ProtoWallet;
  name: KeyName;
  args: { protocolID: WalletProtocol; keyID: string; counterparty: string };
}

/** Returns the user's and the counterparty's view of the same key. The private key of `anyone` is 1. */
function sides(mine: Uint8Array, theirs: Uint8Array, { protocol, keyID }: Omit<KeyName, 'counterparty'>, kind: string) {
  const one = new Uint8Array(32).fill(1, 31);
  const secrets = { self: mine, anyone: one, other: theirs }[kind]!;
  const side = (own: Uint8Array, other: string): Side => ({
    own,
    wallet: new ProtoWallet(PrivateKey.fromHex(toHex(own))),
    name: { protocol, keyID, counterparty: other },
    args: { protocolID: [...protocol], keyID, counterparty: other },
  });
  const publicKey = (own: Uint8Array) => PrivateKey.fromHex(toHex(own)).toPublicKey().toString();
  return [side(mine, kind === 'other' ? publicKey(theirs) : kind), side(secrets, publicKey(mine))] as const;
}

/** Runs each operation on both sides, with one key name and random data. */
const OPERATIONS: Record<string, (user: Side, other: Side, bytes: Uint8Array<ArrayBuffer>) => Promise<void>> = {
  async 'derives public keys, for oneself and for the counterparty (BRC-42, BRC-43)'(user, other) {
    for (const forSelf of [true, false]) {
      const { publicKey } = await user.wallet.getPublicKey({ ...user.args, forSelf });
      expect(toHex(derivedPublicKey(user.own, user.name, forSelf))).toBe(publicKey);
    }
    // The counterparty has the private key for this public key.
    const { publicKey } = await other.wallet.getPublicKey({ ...other.args, forSelf: false });
    expect(toHex(publicKeyOf(derivedPrivateKey(user.own, user.name)))).toBe(publicKey);
  },
  async 'encrypts and decrypts (BRC-2)'(user, other, bytes) {
    const ours = await encryptUnder(current, user.own, user.name, bytes);
    const read = await other.wallet.decrypt({ ...other.args, ciphertext: Array.from(ours) });
    expect(read.plaintext).toEqual(Array.from(bytes));
    const { ciphertext } = await other.wallet.encrypt({ ...other.args, plaintext: Array.from(bytes) });
    expect(await decryptUnder(user.own, user.name, Uint8Array.from(ciphertext))).toEqual(bytes);
  },
  async 'makes and verifies HMACs (BRC-56)'(user, other, bytes) {
    const ours = hmacUnder(user.own, user.name, bytes);
    const given = { ...other.args, data: Array.from(bytes), hmac: Array.from(ours) };
    expect(await other.wallet.verifyHmac(given)).toEqual({ valid: true });
    const { hmac } = await other.wallet.createHmac({ ...other.args, data: Array.from(bytes) });
    expect(isHmacUnder(user.own, user.name, bytes, Uint8Array.from(hmac))).toBe(true);
    hmac[31]! ^= 1;
    expect(isHmacUnder(user.own, user.name, bytes, Uint8Array.from(hmac))).toBe(false);
  },
  async 'signs and verifies, byte for byte (BRC-3)'(user, other, bytes) {
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
    const ours = signUnder(user.own, user.name, digest);
    const theirsOf = (side: Side) => side.wallet.createSignature({ ...side.args, data: Array.from(bytes) });
    expect(Array.from(ours)).toEqual((await theirsOf(user)).signature);
    const given = { ...other.args, data: Array.from(bytes), signature: Array.from(ours) };
    expect(await other.wallet.verifySignature(given)).toEqual({ valid: true });
    const { signature } = await theirsOf(other);
    expect(isSignedUnder(user.own, user.name, digest, Uint8Array.from(signature), false)).toBe(true);
    expect(isSignedUnder(user.own, user.name, digest, ours, true)).toBe(true);
    digest[0]! ^= 1;
    expect(isSignedUnder(user.own, user.name, digest, ours, true)).toBe(false);
  },
};

describe('compatibility with ProtoWallet in both directions', () => {
  test.each(Object.entries(OPERATIONS))('the wallet %s', (_, operation) =>
    fc.assert(
      fc.asyncProperty(secret, secret, name, counterparty, data, async (mine, theirs, keyName, kind, bytes) => {
        await operation(...sides(mine, theirs, keyName, kind), Uint8Array.from(bytes));
      }),
      { numRuns },
    ),
  );

  test('both sides derive the same keys for payments by derived key (BRC-29)', () =>
    fc.assert(
      fc.asyncProperty(secret, secret, remittance, remittance, async (mine, theirs, received, paid) => {
        const wallet = new ProtoWallet(PrivateKey.fromHex(toHex(theirs)));
        const [us, them] = [publicKeyOf(mine), publicKeyOf(theirs)].map(toHex) as [string, string];
        const protocolID = [...PAYMENT_PROTOCOL_ID] as WalletProtocol;
        const keyIdOf = ({ derivationPrefix, derivationSuffix }: typeof received) =>
          `${derivationPrefix} ${derivationSuffix}`;
        // The counterparty derives the public key for a payment to us, and we derive the private key.
        const theirArgs = { protocolID, keyID: keyIdOf(received), counterparty: us };
        const { publicKey } = await wallet.getPublicKey(theirArgs);
        const keyFrom = (senderIdentityKey: string) =>
          toHex(publicKeyOf(derivedPrivateKey(mine, paymentKeyName({ ...received, senderIdentityKey }))));
        expect(keyFrom(them)).toBe(publicKey);
        // An application locks a payment to a key that we derived for the counterparty, which can derive the private
        // key.
        const name: KeyName = { protocol: PAYMENT_PROTOCOL_ID, keyID: keyIdOf(paid), counterparty: them };
        const lockedTo = toHex(derivedPublicKey(mine, name, false));
        const payee = new KeyDeriver(PrivateKey.fromHex(toHex(theirs)));
        expect(payee.derivePrivateKey(protocolID, keyIdOf(paid), us).toPublicKey().toString()).toBe(lockedTo);
        // The derived key depends on the payer's identity.
        if (us !== them) expect(keyFrom(us)).not.toBe(publicKey);
      }),
      { numRuns },
    ));
});

describe('a shared x coordinate that starts with a zero', () => {
  // Finds a key ID with a shared x coordinate that starts with a zero byte.
  const own = new Uint8Array(32).fill(7);
  const nameOf = (n: number): KeyName => ({ protocol: [1, 'leading zero'], keyID: String(n), counterparty: 'self' });
  const found = Array.from({ length: 3000 }, (_, n) => nameOf(n)).find(
    (one) => derivedSymmetricKey(own, one)[0] === 0,
  )!;
  const wallet = new ProtoWallet(PrivateKey.fromHex(toHex(own)));
  const args = { protocolID: [...found.protocol] as WalletProtocol, keyID: found.keyID };

  test('the coordinate is padded for encryption', async () => {
    const { ciphertext } = await wallet.encrypt({ ...args, plaintext: [1, 2, 3] });
    expect(await decryptUnder(own, found, Uint8Array.from(ciphertext))).toEqual(Uint8Array.of(1, 2, 3));
  });

  test("the coordinate isn't padded for an HMAC", async () => {
    const { hmac } = await wallet.createHmac({ ...args, data: [1, 2, 3] });
    expect(Array.from(hmacUnder(own, found, Uint8Array.of(1, 2, 3)))).toEqual(hmac);
  });
});

describe('invalid data', () => {
  const own = new Uint8Array(32).fill(7);
  const keyName: KeyName = { protocol: [1, 'refusals'], keyID: '1', counterparty: 'self' };

  test.each([0, 1, 47, 48, 60])('decryption rejects %i zero bytes', async (length) => {
    await expect(decryptUnder(own, keyName, new Uint8Array(length))).rejects.toMatchObject({
      code: 'operation-failed',
    });
  });

  test('decryption rejects a changed nonce, text or tag', async () => {
    const ciphertext = await encryptUnder(current, own, keyName, Uint8Array.of(5));
    for (const at of [0, 32, 48]) {
      const changed = ciphertext.slice();
      changed[at]! ^= 1;
      await expect(decryptUnder(own, keyName, changed)).rejects.toMatchObject({ code: 'operation-failed' });
    }
  });

  test.each(['', '30', '3006020100020100', '00'.repeat(70), `3045022100${'ff'.repeat(32)}0220${'11'.repeat(32)}`])(
    'verification rejects the signature %s',
    (hex) => {
      expect(isSignedUnder(own, keyName, new Uint8Array(32).fill(1), fromHex(hex), false)).toBe(false);
    },
  );
});
