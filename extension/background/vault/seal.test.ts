import { describe, expect, test } from 'vitest';
import { ITERATIONS, seal, unseal, type SealedVault } from './seal.ts';

const WORDS = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
const PASSWORD = 'correct horse battery';
const wrong = expect.objectContaining({ code: 'wrong-password' }) as Error;
const flipped = (bytes: Uint8Array<ArrayBuffer>, at = 0) => {
  const changed = Uint8Array.from(bytes);
  changed[at] = (changed[at] as number) ^ 1;
  return changed;
};

describe('a sealed vault', () => {
  test('opens with its password, at the full number of rounds', async () => {
    const vault = await seal(WORDS, PASSWORD);
    expect(vault.kdf).toMatchObject({ name: 'PBKDF2-SHA256', parameters: { iterations: 600_000 } });
    expect(ITERATIONS).toBeGreaterThanOrEqual(600_000);
    expect(await unseal(vault, PASSWORD)).toBe(WORDS);
  });

  test.each(['', 'Correct horse battery', 'correct horse battery ', 'correct horse batter'])(
    'does not open with %j',
    async (password) => {
      await expect(unseal(await seal(WORDS, PASSWORD, 1000), password)).rejects.toThrow(wrong);
    },
  );

  test('opens with the same password however its letters are composed', async () => {
    const vault = await seal(WORDS, 'pässword Ⅷ mit Å', 1000);
    expect(await unseal(vault, 'pässword VIII mit Å'.normalize('NFD'))).toBe(WORDS);
  });

  test('altered anywhere does not open', async () => {
    const vault = await seal(WORDS, PASSWORD, 1000);
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

  test('shows nothing of words or password, and never repeats salt or iv', async () => {
    const vaults = await Promise.all(Array.from({ length: 5 }, () => seal(WORDS, PASSWORD, 1000)));
    for (const vault of vaults) {
      const bytes =
        Buffer.concat([vault.iv, vault.kdf.salt, vault.ciphertext]).toString('latin1') + JSON.stringify(vault);
      for (const word of [...WORDS.split(' '), PASSWORD]) expect(bytes).not.toContain(word);
    }
    for (const part of ['iv', 'ciphertext'] as const)
      expect(new Set(vaults.map((v) => Buffer.from(v[part]).toString('hex'))).size).toBe(5);
    expect(new Set(vaults.map((v) => Buffer.from(v.kdf.salt).toString('hex'))).size).toBe(5);
  });
});
