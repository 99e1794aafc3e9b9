/** Tests that a late response from one service isn't attributed to another. */
import { expect, test } from 'vitest';
import { STORES } from '../store/schema.ts';
import { codeOf } from '../../testing/code-of.ts';
import type { WorkerRun } from '../../testkit/wallet/worker-run.ts';
import { useNetwork } from '../../testkit/network/network.ts';
import { openWallet, PASSWORD } from '../../testkit/wallet/wallet.ts';
import { wallet } from '../../testkit/wallet/current.ts';

const network = useNetwork();

const call = (workerRun: WorkerRun) => workerRun.modules.handlers.walletHandlers(wallet);
const accountOf = (workerRun: WorkerRun) => workerRun.modules.database.readKey(wallet, 'account');

/** Signs in to a service that responds only after `meanwhile` has run. */
async function signInSlowly(workerRun: WorkerRun, meanwhile: () => Promise<unknown>): Promise<unknown> {
  let asked = false;
  network.before = async (url) => {
    if (url !== '/api/v2/sign-in' || asked) return;
    asked = true;
    await meanwhile();
  };
  return codeOf(call(workerRun)['account/sign-in']({}));
}

test('an account is stored', async () => {
  const workerRun = await openWallet(network, []);
  expect(await signInSlowly(workerRun, async () => undefined)).toBe('none');
  expect(await accountOf(workerRun)).toMatchObject({ paymail: 'alice@localhost' });
});

test('the account of a service that was replaced before it responded is never assigned to the next service', async () => {
  const workerRun = await openWallet(network, [], { account: true });
  const serviceUrl = network.url.replace('127.0.0.1', 'localhost');
  expect(await signInSlowly(workerRun, () => call(workerRun)['settings/change']({ serviceUrl }))).toBe(
    'service-unavailable',
  );
  expect((await call(workerRun)['settings/read']({})).serviceUrl).toBe(serviceUrl);
  expect(await accountOf(workerRun)).toBeUndefined();
});

test('a wallet that switched to having no account in the meantime gets none, until one is requested again', async () => {
  const workerRun = await openWallet(network, [], { account: true });
  expect(await signInSlowly(workerRun, () => call(workerRun)['settings/change']({ noAccount: true }))).toBe(
    'service-unavailable',
  );
  expect(await accountOf(workerRun)).toBeUndefined();
  expect((await call(workerRun)['settings/read']({})).noAccount).toBe(true);
  await call(workerRun)['account/sign-in']({});
  expect(await accountOf(workerRun)).toMatchObject({ paymail: 'alice@localhost' });
  expect((await call(workerRun)['settings/read']({})).noAccount).toBe(false);
});

test('the account of a wallet that was removed in the meantime is not assigned to the next wallet', async () => {
  const workerRun = await openWallet(network, []);
  await signInSlowly(workerRun, async () => {
    // Simulates a removal during the last sign-in request, which was sent just before the network was turned off.
    const { words } = await call(workerRun)['vault/generate-words']({});
    const db = await workerRun.modules.database.database(wallet);
    for (const store of STORES) await db.clear(store);
    await call(workerRun)['vault/create']({ words, password: PASSWORD, restored: false });
  });
  expect(await accountOf(workerRun)).toBeUndefined();
});

test('connected applications are listed and removed at the account’s service, and an invalid response is rejected', async () => {
  const workerRun = await openWallet(network, [], { account: true });
  const connection = {
    id: '5b0f8f52-6c1e-4f7e-9d55-0a2f6f1c9a10',
    name: 'Roses',
    url: 'https://roses.example',
    since: '2026-11-20T10:00:00.000Z',
    scopes: ['auth.user_identity:read'],
  };
  network.connections = [connection];
  expect(await call(workerRun)['connections/list']({})).toEqual({ connections: [connection] });
  await call(workerRun)['connections/remove']({ id: connection.id });
  expect(await call(workerRun)['connections/list']({})).toEqual({ connections: [] });
  network.connections = [{ ...connection, id: '../payments' }];
  expect(await codeOf(call(workerRun)['connections/list']({}))).toBe('service-unavailable');
});

test.each(['noAccount', 'serviceUrl'] as const)(
  'work in the background that began before the user left the account never signs in again (%s)',
  async (left) => {
    const workerRun = await openWallet(network, [70_000], { account: true });
    const { publishBalance } = await import('./publish-balance.ts');
    network.balanceWanted = true;
    let isLeft = false;
    network.before = async (url) => {
      if (url !== '/api/v2/me/balance-wanted' || isLeft) return;
      isLeft = true;
      const serviceUrl = network.url.replace('127.0.0.1', 'localhost');
      await call(workerRun)['settings/change'](left === 'noAccount' ? { noAccount: true } : { serviceUrl });
    };
    await publishBalance(wallet, async () => []);
    expect(isLeft).toBe(true);
    expect(network.balances).toEqual([]);
    expect(await accountOf(workerRun)).toBeUndefined();
    expect((await call(workerRun)['settings/read']({})).noAccount).toBe(left === 'noAccount');
  },
);
