/** Fuzzes signed messages and ciphertext. The wallet, `bsv` and `@bsv/sdk` must agree on keys and plaintext. */
import { ECIES, PrivateKey } from '@bsv/sdk';
import { decryptWith, isCiphertext, mostPlaintext } from '../../wallet/crypto-operations/ecies.ts';
import { isSignedBy as isSignedByWallet, signMessage } from '../../wallet/keys/ecdsa.ts';
import { expectedSignInMessage, signInMessage } from '../../protocol/signed-messages/sign-in-message.ts';
import { fromHex, toHex } from '../../protocol/bitcoin/bytes.ts';
import { isSignedBy, signerOf } from '../../server/identity/signed-message.ts';
import { must, mustEqual, orNull, orRefusalOf, target, textOf } from '../target.ts';
import { PUBLIC_KEY } from './testing-seeds.ts';

const encoder = new TextEncoder();
const KEY = fromHex('01'.padStart(64, '0'));
const MESSAGE = encoder.encode('hello');
const SIGN_IN = { origin: 'https://a.example', publicKey: PUBLIC_KEY };

export default target({
  form: 'bytes',
  seeds: () => [
    signMessage(MESSAGE, KEY),
    signInMessage({
      ...SIGN_IN,
      nonce: 'a'.repeat(20),
      issuedAt: '2026-01-01T00:00:00Z',
      expiresAt: '2026-01-01T00:05:00Z',
    }),
    ...[0, 5, 16, 100].map((size) => {
      const key = PrivateKey.fromHex(toHex(KEY));
      return Uint8Array.from(
        ECIES.electrumEncrypt(
          Array.from({ length: size }, () => 7),
          key.toPublicKey(),
          key,
        ),
      );
    }),
  ],
  read: async (input) => ({
    signer: signerOf(MESSAGE, textOf(input)),
    ours: isSignedByWallet(fromHex(PUBLIC_KEY), MESSAGE, textOf(input)),
    isCiphertext: isCiphertext(input),
    plaintext: await orRefusalOf(['operation-failed'], () => decryptWith(KEY, input.slice())),
    signIn: expectedSignInMessage(textOf(input), SIGN_IN),
  }),
  check: ({ signer, ours, isCiphertext: isOne, plaintext, signIn }, input) => {
    // The service accepts only the canonical format.
    if (signer === PUBLIC_KEY)
      must(ours && isSignedBy(PUBLIC_KEY, MESSAGE, textOf(input)), 'only one side accepts the signature');
    if (signIn !== null) mustEqual(signIn, textOf(input), 'the text to sign differs');
    if (!isOne) return must(plaintext === null, 'decrypted input of another format');
    const theirs = orNull(() => ECIES.electrumDecrypt([...input], PrivateKey.fromHex(toHex(KEY))));
    if (plaintext) must(plaintext.length <= mostPlaintext(input), 'the plaintext is longer than possible');
    mustEqual(
      plaintext && toHex(plaintext),
      theirs && toHex(Uint8Array.from(theirs as number[])),
      'decrypted differently from @bsv/sdk',
    );
  },
});
