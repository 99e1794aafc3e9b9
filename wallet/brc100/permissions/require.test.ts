/** Permissions are requested once, in one window at a time, stored per site, and revocable. */
import { describe, expect, test, vi } from 'vitest';
import type { Permission } from '../../../protocol/messages/permission.ts';
import {
  approvalOf,
  approvals,
  approve,
  ask as askForPayment,
  decline,
  give,
  openWallet,
  PASSWORD,
  pay,
} from '../../../testkit/wallet/wallet.ts';
import { holdTime, setTime, timeToRead } from '../../../testkit/wallet/clock.ts';
import { startHost, startNames } from '../../../testkit/network/hosts.ts';
import { useNetwork } from '../../../testkit/network/network.ts';
import type { WorkerRun } from '../../../testkit/wallet/worker-run.ts';
import type { Caller } from '../caller.ts';
import { wallet as current } from '../../../testkit/wallet/current.ts';

const network = useNetwork();

const ORIGIN = 'https://app.example';
const MAX_WAITING = 100;
const BOB = `02${'ab'.repeat(32)}`;
const identity: Permission = { kind: 'identity' };
const connect: Permission = { kind: 'connect' };
const basket = (name: string): Permission => ({ kind: 'basket', basket: name });
const protocol = (
  level: 1 | 2,
  counterparty: string | null = level === 1 ? null : 'self',
  name = 'notes',
): Permission => ({ kind: 'protocol', level, protocol: name, counterparty });

let calls = 0;
/** Returns one of the site's calls, by default the first one after a user gesture. */
const call = (by: Partial<Caller> = {}): Caller => ({
  origin: ORIGIN,
  message: `call-${(calls += 1)}`,
  client: {},
  userActivation: 'new',
  ...by,
});
/** Resolves to `given`, or to the error code. */
const result = (work: Promise<void>) =>
  work.then(
    () => 'given',
    (error: { code?: string }) => error.code ?? String(error),
  );
const need = (workerRun: WorkerRun, permission: Permission, by: Partial<Caller> = {}) =>
  result(workerRun.modules.permissions.requirePermission(current, permission, call(by)));
/** Checks the permission without prompting. */
const remembered = (workerRun: WorkerRun, permission: Permission) =>
  result(workerRun.modules.permissions.requirePermission(current, permission, call(), { prompt: false }));
const needUnlocked = (workerRun: WorkerRun, by: Partial<Caller> = {}) =>
  result(workerRun.modules.permissions.requireUnlocked(current, call(by)));

const view = (workerRun: WorkerRun, id: string) => workerRun.modules.decide.viewPrompt(current, id);
/** Simulates a user who reads the open window and decides. The decision closes the window. */
async function decide(workerRun: WorkerRun, decision: 'permit' | 'unlock' | 'refuse'): Promise<unknown> {
  const id = await approvalOf(workerRun);
  const shown = await view(workerRun, id);
  if (decision === 'refuse') await decline(workerRun, id);
  else {
    await timeToRead();
    await approve(workerRun, id, { decision });
  }
  // The next prompt's window may already be open, so only this window is closed.
  for (const one of approvals(workerRun)) if (one.id === id) workerRun.profile.browser.closeWindow(one.windowId);
  return shown;
}
const opened = (workerRun: WorkerRun) => workerRun.profile.browser.windowsOpened;
const wallet = () => openWallet(network, []);

