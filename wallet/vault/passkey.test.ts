import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { unwrapWith, wrapFor, type Passkey } from './passkey.ts';
import { wallet } from '../../testkit/wallet/current.ts';

const bytes = (length: number, first = 0) => Uint8Array.from({ length }, (_, i) => first + i);
const OUTPUT = bytes(32, 100);
const KEY = bytes(32, 7);
const passkey = (made: Pick<Passkey, 'half' | 'wrapped'>, id = 'credential'): Passkey => ({
  id,
  salt: 'A'.repeat(43),
  name: 'Key',
  createdAt: 0,
  usedAt: null,
  ...made,
});

/**
 * The format of stored passkeys, computed independently with Node. Must not change, because users' existing passkeys
 * depend on it.
 */
const FORM = 'service-button passkey 1';
const wrappingKey = (output: Uint8Array, half: Uint8Array) =>
  Buffer.from(hkdfSync('sha256', Buffer.concat([output, half]), '', FORM, 32));

afterEach(() => void vi.restoreAllMocks());

describe('a key wrapped by a passkey', () => {
  test('a wrapped key opens with the same output, and has the stored format', async () => {
    const made = await wrapFor(wallet, 'credential', OUTPUT, KEY);
    expect(await unwrapWith(passkey(made), OUTPUT)).toEqual(KEY);
    const { half, wrapped } = made;
    expect([half.length, wrapped.iv.length, wrapped.ciphertext.length]).toEqual([32, 12, 48]);
    const decipher = createDecipheriv('aes-256-gcm', wrappingKey(OUTPUT, half), wrapped.iv);
    decipher.setAAD(Buffer.from(`${FORM} credential`)).setAuthTag(wrapped.ciphertext.subarray(32));
    expect(
      Uint8Array.from(Buffer.concat([decipher.update(wrapped.ciphertext.subarray(0, 32)), decipher.final()])),
    ).toEqual(KEY);
  });

  test('a wrapped key opens if another implementation of the format stored it', async () => {
    const [half, iv] = [bytes(32, 50), bytes(12)];
    const cipher = createCipheriv('aes-256-gcm', wrappingKey(OUTPUT, half), iv).setAAD(
      Buffer.from(`${FORM} credential`),
    );
    const ciphertext = Uint8Array.from(Buffer.concat([cipher.update(KEY), cipher.final(), cipher.getAuthTag()]));
    expect(await unwrapWith(passkey({ half, wrapped: { iv, ciphertext } }), OUTPUT)).toEqual(KEY);
  });

  test('a wrapped key opens with no other output, half or credential, and not if it was altered', async () => {
    const made = await wrapFor(wallet, 'credential', OUTPUT, KEY);
    const { wrapped } = made;
    const changed = (of: Uint8Array<ArrayBuffer>) => of.map((byte, i) => (i === 0 ? byte ^ 1 : byte));
    const refused: [Passkey, Uint8Array<ArrayBuffer>][] = [
      [passkey(made), changed(OUTPUT)],
      [passkey(made), new Uint8Array(0)],
      [passkey({ ...made, half: changed(made.half) }), OUTPUT],
      [passkey(made, 'another'), OUTPUT],
      [passkey({ ...made, wrapped: { ...wrapped, iv: changed(wrapped.iv) } }), OUTPUT],
      [passkey({ ...made, wrapped: { ...wrapped, ciphertext: changed(wrapped.ciphertext) } }), OUTPUT],
    ];
    for (const [one, output] of refused) await expect(unwrapWith(one, output)).rejects.toThrow();
  });

  test('each wrapping has a different half and IV', async () => {
    const [one, other] = [
      await wrapFor(wallet, 'credential', OUTPUT, KEY),
      await wrapFor(wallet, 'credential', OUTPUT, KEY),
    ];
    expect(one.half).not.toEqual(other.half);
    expect(one.wrapped.iv).not.toEqual(other.wrapped.iv);
    await expect(unwrapWith(passkey({ half: one.half, wrapped: other.wrapped }), OUTPUT)).rejects.toThrow();
  });

  test('no exportable key remains, and the joined halves are wiped', async () => {
    const imported = vi.spyOn(crypto.subtle, 'importKey');
    const derived = vi.spyOn(crypto.subtle, 'deriveKey');
    const made = await wrapFor(wallet, 'credential', OUTPUT, KEY);
    const [, joined] = imported.mock.calls[0] as unknown as [string, Uint8Array];
    expect(joined).toEqual(new Uint8Array(64));
    for (const result of [...imported.mock.results, ...derived.mock.results])
      expect(((await result.value) as CryptoKey).extractable).toBe(false);
    imported.mockClear();
    derived.mockRejectedValueOnce(new Error('out of memory'));
    await expect(unwrapWith(passkey(made), OUTPUT)).rejects.toThrow('out of memory');
    expect((imported.mock.calls[0] as unknown as [string, Uint8Array])[1]).toEqual(new Uint8Array(64));
    expect(OUTPUT[0]).toBe(100); // the caller wipes it
  });
});
