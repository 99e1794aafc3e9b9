import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { codeOf } from '../../../testing/code-of.ts';
import { endAllWorkerRuns, type WorkerRun, Profile } from '../testing/worker-run.ts';
import { sealQuickly } from '../testing/wallet.ts';

const WORDS = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
const PASSWORD = 'correct horse battery';

let workerRun: WorkerRun;
beforeEach(async () => {
  workerRun = await new Profile('http://localhost:1').start();
});
afterEach(() => {
  endAllWorkerRuns();
  vi.doUnmock('./seal.ts');
});

describe('the vault', () => {
  test('is made once, unlocked, and never replaced', async () => {
    const { createVault, vaultStatus, publicKeys } = workerRun.modules.vault;
    expect(await vaultStatus()).toEqual({ exists: false, locked: true, lockAt: null });
    expect(await codeOf(publicKeys())).toBe('wallet-not-set-up');
    await createVault(` ${WORDS.toUpperCase()} `, PASSWORD, false);
    expect(await vaultStatus()).toEqual({ exists: true, locked: false, lockAt: expect.any(Number) });
    const keys = await publicKeys();
    expect(
      await codeOf(createVault('zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo wrong', 'another password', false)),
    ).toBe('vault-exists');
    expect(await publicKeys()).toEqual(keys);
  });

  test('created twice at the same time, is one of the two, complete', async () => {
    const { createVault, unlock, lock, publicKeys } = workerRun.modules.vault;
    const codes = await Promise.all([
      codeOf(createVault(WORDS, PASSWORD, false)),
      codeOf(createVault('zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo wrong', 'another password', false)),
    ]);
    expect(codes.toSorted()).toEqual(['none', 'vault-exists']);
    await lock();
    await unlock(codes[0] === 'none' ? PASSWORD : 'another password');
    const { publicKeysOf } = await import('./keys.ts');
    expect(await workerRun.modules.session.withSeed((seed) => publicKeysOf(seed))).toEqual(await publicKeys());
  });

  test.each([
    ['invalid-words', 'abandon '.repeat(12).trim(), PASSWORD],
    ['weak-password', WORDS, 'too short'],
  ])('is not made with %s', async (code, words, password) => {
    const { createVault, vaultStatus } = workerRun.modules.vault;
    expect(await codeOf(createVault(words, password, false))).toBe(code);
    expect((await vaultStatus()).exists).toBe(false);
  });

  test('locks, and opens only with its password, for as long as the settings say', async () => {
    const { createVault, lock, unlock, vaultStatus } = workerRun.modules.vault;
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

  test('a shorter time until locking takes effect at once; a longer one needs the password', async () => {
    const { createVault, vaultStatus } = workerRun.modules.vault;
    const { walletHandlers } = workerRun.modules.handlers;
    await createVault(WORDS, PASSWORD, false);
    const begun = Date.now();
    await walletHandlers['settings/change']({ lockAfterMinutes: 1 });
    const { lockAt } = await vaultStatus();
    expect((lockAt ?? 0) - begun).toBeLessThanOrEqual(60_000 + Date.now() - begun);
    expect(workerRun.profile.browser.alarms.get('lock')).toMatchObject({ when: lockAt });
    await walletHandlers['settings/change']({ lockAfterMinutes: 600 });
    expect((await vaultStatus()).lockAt).toBe(lockAt);
    // In this run of the worker, which holds the seed, and in the next.
    const next = await workerRun.profile.start();
    expect((await next.modules.vault.vaultStatus()).lockAt).toBe(lockAt);
    await next.modules.vault.lock();
    await next.modules.handlers.walletHandlers['settings/change']({ lockAfterMinutes: 2 });
    expect(await next.modules.vault.vaultStatus()).toMatchObject({ locked: true, lockAt: null });
  });

  test('with fewer rounds than today, is sealed again when it is opened', async () => {
    const { createVault, unlock } = workerRun.modules.vault;
    const { readKey, writeKey } = workerRun.modules.database;
    await createVault(WORDS, PASSWORD, false);
    const { seal } = await import('./seal.ts');
    await writeKey('vault', await seal(WORDS, PASSWORD, 1000));
    await unlock(PASSWORD);
    expect((await readKey('vault'))?.kdf.parameters.iterations).toBe(600_000);
    await unlock(PASSWORD);
  });

  test('stays locked if it is locked while a password is still being checked', async () => {
    const { createVault, lock, unlock, vaultStatus } = workerRun.modules.vault;
    await createVault(WORDS, PASSWORD, false);
    await lock();
    const unlocking = codeOf(unlock(PASSWORD));
    await lock();
    expect(await unlocking).toBe('wallet-locked');
    expect((await vaultStatus()).locked).toBe(true);
    await unlock(PASSWORD);
    expect((await vaultStatus()).locked).toBe(false);
  });

  test('shows its words only for the password, even while it is unlocked', async () => {
    const { createVault, showWords, lock } = workerRun.modules.vault;
    expect(await codeOf(showWords(PASSWORD))).toBe('wallet-not-set-up');
    await createVault(WORDS, PASSWORD, false);
    expect(await codeOf(showWords('wrong horse battery'))).toBe('wrong-password');
    expect(await showWords(PASSWORD)).toBe(WORDS);
    await lock();
    expect(await showWords(PASSWORD)).toBe(WORDS);
    expect((await workerRun.modules.vault.vaultStatus()).locked).toBe(true);
  });

  describe('after five wrong passwords in a row', () => {
    const wrong = () => codeOf(workerRun.modules.vault.showWords('wrong horse battery'));

    beforeEach(async () => {
      sealQuickly();
      workerRun = await new Profile('http://localhost:1').start();
      await workerRun.modules.vault.createVault(WORDS, PASSWORD, false);
      await workerRun.modules.vault.lock();
      vi.mocked(Date.now).mockReturnValue(1_790_000_000_000);
    });

    test('checks none, not even the right one, until a delay is over that doubles up to a minute', async () => {
      for (let i = 0; i < 5; i += 1) expect(await wrong()).toBe('wrong-password');
      for (const seconds of [2, 4, 8, 16, 32, 60, 60]) {
        expect(await codeOf(workerRun.modules.vault.unlock(PASSWORD))).toBe('too-many-requests');
        await expect(workerRun.modules.vault.changePassword(PASSWORD, 'another password')).rejects.toThrow(
          `Wait ${seconds} seconds`,
        );
        const now = Date.now();
        vi.mocked(Date.now).mockReturnValue(now + 1000 * seconds - 1);
        expect(await wrong()).toBe('too-many-requests');
        vi.mocked(Date.now).mockReturnValue(now + 1000 * seconds);
        expect(await wrong()).toBe('wrong-password');
      }
    });

    test('counts those that come at once, too', async () => {
      const codes = await Promise.all(Array.from({ length: 8 }, wrong));
      expect(codes).toEqual([...Array(5).fill('wrong-password'), ...Array(3).fill('too-many-requests')]);
    });

    test('a correct one begins the count again', async () => {
      for (let i = 0; i < 4; i += 1) await wrong();
      await workerRun.modules.vault.unlock(PASSWORD);
      for (let i = 0; i < 4; i += 1) expect(await wrong()).toBe('wrong-password');
      expect(await codeOf(workerRun.modules.vault.showWords(PASSWORD))).toBe('none');
    });
  });

  test('accepts a new password, stays unlocked, and then opens only with the new one', async () => {
    const { changePassword, createVault, lock, showWords, unlock, vaultStatus } = workerRun.modules.vault;
    await createVault(WORDS, PASSWORD, false);
    const before = await workerRun.modules.database.readKey('vault');
    expect(await codeOf(changePassword('wrong horse battery', 'another password'))).toBe('wrong-password');
    expect(await codeOf(changePassword(PASSWORD, 'too short'))).toBe('weak-password');
    expect(await workerRun.modules.database.readKey('vault')).toEqual(before);
    await changePassword(PASSWORD, 'another password');
    expect((await vaultStatus()).locked).toBe(false);
    const after = await workerRun.modules.database.readKey('vault');
    expect(after?.kdf.salt).not.toEqual(before?.kdf.salt);
    expect(after?.iv).not.toEqual(before?.iv);
    await lock();
    expect(await codeOf(unlock(PASSWORD))).toBe('wrong-password');
    await unlock('another password');
    expect(await showWords('another password')).toBe(WORDS);
  });

  test('keeps a new password even if an unlock was resealing under the old one at the same time', async () => {
    const { changePassword, createVault, showWords, unlock } = workerRun.modules.vault;
    await createVault(WORDS, PASSWORD, false);
    const { seal } = await import('./seal.ts');
    await workerRun.modules.database.writeKey('vault', await seal(WORDS, PASSWORD, 1000));
    await Promise.all([
      unlock(PASSWORD),
      changePassword(PASSWORD, 'another password').catch(() => changePassword(PASSWORD, 'another password')),
    ]);
    expect(await showWords('another password')).toBe(WORDS);
  });

  test('cut off at any crash point of a change of its password opens with the old one or the new one', async () => {
    const outcomes = new Set<string>();
    sealQuickly();
    for (let crashPoint = 1, over = false; !over; crashPoint += 1) {
      const profile = new Profile('http://localhost:1');
      const first = await profile.start();
      await first.modules.vault.createVault(WORDS, PASSWORD, false);
      first.dieAt(crashPoint);
      over = await Promise.race([
        first.modules.vault.changePassword(PASSWORD, 'another password').then(() => true),
        first.died.then(() => false),
      ]);
      const { showWords } = (await profile.start()).modules.vault;
      const opened = await Promise.all([PASSWORD, 'another password'].map((one) => showWords(one).catch(() => null)));
      expect(opened.filter((words) => words === WORDS)).toHaveLength(1);
      outcomes.add(opened[0] === null ? 'new' : 'old');
    }
    expect([...outcomes].sort()).toEqual(['new', 'old']);
  });

  test('leaves no secret in anything that is stored', async () => {
    await workerRun.modules.vault.createVault(WORDS, PASSWORD, false);
    const seed = Buffer.from(await workerRun.modules.session.withSeed((s) => Uint8Array.from(s)));
    const db = await workerRun.modules.database.database();
    const all: unknown[] = [
      ...workerRun.profile.browser.session.values(),
      ...workerRun.profile.browser.alarms.values(),
    ];
    for (const store of workerRun.modules.database.STORES) all.push(...(await db.getAll(store)));
    const bytes: Buffer[] = [];
    const collect = (value: unknown): void => {
      if (value instanceof Uint8Array) bytes.push(Buffer.from(value));
      else if (typeof value === 'string')
        bytes.push(Buffer.from(value), Buffer.from(value, 'base64'), Buffer.from(value, 'hex'));
      else if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) collect(part);
    };
    all.forEach(collect);
    expect(bytes.length).toBeGreaterThan(10);
    for (const one of bytes)
      for (const secret of [seed.subarray(0, 16), Buffer.from('winner thank'), Buffer.from(PASSWORD)])
        expect(one.includes(secret)).toBe(false);
    expect(bytes.map(String).join(' ')).not.toMatch(/[xt]prv/);
  });
});
