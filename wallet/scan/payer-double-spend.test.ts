/** Tests the balance after a payer has replaced an unmined payment to the wallet with another one to the wallet. */
import { afterEach, expect, test } from 'vitest';
import { addressScript } from '../../protocol/bitcoin/address.ts';
import { serializeTransaction } from '../../protocol/bitcoin/transaction.ts';
import { startForking } from '../../testkit/network/forking.ts';
import { holdTime } from '../../testkit/wallet/clock.ts';
import { wallet } from '../../testkit/wallet/current.ts';
import { openWallet } from '../../testkit/wallet/wallet.ts';
import { endAllWorkerRuns } from '../../testkit/wallet/worker-run.ts';

afterEach(endAllWorkerRuns);

/** Starts a wallet that has received 1,000 satoshis. Each payment of the payer spends the same coin. */
async function paid() {
  const network = await startForking(30);
  const { modules } = await openWallet(network, []);
  const { receiveAddress } = await modules.overview.overview(wallet);
  const pay = (satoshis: bigint) =>
    network.take(
      serializeTransaction({
        version: 1,
        lockTime: 0,
        inputs: [{ txid: 'ab'.repeat(32), vout: 0, unlockingScript: new Uint8Array(2), sequence: 1 }],
        outputs: [{ satoshis, lockingScript: addressScript(receiveAddress, 'devnet') }],
      }),
    );
  const first = pay(1_000n);
  const refresh = async () => {
    await modules.poll.refresh(wallet, { all: true });
    return (await modules.store.balance(wallet)).satoshis;
  };
  expect(await refresh()).toBe(1_000n);
  return { network, first, pay, refresh };
}

test('only the listed one of two payments that spend the same coin counts', async () => {
  const { network, first, pay, refresh } = await paid();
  network.forget(first);
  const second = pay(2_000n);
  expect(await refresh()).toBe(2_000n);
  network.forget(second);
  pay(1_000n);
  expect(await refresh()).toBe(1_000n);
});

test('an operator that still has the replaced payment keeps it in the balance, because the index could have invented the other', async () => {
  const { network, first, pay, refresh } = await paid();
  network.forget(first);
  network.arcSays.set(first, 'SEEN_ON_NETWORK');
  pay(2_000n);
  expect(await refresh()).toBe(3_000n);
});

test('an operator is not asked at each refresh about a replaced payment that it still has', async () => {
  const { network, first, pay, refresh } = await paid();
  network.forget(first);
  network.arcSays.set(first, 'SEEN_ON_NETWORK');
  pay(2_000n);
  holdTime(); // the next check is due after nine minutes
  for (let i = 0; i < 5; i += 1) await refresh();
  expect(network.asked.filter(({ url }) => url === `/arc/v1/tx/${first}`)).toHaveLength(1);
});
