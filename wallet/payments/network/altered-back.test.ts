/**
 * Tests a payment that spends money mined under a different transaction ID, until a reorganization restores the first
 * ID.
 */
import { afterEach, expect, test, vi } from 'vitest';
import { addressScript } from '../../../protocol/bitcoin/address.ts';
import { serializeTransaction, type Transaction } from '../../../protocol/bitcoin/transaction.ts';
import { wallet } from '../../../testkit/wallet/current.ts';
import { startForking } from '../../../testkit/network/forking.ts';
import {
  approvalOf,
  ask,
  decide,
  openWallet,
  pay,
  paymentView,
  paymentWhere,
  someone,
  stored,
} from '../../../testkit/wallet/wallet.ts';
import { endAllWorkerRuns } from '../../../testkit/wallet/worker-run.ts';

afterEach(endAllWorkerRuns);

test('the user is warned before repeating a payment that a reorganization has made valid again', async () => {
  const network = await startForking(30);
  const run = await openWallet(network, []);
  const { receiveAddress } = await run.modules.overview.overview(wallet);
  const outputs = [{ satoshis: 60_000n, lockingScript: addressScript(receiveAddress, 'devnet') }];
  const transactionWith = (unlockingScript: Uint8Array): Transaction => ({
    version: 2,
    lockTime: 0,
    inputs: [{ txid: 'ab'.repeat(32), vout: 0, unlockingScript, sequence: 1 }],
    outputs,
  });
  const [bytes, altered] = [new Uint8Array(2), Uint8Array.of(0x51)].map((script) =>
    serializeTransaction(transactionWith(script)),
  );
  const incoming = network.take(bytes!);
  await run.modules.poll.refresh(wallet);
  const merchant = someone();
  const asking = ask(run, 'request-1', pay(merchant, 50_000));
  await decide(run, await approvalOf(run));
  await asking;
  for (const windowId of run.profile.browser.windows.keys()) run.profile.browser.closeWindow(windowId);
  const [payment] = (await stored(run)).payments;
  const now = vi.mocked(Date.now).getMockImplementation()!;
  let ahead = 0;
  vi.mocked(Date.now).mockImplementation(() => now() + ahead);
  const refreshUntil = async (isSo: (state: string) => boolean) => {
    for (;;) {
      ahead += 15 * 60_000;
      await run.modules.poll.refresh(wallet, { all: true });
      await run.modules.drive.processAll(wallet);
      if (isSo((await run.modules.transition.readPayment(wallet, payment!.id))!.state)) return;
    }
  };

  network.forget(incoming);
  network.forget(payment!.signed!.txid);
  const other = network.take(altered!);
  network.mine([other]);
  await refreshUntil((state) => state === 'failed');

  network.chain.cut(1);
  network.forget(other);
  network.take(bytes!);
  network.mine([incoming]);
  network.chain.grow(1);
  await network.faucet(receiveAddress, 55_000);
  await refreshUntil((state) => state !== 'failed');
  await paymentWhere(run, payment!.id, ({ state }) => state === 'broadcast' || state === 'settled');
  expect(network.known.has(payment!.signed!.txid)).toBe(true);
  const coin = (await stored(run)).coins.find(({ outpoint }) => outpoint === `${incoming}:0`);
  expect(coin).toMatchObject({ status: 'spent', paymentId: payment!.id });

  void ask(run, 'request-2', pay(merchant, 50_000));
  expect(await paymentView(run, await approvalOf(run))).toMatchObject({ mayPayTwice: true });
});
