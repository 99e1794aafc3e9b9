import { describe, expect, test, vi } from 'vitest';
import { codeOf } from '../../testing/code-of.ts';
import { setTime } from '../../testkit/wallet/clock.ts';
import { START, useVault } from '../../testkit/wallet/vault.ts';
import type { SealedVault } from './seal.ts';
import { wallet } from '../../testkit/wallet/current.ts';

const WORDS = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
const PASSWORD = 'correct horse battery';
const ANOTHER = 'another password';
const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'));
/** A vault from before passkeys existed, created by the code at that time. */
const BEFORE_PASSKEYS: SealedVault = {
  version: 1,
  kdf: {
    name: 'PBKDF2-SHA256',
    salt: bytes('394973d8b871715e670724e76cfd35b4'),
    parameters: { iterations: 600_000 },
  },
  iv: bytes('b98bc2a8086a1697c3ae4fbb'),
  ciphertext: bytes(
    'dd859fe9d19fdc3f8033b3b5812efafd4c788f1cba5f006b4ca1f129e7eee9d9b6c0950ee2d79bdf9781d525859800052198e1880ce067573272dfec03c726875bf91da87e51230a62c1b1190f65e03c392b566e71a9732cebd5b2',
  ),
};
const output = (n = 1) => new Uint8Array(32).fill(n);
const passkey = (n = 1) => ({ id: `credential-${n}`, salt: 'A'.repeat(43), name: `Key ${n}`, output: output(n) });

const run = useVault();
const vault = () => run.vault;
const stored = () => run.database.readKey(wallet, 'passkeys');
const isLocked = async () => (await vault().vaultStatus(wallet)).locked;
const add = async (n = 1, password = PASSWORD) => run.passkeys.addPasskey(wallet, { ...passkey(n), password });
const unlockBy = async (n = 1, given = output(n)) => run.passkeys.unlockWithPasskey(wallet, `credential-${n}`, given);
const remove = async (n = 1) => run.passkeys.removePasskey(wallet, `credential-${n}`);

async function withPasskey(): Promise<void> {
  await vault().createVault(wallet, WORDS, PASSWORD, false);
  await add();
  await vault().lock(wallet);
}

