import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { STORES } from '../store/schema.ts';
import { codeOf } from '../../testing/code-of.ts';
import { endAllWorkerRuns, Profile, type WorkerRun } from '../../testkit/wallet/worker-run.ts';
import { wallet } from '../../testkit/wallet/current.ts';

const WORDS = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
const PASSWORD = 'correct horse battery';
const PASSKEY = { id: 'credential-1', salt: 'A'.repeat(43), name: 'Key 1' };
const output = () => new Uint8Array(32).fill(1);

let workerRun: WorkerRun;
const stored = () => workerRun.modules.database.readKey(wallet, 'passkeys');
const unlockBy = async (given: Uint8Array<ArrayBuffer>) =>
  (await import('./passkeys.ts')).unlockWithPasskey(wallet, 'credential-1', given);

beforeEach(async () => {
  workerRun = await new Profile('http://localhost:1').start();
});
afterEach(() => {
  endAllWorkerRuns();
});

/** Creates a wallet that stays unlocked for the whole test, although the test clock runs fast. */
async function createLasting(): Promise<void> {
  await workerRun.modules.handlers.walletHandlers(wallet)['settings/change']({ lockAfterMinutes: 600 });
  await workerRun.modules.vault.createVault(wallet, WORDS, PASSWORD, false);
}

test('a shorter auto-lock delay takes effect immediately, and a longer one needs the password', async () => {
  const { createVault, vaultStatus } = workerRun.modules.vault;
  const { walletHandlers } = workerRun.modules.handlers;
  await createVault(wallet, WORDS, PASSWORD, false);
  const begun = Date.now();
  await walletHandlers(wallet)['settings/change']({ lockAfterMinutes: 1 });
  const { lockAt } = await vaultStatus(wallet);
  expect((lockAt ?? 0) - begun).toBeLessThanOrEqual(60_000 + Date.now() - begun);
  expect(workerRun.profile.browser.alarms.get('lock')).toMatchObject({ when: lockAt });
  await walletHandlers(wallet)['settings/change']({ lockAfterMinutes: 600 });
  expect((await vaultStatus(wallet)).lockAt).toBe(lockAt);
  const next = await workerRun.profile.start();
  expect((await next.modules.vault.vaultStatus(wallet)).lockAt).toBe(lockAt);
  await next.modules.vault.lock(wallet);
  await next.modules.handlers.walletHandlers(wallet)['settings/change']({ lockAfterMinutes: 2 });
  expect(await next.modules.vault.vaultStatus(wallet)).toMatchObject({ locked: true, lockAt: null });
});

test('the wallet locks with the screen, but not when the user is only idle', async () => {
  const { vaultStatus } = workerRun.modules.vault;
  await createLasting();
  const { onStateChanged } = workerRun.browserApi.events;
  onStateChanged.tell('idle');
  onStateChanged.tell('active');
  await vi.waitFor(async () => expect(await vaultStatus(wallet)).toMatchObject({ locked: false }));
  onStateChanged.tell('locked');
  await vi.waitFor(async () => expect(await vaultStatus(wallet)).toMatchObject({ locked: true, lockAt: null }));
  // The wallet is still locked after the worker restarts.
  const next = await workerRun.profile.start();
  expect(await next.modules.vault.vaultStatus(wallet)).toMatchObject({ exists: true, locked: true });
});

test('the wallet locks when an alarm shows that the computer slept, but not when an alarm is slightly late', async () => {
  const { vaultStatus } = workerRun.modules.vault;
  await createLasting();
  const { onAlarm } = workerRun.browserApi.events;
  onAlarm.tell({ name: 'another', scheduledTime: Date.now() - 1_000 });
  expect(await vaultStatus(wallet)).toMatchObject({ locked: false });
  onAlarm.tell({ name: 'another', scheduledTime: Date.now() - 10 * 60_000 });
  await vi.waitFor(async () => expect(await vaultStatus(wallet)).toMatchObject({ locked: true }));
});

test('a new wallet stays unlocked for fifteen minutes', async () => {
  const { createVault, vaultStatus } = workerRun.modules.vault;
  const before = Date.now();
  await createVault(wallet, WORDS, PASSWORD, false);
  const { lockAt } = await vaultStatus(wallet);
  expect(lockAt).toBeGreaterThanOrEqual(before + 15 * 60_000);
  expect(lockAt).toBeLessThanOrEqual(Date.now() + 15 * 60_000);
});

test('the vault leaves no secret in any stored data', async () => {
  await workerRun.modules.vault.createVault(wallet, WORDS, PASSWORD, false);
  const seed = Buffer.from(await workerRun.modules.session.withSeed(wallet, (s) => Uint8Array.from(s)));
  const db = await workerRun.modules.database.database(wallet);
  const all: unknown[] = [...workerRun.profile.browser.session.values(), ...workerRun.profile.browser.alarms.values()];
  for (const store of STORES) all.push(...(await db.getAll(store)));
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

test('a passkey’s output remains nowhere: not in the message, in storage, or in an error', async () => {
  await workerRun.modules.vault.createVault(wallet, WORDS, PASSWORD, false);
  const { walletHandlers } = workerRun.modules.handlers;
  const secret = Array.from({ length: 32 }, (_, i) => 200 - i);
  const given = [...secret];
  await walletHandlers(wallet)['passkeys/add']({ ...PASSKEY, password: PASSWORD, output: given });
  expect(given).toEqual(Array.from({ length: 32 }, () => 0));
  const again = [...secret];
  await walletHandlers(wallet)['vault/unlock-with-passkey']({ id: 'credential-1', output: again });
  expect(again).toEqual(Array.from({ length: 32 }, () => 0));
  const raw = Uint8Array.from(secret);
  await unlockBy(raw);
  expect(raw).toEqual(new Uint8Array(32));
  const all = JSON.stringify([await stored(), ...workerRun.profile.browser.session.values()], (_, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value,
  );
  expect(all).not.toContain(Buffer.from(secret).toString('hex'));
  const wrong = Array.from({ length: 32 }, () => 99);
  const error = await walletHandlers(wallet)
    ['vault/unlock-with-passkey']({ id: 'credential-1', output: wrong })
    .catch((cause: unknown) => cause);
  expect(error).toMatchObject({ code: 'wrong-passkey' });
  expect((error as Error).cause).toBeUndefined();
  expect(JSON.stringify(error)).not.toContain('99');
});

test('passkeys are removed with the wallet', async () => {
  const { vault, handlers } = workerRun.modules;
  await vault.createVault(wallet, WORDS, PASSWORD, false);
  await handlers.walletHandlers(wallet)['passkeys/add']({ ...PASSKEY, password: PASSWORD, output: [...output()] });
  await vault.lock(wallet);
  const { removeWallet } = await import('../remove-wallet.ts');
  await removeWallet(wallet, PASSWORD, 0);
  expect(await stored()).toBeUndefined();
  await vault.createVault(wallet, WORDS, PASSWORD, true);
  await vault.lock(wallet);
  expect(await codeOf(unlockBy(output()))).toBe('wrong-passkey');
});