describe('a permission', () => {
  test('a permission is requested once, stored for its site, and requested separately for every other site', async () => {
    const workerRun = await wallet();
    for (const permission of [identity, protocol(1), protocol(2, BOB), basket('tokens')]) {
      const before = opened(workerRun);
      const answer = need(workerRun, permission);
      expect(await decide(workerRun, 'permit')).toMatchObject({ kind: 'permission', permission, origin: ORIGIN });
      expect(await answer).toBe('given');
      expect(await need(workerRun, permission, { userActivation: 'none' })).toBe('given');
      expect(opened(workerRun)).toBe(before + 1);
    }
    void need(workerRun, identity, { origin: 'https://other.example' });
    expect(await view(workerRun, await approvalOf(workerRun))).toMatchObject({ origin: 'https://other.example' });
  });

  test('a permission for a protocol is valid for one level, and at level 2 for one counterparty', async () => {
    const workerRun = await wallet();
    const answer = need(workerRun, protocol(2, BOB));
    await decide(workerRun, 'permit');
    await answer;
    const others = [protocol(1), protocol(2), protocol(2, 'anyone'), protocol(2, BOB, 'notes two'), identity];
    for (const other of others) expect(await remembered(workerRun, other)).toBe('permission-refused');
    expect(await remembered(workerRun, protocol(2, BOB))).toBe('given');
  });

  test('a permission for a reserved name is rejected without a window', async () => {
    const workerRun = await wallet();
    const reserved = [
      protocol(1, null, 'admin permission'),
      protocol(2, 'self', 'administration'),
      protocol(1, null, 'p scheme'),
      basket('admin baskets'),
      basket('default'),
      basket('1sat'),
      basket('p scheme'),
      basket(' Default '),
    ];
    for (const permission of reserved) expect(await need(workerRun, permission)).toBe('reserved-name');
    expect(opened(workerRun)).toBe(0);
  });

  test("a permission isn't requested if the application opts out", async () => {
    const workerRun = await wallet();
    expect(await remembered(workerRun, identity)).toBe('permission-refused');
    const answer = need(workerRun, identity);
    await decide(workerRun, 'permit');
    await answer;
    expect(await remembered(workerRun, identity)).toBe('given');
    expect(opened(workerRun)).toBe(1);
  });

  test('a rejected permission is rejected without a window until there is a user gesture in the page, even if its window was open for long', async () => {
    const workerRun = await wallet();
    const answer = need(workerRun, identity);
    await approvalOf(workerRun);
    const goOn = holdTime();
    setTime(Date.now() + 11 * 60_000);
    await decide(workerRun, 'refuse');
    expect(await answer).toBe('permission-refused');
    for (const userActivation of ['none', 'active', 'embedded'] as const)
      expect(await need(workerRun, identity, { userActivation })).toBe('permission-refused');
    expect(await need(workerRun, basket('tokens'), { userActivation: 'active' })).toBe('too-many-requests');
    expect(opened(workerRun)).toBe(1);
    goOn();
    const again = need(workerRun, identity);
    await decide(workerRun, 'permit');
    expect(await again).toBe('given');
  });

  test('a permission is requested again after it was revoked, individually or with all others', async () => {
    const workerRun = await wallet();
    const { walletHandlers } = workerRun.modules.handlers;
    for (const name of ['connect', null]) {
      const answer = need(workerRun, identity);
      await decide(workerRun, 'permit');
      expect(await answer).toBe('given');
      expect((await walletHandlers(current)['sites/list']({})).sites).toMatchObject([
        { origin: ORIGIN, permissions: [{ permission: connect }, { name: 'identity', permission: identity }] },
      ]);
      await walletHandlers(current)['sites/forbid']({ origin: ORIGIN, name: 'identity' });
      expect(await remembered(workerRun, identity)).toBe('permission-refused');
      expect(await remembered(workerRun, connect)).toBe('given');
      await walletHandlers(current)['sites/forbid']({ origin: ORIGIN, name });
      expect((await walletHandlers(current)['sites/list']({})).sites).toEqual([]);
    }
    void need(workerRun, identity, { userActivation: 'none' });
    await approvalOf(workerRun);
    expect(opened(workerRun)).toBe(3);
  });

  test('any permission or allowance connects the site, and disconnecting revokes all permissions', async () => {
    const workerRun = await wallet();
    const { permissionStore, handlers, database, allowances } = workerRun.modules;
    const [paid, used] = ['https://paid.example', 'https://used.example'];
    // Simulates a wallet from before connections existed.
    await database.inTransaction(current, (tx) =>
      permissionStore.grantPermissions(current, tx, used, [basket('tokens')]),
    );
    await give(workerRun, { origin: paid });
    expect(await remembered(workerRun, connect)).toBe('permission-refused');
    for (const origin of [paid, used])
      expect(await need(workerRun, connect, { origin, userActivation: 'embedded' })).toBe('given');
    const answer = need(workerRun, basket('tokens'));
    expect(await decide(workerRun, 'permit')).toMatchObject({ permission: basket('tokens'), connects: true });
    expect(await answer).toBe('given');
    const another = need(workerRun, identity);
    expect(await decide(workerRun, 'permit')).toMatchObject({ permission: identity, connects: false });
    expect(await another).toBe('given');
    await handlers.walletHandlers(current)['sites/forbid']({ origin: ORIGIN, name: 'connect' });
    for (const permission of [connect, identity, basket('tokens')])
      expect(await remembered(workerRun, permission)).toBe('permission-refused');
    await allowances.revokeAllowance(current, 'token-0123456789');
    expect(await need(workerRun, connect, { origin: paid, userActivation: 'embedded' })).toBe('permission-refused');
    expect(opened(workerRun)).toBe(2);
  });

  test('permissions are suspended while the site is blocked, and pending requests for permissions fail', async () => {
    const workerRun = await wallet();
    const answer = need(workerRun, identity);
    await decide(workerRun, 'permit');
    await answer;
    const [asked, waiting] = [
      need(workerRun, basket('one')),
      need(workerRun, basket('two'), { userActivation: 'none' }),
    ];
    await approvalOf(workerRun);
    await workerRun.modules.sites.setBlock(current, ORIGIN, Number.MAX_SAFE_INTEGER);
    await decide(workerRun, 'refuse');
    expect([await asked, await waiting]).toEqual(['permission-refused', 'site-blocked']);
    expect(await need(workerRun, identity)).toBe('site-blocked');
    expect(await needUnlocked(workerRun)).toBe('site-blocked');
    await workerRun.modules.sites.setBlock(current, ORIGIN, null);
    expect(await need(workerRun, identity)).toBe('given');
  });

  test('permissions are deleted with the wallet, and pending requests for permissions end', async () => {
    const workerRun = await wallet();
    const answer = need(workerRun, identity);
    await decide(workerRun, 'permit');
    await answer;
    const waiting = [need(workerRun, basket('one')), need(workerRun, basket('two'), { userActivation: 'none' })];
    const id = await approvalOf(workerRun);
    await view(workerRun, id);
    await timeToRead();
    await Promise.all([
      workerRun.modules.handlers.walletHandlers(current)['vault/remove']({ password: PASSWORD, leaving: 0 }),
      approve(workerRun, id, { decision: 'permit' }).catch(() => undefined),
    ]);
    // Whichever change runs first, no call waits forever, and no permission remains.
    await Promise.all(waiting);
    expect(await (await workerRun.modules.database.database(current)).getAll('permissions')).toEqual([]);
    expect(await need(workerRun, identity)).toBe('wallet-not-set-up');
  });

  test('a permission that exceeds a site’s limit replaces the site’s oldest permission', async () => {
    const workerRun = await wallet();
    const { database, permissionStore } = workerRun.modules;
    const all = Array.from({ length: 503 }, (_, n) => basket(`basket ${n}`));
    for (const [now, some] of [all.slice(0, 3), all.slice(3)].entries())
      await database.inTransaction(current, (tx) => permissionStore.grantPermissions(current, tx, ORIGIN, some, now));
    await database.inTransaction(current, (tx) =>
      permissionStore.grantPermissions(current, tx, 'https://b.example', [basket('b')], 0),
    );
    expect(await (await database.database(current)).count('permissions')).toBe(501);
    expect(await permissionStore.isPermitted(current, ORIGIN, basket('basket 2'))).toBe(false);
    expect(await permissionStore.isPermitted(current, ORIGIN, basket('basket 3'))).toBe(true);
    await permissionStore.revokePermissions(current, ORIGIN);
    expect(await (await database.database(current)).count('permissions')).toBe(1);
  });
});

