import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { codeOf } from '../../../testing/code-of.ts';
import { endAllWorkerRuns, Profile, type WorkerRun } from '../testing/worker-run.ts';
import { sealQuickly } from '../testing/wallet.ts';
import type { SealedVault } from './seal.ts';

const WORDS = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
const PASSWORD = 'correct horse battery';
const ANOTHER = 'another password';
const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'));
/** A vault as it was stored before there were passkeys, by the code of that time. */
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

let workerRun: WorkerRun;
const vault = () => workerRun.modules.vault;
const stored = () => workerRun.modules.database.readKey('passkeys');
const isLocked = async () => (await vault().vaultStatus()).locked;
const load = () => import('./passkeys.ts');
const add = async (n = 1, password = PASSWORD) => (await load()).addPasskey({ ...passkey(n), password });
const unlockBy = async (n = 1, given = output(n)) => (await load()).unlockWithPasskey(`credential-${n}`, given);
const remove = async (n = 1) => (await load()).removePasskey(`credential-${n}`);

beforeEach(async () => {
  sealQuickly();
  workerRun = await new Profile('http://localhost:1').start();
});
afterEach(() => {
  endAllWorkerRuns();
  vi.doUnmock('./seal.ts');
});

async function withPasskey(): Promise<void> {
  await vault().createVault(WORDS, PASSWORD, false);
  await add();
  await vault().lock();
}

