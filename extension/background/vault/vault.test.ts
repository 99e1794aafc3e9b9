import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { endAllLives, type Life, Profile } from '../testing/life.ts';

const WORDS = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
const PASSWORD = 'correct horse battery';

let life: Life;
beforeEach(async () => {
  life = await new Profile('http://localhost:1').start();
});
afterEach(endAllLives);
const codeOf = (promise: Promise<unknown>) => promise.then(() => 'none', (error: { code?: string }) => error.code ?? error);

describe('the vault', () => {
  test('is made once, unlocked, and never replaced', async () => {
    const { createVault, vaultStatus, publicKeys } = life.modules.vault;
    expect(await vaultStatus()).toEqual({ exists: false, locked: true, lockAt: null });
    expect(await codeOf(publicKeys())).toBe('wallet-not-set-up');
    await createVault(` ${WORDS.toUpperCase()} `, PASSWORD, false);
    expect(await vaultStatus()).toEqual({ exists: true, locked: false, lockAt: expect.any(Number) });
    const keys = await publicKeys();
    expect(await codeOf(createVault('zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo wrong', 'another password', false))).toBe('vault-exists');
    expect(await publicKeys()).toEqual(keys);
  });

  test('made twice at once is one of the two, whole', async () => {
    const { createVault, unlock, lock, publicKeys } = life.modules.vault;
    const codes = await Promise.all([codeOf(createVault(WORDS, PASSWORD, false)), codeOf(createVault('zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo wrong', 'another password', false))]);
    expect(codes.toSorted()).toEqual(['none', 'vault-exists']);
    await lock();
    await unlock(codes[0] === 'none' ? PASSWORD : 'another password');
    const { publicKeysOf } = await import('./keys.ts');
    expect(await life.modules.session.withSeed((seed) => publicKeysOf(seed))).toEqual(await publicKeys());
  });

  test.each([
    ['invalid-words', 'abandon '.repeat(12).trim(), PASSWORD],
    ['weak-password', WORDS, 'too short'],
  ])('is not made with %s', async (code, words, password) => {
    const { createVault, vaultStatus } = life.modules.vault;
    expect(await codeOf(createVault(words, password, false))).toBe(code);
    expect((await vaultStatus()).exists).toBe(false);
  });

  test('locks, and opens with its password alone, for as long as the settings say', async () => {
    const { createVault, lock, unlock, vaultStatus } = life.modules.vault;
    expect(await codeOf(unlock(PASSWORD))).toBe('wallet-not-set-up');
    await createVault(WORDS, PASSWORD, false);
    await lock();
    expect(await vaultStatus()).toEqual({ exists: true, locked: true, lockAt: null });
    expect(await codeOf(unlock('wrong horse battery'))).toBe('wrong-password');
    expect((await vaultStatus()).locked).toBe(true);
    const { writeSettings } = await import('../settings.ts');
    await writeSettings({ lockAfterMinutes: 5 });
    await unlock(PASSWORD);
    const { lockAt } = await vaultStatus();
    expect((lockAt ?? 0) - Date.now()).toBeGreaterThan(4 * 60_000);
    expect((lockAt ?? 0) - Date.now()).toBeLessThanOrEqual(5 * 60_000);
    vi.mocked(Date.now).mockReturnValue(lockAt ?? 0);
    expect((await vaultStatus()).locked).toBe(true);
  });

  test('with fewer rounds than today is sealed anew when it is opened', async () => {
    const { createVault, unlock } = life.modules.vault;
    const { readKey, writeKey } = life.modules.database;
    await createVault(WORDS, PASSWORD, false);
    const { seal } = await import('./seal.ts');
    await writeKey('vault', await seal(WORDS, PASSWORD, 1000));
    await unlock(PASSWORD);
    expect((await readKey('vault'))?.kdf.parameters.iterations).toBe(600_000);
    await unlock(PASSWORD);
  });

  test('leaves no secret in anything that is stored', async () => {
    await life.modules.vault.createVault(WORDS, PASSWORD, false);
    const seed = Buffer.from(await life.modules.session.withSeed((s) => Uint8Array.from(s)));
    const db = await life.modules.database.database();
    const all: unknown[] = [...life.profile.browser.session.values(), ...life.profile.browser.alarms.values()];
    for (const store of life.modules.database.STORES) all.push(...(await db.getAll(store)));
    const bytes: Buffer[] = [];
    const collect = (value: unknown): void => {
      if (value instanceof Uint8Array) bytes.push(Buffer.from(value));
      else if (typeof value === 'string') bytes.push(Buffer.from(value), Buffer.from(value, 'base64'), Buffer.from(value, 'hex'));
      else if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) collect(part);
    };
    all.forEach(collect);
    expect(bytes.length).toBeGreaterThan(10);
    for (const one of bytes) for (const secret of [seed.subarray(0, 16), Buffer.from('winner thank'), Buffer.from(PASSWORD)]) expect(one.includes(secret)).toBe(false);
    expect(bytes.map(String).join(' ')).not.toMatch(/[xt]prv/);
  });
});