describe('calls in parallel', () => {
  test('equal requests share one window, and different ones follow each other', async () => {
    const workerRun = await wallet();
    const same = Array.from({ length: 40 }, () => need(workerRun, protocol(1)));
    const others = [1, 2, 3].map((n) => need(workerRun, basket(`basket ${n}`), { userActivation: 'none' }));
    const shown: unknown[] = [];
    for (let n = 0; n < 4; n += 1) {
      shown.push(await decide(workerRun, 'permit'));
      expect(workerRun.profile.browser.windows.size).toBeLessThan(2);
    }
    expect(new Set(await Promise.all([...same, ...others]))).toEqual(new Set(['given']));
    expect(shown).toHaveLength(4);
    expect(opened(workerRun)).toBe(4);
  });

  test('waiting calls fail when the user rejects one of them, and no further window opens', async () => {
    const workerRun = await wallet();
    const all = [1, 2, 3, 4].map((n) => need(workerRun, basket(`basket ${n}`)));
    holdTime();
    await decide(workerRun, 'refuse');
    expect((await Promise.all(all)).sort()).toEqual(['permission-refused', ...Array(3).fill('too-many-requests')]);
    expect(opened(workerRun)).toBe(1);
  });

  test("each site's queue has at most a hundred calls, and further calls are rejected immediately", async () => {
    const workerRun = await wallet();
    void need(workerRun, identity);
    await approvalOf(workerRun);
    const results: string[] = [];
    const flood = Array.from({ length: 300 }, (_, n) =>
      need(workerRun, basket(`basket ${n % 200}`), { userActivation: 'none' }).then((one) => results.push(one)),
    );
    await vi.waitFor(() => expect(results).toHaveLength(300 - (MAX_WAITING - 1)));
    expect(new Set(results)).toEqual(new Set(['too-many-requests']));
    expect(opened(workerRun)).toBe(1);
    void need(workerRun, identity, { origin: 'https://other.example' });
    await approvalOf(workerRun, 2);
    expect(results).toHaveLength(300 - (MAX_WAITING - 1));
    // Pauses the refill of the request limit, so a rejected site must wait.
    const goOn = holdTime();
    for (const { windowId } of approvals(workerRun)) workerRun.profile.browser.closeWindow(windowId);
    await Promise.all(flood);
    goOn();
    // The queue is empty again.
    const answer = need(workerRun, identity);
    await decide(workerRun, 'permit');
    expect(await answer).toBe('given');
  });

  test('calls wait for a payment of the same site', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    const payment = askForPayment(workerRun, 'request-1', pay('mpYYAhbqNUWWTmrsjcHKkGRUFyQ1FSezFb', 1000), {
      origin: ORIGIN,
    });
    const id = await approvalOf(workerRun);
    const answer = need(workerRun, identity, { userActivation: 'none' });
    holdTime();
    await decline(workerRun, id);
    await payment;
    // A site must wait after a rejection, so no window opens.
    expect(await answer).toBe('too-many-requests');
    expect(opened(workerRun)).toBe(1);
  });

  test('calls continue if the same site’s payment fails before it has a window', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    await startNames(workerRun.profile);
    const host = await startHost(workerRun.profile);
    let fail: (() => void) | undefined;
    host.instead.set('.well-known', (_, response) => void (fail = () => response.writeHead(500).end()));
    const options = { outputs: [{ to: 'bob@pay.example', amount: '0.0001', currency: 'BSV' }] };
    const payment = askForPayment(workerRun, 'request-1', options, { origin: ORIGIN });
    await vi.waitFor(() => expect(fail).toBeDefined());
    expect(await workerRun.modules.promptStore.openPrompts(current)).toMatchObject([{ state: 'preparing' }]);
    const answer = need(workerRun, identity, { userActivation: 'none' });
    for (let n = 0; n < 10; n += 1) await remembered(workerRun, identity); // lets the call enter the queue
    fail?.();
    expect(await payment).toEqual(expect.any(String)); // the payment's error code
    await decide(workerRun, 'permit');
    expect(await answer).toBe('given');
  });

  test('calls that find no free window, although their site has no open window, fail after a second check', async () => {
    await wallet();
    const { inTurn } = await import('./permission-queue.ts');
    const { ServiceError } = await import('../../../protocol/errors/service-error.ts');
    let asked = 0;
    const ask = () => {
      asked += 1;
      return Promise.reject(new ServiceError('busy'));
    };
    await expect(inTurn(current, call(), ask)).rejects.toMatchObject({ code: 'busy' });
    expect(asked).toBe(2);
  });

  test('calls from a page that was closed open no window when their turn comes', async () => {
    const workerRun = await wallet();
    const [stays, goes] = [{}, {}];
    const first = need(workerRun, identity, { client: stays });
    await approvalOf(workerRun);
    const second = need(workerRun, basket('one'), { client: goes, userActivation: 'none' });
    await workerRun.modules.prompts.withdrawClient(current, goes);
    await decide(workerRun, 'permit');
    expect([await first, await second]).toEqual(['given', 'page-gone']);
    expect(opened(workerRun)).toBe(1);
  });

  test('two tabs share a window, and the window stays while one of the tabs is open', async () => {
    const workerRun = await wallet();
    const [one, other] = [{}, {}];
    void need(workerRun, identity, { client: one });
    const answer = need(workerRun, identity, { client: other });
    await approvalOf(workerRun);
    await vi.waitFor(async () =>
      expect(
        workerRun.modules.prompts.waitersOf(
          current,
          (await workerRun.modules.promptStore.openPrompts(current))[0] as { origin: string; message: string },
        ),
      ).toBe(2),
    );
    await workerRun.modules.prompts.withdrawClient(current, one);
    await decide(workerRun, 'permit');
    expect(await answer).toBe('given');
  });

  test('the window survives a stop of the worker even if the page repeats its calls in another order', async () => {
    const workerRun = await wallet();
    void need(workerRun, identity, { message: 'first' });
    const id = await approvalOf(workerRun);
    void need(workerRun, basket('one'), { message: 'second', userActivation: 'none' });
    await vi.waitFor(async () =>
      expect((await workerRun.modules.promptStore.openPrompts(current))[0]?.window.windowId).toEqual(
        expect.any(Number),
      ),
    );
    const next = await workerRun.profile.start();
    const second = need(next, basket('one'), { message: 'second', userActivation: 'none' });
    const first = need(next, identity, { message: 'first' });
    expect(await decide(next, 'permit')).toMatchObject({ permission: identity });
    expect(await decide(next, 'permit')).toMatchObject({ permission: basket('one') });
    expect([await first, await second]).toEqual(['given', 'given']);
    expect(approvals(next).map((window) => window.id)).not.toContain(id);
    expect(opened(next)).toBe(2);
  });
});

