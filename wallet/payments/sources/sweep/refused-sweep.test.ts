/** Tests a sweep of coins that another wallet with the same recovery words has already moved. */
import { afterEach, test } from 'vitest';
import { startForking } from '../../../../testkit/network/forking.ts';
import { approveAll, ask, openWallet, pay, paymentWhere, someone, stored } from '../../../../testkit/wallet/wallet.ts';
import { endAllWorkerRuns } from '../../../../testkit/wallet/worker-run.ts';
import { wallet } from '../../../../testkit/wallet/current.ts';

afterEach(endAllWorkerRuns);

test('a rejected sweep ends once a block contains the conflicting transaction, although operators only reject the sweep', async () => {
  const network = await startForking(30);
  const workerRun = await openWallet(network, [50_000]);
  network.mine();
  await workerRun.modules.poll.refresh(wallet);
  approveAll(workerRun);
  network.judge = () => ({ status: 461, body: { status: 461, title: 'Malformed transaction', detail: 'refused' } });
  await ask(workerRun, 'request-1', pay(someone(), 20_000));
  const [payment] = (await stored(workerRun)).payments;
  const db = await workerRun.modules.database.database(wallet);
  await db.put('payments', { ...(payment as NonNullable<typeof payment>), sweep: true });
  network.mine([network.spend(payment?.signed?.inputs[0] as string)]);
  await workerRun.modules.drive.processAll(wallet);
  await paymentWhere(workerRun, payment?.id ?? '', ({ state }) => state === 'failed');
});
