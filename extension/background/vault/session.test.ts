import { webcrypto } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { FIRST_VIEW } from '../../../protocol/first-view.ts';
import { codeOf } from '../../../testing/code-of.ts';
import { setTime } from '../testing/clock.ts';
import { START, useVault } from '../testing/vault.ts';

const SEED = Uint8Array.from({ length: 64 }, (_, i) => i + 1);
const hour = () => Date.now() + 3600_000;

const run = useVault();

/** The seed as a use of it sees it. */
const seen = () => run.session.withSeed((seed) => Uint8Array.from(seed));
const isLocked = async () => {
  expect(await codeOf(seen())).toBe('wallet-locked');
  expect(await run.session.unlockedUntil()).toBeNull();
  expect(run.browser.session.size).toBe(0);
  expect(await run.database.readKey('session')).toBeUndefined();
};

describe('what the popup shows first', () => {
  const VIEW = { overview: { satoshis: '1' }, settings: { currency: 'USD' } } as never;
  const kept = () => run.browser.session.get(FIRST_VIEW);

  test('is kept while the wallet is unlocked, with the time at which it locks', async () => {
    const { session } = run;
    const until = hour();
    await session.holdSeed(SEED, until);
    await session.keepFirstView(VIEW);
    expect(kept()).toMatchObject({ overview: { satoshis: '1' }, lockAt: until });
    // A shorter time to the lock counts from now on: the view does not outlive it.
    await session.lockBy(until - 1000);
    expect(kept()).toBeUndefined();
    await session.keepFirstView(VIEW);
    expect(kept()).toMatchObject({ lockAt: until - 1000 });
  });

  test('goes when the wallet locks, and is not kept of one that is locked, whichever comes first', async () => {
    const { session } = run;
    await session.keepFirstView(VIEW);
    expect(kept()).toBeUndefined();
    await session.holdSeed(SEED, hour());
    await Promise.all([session.keepFirstView(VIEW), session.dropSeed(), session.keepFirstView(VIEW)]);
    expect(kept()).toBeUndefined();
    await isLocked();
  });

  test('goes with the first use of a wallet whose locking a killed worker left half done', async () => {
    await run.session.holdSeed(SEED, hour());
    await run.session.keepFirstView(VIEW);
    run.browser.session.delete('unlock-half');
    await run.restart();
    await isLocked();
  });
});