describe('a locked wallet', () => {
  const locked = async () => {
    const workerRun = await wallet();
    const answer = need(workerRun, identity);
    await decide(workerRun, 'permit');
    await answer;
    await workerRun.modules.vault.lock(current);
    return workerRun;
  };

  test('a locked wallet opens one window for all calls, and all continue once it is unlocked there', async () => {
    const workerRun = await locked();
    const waiting = [
      ...Array.from({ length: 30 }, () => needUnlocked(workerRun)),
      ...Array.from({ length: 30 }, () => need(workerRun, identity)),
    ];
    const id = await approvalOf(workerRun);
    expect(await view(workerRun, id)).toMatchObject({ kind: 'unlock', origin: ORIGIN, locked: true });
    await workerRun.modules.vault.unlock(current, PASSWORD);
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['given']));
    expect(opened(workerRun)).toBe(2);
    await vi.waitFor(() => expect(approvals(workerRun)).toEqual([]));
  });

  test('a locked wallet is unlocked in the window of a missing permission', async () => {
    const workerRun = await locked();
    const missing = need(workerRun, basket('one'));
    const id = await approvalOf(workerRun);
    const waiting = [needUnlocked(workerRun, { userActivation: 'none' }), need(workerRun, identity)];
    expect(await view(workerRun, id)).toMatchObject({ kind: 'permission', locked: true });
    await workerRun.modules.vault.unlock(current, PASSWORD);
    expect(await Promise.all(waiting)).toEqual(['given', 'given']);
    await decide(workerRun, 'permit');
    expect(await missing).toBe('given');
    expect(opened(workerRun)).toBe(2);
  });

  test('calls fail if the user leaves the wallet locked, and the next call fails immediately', async () => {
    const workerRun = await locked();
    const waiting = [needUnlocked(workerRun), need(workerRun, identity)];
    await decide(workerRun, 'refuse');
    expect(await Promise.all(waiting)).toEqual(['wallet-locked', 'wallet-locked']);
    expect(await needUnlocked(workerRun, { userActivation: 'active' })).toBe('wallet-locked');
    expect(opened(workerRun)).toBe(2);
    const again = needUnlocked(workerRun);
    await approvalOf(workerRun);
    await workerRun.modules.vault.unlock(current, PASSWORD);
    expect(await again).toBe('given');
  });

  test("a wallet unlocked while the worker was stopped doesn't prompt again, and its window closes", async () => {
    const workerRun = await locked();
    void needUnlocked(workerRun, { message: 'first' });
    await approvalOf(workerRun);
    await workerRun.modules.vault.unlock(current, PASSWORD);
    const next = await workerRun.profile.start();
    expect(await needUnlocked(next, { message: 'first' })).toBe('given');
    await vi.waitFor(() => expect(approvals(next)).toEqual([]));
    expect(opened(next)).toBe(2);
  });
});
