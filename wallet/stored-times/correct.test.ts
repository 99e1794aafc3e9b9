import { describe, expect, test, vi } from 'vitest';
import type { Payment } from '../../protocol/payments/payment.ts';
import { setTime } from '../../testkit/wallet/clock.ts';
import { useNetwork } from '../../testkit/network/network.ts';
import { ask, give, openWallet, PASSWORD, pay, paymentWhere, someone, stored } from '../../testkit/wallet/wallet.ts';
import type { WorkerRun } from '../../testkit/wallet/worker-run.ts';
import { wallet } from '../../testkit/wallet/current.ts';
import { TestBrowser } from '../../testkit/wallet/browser.ts';
import { newDatabases, useDatabases } from '../../testkit/wallet/memory-database.ts';
import { testPlatform } from '../../testkit/wallet/platform.ts';
import { createWallet } from '../platform.ts';
import { setBlock } from '../sites/store.ts';
import { start } from '../start.ts';
import { database, inTransaction } from '../store/database.ts';

const network = useNetwork();
const [MINUTE_MS, HOUR_MS] = [60_000, 3600_000];

/** Sends a request from the popup. */
const asked = (run: WorkerRun, method: string) =>
  run.modules.router.serveWindow(wallet, { method, params: {} }, {
    id: run.profile.browser.id,
    url: `${run.profile.browser.root}extension/popup/index.html`,
    frameId: 0,
  } as never);

/** Signs a payment while the wallet's clock is ahead and the operator fails. Then blocks the site. */
async function paidAhead(aheadMs: number) {
  const run = await openWallet(network, [1_000_000]);
  const now = Date.now();
  setTime(now + aheadMs);
  await run.modules.vault.unlock(wallet, PASSWORD);
  await give(run, { currency: 'BSV', limit: 100_000_000n });
  network.faults.push('500');
  void ask(run, 'request-1', pay(someone(), 3000), { automatic: true });
  const { id } = await vi.waitFor(async () => {
    const [payment] = (await stored(run)).payments;
    if ((payment?.broadcast.attempts ?? 0) === 0) throw new Error('not tried yet');
    return payment as NonNullable<typeof payment>;
  });
  await run.modules.sites.setBlock(wallet, 'https://blocked.example', Date.now() + HOUR_MS);
  expect((await run.modules.vault.vaultStatus(wallet)).locked).toBe(false);
  network.faults.length = 0;
  return { run, id, now };
}

describe.each([
  ['a year', 365 * 24 * HOUR_MS],
  ['six hours', 6 * HOUR_MS],
])('a clock that was %s ahead when a payment was signed', (_, aheadMs) => {
  test('the next attempt is due after at most its own delay', async () => {
    const { run, id } = await paidAhead(aheadMs);
    run.end();
    const next = await run.profile.start();
    await paymentWhere(next, id, ({ broadcast }) => broadcast.nextAt <= Date.now() + MINUTE_MS);
    setTime(Date.now() + MINUTE_MS);
    await next.modules.drive.processAll(wallet);
    await paymentWhere(next, id, ({ state }) => state === 'broadcast' || state === 'settled');
    const db = await next.modules.database.database(wallet);
    expect((await db.get('sites', 'https://blocked.example'))?.blockedUntil).toBeLessThan(Date.now() + 25 * HOUR_MS);
  });

  test("a worker that starts later doesn't keep the wallet unlocked", async () => {
    const { run } = await paidAhead(aheadMs);
    run.end();
    const next = await run.profile.start();
    expect(await next.modules.vault.vaultStatus(wallet)).toMatchObject({ locked: true });
    expect(next.profile.browser.session.has('unlock-half')).toBe(false);
  });

  test('a running worker detects the corrected clock', async () => {
    const { run, id, now } = await paidAhead(aheadMs);
    setTime(now);
    const { result } = (await asked(run, 'vault/status')) as { result: { locked: boolean } };
    expect(result.locked).toBe(true);
    await paymentWhere(run, id, ({ broadcast }) => broadcast.nextAt <= now + MINUTE_MS);
    await vi.waitFor(() => expect(run.profile.browser.alarms.get('lock')).toBeUndefined());
    setTime(now + MINUTE_MS);
    await run.modules.drive.processAll(wallet);
    await paymentWhere(run, id, ({ state }) => state === 'broadcast' || state === 'settled');
    for (const { scheduledTime } of run.profile.browser.alarms.values())
      expect(scheduledTime).toBeLessThanOrEqual(now + MINUTE_MS + HOUR_MS);
  });
});

test('a time stored while the clock was ahead only during the write is corrected', async () => {
  const run = await openWallet(network, []);
  const { database, sites } = run.modules;
  await sites.setBlock(wallet, 'https://blocked.example', Date.now() + HOUR_MS);
  const now = Date.now();
  await database.inTransaction(wallet, async (tx) => {
    const site = await tx.objectStore('sites').get('https://blocked.example');
    setTime(now + 365 * 24 * HOUR_MS);
    await tx.objectStore('sites').put({ ...site!, blockedUntil: Date.now() + HOUR_MS });
  });
  setTime(now);
  await database.inTransaction(wallet, () => undefined);
  const db = await database.database(wallet);
  await vi.waitFor(async () => {
    const site = await db.get('sites', 'https://blocked.example');
    expect(site?.blockedUntil).toBeLessThan(now + 25 * HOUR_MS);
  });
});

test('a worker detects a clock that was set back just after it started', async () => {
  const now = Date.now();
  const clock = { ahead: 365 * 24 * HOUR_MS };
  useDatabases(newDatabases());
  const browser = new TestBrowser().api(async (_name, call) => call());
  const other = createWallet({
    ...testPlatform(browser, 'http://127.0.0.1:1'),
    now: () => now + clock.ahead,
  });
  await setBlock(other, 'https://blocked.example', now + clock.ahead + HOUR_MS);
  // Clears everything that an earlier worker remembers.
  other.parts.clear();
  start(other);
  clock.ahead = 0;
  await inTransaction(other, () => undefined);
  const db = await database(other);
  await vi.waitFor(async () => {
    const site = await db.get('sites', 'https://blocked.example');
    expect(site?.blockedUntil).toBeLessThan(now + 25 * HOUR_MS);
  });
});

test('a clock corrected by seconds locks nothing', async () => {
  const run = await openWallet(network, []);
  const now = Date.now();
  setTime(now + 30_000);
  await run.modules.vault.lock(wallet);
  await run.modules.vault.unlock(wallet, PASSWORD);
  setTime(now);
  expect((await asked(run, 'vault/status')) as object).toMatchObject({ result: { locked: false } });
});

test("an allowance whose period hasn't started can't be spent further after the clock is set back", async () => {
  const run = await openWallet(network, [1_000_000]);
  const now = Date.now();
  setTime(now + 365 * 24 * HOUR_MS);
  await run.modules.vault.unlock(wallet, PASSWORD);
  await give(run, { currency: 'BSV', limit: 500_000n });
  const paid = (await ask(run, 'request-1', pay(someone(), 3000), { automatic: true })) as Payment;
  expect(paid.txid).toBeDefined();
  setTime(now);
  const [view] = (await run.modules.list.listSites(wallet)).flatMap(({ allowances }) => allowances);
  expect(view?.resetsAt).toBeLessThanOrEqual(now + 8 * 24 * HOUR_MS);
  expect(Number(view?.spent)).toBeGreaterThan(0.00003);
});
