/** The wallet is removed from the browser completely or not at all, and nothing is written afterward. */
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { STORES } from './store/schema.ts';
import { codeOf } from '../testing/code-of.ts';
import type { PaymentRecord } from './payments/record.ts';
import { endAllWorkerRuns, type WorkerRun } from '../testkit/wallet/worker-run.ts';
import { useNetwork } from '../testkit/network/network.ts';
import {
  approvalOf,
  ask,
  give,
  openWallet,
  pay,
  PASSWORD,
  approveAll,
  stored,
  someone,
} from '../testkit/wallet/wallet.ts';
import { wallet } from '../testkit/wallet/current.ts';

/** Only every `STRIDE`th crash point is tested. */
const STRIDE = 3;

/** `open-tabs` belongs to the browser session, not to the wallet. */
const NOTHING = { stores: {}, session: { 'open-tabs': true }, alarms: ['receive'] };

/** The recipient of payments, different in each test. */
let somebody: string;
const network = useNetwork();
let workerRun: WorkerRun;
beforeEach(async () => {
  somebody = someone();
  workerRun = await openWallet(network, [40_000, 500_000], { account: true });
});

const call = (of = workerRun) => of.modules.handlers.walletHandlers(wallet);

/** Returns all stored data by location. */
async function kept(of = workerRun) {
  const db = await of.modules.database.database(wallet);
  const stores: Record<string, number> = {};
  for (const store of STORES) {
    const count = await db.count(store);
    if (count > 0) stores[store] = count;
  }
  return {
    stores,
    session: Object.fromEntries(of.profile.browser.session),
    alarms: [...of.profile.browser.alarms.keys()],
  };
}

/** Signs a payment while the network doesn't respond. */
async function signUnsent(): Promise<void> {
  network.faults = Array<'refused'>(100).fill('refused');
  approveAll(workerRun);
  expect(await ask(workerRun, 'request-unsent', pay(somebody, 60_000))).toBe('payment-pending');
}

test('the wallet is removed with all stored data, and the onboarding opens', async () => {
  await give(workerRun);
  approveAll(workerRun);
  await ask(workerRun, 'request-before', pay(somebody, 60_000));
  await call()['settings/change']({ currency: 'EUR' });
  await call()['vault/remove']({ password: PASSWORD, leaving: 0 });
  expect(await kept()).toEqual(NOTHING);
  expect(await call()['vault/status']({})).toEqual({ exists: false, locked: true, lockAt: null });
  expect(workerRun.profile.browser.openedTabs).toEqual([
    'chrome-extension://wallet-extension-id/extension/onboarding/index.html',
  ]);
  expect(await ask(workerRun, 'request-after', pay(somebody, 60_000))).toBe('wallet-not-set-up');
  const { words } = await call()['vault/generate-words']({});
  await call()['vault/create']({ words, password: PASSWORD, restored: false });
  expect((await workerRun.modules.store.balance(wallet)).satoshis).toBe(0n);
});

test('removal requires the password, except while the wallet is locked', async () => {
  const before = await kept();
  expect(await codeOf(call()['vault/remove']({ password: 'wrong horse battery', leaving: 0 }))).toBe('wrong-password');
  expect(await codeOf(call()['vault/remove']({ password: null, leaving: 0 }))).toBe('wrong-password');
  expect(await kept()).toEqual(before);
  await call()['vault/lock']({});
  await call()['vault/remove']({ password: null, leaving: 0 });
  expect(await kept()).toEqual(NOTHING);
});

test('removal gives up no more unsent payments than the user confirmed, and they can be broadcast first', async () => {
  await signUnsent();
  const before = await kept();
  expect(await call()['vault/send-unsent']({})).toEqual({ left: 1 });
  expect(await codeOf(call()['vault/remove']({ password: PASSWORD, leaving: 0 }))).toBe('payment-pending');
  expect((await kept()).stores).toEqual(before.stores);
  expect((await call()['vault/status']({})).locked).toBe(false);
  network.faults = [];
  // The handler responds within a time limit, after which the broadcast may continue on a slow machine.
  await vi.waitFor(async () => expect(await call()['vault/send-unsent']({})).toEqual({ left: 0 }));
  expect(await network.unspent(somebody)).toMatchObject([{ satoshis: 60_000 }]);
  await call()['vault/remove']({ password: PASSWORD, leaving: 0 });
  expect(await kept()).toEqual(NOTHING);
});

test('the wallet is removed with an unsent payment that the user gives up', async () => {
  await signUnsent();
  await call()['vault/remove']({ password: PASSWORD, leaving: 1 });
  expect(await kept()).toEqual(NOTHING);
  network.faults = [];
  await workerRun.modules.drive.processAll(wallet);
  expect(await network.unspent(somebody)).toEqual([]);
});

