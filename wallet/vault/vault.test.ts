import { describe, expect, test, vi } from 'vitest';
import { codeOf } from '../../testing/code-of.ts';
import { setTime } from '../../testkit/wallet/clock.ts';
import { START, useVault } from '../../testkit/wallet/vault.ts';
import { wallet } from '../../testkit/wallet/current.ts';
import type { SealedVault } from './seal.ts';

const WORDS = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
const PASSWORD = 'correct horse battery';

const run = useVault();

/**
 * Seals a vault as other versions of the extension do: with the given number of iterations, and optionally a separate
 * key.
 */
function sealed(passwordIterations: number, key?: Uint8Array<ArrayBuffer>) {
  const { seal, sealWithKey } = run.seal;
  const other = { ...wallet, passwordIterations };
  return key ? sealWithKey(other, WORDS, key, PASSWORD) : seal(other, WORDS, PASSWORD);
}

describe('the vault', () => {
  test('a vault is created once, unlocked, and never replaced', async () => {
    const { createVault, vaultStatus, publicKeys } = run.vault;
    expect(await vaultStatus(wallet)).toEqual({ exists: false, locked: true, lockAt: null });
    expect(await codeOf(publicKeys(wallet))).toBe('wallet-not-set-up');
    await createVault(wallet, ` ${WORDS.toUpperCase()} `, PASSWORD, false);
    expect(await vaultStatus(wallet)).toEqual({ exists: true, locked: false, lockAt: START + 15 * 60_000 });
    const keys = await publicKeys(wallet);
    expect(
      await codeOf(createVault(wallet, 'zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo wrong', 'another password', false)),
    ).toBe('vault-exists');
    expect(await publicKeys(wallet)).toEqual(keys);
  });

  test('two concurrent creations of a vault result in one of the two, complete', async () => {
    const { createVault, unlock, lock, publicKeys } = run.vault;
    const codes = await Promise.all([
      codeOf(createVault(wallet, WORDS, PASSWORD, false)),
      codeOf(createVault(wallet, 'zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo wrong', 'another password', false)),
    ]);
    expect(codes.toSorted()).toEqual(['none', 'vault-exists']);
    await lock(wallet);
    await unlock(wallet, codes[0] === 'none' ? PASSWORD : 'another password');
    const { publicKeysOf } = await import('../keys/keys.ts');
    expect(await run.session.withSeed(wallet, (seed) => publicKeysOf(seed))).toEqual(await publicKeys(wallet));
  });

  test.each([
    ['invalid-words', 'abandon '.repeat(12).trim(), PASSWORD],
    ['weak-password', WORDS, 'too short'],
  ])('no vault is created with %s', async (code, words, password) => {
    const { createVault, vaultStatus } = run.vault;
    expect(await codeOf(createVault(wallet, words, password, false))).toBe(code);
    expect((await vaultStatus(wallet)).exists).toBe(false);
  });

  test('a vault locks, and opens only with its password, for as long as the settings allow', async () => {
    const { createVault, lock, unlock, vaultStatus } = run.vault;
    expect(await codeOf(unlock(wallet, PASSWORD))).toBe('wallet-not-set-up');
    await createVault(wallet, WORDS, PASSWORD, false);
    await lock(wallet);
    expect(await vaultStatus(wallet)).toEqual({ exists: true, locked: true, lockAt: null });
    expect(await codeOf(unlock(wallet, 'wrong horse battery'))).toBe('wrong-password');
    expect((await vaultStatus(wallet)).locked).toBe(true);
    const { writeSettings } = await import('../settings.ts');
    await writeSettings(wallet, { lockAfterMinutes: 5 });
    await unlock(wallet, PASSWORD);
    expect(await vaultStatus(wallet)).toEqual({ exists: true, locked: false, lockAt: START + 5 * 60_000 });
    setTime(START + 5 * 60_000);
    expect(await vaultStatus(wallet)).toEqual({ exists: true, locked: true, lockAt: null });
  });

  test('a vault with fewer rounds than today is sealed again when it is opened', async () => {
    const { createVault, unlock } = run.vault;
    const { readKey, writeKey } = run.database;
    await createVault(wallet, WORDS, PASSWORD, false);
    await writeKey(wallet, 'vault', await sealed(wallet.passwordIterations - 1));
    await unlock(wallet, PASSWORD);
    const again = await readKey(wallet, 'vault');
    expect(again?.kdf.parameters.iterations).toBe(wallet.passwordIterations);
    await unlock(wallet, PASSWORD);
    expect(await readKey(wallet, 'vault')).toEqual(again);
  });

  test('a vault stays locked if it is locked while a password is still being checked', async () => {
    const { createVault, lock, unlock, vaultStatus } = run.vault;
    await createVault(wallet, WORDS, PASSWORD, false);
    await lock(wallet);
    const unlocking = codeOf(unlock(wallet, PASSWORD));
    await lock(wallet);
    expect(await unlocking).toBe('wallet-locked');
    expect((await vaultStatus(wallet)).locked).toBe(true);
    await unlock(wallet, PASSWORD);
    expect((await vaultStatus(wallet)).locked).toBe(false);
  });

  test('a vault shows its words only after the password, even while it is unlocked', async () => {
    const { createVault, showWords, lock } = run.vault;
    expect(await codeOf(showWords(wallet, PASSWORD))).toBe('wallet-not-set-up');
    await createVault(wallet, WORDS, PASSWORD, false);
    expect(await codeOf(showWords(wallet, 'wrong horse battery'))).toBe('wrong-password');
    expect(await showWords(wallet, PASSWORD)).toBe(WORDS);
    await lock(wallet);
    expect(await showWords(wallet, PASSWORD)).toBe(WORDS);
    expect((await run.vault.vaultStatus(wallet)).locked).toBe(true);
  });

  test('a vault accepts a new password, stays unlocked, and then opens only with the new one', async () => {
    const { changePassword, createVault, lock, showWords, unlock, vaultStatus } = run.vault;
    await createVault(wallet, WORDS, PASSWORD, false);
    const before = await run.database.readKey(wallet, 'vault');
    expect(await codeOf(changePassword(wallet, 'wrong horse battery', 'another password'))).toBe('wrong-password');
    expect(await codeOf(changePassword(wallet, PASSWORD, 'too short'))).toBe('weak-password');
    expect(await run.database.readKey(wallet, 'vault')).toEqual(before);
    await changePassword(wallet, PASSWORD, 'another password');
    expect((await vaultStatus(wallet)).locked).toBe(false);
    const after = await run.database.readKey(wallet, 'vault');
    expect(after?.kdf.salt).not.toEqual(before?.kdf.salt);
    expect(after?.iv).not.toEqual(before?.iv);
    await lock(wallet);
    expect(await codeOf(unlock(wallet, PASSWORD))).toBe('wrong-password');
    await unlock(wallet, 'another password');
    expect(await showWords(wallet, 'another password')).toBe(WORDS);
  });

  test('a vault keeps a new password even if an unlock reseals it with the old password at the same time', async () => {
    const { changePassword, createVault, showWords, unlock } = run.vault;
    await createVault(wallet, WORDS, PASSWORD, false);
    await run.database.writeKey(wallet, 'vault', await sealed(1));
    await Promise.all([
      unlock(wallet, PASSWORD),
      changePassword(wallet, PASSWORD, 'another password').catch(() =>
        changePassword(wallet, PASSWORD, 'another password'),
      ),
    ]);
    expect(await showWords(wallet, 'another password')).toBe(WORDS);
  });

  test.each([
    [false, { addresses: 0, coins: 0, done: true }, undefined],
    [true, { addresses: 0, coins: 0, done: false }, { listed: false }],
  ])(
    'earlier coins and payments are searched for only if the vault was restored: %s',
    async (restored, scan, history) => {
      await run.vault.createVault(wallet, WORDS, PASSWORD, restored);
      expect(await run.database.readKey(wallet, 'scan')).toEqual(scan);
      expect(await run.database.readKey(wallet, 'history')).toEqual(history);
    },
  );

  test('a vault accepts a password of ten characters and rejects one of nine', async () => {
    const { changePassword, createVault } = run.vault;
    expect(await codeOf(createVault(wallet, WORDS, '123456789', false))).toBe('weak-password');
    await createVault(wallet, WORDS, '1234567890', false);
    expect(await codeOf(changePassword(wallet, '1234567890', 'abcdefghi'))).toBe('weak-password');
    await changePassword(wallet, '1234567890', 'abcdefghij');
    expect(await run.vault.showWords(wallet, 'abcdefghij')).toBe(WORDS);
  });

  test('a vault opens only with its password, for every purpose, and all attempts count together', async () => {
    const { changePassword, checkPassword, createVault, showWords, unlock } = run.vault;
    for (const use of [
      checkPassword,
      showWords,
      unlock,
      (_: unknown, password: string) => changePassword(wallet, password, PASSWORD),
    ])
      expect(await codeOf(use(wallet, PASSWORD))).toBe('wallet-not-set-up');
    await createVault(wallet, WORDS, PASSWORD, false);
    expect(await codeOf(checkPassword(wallet, PASSWORD))).toBe('none');
    const wrong = 'wrong horse battery';
    expect(await codeOf(checkPassword(wallet, wrong))).toBe('wrong-password');
    expect(await codeOf(showWords(wallet, wrong))).toBe('wrong-password');
    expect(await codeOf(changePassword(wallet, wrong, 'another password'))).toBe('wrong-password');
    for (let i = 0; i < 2; i += 1) expect(await codeOf(unlock(wallet, wrong))).toBe('wrong-password');
    for (const use of [checkPassword, showWords, unlock])
      expect(await codeOf(use(wallet, PASSWORD))).toBe('too-many-requests');
    setTime(START + 2000);
    expect(await codeOf(unlock(wallet, PASSWORD))).toBe('none');
  });

  test('a vault with a separate key keeps that key under a different password and with more rounds', async () => {
    const key = new Uint8Array(32).fill(7);
    await run.vault.createVault(wallet, WORDS, PASSWORD, false);
    await run.database.writeKey(wallet, 'vault', await sealed(1, key));
    const opened = async (password: string) => {
      const vault = (await run.database.readKey(wallet, 'vault')) as SealedVault;
      return { version: vault.version, ...(await run.seal.openSealed(vault, password)) };
    };
    await run.vault.unlock(wallet, PASSWORD);
    expect((await run.database.readKey(wallet, 'vault'))?.kdf.parameters.iterations).toBe(wallet.passwordIterations);
    expect(await opened(PASSWORD)).toEqual({ version: 2, words: WORDS, key });
    await run.vault.changePassword(wallet, PASSWORD, 'another password');
    expect(await opened('another password')).toEqual({ version: 2, words: WORDS, key });
  });

  test('no password is set on a vault that was changed or removed during sealing', async () => {
    const { changePassword, createVault } = run.vault;
    await createVault(wallet, WORDS, PASSWORD, false);
    for (const meanwhile of [
      async () => run.database.writeKey(wallet, 'vault', await sealed(wallet.passwordIterations)),
      () => run.database.deleteKey(wallet, 'vault'),
    ]) {
      const encrypt = crypto.subtle.encrypt.bind(crypto.subtle);
      let now: unknown;
      vi.spyOn(crypto.subtle, 'encrypt').mockImplementationOnce(async (...given) => {
        await meanwhile();
        now = await run.database.readKey(wallet, 'vault');
        return encrypt(...given);
      });
      const error = await changePassword(wallet, PASSWORD, 'another password').catch((cause: unknown) => cause);
      expect(error).toMatchObject({ code: 'busy', message: expect.stringContaining('in another window') });
      expect(await run.database.readKey(wallet, 'vault')).toEqual(now);
    }
  });

  test('neither key nor seed remains in memory', async () => {
    const { changePassword, checkPassword, createVault, lock, showWords, unlock } = run.vault;
    const copied = vi.spyOn(Uint8Array, 'from');
    const imported = vi.spyOn(crypto.subtle, 'importKey');
    const decrypted = vi.spyOn(crypto.subtle, 'decrypt');
    const left = async () => {
      const seeds = copied.mock.calls
        .map(([bytes]) => bytes as unknown as Uint8Array)
        .filter((one) => one.length === 64);
      const opened = await Promise.all(decrypted.mock.results.map(({ value }) => value as Promise<ArrayBuffer>));
      const keys = opened.map((buffer) => new Uint8Array(buffer)).filter((one) => one.length === 32);
      for (const spy of [copied, imported, decrypted]) spy.mockClear();
      const isLeft = (secret: Uint8Array) => secret.some((byte) => byte !== 0);
      return { seeds: [seeds.length > 0, seeds.some(isLeft)], keys: [keys.length > 0, keys.some(isLeft)] };
    };
    await createVault(wallet, WORDS, PASSWORD, false);
    expect(await left()).toEqual({ seeds: [true, false], keys: [false, false] });
    expect(await codeOf(createVault(wallet, WORDS, PASSWORD, false))).toBe('vault-exists');
    await run.database.writeKey(wallet, 'vault', await sealed(1, new Uint8Array(32).fill(7)));
    await left();
    for (let i = 0; i < 2; i += 1) {
      await unlock(wallet, PASSWORD);
      expect(await left()).toEqual({ seeds: [true, false], keys: [true, false] });
    }
    await Promise.all([showWords(wallet, PASSWORD), checkPassword(wallet, PASSWORD)]);
    await changePassword(wallet, PASSWORD, 'another password');
    expect((await left()).keys).toEqual([true, false]);
    const unlocking = codeOf(unlock(wallet, 'another password'));
    await lock(wallet);
    expect(await unlocking).toBe('wallet-locked');
    expect((await left()).keys).toEqual([true, false]);
  });

  test('windows are notified when the vault is created, unlocked and locked', async () => {
    for (const change of [
      () => run.vault.createVault(wallet, WORDS, PASSWORD, false),
      () => run.vault.lock(wallet),
      () => run.vault.unlock(wallet, PASSWORD),
    ]) {
      const announced = run.events.nextAnnouncement(wallet);
      await change();
      await announced;
    }
  });

  test('a missing vault is locked, regardless of old session data', async () => {
    await run.session.storeSeed(wallet, new Uint8Array(64), START + 1000);
    expect(await run.vault.vaultStatus(wallet)).toEqual({ exists: false, locked: true, lockAt: null });
  });
});
