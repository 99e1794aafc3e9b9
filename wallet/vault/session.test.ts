import { webcrypto } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { FIRST_VIEW } from '../../protocol/messages/first-view.ts';
import { codeOf } from '../../testing/code-of.ts';
import { setTime } from '../../testkit/wallet/clock.ts';
import { START, useVault } from '../../testkit/wallet/vault.ts';
import { wallet } from '../../testkit/wallet/current.ts';

const SEED = Uint8Array.from({ length: 64 }, (_, i) => i + 1);
const hour = () => Date.now() + 3600_000;

const run = useVault();

const seen = () => run.session.withSeed(wallet, (seed) => Uint8Array.from(seed));
const isLocked = async () => {
  expect(await codeOf(seen())).toBe('wallet-locked');
  expect(await run.session.unlockedUntil(wallet)).toBeNull();
  expect([run.browser.session.size, run.browser.alarms.size]).toEqual([0, 0]);
  expect(await run.database.readKey(wallet, 'session')).toBeUndefined();
};

describe('the popup’s initial view', () => {
  const VIEW = { overview: { satoshis: '1' }, settings: { currency: 'USD' } } as never;
  const kept = () => run.browser.session.get(FIRST_VIEW);

  test('the initial view is stored while the wallet is unlocked, with the time at which it locks', async () => {
    const { session } = run;
    const until = hour();
    await session.storeSeed(wallet, SEED, until);
    await session.storeFirstView(wallet, VIEW);
    expect(kept()).toMatchObject({ overview: { satoshis: '1' }, lockAt: until });
    // An earlier lock time deletes the view, which would otherwise remain until the old time.
    await session.lockBy(wallet, until - 1000);
    expect(kept()).toBeUndefined();
    await session.storeFirstView(wallet, VIEW);
    expect(kept()).toMatchObject({ lockAt: until - 1000 });
  });

  test('the initial view is removed when the wallet locks, and never stored for a locked one', async () => {
    const { session } = run;
    await session.storeFirstView(wallet, VIEW);
    expect(kept()).toBeUndefined();
    await session.storeSeed(wallet, SEED, hour());
    await Promise.all([
      session.storeFirstView(wallet, VIEW),
      session.deleteSeed(wallet),
      session.storeFirstView(wallet, VIEW),
    ]);
    expect(kept()).toBeUndefined();
    await isLocked();
  });

  test('the initial view is removed by the first use of a wallet whose lock a killed worker left unfinished', async () => {
    await run.session.storeSeed(wallet, SEED, hour());
    await run.session.storeFirstView(wallet, VIEW);
    run.browser.session.delete('unlock-half');
    await run.restart();
    await isLocked();
  });
});

