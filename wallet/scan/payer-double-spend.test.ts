/** Tests the balance after a payer has replaced an unmined payment to the wallet with another one to the wallet. */
import { afterEach, expect, test, vi } from 'vitest';
import { addressScript } from '../../protocol/bitcoin/address.ts';
import { serializeTransaction } from '../../protocol/bitcoin/transaction.ts';
import { startForking } from '../../testkit/network/forking.ts';
import { holdTime } from '../../testkit/wallet/clock.ts';
import { wallet } from '../../testkit/wallet/current.ts';
import { ask, give, openWallet, pay, paymentWhere, someone, stored } from '../../testkit/wallet/wallet.ts';
import { endAllWorkerRuns } from '../../testkit/wallet/worker-run.ts';

afterEach(endAllWorkerRuns);

/** Starts a wallet that has received 1,000 satoshis. Each payment of the payer spends the same coin. */
async function paid() {
  const network = await startForking(30);
  const run = await openWallet(network, []);
  const { modules } = run;
  const { receiveAddress } = await modules.overview.overview(wallet);
  const payAgain = (satoshis: bigint, from = 'ab'.repeat(32), vout = 0) =>
    network.take(
      serializeTransaction({
        version: 1,
        lockTime: 0,
        inputs: [{ txid: from, vout, unlockingScript: new Uint8Array(2), sequence: 1 }],
        outputs: [
          { satoshis, lockingScript: addressScript(receiveAddress, 'devnet') },
          { satoshis: 5_000n, lockingScript: addressScript(someone(), 'devnet') },
        ],
      }),
    );
  const first = payAgain(1_000n);
  const refresh = async () => {
    await modules.poll.refresh(wallet, { all: true });
    return (await modules.store.balance(wallet)).satoshis;
  };
  expect(await refresh()).toBe(1_000n);
  return { run, network, first, payAgain, refresh };
}

test('only the listed one of two payments that spend the same coin counts', async () => {
  const { network, first, payAgain, refresh } = await paid();
  network.forget(first);
  const second = payAgain(2_000n);
  expect(await refresh()).toBe(2_000n);
  network.forget(second);
  payAgain(1_000n);
  expect(await refresh()).toBe(1_000n);
});

test('an operator that still has the replaced payment keeps it in the balance, because the index could have invented the other', async () => {
  const { network, first, payAgain, refresh } = await paid();
  network.forget(first);
  network.arcSays.set(first, 'SEEN_ON_NETWORK');
  payAgain(2_000n);
  expect(await refresh()).toBe(3_000n);
});

test('an operator is not asked at each refresh about a replaced payment that it still has', async () => {
  const { network, first, payAgain, refresh } = await paid();
  network.forget(first);
  network.arcSays.set(first, 'SEEN_ON_NETWORK');
  payAgain(2_000n);
  holdTime(); // the next check is due after nine minutes
  for (let i = 0; i < 5; i += 1) await refresh();
  expect(network.asked.filter(({ url }) => url === `/arc/v1/tx/${first}`)).toHaveLength(1);
});

test('a replaced payment is dropped at the first check that misses it, although the wallet has spent its replacement', async () => {
  const { run, network, first, payAgain, refresh } = await paid();
  network.forget(first);
  network.arcSays.set(first, 'SEEN_ON_NETWORK');
  payAgain(2_000n);
  expect(await refresh()).toBe(3_000n);
  network.arcSays.delete(first);
  await give(run, { currency: 'BSV', limit: 1_000_000n });
  await ask(run, 'request-1', pay(someone(), 1_500), { automatic: true });
  const { inputs, feeSatoshis } = (await stored(run)).payments[0]!.signed!;
  expect(inputs).toHaveLength(1);
  const now = vi.mocked(Date.now).getMockImplementation()!;
  vi.mocked(Date.now).mockImplementation(() => now() + 600_000);
  expect(await refresh()).toBe(500n - feeSatoshis);
});

test.each([0, 1])(
  'a payment ends once a block contains a double spend of the money that it spends, through %i more transactions',
  async (more) => {
    const { run, network, first, payAgain, refresh } = await paid();
    let last = first;
    for (let i = 0; i < more; i += 1) last = payAgain(1_000n, last, 1);
    await refresh();
    await give(run, { currency: 'BSV', limit: 1_000_000n });
    await ask(run, 'request-1', pay(someone(), 600 + 1_000 * more), { automatic: true });
    const [payment] = (await stored(run)).payments;
    for (const txid of [first, last, payment!.signed!.txid]) network.forget(txid);
    network.judge = ({ inputs }) =>
      inputs.some(({ txid }) => txid === last)
        ? { status: 462, body: { status: 462, title: 'missing inputs', detail: 'missing inputs' } }
        : null;
    const rival = payAgain(2_000n);
    await refresh();
    await run.modules.drive.processAll(wallet);
    const db = await run.modules.database.database(wallet);
    expect(await db.get('receipts', last)).toMatchObject({ failed: 'dropped' });
    // The index then lists neither transaction.
    network.spend(`${rival}:0`);
    network.mine();
    await refresh();
    expect(await paymentWhere(run, payment!.id, ({ state }) => state === 'failed')).toMatchObject({
      error: { code: 'network-rejected' },
    });
  },
);