describe('a passkey', () => {
  test('a passkey unlocks the same wallet as the password, which still unlocks it', async () => {
    await withPasskey();
    await unlockBy();
    const { publicKeysOf } = await import('../keys/keys.ts');
    expect(await run.session.withSeed(wallet, (seed) => publicKeysOf(seed))).toEqual(await vault().publicKeys(wallet));
    await vault().lock(wallet);
    await vault().unlock(wallet, PASSWORD);
    expect(await vault().showWords(wallet, PASSWORD)).toBe(WORDS);
  });

  test('a passkey can be added to a vault from before passkeys, and both unlock it', async () => {
    await vault().createVault(wallet, WORDS, 'another password', false);
    await run.database.writeKey(wallet, 'vault', BEFORE_PASSKEYS);
    await vault().lock(wallet);
    await vault().unlock(wallet, PASSWORD);
    expect(await vault().showWords(wallet, PASSWORD)).toBe(WORDS);
    expect(await run.database.readKey(wallet, 'vault')).toEqual(BEFORE_PASSKEYS);
    await add();
    await vault().lock(wallet);
    await unlockBy();
    expect(await vault().showWords(wallet, PASSWORD)).toBe(WORDS);
  });

  test('adding a passkey without the right password changes nothing', async () => {
    await vault().createVault(wallet, WORDS, PASSWORD, false);
    const before = await run.database.readKey(wallet, 'vault');
    expect(await codeOf(add(1, 'wrong horse battery'))).toBe('wrong-password');
    expect(await stored()).toBeUndefined();
    expect(await run.database.readKey(wallet, 'vault')).toEqual(before);
  });

  test('a passkey unlocks nothing with another output, under a different ID, or with an altered record', async () => {
    await withPasskey();
    await vault().unlock(wallet, PASSWORD);
    await add(2);
    await vault().lock(wallet);
    expect(await codeOf(unlockBy(1, output(2)))).toBe('wrong-passkey');
    expect(await codeOf(unlockBy(3))).toBe('wrong-passkey');
    const records = (await stored()) ?? [];
    const [first, second] = records as [(typeof records)[0], (typeof records)[0]];
    const altered = [
      { ...first, half: second.half },
      { ...first, wrapped: second.wrapped },
      { ...first, id: second.id },
    ];
    for (const one of altered) {
      await run.database.writeKey(wallet, 'passkeys', [one]);
      expect(await codeOf(run.passkeys.unlockWithPasskey(wallet, one.id, output(1)))).toBe('wrong-passkey');
      await vault().showWords(wallet, PASSWORD); // resets the attempt count
    }
    expect(await isLocked()).toBe(true);
  });

  test('a passkey does not unlock without its local half, nor the local half without the passkey', async () => {
    const { unwrapWith, wrapFor } = await import('./passkey.ts');
    const key = output(7);
    const record = {
      ...passkey(),
      createdAt: 0,
      usedAt: null,
      ...(await wrapFor(wallet, 'credential-1', output(), key)),
    };
    expect(await unwrapWith(record, output())).toEqual(key);
    await expect(unwrapWith({ ...record, half: new Uint8Array(32) }, output())).rejects.toThrow();
    await expect(unwrapWith(record, new Uint8Array(32))).rejects.toThrow();
  });

  test('a wrong passkey counts like a wrong password', async () => {
    await withPasskey();
    for (let i = 0; i < 5; i += 1) expect(await codeOf(unlockBy(1, output(9)))).toBe('wrong-passkey');
    expect(await codeOf(unlockBy())).toBe('too-many-requests');
    expect(await codeOf(vault().unlock(wallet, PASSWORD))).toBe('too-many-requests');
  });

  test('a passkey still unlocks the wallet after the password is changed', async () => {
    await withPasskey();
    await vault().changePassword(wallet, PASSWORD, ANOTHER);
    await unlockBy();
    await vault().lock(wallet);
    expect(await codeOf(vault().unlock(wallet, PASSWORD))).toBe('wrong-password');
    await vault().unlock(wallet, ANOTHER);
    expect(await vault().showWords(wallet, ANOTHER)).toBe(WORDS);
  });

  test('a removed passkey unlocks nothing, its wrapped key is gone, and the others still work', async () => {
    await withPasskey();
    expect(await codeOf(remove())).toBe('wallet-locked');
    await vault().unlock(wallet, PASSWORD);
    await add(2);
    await remove();
    expect((await stored())?.map(({ id }) => id)).toEqual(['credential-2']);
    await vault().lock(wallet);
    expect(await codeOf(unlockBy())).toBe('wrong-passkey');
    await unlockBy(2);
    expect(await vault().showWords(wallet, PASSWORD)).toBe(WORDS);
  });

  test.each([0, 1])('a passkey removed during its check unlocks nothing, with %d others', async (others) => {
    await vault().createVault(wallet, WORDS, PASSWORD, false);
    for (let n = 1; n <= 1 + others; n += 1) await add(n);
    await vault().lock(wallet);
    const left = (await stored())?.filter(({ id }) => id !== 'credential-1');
    const decrypt = crypto.subtle.decrypt.bind(crypto.subtle);
    vi.spyOn(crypto.subtle, 'decrypt').mockImplementationOnce(async (...given) => {
      await run.database.writeKey(wallet, 'passkeys', left ?? []);
      return decrypt(...given);
    });
    expect(await codeOf(unlockBy())).toBe('wrong-passkey');
    expect(await isLocked()).toBe(true);
    expect(await stored()).toEqual(left);
  });

  test('a passkey leaves a wallet locked that is locked during the check', async () => {
    await withPasskey();
    const unlocking = codeOf(run.passkeys.unlockWithPasskey(wallet, 'credential-1', output()));
    await vault().lock(wallet);
    expect(await unlocking).toBe('wallet-locked');
    expect(await isLocked()).toBe(true);
  });

  test('the list of passkeys has names and times, and no secrets', async () => {
    await withPasskey();
    const { listPasskeys } = run.passkeys;
    const listed = { id: 'credential-1', salt: 'A'.repeat(43), name: 'Key 1', createdAt: START };
    expect(await listPasskeys(wallet)).toEqual([{ ...listed, usedAt: null }]);
    setTime(START + 1000);
    await unlockBy();
    expect(await listPasskeys(wallet)).toEqual([{ ...listed, usedAt: START + 1000 }]);
  });

  test('ten passkeys can be added, and an eleventh is rejected', async () => {
    await withPasskey();
    for (let n = 2; n <= 10; n += 1) await add(n);
    expect(await codeOf(add(11))).toBe('too-many-requests');
    await add(10);
    expect((await stored())?.length).toBe(10);
  });

  test('the list is empty if none was added or all were removed', async () => {
    expect(await run.passkeys.listPasskeys(wallet)).toEqual([]);
    await vault().createVault(wallet, WORDS, PASSWORD, false);
    await remove();
    expect(await stored()).toBeUndefined();
    expect(await run.passkeys.listPasskeys(wallet)).toEqual([]);
    expect(await codeOf(unlockBy())).toBe('wrong-passkey');
  });

  test('a passkey needs a wallet', async () => {
    expect(await codeOf(unlockBy())).toBe('wallet-not-set-up');
    expect(await codeOf(add())).toBe('wallet-not-set-up');
  });

  test('a passkey opens no vault whose words are sealed only by the password', async () => {
    await withPasskey();
    await run.database.writeKey(wallet, 'vault', BEFORE_PASSKEYS);
    expect(await codeOf(unlockBy())).toBe('wrong-passkey');
    expect(await isLocked()).toBe(true);
  });

  test('a passkey opens no vault sealed by another key', async () => {
    await withPasskey();
    const other = await run.seal.sealWithKey(wallet, WORDS, output(9), PASSWORD);
    await run.database.writeKey(wallet, 'vault', other);
    const error = await unlockBy().catch((cause: unknown) => cause);
    expect(error).toMatchObject({ code: 'wrong-passkey' });
    expect((error as Error).cause).toBeUndefined();
  });

  test.each([
    ['changed', async () => run.database.writeKey(wallet, 'vault', await run.seal.seal(wallet, WORDS, PASSWORD))],
    ['removed', () => run.database.deleteKey(wallet, 'vault')],
  ])('a passkey is rejected for a wallet that was %s in the meantime', async (_, meanwhile) => {
    await vault().createVault(wallet, WORDS, PASSWORD, false);
    const decrypt = crypto.subtle.decrypt.bind(crypto.subtle);
    let now: unknown;
    vi.spyOn(crypto.subtle, 'decrypt').mockImplementationOnce(async (...given) => {
      await meanwhile();
      now = await run.database.readKey(wallet, 'vault');
      return decrypt(...given);
    });
    const error = await add().catch((cause: unknown) => cause);
    expect(error).toMatchObject({ code: 'busy', message: expect.stringContaining('in another window') });
    expect(await stored()).toBeUndefined();
    expect(await run.database.readKey(wallet, 'vault')).toEqual(now);
  });

  test('a passkey leaves no key and no output in memory, whether it unlocks the wallet or not', async () => {
    await vault().createVault(wallet, WORDS, PASSWORD, false);
    const imported = vi.spyOn(crypto.subtle, 'importKey');
    /**
     * Returns whether AES keys were imported, and whether any of them weren't wiped. Excludes the half in
     * `storage.session`.
     */
    const keysLeft = async () => {
      const half = String(run.browser.session.get('unlock-half'));
      const keys = imported.mock.calls
        .filter(([, , algorithm]) => algorithm === 'AES-GCM')
        .map(([, bytes]) => Buffer.from(bytes as unknown as Uint8Array))
        .filter((bytes) => bytes.toString('base64') !== half);
      imported.mockClear();
      return [keys.length > 0, keys.some((key) => key.some((byte) => byte !== 0))];
    };
    for (const n of [1, 2]) {
      const given = { ...passkey(n), password: PASSWORD };
      await run.passkeys.addPasskey(wallet, given);
      expect(given.output).toEqual(new Uint8Array(32));
      expect(await keysLeft()).toEqual([true, false]);
    }
    const refused = { ...passkey(3), password: 'wrong horse battery' };
    expect(await codeOf(run.passkeys.addPasskey(wallet, refused))).toBe('wrong-password');
    expect(refused.output).toEqual(new Uint8Array(32));
    await vault().lock(wallet);
    for (const [given, code] of [
      [output(1), 'none'],
      [output(2), 'wrong-passkey'],
    ] as const) {
      expect(await codeOf(run.passkeys.unlockWithPasskey(wallet, 'credential-1', given))).toBe(code);
      expect(given).toEqual(new Uint8Array(32));
    }
    expect(await keysLeft()).toEqual([true, false]);
  });

  test('a passkey keeps its position and its times when others are used, re-added or removed', async () => {
    await vault().createVault(wallet, WORDS, PASSWORD, false);
    for (const n of [1, 2, 3]) await add(n);
    setTime(START + 1000);
    await unlockBy(2);
    const times = async () => (await run.passkeys.listPasskeys(wallet)).map(({ id, usedAt }) => [id.at(-1), usedAt]);
    expect(await times()).toEqual([
      ['1', null],
      ['2', START + 1000],
      ['3', null],
    ]);
    await remove(7);
    await remove(1);
    await add(2);
    expect(await times()).toEqual([
      ['3', null],
      ['2', null],
    ]);
  });

  test('windows are notified when a passkey is added, used and removed', async () => {
    await vault().createVault(wallet, WORDS, PASSWORD, false);
    for (const change of [add, unlockBy, remove]) {
      const announced = run.events.nextAnnouncement(wallet);
      await change();
      await announced;
    }
  });

  test('the error for an eleventh passkey explains how to proceed', async () => {
    await vault().createVault(wallet, WORDS, PASSWORD, false);
    for (let n = 1; n <= 10; n += 1) await add(n);
    await expect(add(11)).rejects.toThrow('A wallet can have at most 10 passkeys. Remove one first.');
  });
});