describe('the seed of an unlocked wallet', () => {
  test('the seed is available in this run of the worker and the next', async () => {
    const until = hour();
    await run.session.storeSeed(wallet, SEED, until);
    expect(await seen()).toEqual(SEED);
    expect(await run.session.unlockedUntil(wallet)).toBe(until);
    await run.restart();
    expect(await seen()).toEqual(SEED);
    expect(await run.session.unlockedUntil(wallet)).toBe(until);
  });

  test('the seed is gone after a restart of the browser', async () => {
    await run.session.storeSeed(wallet, SEED, hour());
    run.browser.restart();
    await run.restart();
    await isLocked();
  });

  test('the seed is gone without the half in the database', async () => {
    await run.session.storeSeed(wallet, SEED, hour());
    await run.database.deleteKey(wallet, 'session');
    await run.restart();
    expect(await codeOf(seen())).toBe('wallet-locked');
  });

  test('a seed whose halves don’t match is gone, without an error', async () => {
    await run.session.storeSeed(wallet, SEED, hour());
    run.browser.session.set('unlock-half', btoa(String.fromCharCode(...new Uint8Array(32))));
    await run.restart();
    await isLocked();
  });

  test('the seed cannot be computed from only the session storage, nor from the bytes in the database', async () => {
    await run.session.storeSeed(wallet, SEED, hour());
    const [half, ...others] = [...run.browser.session.values()];
    expect(others).toEqual([]);
    const wrapped = await run.database.readKey(wallet, 'session');
    if (!wrapped) throw new Error('nothing stored');
    const bytes = Uint8Array.from(atob(half as string), (c) => c.charCodeAt(0));
    expect(bytes).toHaveLength(32);
    // The half decrypts neither layer by itself. The key in the database isn't exportable, and decrypts only the outer
    // layer.
    const halfKey = await webcrypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['decrypt']);
    for (const iv of [wrapped.innerIv, wrapped.outerIv])
      await expect(webcrypto.subtle.decrypt({ name: 'AES-GCM', iv }, halfKey, wrapped.ciphertext)).rejects.toThrow();
    await expect(webcrypto.subtle.exportKey('raw', wrapped.key as never)).rejects.toThrow();
    const inner = new Uint8Array(
      await webcrypto.subtle.decrypt(
        { name: 'AES-GCM', iv: wrapped.outerIv },
        wrapped.key as never,
        wrapped.ciphertext,
      ),
    );
    for (const stored of [bytes, wrapped.ciphertext, inner])
      expect(Buffer.from(stored).includes(Buffer.from(SEED.subarray(0, 8)))).toBe(false);
  });

  test('the seed is kept until it expires and not longer, with or without the alarm', async () => {
    const until = hour();
    await run.session.storeSeed(wallet, SEED, until);
    expect(run.browser.alarms.get('lock')).toMatchObject({ when: until });
    setTime(until - 1);
    expect(await seen()).toEqual(SEED);
    setTime(until);
    expect(await codeOf(seen())).toBe('wallet-locked');
    await isLocked();
    setTime(until - 1000);
    await isLocked();
  });

  test('a lock drops the seed immediately and permanently, even while it is being used or fetched', async () => {
    const { storeSeed, deleteSeed, withSeed } = run.session;
    await storeSeed(wallet, SEED, hour());
    const inUse = withSeed(wallet, async (seed) => {
      await deleteSeed(wallet);
      return Uint8Array.from(seed);
    });
    expect(await inUse).toEqual(SEED);
    await isLocked();
    await deleteSeed(wallet);
    await isLocked();

    await storeSeed(wallet, SEED, hour());
    await run.restart();
    const decrypt = crypto.subtle.decrypt.bind(crypto.subtle);
    let dropping: Promise<void> | undefined;
    vi.spyOn(crypto.subtle, 'decrypt').mockImplementation(async (...args) => {
      const plain = await decrypt(...args);
      dropping ??= run.session.deleteSeed(wallet);
      return plain;
    });
    expect(await codeOf(seen())).toBe('wallet-locked');
    expect(dropping).toBeDefined();
    vi.mocked(crypto.subtle.decrypt).mockRestore();
    await isLocked();
  });

  test.each<[string, () => [object, string] | null]>([
    ['before anything of it is kept', () => null],
    ['while it is being sealed', () => [crypto.subtle, 'generateKey']],
    ['between the writing of its halves', () => [run.api.storage.session, 'set']],
    ['after both are written', () => [run.api.alarms, 'create']],
  ])('an unlock that a lock overtook doesn’t restore the seed: %s', async (_, where) => {
    const { beginUnlocking, storeSeed, deleteSeed } = run.session;
    const begun = beginUnlocking(wallet);
    const [target, method] = where() ?? [];
    let dropping: Promise<void> | undefined;
    if (target) {
      const real = Reflect.get(target, method as string) as (...args: unknown[]) => unknown;
      vi.spyOn(target as Record<string, () => unknown>, method as string).mockImplementationOnce(
        (...args: unknown[]) => {
          dropping = deleteSeed(wallet);
          return real.apply(target, args);
        },
      );
    } else {
      dropping = deleteSeed(wallet);
    }
    expect(await codeOf(storeSeed(wallet, SEED, hour(), begun))).toBe('wallet-locked');
    expect(dropping).toBeDefined();
    expect(await codeOf(seen())).toBe('wallet-locked');
    await dropping;
    await isLocked();
    await run.restart();
    await isLocked();
  });

  test('the seed of an unlock stays when an earlier unlock turns out to have expired', async () => {
    const { storeSeed, unlockedUntil } = run.session;
    const over = hour();
    await storeSeed(wallet, SEED, over);
    setTime(over);
    const until = over + 60_000;
    // Regardless of the order in which these calls run, the expired seed is removed and the new one remains.
    await Promise.all([unlockedUntil(wallet), storeSeed(wallet, SEED, until), unlockedUntil(wallet)]);
    expect(await unlockedUntil(wallet)).toBe(until);
    await run.restart();
    expect(await seen()).toEqual(SEED);
  });

  test('the copy of the seed that a use received is wiped when the use ends, even with an error', async () => {
    const { storeSeed, withSeed } = run.session;
    await storeSeed(wallet, SEED, hour());
    const given: Uint8Array[] = [];
    await withSeed(wallet, (seed) => void given.push(seed));
    await codeOf(
      withSeed(wallet, (seed) => {
        given.push(seed);
        throw new Error('in use');
      }),
    );
    expect(given.map((seed) => seed.every((byte) => byte === 0))).toEqual([true, true]);
    expect(await seen()).toEqual(SEED);
    expect(SEED[0]).toBe(1);
  });

  test('the seed is gone from the moment of the lock, even if other work is queued', async () => {
    await run.session.storeSeed(wallet, SEED, hour());
    const dropping = run.session.deleteSeed(wallet);
    expect(await codeOf(seen())).toBe('wallet-locked');
    await dropping;
  });

  test('a seed fetched by two uses concurrently is kept once, and the other copy wiped', async () => {
    await run.session.storeSeed(wallet, SEED, hour());
    await run.restart();
    const decrypted = vi.spyOn(crypto.subtle, 'decrypt');
    expect(await Promise.all([seen(), seen()])).toEqual([SEED, SEED]);
    await run.session.deleteSeed(wallet);
    const opened = await Promise.all(decrypted.mock.results.map(({ value }) => value as Promise<ArrayBuffer>));
    const seeds = opened.map((buffer) => new Uint8Array(buffer)).filter((bytes) => bytes.length === 64);
    expect(seeds).toEqual([new Uint8Array(64), new Uint8Array(64)]);
  });

  test('a status request from before the lock doesn’t report the wallet as unlocked', async () => {
    await run.session.storeSeed(wallet, SEED, hour());
    const until = run.session.unlockedUntil(wallet);
    const dropping = run.session.deleteSeed(wallet);
    expect(await until).toBeNull();
    await dropping;
  });

  test('a seed with a half that is not text is gone, without an error', async () => {
    await run.session.storeSeed(wallet, SEED, hour());
    run.browser.session.set('unlock-half', 5);
    await run.restart();
    expect(await run.session.unlockedUntil(wallet)).toBeNull();
    await isLocked();
  });

  test('the wallet locks earlier on request, and never later', async () => {
    const { storeSeed, lockBy, unlockedUntil } = run.session;
    const until = hour();
    const alarm = () => run.browser.alarms.get('lock')?.when;
    await storeSeed(wallet, SEED, until);
    const created = vi.spyOn(run.api.alarms, 'create');
    for (const later of [until + 1, until]) {
      await lockBy(wallet, later);
      expect([await unlockedUntil(wallet), alarm(), created.mock.calls.length]).toEqual([until, until, 0]);
    }
    await lockBy(wallet, until - 1);
    expect([await unlockedUntil(wallet), alarm()]).toEqual([until - 1, until - 1]);
    setTime(until - 2);
    expect(await seen()).toEqual(SEED);
    setTime(until - 1);
    expect(await codeOf(seen())).toBe('wallet-locked');
    setTime(START);
    await storeSeed(wallet, SEED, until);
    await run.restart();
    await run.session.lockBy(wallet, until - 1);
    setTime(until - 2);
    expect(await seen()).toEqual(SEED);
    setTime(until - 1);
    await isLocked();
  });

  test('a locked wallet stays locked when a lock is scheduled', async () => {
    await run.session.lockBy(wallet, hour());
    await isLocked();
    await run.session.storeSeed(wallet, SEED, hour());
    await run.session.deleteSeed(wallet);
    await run.session.lockBy(wallet, START + 1);
    await isLocked();
  });

  test('every copy of the seed is wiped when the wallet is locked or another seed is held', async () => {
    const copied = vi.spyOn(Uint8Array, 'from');
    const decrypted = vi.spyOn(crypto.subtle, 'decrypt');
    const left = async () => {
      const opened = await Promise.all(decrypted.mock.results.map(({ value }) => value as Promise<ArrayBuffer>));
      const copies = [
        ...copied.mock.results.map(({ value }) => value as Uint8Array),
        ...opened.map((buffer) => new Uint8Array(buffer)),
      ].filter((bytes) => bytes.length === 64);
      return [copies.length, copies.filter((bytes) => bytes.some((byte) => byte !== 0)).length];
    };
    await run.session.storeSeed(wallet, SEED, hour());
    expect(await left()).toEqual([2, 1]);
    await run.session.storeSeed(wallet, SEED, hour());
    expect(await left()).toEqual([4, 1]);
    await run.session.deleteSeed(wallet);
    expect(await left()).toEqual([4, 0]);
    const overtaken = run.session.storeSeed(wallet, SEED, hour());
    const dropping = run.session.deleteSeed(wallet);
    expect(await codeOf(overtaken)).toBe('wallet-locked');
    await dropping;
    expect(await left()).toEqual([5, 0]);
    await run.session.storeSeed(wallet, SEED, hour());
    await run.session.deleteSeed(wallet);
    await run.session.storeSeed(wallet, SEED, hour());
    await run.restart();
    await run.session.withSeed(wallet, () => undefined);
    // The previous worker has stopped, but its copy is still in this process's memory.
    expect((await left())[1]).toBe(2);
    await run.session.deleteSeed(wallet);
    expect((await left())[1]).toBe(1);
  });

  test('the seed is sealed under new non-exportable keys each time', async () => {
    const keys = [vi.spyOn(crypto.subtle, 'importKey'), vi.spyOn(crypto.subtle, 'generateKey')];
    const parts: string[] = [];
    for (let i = 0; i < 2; i += 1) {
      await run.session.storeSeed(wallet, SEED, hour());
      const { innerIv, outerIv, ciphertext } = (await run.database.readKey(wallet, 'session')) ?? expect.unreachable();
      expect([innerIv.length, outerIv.length]).toEqual([12, 12]);
      for (const bytes of [innerIv, outerIv, ciphertext]) parts.push(Buffer.from(bytes).toString('hex'));
      parts.push(String(run.browser.session.get('unlock-half')));
    }
    expect(new Set(parts).size).toBe(8);
    await run.restart();
    await seen();
    for (const { mock } of keys)
      for (const { value } of mock.results) expect(((await value) as CryptoKey).extractable).toBe(false);
  });

  test('the seed can be stored after an unlock that failed on the disk', async () => {
    const full = new Error('the disk is full');
    vi.spyOn(run.api.storage.session, 'set').mockRejectedValueOnce(full);
    expect(await codeOf(run.session.storeSeed(wallet, SEED, hour()))).toBe(full);
    expect(await codeOf(seen())).toBe('wallet-locked');
    await run.session.storeSeed(wallet, SEED, hour());
    expect(await seen()).toEqual(SEED);
  });

  test('the seed is fetched and unsealed once for many uses of a run, and again after a restart', async () => {
    const decrypt = vi.spyOn(crypto.subtle, 'decrypt');
    await run.session.storeSeed(wallet, SEED, hour());
    for (let i = 0; i < 3; i += 1) await seen();
    expect(decrypt).not.toHaveBeenCalled();
    await run.restart();
    for (let i = 0; i < 3; i += 1) await seen();
    expect(decrypt).toHaveBeenCalledTimes(2);
  });

  test('a lock removes its record last so that the next use finishes an interrupted lock', async () => {
    await run.session.storeSeed(wallet, SEED, hour());
    const order: string[] = [];
    const remove = run.api.storage.session.remove;
    vi.spyOn(run.api.storage.session, 'remove').mockImplementation(async (keys) => {
      order.push((await run.database.readKey(wallet, 'session')) ? 'the half, before the record' : 'the half');
      return remove(keys);
    });
    await run.session.deleteSeed(wallet);
    expect(order).toEqual(['the half, before the record']);
  });
});
