/** Money that came in at the address of a payment, and what the account's service says of it. */
import { beforeEach, expect, test } from 'vitest';
import type { ActivityItem } from '../../../protocol/wallet-messages.ts';
import { useNetwork } from '../testing/network.ts';
import { approveAll, ask, openWallet, pay, someone } from '../testing/wallet.ts';
import type { WorkerRun } from '../testing/worker-run.ts';

const network = useNetwork();
const OTHER = '2f0e1f6a-64a5-4a8e-9c0d-0a8c2b7c1d11';

let workerRun: WorkerRun;
/** The payment, and the transaction that came in at its address. */
let given: { paymentId: string; txid: string };
beforeEach(async () => {
  workerRun = await openWallet(network, [1_000_000], { account: true });
  approveAll(workerRun);
  const { id } = (await ask(workerRun, 'request-1', pay(someone(), 20_000))) as { id: string };
  const db = await workerRun.modules.database.database();
  const { signed } = (await db.get('payments', id))!;
  const coin = (await db.get('coins', signed!.inputs[0]!))!;
  const { address } = (await db.get('addresses', coin.script))!;
  given = { paymentId: id, txid: await network.faucet(address, 5_000) };
  await workerRun.modules.poll.refresh();
});

const row = async () =>
  (
    (await workerRun.modules.handlers.walletHandlers['activity/list']({ limit: 10 })) as { items: ActivityItem[] }
  ).items.find(({ txid }) => txid === given.txid)!;

test('a refund that the service knows is one: the wallet asks once there may be one', async () => {
  expect((await row()).refundOf).toEqual({ id: given.paymentId, origin: expect.any(String), to: expect.any(String) });
  network.refunds = [{ ...given, satoshis: '5000' }];
  const { receive } = await import('./fetch.ts');
  await receive();
  expect((await row()).refundOf).toMatchObject({ id: given.paymentId, isConfirmed: true });
  const details = await workerRun.modules.handlers.walletHandlers['activity/read']({ id: given.paymentId });
  expect(details).toMatchObject({ refunds: [{ txid: given.txid, isConfirmed: true }] });
});

test.each<[string, () => void]>([
  ['knows of none', () => (network.refunds = [])],
  [
    'names a payment that this wallet did not make',
    () => (network.refunds = [{ ...given, paymentId: OTHER, satoshis: '5' }]),
  ],
  ['names another transaction', () => (network.refunds = [{ ...given, txid: 'ab'.repeat(32), satoshis: '5' }])],
  ['answers nonsense', () => (network.refunds = [{ ...given, satoshis: '-5' }])],
  ['is down', () => void network.down.add('service')],
])('what came in stays a guess where the service %s', async (_, set) => {
  set();
  const { receive } = await import('./fetch.ts');
  await receive();
  const { refundOf } = await row();
  expect(refundOf).toMatchObject({ id: given.paymentId });
  expect(refundOf).not.toHaveProperty('isConfirmed');
});