test('removal responds to a page that waits for a decision, and closes its window', async () => {
  const asked = ask(workerRun, 'request-open', pay(somebody, 60_000));
  await approvalOf(workerRun);
  await call()['vault/remove']({ password: PASSWORD, leaving: 0 });
  expect(await asked).toBe('approval-closed');
  expect(workerRun.profile.browser.windows.size).toBe(0);
  expect(await kept()).toEqual(NOTHING);
});

/** Runs code during a removal, after the seed was deleted and before the stores are cleared. */
function midway(something: () => Promise<unknown>): void {
  const { alarms } = workerRun.browserApi;
  const clear = alarms.clear;
  vi.spyOn(alarms, 'clear').mockImplementationOnce(async (name) => {
    await something();
    return clear(name);
  });
}

test('removal stops if another payment was signed during it', async () => {
  await signUnsent();
  const {
    payments: [unsent],
  } = await stored(workerRun);
  midway(async () =>
    (await workerRun.modules.database.database(wallet)).put('payments', {
      ...(unsent as PaymentRecord),
      id: 'another',
      requestId: 'another',
    }),
  );
  expect(await codeOf(call()['vault/remove']({ password: PASSWORD, leaving: 1 }))).toBe('payment-pending');
  expect((await stored(workerRun)).payments).toHaveLength(2);
  expect((await call()['vault/status']({})).exists).toBe(true);
});

test('a search for coins in progress restores no data', async () => {
  const { receiveAddress } = await workerRun.modules.overview.overview(wallet);
  await network.faucet(receiveAddress, 7000);
  let arrived = () => {};
  const under = new Promise<void>((resolve) => (arrived = resolve));
  let resumeRead = () => {};
  const held = new Promise<void>((resolve) => (resumeRead = resolve));
  network.before = async (url) => {
    if (!url.includes('/tx/')) return;
    arrived();
    await held; // the response contains a new coin's transaction, which would be stored next
  };
  // Disables the wallet's timeout for network requests.
  const never = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(new AbortController().signal);
  onTestFinished(() => never.mockRestore());
  const searching = workerRun.modules.poll.refresh(wallet);
  await under;
  await call()['vault/remove']({ password: PASSWORD, leaving: 0 });
  resumeRead();
  await searching;
  expect(await kept()).toEqual(NOTHING);
});

test('an unlock in progress restores no data', async () => {
  await call()['vault/lock']({});
  const unlocking = codeOf(call()['vault/unlock']({ password: PASSWORD }));
  await call()['vault/remove']({ password: null, leaving: 0 });
  await unlocking;
  expect(await kept()).toEqual(NOTHING);
});

test('an unlock that began during removal restores no data', async () => {
  await call()['vault/lock']({});
  let unlocking: Promise<unknown> | undefined;
  midway(async () => {
    unlocking = codeOf(call()['vault/unlock']({ password: PASSWORD }));
    await workerRun.modules.database.readKey(wallet, 'vault');
  });
  await call()['vault/remove']({ password: null, leaving: 0 });
  expect(await unlocking).toBe('wallet-locked');
  expect(await kept()).toEqual(NOTHING);
});

test('a wallet is complete or gone after an interruption at any crash point', async () => {
  const outcomes = new Set<string>();
  for (let crashPoint = 1, over = false; !over; crashPoint += STRIDE) {
    workerRun = await openWallet(network, [40_000]);
    const { coins } = await stored(workerRun);
    const before = (await kept()).stores;
    workerRun.dieAt(crashPoint);
    const removed = () =>
      call()
        ['vault/remove']({ password: PASSWORD, leaving: 0 })
        .then(() => true);
    over = (await workerRun.untilDeath(removed)) ?? false;
    const next = await workerRun.profile.start();
    const exists = (await call(next)['vault/status']({})).exists;
    if (exists) {
      await call(next)['vault/unlock']({ password: PASSWORD });
      expect((await stored(next)).coins).toEqual(coins);
      expect((await kept(next)).stores).toEqual(before);
    } else {
      expect({ ...(await kept(next)), alarms: [] }, workerRun.crashPoints.at(-1) ?? '').toEqual({
        ...NOTHING,
        alarms: [],
      });
    }
    outcomes.add(exists ? 'whole' : 'gone');
    endAllWorkerRuns();
  }
  expect([...outcomes].sort()).toEqual(['gone', 'whole']);
});

test('a payment requested shortly before the removal leaves nothing, whichever runs first', async () => {
  const { database } = workerRun.modules;
  const vault = await database.readKey(wallet, 'vault');
  for (let turns = 0; turns < 40; turns += 1) {
    await database.writeKey(wallet, 'vault', vault as NonNullable<typeof vault>);
    const asked = ask(workerRun, `request-${turns}-hex`, pay(somebody, 60_000));
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
    await database.emptyStores(wallet, () => Promise.resolve(true));
    workerRun.modules.prompts.wakeCallers(wallet);
    expect(['wallet-not-set-up', 'page-gone', 'not-paid']).toContain(await asked);
    const { stores } = await kept();
    expect({ turns, ...stores }).toEqual({ turns });
  }
});