describe('the seed of an unlocked wallet', () => {
  test('is there in this run of the worker and the next', async () => {
    const until = hour();
    await run.session.holdSeed(SEED, until);
    expect(await seen()).toEqual(SEED);
    expect(await run.session.unlockedUntil()).toBe(until);
    await run.restart();
    expect(await seen()).toEqual(SEED);
    expect(await run.session.unlockedUntil()).toBe(until);
  });

  test('is gone after a restart of the browser', async () => {
    await run.session.holdSeed(SEED, hour());
    run.browser.restart();
    await run.restart();
    await isLocked();
  });

  test('is gone without the half in the database', async () => {
    await run.session.holdSeed(SEED, hour());
    await run.database.deleteKey('session');
    await run.restart();
    expect(await codeOf(seen())).toBe('wallet-locked');
  });

  test('with halves that do not belong together is gone, not broken', async () => {
    await run.session.holdSeed(SEED, hour());
    run.browser.session.set('unlock-half', btoa(String.fromCharCode(...new Uint8Array(32))));
    await run.restart();
    await isLocked();
  });

  test('cannot be computed from the session storage alone, nor from the bytes in the database', async () => {
    await run.session.holdSeed(SEED, hour());
    const [half, ...others] = [...run.browser.session.values()];
    expect(others).toEqual([]);
    const wrapped = await run.database.readKey('session');
    if (!wrapped) throw new Error('nothing stored');
    const bytes = Uint8Array.from(atob(half as string), (c) => c.charCodeAt(0));
    expect(bytes).toHaveLength(32);
    // The half opens neither layer, and the database's key cannot leave it and opens only the outer one.
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

  test('is kept until its time and not longer, alarm or none', async () => {
    const until = hour();
    await run.session.holdSeed(SEED, until);
    expect(run.browser.alarms.get('lock')).toEqual({ when: until });
    setTime(until - 1);
    expect(await seen()).toEqual(SEED);
    setTime(until);
    await isLocked();
    setTime(until - 1000);
    await isLocked();
  });

  test('is dropped at once and for good, also while it is being used or fetched', async () => {
    const { holdSeed, dropSeed, withSeed } = run.session;
    await holdSeed(SEED, hour());
    const inUse = withSeed(async (seed) => {
      await dropSeed();
      return Uint8Array.from(seed);
    });
    expect(await inUse).toEqual(SEED); // its own copy, whole
    await isLocked();
    await dropSeed();
    await isLocked();

    // A later run fetches it from the store while the wallet is locked.
    await holdSeed(SEED, hour());
    await run.restart();
    const fetching = codeOf(seen());
    const decrypt = crypto.subtle.decrypt.bind(crypto.subtle);
    vi.spyOn(crypto.subtle, 'decrypt').mockImplementation(async (...args) => {
      const plain = await decrypt(...args);
      void run.session.dropSeed();
      return plain;
    });
    expect(['none', 'wallet-locked']).toContain(await fetching);
    vi.mocked(crypto.subtle.decrypt).mockRestore();
    await isLocked();
  });

  test.each<[string, () => [object, string] | null]>([
    ['before anything of it is kept', () => null],
    ['while it is being sealed', () => [crypto.subtle, 'generateKey']],
    ['between the writing of its halves', () => [run.api.storage.session, 'set']],
    ['after both are written', () => [run.api.alarms, 'create']],
  ])('is not brought back by an unlocking that a lock overtook: %s', async (_, where) => {
    const { beginUnlocking, holdSeed, dropSeed } = run.session;
    const begun = beginUnlocking();
    const [target, method] = where() ?? [];
    let dropping: Promise<void> | undefined;
    if (target) {
      const real = Reflect.get(target, method as string) as (...args: unknown[]) => unknown;
      vi.spyOn(target as Record<string, () => unknown>, method as string).mockImplementationOnce(
        (...args: unknown[]) => {
          dropping = dropSeed();
          return real.apply(target, args);
        },
      );
    } else {
      dropping = dropSeed();
    }
    expect(await codeOf(holdSeed(SEED, hour(), begun))).toBe('wallet-locked');
    expect(dropping).toBeDefined();
    expect(await codeOf(seen())).toBe('wallet-locked');
    await dropping;
    await isLocked();
    await run.restart();
    await isLocked();
  });

  test('of an unlocking stays, where an earlier one is found to be over meanwhile', async () => {
    const { holdSeed, unlockedUntil } = run.session;
    const over = hour();
    await holdSeed(SEED, over);
    setTime(over);
    const until = over + 60_000;
    // Both at once, in either order: what is over goes, what was opened just now does not.
    await Promise.all([unlockedUntil(), holdSeed(SEED, until), unlockedUntil()]);
    expect(await unlockedUntil()).toBe(until);
    await run.restart();
    expect(await seen()).toEqual(SEED);
  });

  test('is wiped in every copy that a use was given', async () => {
    const { holdSeed, withSeed } = run.session;
    await holdSeed(SEED, hour());
    const given: Uint8Array[] = [];
    await withSeed((seed) => void given.push(seed));
    await codeOf(
      withSeed((seed) => {
        given.push(seed);
        throw new Error('in use');
      }),
    );
    expect(given.map((seed) => seed.every((byte) => byte === 0))).toEqual([true, true]);
    expect(await seen()).toEqual(SEED);
    expect(SEED[0]).toBe(1);
  });
});
