/** Tests that payments made without an account are reported once an account exists. */
import { expect, test } from 'vitest';
import type { WorkerRun } from '../../../testkit/wallet/worker-run.ts';
import { useNetwork } from '../../../testkit/network/network.ts';
import { ask, give, openWallet, pay, paymentWhere } from '../../../testkit/wallet/wallet.ts';
import type { Payment } from '../../../protocol/payments/payment.ts';
import { wallet } from '../../../testkit/wallet/current.ts';

const network = useNetwork();

const call = (workerRun: WorkerRun) => workerRun.modules.handlers.walletHandlers(wallet);

/** Opens a wallet without an account, with a payment whose report waits for one. */
async function paidWithoutAccount(): Promise<{ workerRun: WorkerRun; id: string }> {
  const workerRun = await openWallet(network, [1_000_000]);
  await give(workerRun, { currency: 'BSV', limit: 100_000_000n });
  const { receiveAddress } = await call(workerRun)['wallet/overview']({});
  const { id } = (await ask(workerRun, 'request-1', pay(receiveAddress, 3000), { automatic: true })) as Payment;
  await paymentWhere(workerRun, id, ({ state, report }) => state === 'broadcast' && report.state === 'waiting');
  expect(network.reports.has(id)).toBe(false);
  return { workerRun, id };
}

/** Returns the service's URL with a different hostname for this machine. */
const otherUrl = () => network.url.replace('127.0.0.1', 'localhost');

test.each<[string, (workerRun: WorkerRun) => Promise<unknown>]>([
  ['registering, in onboarding or later', (run) => call(run)['account/register']({ handle: 'alice', name: '' })],
  ['signing in, as after a restore', (run) => call(run)['account/sign-in']({})],
  [
    'taking another service and registering there',
    async (run) => {
      await call(run)['settings/change']({ serviceUrl: otherUrl() });
      await call(run)['account/register']({ handle: 'alice', name: '' });
    },
  ],
  [
    'taking another service where there is an account already',
    async (run) => {
      await call(run)['settings/change']({ serviceUrl: otherUrl() });
      await call(run)['account/sign-in']({});
    },
  ],
])('waiting payments are reported immediately after %s', async (_, gain) => {
  const { workerRun, id } = await paidWithoutAccount();
  await gain(workerRun);
  await paymentWhere(workerRun, id, ({ report }) => report.state === 'done');
  expect(network.reports.has(id)).toBe(true);
});

test('waiting payments are reported by the next worker if the worker stops as soon as the account is stored', async () => {
  const { workerRun, id } = await paidWithoutAccount();
  await workerRun.modules.client.registerAccount(wallet, 'alice', 'Alice');
  workerRun.end();
  const next = await workerRun.profile.start();
  await paymentWhere(next, id, ({ report }) => report.state === 'done');
  expect(network.reports.has(id)).toBe(true);
});

test.each(['as it is', 'as earlier versions stored it'])(
  'a mined payment that only waits for an account is not read as unfinished work (stored %s)',
  async (how) => {
    const { workerRun, id } = await paidWithoutAccount();
    await network.mine();
    const left = await paymentWhere(workerRun, id, ({ height }) => height !== null);
    const { database, drive } = workerRun.modules;
    const db = await database.database(wallet);
    if (how !== 'as it is') await db.put('payments', { ...left, unfinished: 1 });
    await drive.processAll(wallet);
    expect(await db.getAllFromIndex('payments', 'unfinished', 1)).toEqual([]);
    workerRun.end();

    const next = await workerRun.profile.start();
    await call(next)['account/register']({ handle: 'alice', name: '' });
    expect(await paymentWhere(next, id, ({ report }) => report.state === 'done')).toMatchObject({ unfinished: 0 });
    expect(network.reports.has(id)).toBe(true);
  },
);
