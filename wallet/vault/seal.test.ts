import { createCipheriv, createDecipheriv, pbkdf2Sync } from 'node:crypto';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { ITERATIONS, openSealed, seal, sealWithKey, decryptWords, type Box, type SealedVault } from './seal.ts';
import { wallet } from '../../testkit/wallet/current.ts';

const WORDS = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
const PASSWORD = 'correct horse battery';
const KEY = Uint8Array.from({ length: 32 }, (_, i) => i + 1);
const unseal = async (vault: SealedVault, password: string) => (await openSealed(vault, password)).words;
const wrong = expect.objectContaining({ code: 'wrong-password' }) as Error;
const flipped = (bytes: Uint8Array<ArrayBuffer>, at = 0) => {
  const changed = Uint8Array.from(bytes);
  changed[at] = (changed[at] as number) ^ 1;
  return changed;
};

afterEach(() => void vi.restoreAllMocks());

describe('a sealed vault', () => {
  test('a vault opens with its password, at the full number of rounds', async () => {
    const vault = await seal({ ...wallet, passwordIterations: ITERATIONS }, WORDS, PASSWORD);
    expect(vault.kdf).toMatchObject({ name: 'PBKDF2-SHA256', parameters: { iterations: 600_000 } });
    expect(ITERATIONS).toBeGreaterThanOrEqual(600_000);
    expect(await unseal(vault, PASSWORD)).toBe(WORDS);
  });

  test.each(['', 'Correct horse battery', 'correct horse battery ', 'correct horse batter'])(
    'a vault does not open with %j',
    async (password) => {
      await expect(unseal(await seal(wallet, WORDS, PASSWORD), password)).rejects.toThrow(wrong);
    },
  );

  test('a vault opens with the same password in any Unicode normalization', async () => {
    const vault = await seal(wallet, WORDS, 'pässword Ⅷ mit Å');
    expect(await unseal(vault, 'pässword VIII mit Å'.normalize('NFD'))).toBe(WORDS);
  });

  test("a vault doesn't open if altered anywhere", async () => {
    const vault = await seal(wallet, WORDS, PASSWORD);
    const altered: SealedVault[] = [
      { ...vault, version: 2 as 1 },
      { ...vault, version: 0 as 1 },
      { ...vault, kdf: { ...vault.kdf, salt: flipped(vault.kdf.salt) } },
      { ...vault, kdf: { ...vault.kdf, parameters: { iterations: 1001 } } },
      { ...vault, kdf: { ...vault.kdf, parameters: { iterations: 0 } } },
      { ...vault, iv: flipped(vault.iv) },
      { ...vault, iv: new Uint8Array(0) },
      { ...vault, ciphertext: new Uint8Array(0) },
      { ...vault, ciphertext: vault.ciphertext.slice(0, -1) },
      ...Array.from(vault.ciphertext.keys(), (at) => ({ ...vault, ciphertext: flipped(vault.ciphertext, at) })),
    ];
    for (const one of altered) await expect(unseal(one, PASSWORD)).rejects.toThrow(wrong);
    expect(await unseal(vault, PASSWORD)).toBe(WORDS);
  });

  test('a vault reveals nothing about words or password, and never repeats salt or IV', async () => {
    const vaults = await Promise.all(Array.from({ length: 5 }, () => seal(wallet, WORDS, PASSWORD)));
    for (const vault of vaults) {
      const bytes =
        Buffer.concat([vault.iv, vault.kdf.salt, vault.ciphertext]).toString('latin1') + JSON.stringify(vault);
      for (const word of [...WORDS.split(' '), PASSWORD]) expect(bytes).not.toContain(word);
    }
    for (const part of ['iv', 'ciphertext'] as const)
      expect(new Set(vaults.map((v) => Buffer.from(v[part]).toString('hex'))).size).toBe(5);
    expect(new Set(vaults.map((v) => Buffer.from(v.kdf.salt).toString('hex'))).size).toBe(5);
  });

  test('a vault with a separate key opens with its password, and with that key', async () => {
    const vault = await sealWithKey({ ...wallet, passwordIterations: ITERATIONS }, WORDS, KEY, PASSWORD);
    expect(vault.kdf).toMatchObject({ name: 'PBKDF2-SHA256', parameters: { iterations: 600_000 } });
    expect(await openSealed(vault, PASSWORD)).toEqual({ words: WORDS, key: KEY });
    expect(await decryptWords(vault, KEY)).toBe(WORDS);
    await expect(decryptWords(vault, flipped(KEY))).rejects.toThrow();
    await expect(openSealed(vault, 'correct horse batter')).rejects.toThrow(wrong);
    expect(KEY[0]).toBe(1); // the caller wipes it
  });

  test("a vault with a separate key doesn't open if altered anywhere", async () => {
    const vault = await sealWithKey(wallet, WORDS, KEY, PASSWORD);
    const other = await sealWithKey(wallet, WORDS, flipped(KEY), PASSWORD);
    const { words } = vault;
    const altered: SealedVault[] = [
      { ...vault, version: 1 } as never,
      { ...vault, words: other.words },
      { ...vault, words: { iv: vault.iv, ciphertext: vault.ciphertext } },
      { ...vault, words: { ...words, iv: flipped(words.iv) } },
      ...Array.from(words.ciphertext.keys(), (at) => ({
        ...vault,
        words: { ...words, ciphertext: flipped(words.ciphertext, at) },
      })),
      ...Array.from(vault.ciphertext.keys(), (at) => ({ ...vault, ciphertext: flipped(vault.ciphertext, at) })),
    ];
    for (const one of altered) await expect(openSealed(one, PASSWORD)).rejects.toThrow(wrong);
  });

  test("a vault of one version doesn't open as another", async () => {
    const first = await seal(wallet, WORDS, PASSWORD);
    const second = await sealWithKey(wallet, WORDS, KEY, PASSWORD);
    await expect(openSealed({ ...first, version: 2, words: second.words }, PASSWORD)).rejects.toThrow(wrong);
    await expect(openSealed({ ...second, version: 1 } as never, PASSWORD)).rejects.toThrow(wrong);
  });

  describe('the stored format, computed by Node’s own functions', () => {
    const salt = new Uint8Array(16).fill(3);
    const kdf = { name: 'PBKDF2-SHA256', salt, parameters: { iterations: 10 } } as const;
    const fromPassword = (of: SealedVault['kdf']) =>
      pbkdf2Sync(PASSWORD, of.salt, of.parameters.iterations, 32, 'sha256');
    const box = (key: Uint8Array, plaintext: Uint8Array, header: string): Box => {
      const iv = new Uint8Array(12).fill(plaintext.length);
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(header));
      const parts = [cipher.update(plaintext), cipher.final(), cipher.getAuthTag()];
      return { iv, ciphertext: Uint8Array.from(Buffer.concat(parts)) };
    };
    const opened = (key: Uint8Array, { iv, ciphertext }: Box, header: string) => {
      const decipher = createDecipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(header));
      decipher.setAuthTag(ciphertext.subarray(-16));
      return Buffer.concat([decipher.update(ciphertext.subarray(0, -16)), decipher.final()]);
    };

    test('the words are sealed with the password', async () => {
      const theirs = box(fromPassword(kdf), Buffer.from(WORDS), 'service-button vault 1');
      expect(await openSealed({ version: 1, kdf, ...theirs }, PASSWORD)).toEqual({ words: WORDS, key: null });
      const ours = await seal(wallet, WORDS, PASSWORD);
      expect(opened(fromPassword(ours.kdf), ours, 'service-button vault 1').toString()).toBe(WORDS);
      expect([ours.version, ours.kdf.salt.length, ours.iv.length]).toEqual([1, 16, 12]);
    });

    test('the words are sealed with a key, and the key with the password', async () => {
      const theirs = box(fromPassword(kdf), KEY, 'service-button vault 2');
      const words = box(KEY, Buffer.from(WORDS), 'service-button words 2');
      expect(await openSealed({ version: 2, kdf, ...theirs, words }, PASSWORD)).toEqual({ words: WORDS, key: KEY });
      const ours = await sealWithKey(wallet, WORDS, KEY, PASSWORD);
      expect(opened(fromPassword(ours.kdf), ours, 'service-button vault 2')).toEqual(Buffer.from(KEY));
      expect(opened(KEY, ours.words, 'service-button words 2').toString()).toBe(WORDS);
    });
  });

  test('no bytes of words or password, and no exportable key, remain in memory', async () => {
    const imported = vi.spyOn(crypto.subtle, 'importKey');
    const derived = vi.spyOn(crypto.subtle, 'deriveKey');
    const encrypted = vi.spyOn(crypto.subtle, 'encrypt');
    const decrypted = vi.spyOn(crypto.subtle, 'decrypt');
    const key = Uint8Array.from(KEY);
    for (const vault of [await seal(wallet, WORDS, PASSWORD), await sealWithKey(wallet, WORDS, key, PASSWORD)]) {
      expect(await unseal(vault, PASSWORD)).toBe(WORDS);
      encrypted.mockRejectedValueOnce(new Error('out of memory'));
      await expect(
        vault.version === 1 ? seal(wallet, WORDS, PASSWORD) : sealWithKey(wallet, WORDS, key, PASSWORD),
      ).rejects.toThrow();
    }
    for (const { value } of [...imported.mock.results, ...derived.mock.results])
      expect(((await value) as CryptoKey).extractable).toBe(false);
    const results = await Promise.all(decrypted.mock.results.map(({ value }) => value as Promise<ArrayBuffer>));
    const bytes = [
      ...imported.mock.calls.map(([, given]) => given as unknown as Uint8Array),
      ...encrypted.mock.calls.map(([, , given]) => given as Uint8Array),
      ...results.map((buffer) => new Uint8Array(buffer)),
    ];
    // The 32-byte key isn't checked, because the caller wipes it.
    const left = bytes.filter((one) => one.length !== 32 && one.some((byte) => byte !== 0));
    expect([bytes.length > 10, left]).toEqual([true, []]);
  });
});