describe('a passkey', () => {
  test('opens the same wallet as the password, and the password goes on opening it', async () => {
    await withPasskey();
    await unlockBy();
    const { publicKeysOf } = await import('./keys.ts');
    expect(await workerRun.modules.session.withSeed((seed) => publicKeysOf(seed))).toEqual(await vault().publicKeys());
    await vault().lock();
    await vault().unlock(PASSWORD);
    expect(await vault().showWords(PASSWORD)).toBe(WORDS);
  });

  test('can be added to a vault from before there were passkeys, which opens either way', async () => {
    await vault().createVault(WORDS, 'another password', false);
    await workerRun.modules.database.writeKey('vault', BEFORE_PASSKEYS);
    await vault().lock();
    await vault().unlock(PASSWORD);
    expect(await vault().showWords(PASSWORD)).toBe(WORDS);
    expect(await workerRun.modules.database.readKey('vault')).toEqual(BEFORE_PASSKEYS);
    await add();
    await vault().lock();
    await unlockBy();
    expect(await vault().showWords(PASSWORD)).toBe(WORDS);
  });

  test('is not added without the right password, and nothing is changed', async () => {
    await vault().createVault(WORDS, PASSWORD, false);
    const before = await workerRun.modules.database.readKey('vault');
    expect(await codeOf(add(1, 'wrong horse battery'))).toBe('wrong-password');
    expect(await stored()).toBeUndefined();
    expect(await workerRun.modules.database.readKey('vault')).toEqual(before);
  });

  test('opens nothing with another output, under another id, or with a record that was altered', async () => {
    await withPasskey();
    await vault().unlock(PASSWORD);
    await add(2);
    await vault().lock();
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
      await workerRun.modules.database.writeKey('passkeys', [one]);
      expect(await codeOf((await load()).unlockWithPasskey(one.id, output(1)))).toBe('wrong-passkey');
      await vault().showWords(PASSWORD); // begins counting anew
    }
    expect(await isLocked()).toBe(true);
  });

  test('does not open without its local half, nor the local half without the passkey', async () => {
    const { unwrapWith, wrapFor } = await import('./passkey.ts');
    const key = output(7);
    const record = { ...passkey(), createdAt: 0, usedAt: null, ...(await wrapFor('credential-1', output(), key)) };
    expect(await unwrapWith(record, output())).toEqual(key);
    await expect(unwrapWith({ ...record, half: new Uint8Array(32) }, output())).rejects.toThrow();
    await expect(unwrapWith(record, new Uint8Array(32))).rejects.toThrow();
  });

  test('that does not fit counts as a wrong password does', async () => {
    await withPasskey();
    vi.mocked(Date.now).mockReturnValue(1_790_000_000_000);
    for (let i = 0; i < 5; i += 1) expect(await codeOf(unlockBy(1, output(9)))).toBe('wrong-passkey');
    expect(await codeOf(unlockBy())).toBe('too-many-requests');
    expect(await codeOf(vault().unlock(PASSWORD))).toBe('too-many-requests');
  });

  test('goes on opening the wallet after a change of the password', async () => {
    await withPasskey();
    await vault().changePassword(PASSWORD, ANOTHER);
    await unlockBy();
    await vault().lock();
    expect(await codeOf(vault().unlock(PASSWORD))).toBe('wrong-password');
    await vault().unlock(ANOTHER);
    expect(await vault().showWords(ANOTHER)).toBe(WORDS);
  });

  test('that was removed opens nothing, what it wrapped is gone, and the others still open', async () => {
    await withPasskey();
    expect(await codeOf(remove())).toBe('wallet-locked');
    await vault().unlock(PASSWORD);
    await add(2);
    await remove();
    expect((await stored())?.map(({ id }) => id)).toEqual(['credential-2']);
    await vault().lock();
    expect(await codeOf(unlockBy())).toBe('wrong-passkey');
    await unlockBy(2);
    expect(await vault().showWords(PASSWORD)).toBe(WORDS);
  });

  test('removed while it is being checked opens nothing', async () => {
    await withPasskey();
    const decrypt = crypto.subtle.decrypt.bind(crypto.subtle);
    vi.spyOn(crypto.subtle, 'decrypt').mockImplementationOnce(async (...given) => {
      await workerRun.modules.database.writeKey('passkeys', []);
      return decrypt(...given);
    });
    expect(await codeOf(unlockBy())).toBe('wrong-passkey');
    expect(await isLocked()).toBe(true);
    expect(await stored()).toEqual([]);
  });

  test('leaves a wallet locked that is locked while it is being checked', async () => {
    await withPasskey();
    await load(); // the unlocking is to begin before the locking
    const unlocking = codeOf((await load()).unlockWithPasskey('credential-1', output()));
    await vault().lock();
    expect(await unlocking).toBe('wallet-locked');
    expect(await isLocked()).toBe(true);
  });

  test('is listed with its name and times, and with nothing secret', async () => {
    await withPasskey();
    const { listPasskeys } = await load();
    const listed = { id: 'credential-1', salt: 'A'.repeat(43), name: 'Key 1', createdAt: expect.any(Number) };
    expect(await listPasskeys()).toEqual([{ ...listed, usedAt: null }]);
    await unlockBy();
    expect(await listPasskeys()).toEqual([{ ...listed, usedAt: expect.any(Number) }]);
  });

  test('added ten times over is the last: an eleventh is rejected', async () => {
    await withPasskey();
    for (let n = 2; n <= 10; n += 1) await add(n);
    expect(await codeOf(add(11))).toBe('too-many-requests');
    await add(10); // again: it takes its own place
    expect((await stored())?.length).toBe(10);
  });

  test('leaves its output nowhere: not in the message, in what is stored, or in an error', async () => {
    await vault().createVault(WORDS, PASSWORD, false);
    const { walletHandlers } = workerRun.modules.handlers;
    const secret = Array.from({ length: 32 }, (_, i) => 200 - i);
    const given = [...secret];
    await walletHandlers['passkeys/add']({ ...passkey(), password: PASSWORD, output: given });
    expect(given).toEqual(Array.from({ length: 32 }, () => 0));
    const again = [...secret];
    await walletHandlers['vault/unlock-with-passkey']({ id: 'credential-1', output: again });
    expect(again).toEqual(Array.from({ length: 32 }, () => 0));
    const raw = Uint8Array.from(secret);
    await unlockBy(1, raw);
    expect(raw).toEqual(new Uint8Array(32));
    const all = JSON.stringify([await stored(), ...workerRun.profile.browser.session.values()], (_, value: unknown) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value,
    );
    expect(all).not.toContain(Buffer.from(secret).toString('hex'));
    const wrong = Array.from({ length: 32 }, () => 99);
    const error = await walletHandlers['vault/unlock-with-passkey']({ id: 'credential-1', output: wrong }).catch(
      (cause: unknown) => cause,
    );
    expect(error).toMatchObject({ code: 'wrong-passkey' });
    expect((error as Error).cause).toBeUndefined();
    expect(JSON.stringify(error)).not.toContain('99');
  });

  test('goes with the wallet', async () => {
    await withPasskey();
    const { removeWallet } = await import('../remove-wallet.ts');
    await removeWallet(PASSWORD, 0);
    expect(await stored()).toBeUndefined();
    await vault().createVault(WORDS, PASSWORD, true);
    await vault().lock();
    expect(await codeOf(unlockBy())).toBe('wrong-passkey');
  });
});

