/** What the service is told of the balance: only what is wanted, only while unlocked, and no more often than needed. */
import { BSM, PublicKey, Signature, Utils } from '@bsv/sdk';
import { expect, test, vi } from 'vitest';
import type { BalancePublication } from '../../../protocol/api-v2.ts';
import { balanceMessage } from '../../../protocol/balance-message.ts';
import type { WorkerRun } from '../testing/worker-run.ts';
import { useNetwork } from '../testing/network.ts';
import { openWallet, PASSWORD } from '../testing/wallet.ts';

const network = useNetwork();

/** The module of the current run. */
const publish = async () => (await import('./publish-balance.ts')).publishBalance();
const published = () => network.balances as BalancePublication[];
/** Stops the wallet's clock at so long from now (milliseconds). */
function clock(later: number): void {
  const at = Date.now() + later;
  vi.spyOn(Date, 'now').mockImplementation(() => at);
}
async function receive(workerRun: WorkerRun, satoshis: number): Promise<void> {
  const { receiveAddress } = await workerRun.modules.overview.overview();
  await network.faucet(receiveAddress, satoshis);
  await workerRun.modules.poll.refresh();
}

test('a wanted balance is published, signed for this service and this account', async () => {
  const workerRun = await openWallet(network, [70_000, 30_000], { account: true });
  network.balanceWanted = true;
  await publish();
  const [said] = published();
  expect(said).toMatchObject({ satoshis: '100000' });
  const { satoshis, time, signature } = said as BalancePublication;
  const message = balanceMessage({ origin: network.url, userId: '75101', satoshis, time });
  const { identity } = await workerRun.modules.vault.publicKeys();
  expect(
    BSM.verify(
      Utils.toArray(message, 'utf8'),
      Signature.fromCompact(signature, 'base64'),
      PublicKey.fromString(identity),
    ),
  ).toBe(true);
  expect(new Date(time).toISOString()).toBe(time);
});

test('nothing is published if nobody may read it', async () => {
  await openWallet(network, [70_000], { account: true });
  await publish();
  expect([network.balanceAsked, published()]).toEqual([1, []]);
});

test('the service is not even asked without an account, or while the wallet is locked', async () => {
  network.balanceWanted = true;
  await openWallet(network, [70_000]);
  await publish();
  const workerRun = await openWallet(network, [70_000], { account: true });
  await workerRun.modules.vault.lock(); // the token of before is still there
  await publish();
  expect([network.balanceAsked, published()]).toEqual([0, []]);
  await workerRun.modules.vault.unlock(PASSWORD);
  await publish();
  expect(published()).toHaveLength(1);
});

test('it is published once a minute, or when it changes', async () => {
  const workerRun = await openWallet(network, [70_000], { account: true });
  network.balanceWanted = true;
  clock(0);
  await Promise.all([publish(), publish(), publish()]);
  await publish();
  clock(59_999);
  await publish();
  expect([network.balanceAsked, published().length]).toEqual([1, 1]);
  clock(1);
  await publish();
  expect([network.balanceAsked, published().length]).toEqual([2, 2]);
  await receive(workerRun, 5_000);
  await publish();
  expect(published().map(({ satoshis }) => satoshis)).toEqual(['70000', '70000', '75000']);
});

test('a service that does not answer changes nothing, and is asked again', async () => {
  await openWallet(network, [70_000], { account: true });
  network.balanceWanted = true;
  network.down.add('service');
  await publish();
  expect(published()).toEqual([]);
  network.down.clear();
  await publish();
  expect(published()).toHaveLength(1);
});

test('a refresh of the popup publishes', async () => {
  const workerRun = await openWallet(network, [70_000], { account: true });
  network.balanceWanted = true;
  await workerRun.modules.handlers.walletHandlers['wallet/refresh']({});
  await vi.waitFor(() => expect(published()).toHaveLength(1));
});
