import { KeyDeriver, PrivateKey } from '@bsv/sdk';
import { beforeEach, describe, expect, test } from 'vitest';
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import { codeOf } from '../../testing/code-of.ts';
import { START, useVault } from '../../testkit/wallet/vault.ts';
import type { Remittance } from '../keys/derived-keys.ts';
import { identityKeyOf } from '../keys/keys.ts';
import { wallet } from '../../testkit/wallet/current.ts';

const run = useVault();
const SEED = Uint8Array.from({ length: 64 }, (_, i) => i + 1);
const payer = PrivateKey.fromHex('77'.repeat(32));
const senderIdentityKey = payer.toPublicKey().toString();
const payment = (n: number): Remittance => ({
  derivationPrefix: 'cHJlZml4',
  derivationSuffix: `${n}`,
  senderIdentityKey,
});
const isWiped = ({ privateKey }: { privateKey: Uint8Array }) => privateKey.every((byte) => byte === 0);
/** No point on the curve has this x coordinate. */
const NO_POINT = { ...payment(1), senderIdentityKey: `02${'00'.repeat(31)}05` };

beforeEach(() => run.session.storeSeed(wallet, SEED, START + 1000));

describe('the keys of payments by derived key', () => {
  test('the keys are those to which their payer locked the outputs, in order, and are wiped after use', async () => {
    const payee = PrivateKey.fromHex(toHex(identityKeyOf(SEED)))
      .toPublicKey()
      .toString();
    const locked = [1, 2].map((n) =>
      new KeyDeriver(payer).derivePublicKey([2, '3241645161d8'], `cHJlZml4 ${n}`, payee).toString(),
    );
    const pairs = await run.paymentKey.withPaymentKeys(wallet, [payment(1), payment(2)], async (lent) => {
      await new Promise((resolve) => setImmediate(resolve));
      expect(lent.map(({ publicKey }) => toHex(publicKey))).toEqual(locked);
      for (const { privateKey, publicKey } of lent)
        expect(PrivateKey.fromHex(toHex(privateKey)).toPublicKey().toString()).toBe(toHex(publicKey));
      return lent;
    });
    expect(pairs.map(isWiped)).toEqual([true, true]);
  });

  test('the keys are wiped if their use fails', async () => {
    const lent: { privateKey: Uint8Array }[] = [];
    const failed = new Error('in use');
    const using = run.paymentKey.withPaymentKeys(wallet, [payment(1)], (pairs) => {
      lent.push(...pairs);
      throw failed;
    });
    expect(await codeOf(using)).toBe(failed);
    expect(lent.map(isWiped)).toEqual([true]);
  });

  test('a payer whose key is not a point of the curve is rejected', async () => {
    const use = () => expect.unreachable();
    expect(await codeOf(run.paymentKey.withPaymentKeys(wallet, [payment(1), NO_POINT], use))).toBe('invalid-request');
    const error = await run.paymentKey.withPaymentKeys(wallet, [NO_POINT], use).catch((cause: unknown) => cause);
    expect((error as Error).cause).toBeInstanceOf(Error);
  });

  test('the keys are unavailable while the wallet is locked', async () => {
    await run.session.deleteSeed(wallet);
    expect(await codeOf(run.paymentKey.withPaymentKeys(wallet, [payment(1)], () => expect.unreachable()))).toBe(
      'wallet-locked',
    );
  });
});