/** Cuts a change off at each of its crash points, and looks at what the next run of the worker finds. */
async function cutOff(
  prepare: () => Promise<void>,
  change: () => Promise<void>,
  find: () => Promise<string>,
  passwords = [PASSWORD],
): Promise<Set<string>> {
  const found = new Set<string>();
  for (let crashPoint = 1, over = false; !over; crashPoint += 1) {
    const profile = new Profile('http://localhost:1');
    workerRun = await profile.start();
    await load();
    await prepare();
    workerRun.dieAt(crashPoint);
    over = await Promise.race([change().then(() => true), workerRun.died.then(() => false)]);
    workerRun = await profile.start();
    // Whatever happened, the password opens the wallet: of two, one.
    const shown = await Promise.all(
      passwords.map((password) =>
        vault()
          .showWords(password)
          .catch(() => null),
      ),
    );
    expect(shown.filter((words) => words === WORDS)).toHaveLength(1);
    found.add(await find());
  }
  return found;
}

describe('cut off at any crash point', () => {
  const findOpen = async () => {
    await vault().lock();
    const code = await codeOf(unlockBy());
    expect(await codeOf(unlockBy())).toBe(code);
    return `${(await stored())?.length ?? 0} ${code}`;
  };

  test('an adding has added the passkey or changed nothing', async () => {
    const found = await cutOff(
      () => vault().createVault(WORDS, PASSWORD, false),
      add,
      async () => {
        const version = (await workerRun.modules.database.readKey('vault'))?.version;
        return `${version} ${await findOpen()}`;
      },
    );
    expect([...found].sort()).toEqual(['1 0 wrong-passkey', '2 1 none']);
  });

  test('a removal has removed it or changed nothing', async () => {
    const prepare = async () => {
      await withPasskey();
      await vault().unlock(PASSWORD);
    };
    expect([...(await cutOff(prepare, remove, findOpen))].sort()).toEqual(['0 wrong-passkey', '1 none']);
  });

  test('an unlocking has unlocked the wallet or left it locked, and can be repeated', async () => {
    const find = async () => {
      const locked = await isLocked();
      if (!locked) await workerRun.modules.session.withSeed((seed) => expect(seed.length).toBe(64));
      return `${locked} ${await findOpen()}`;
    };
    const found = await cutOff(withPasskey, unlockBy, find);
    expect([...found].sort()).toEqual(['false 1 none', 'true 1 none']);
  });

  test('a change of the password has changed it or changed nothing, and leaves the passkey as it was', async () => {
    const opens = async () => {
      const codes = [await codeOf(vault().showWords(ANOTHER)), await codeOf(vault().showWords(PASSWORD))];
      return codes.map((code) => (code === 'none' ? 'opens' : code)).join(', ');
    };
    const find = async () => `${await opens()}; ${await findOpen()}`;
    const found = await cutOff(withPasskey, () => vault().changePassword(PASSWORD, ANOTHER), find, [PASSWORD, ANOTHER]);
    expect([...found].sort()).toEqual(['opens, wrong-password; 1 none', 'wrong-password, opens; 1 none']);
  });
});
