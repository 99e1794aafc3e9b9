/** Tests sweeps that operators reject. */
import { afterEach, expect, test } from 'vitest';
import { fromHex } from '../../../../protocol/bitcoin/bytes.ts';
import { serializeTransaction, type Transaction } from '../../../../protocol/bitcoin/transaction.ts';
import { startForking } from '../../../../testkit/network/forking.ts';
import { called } from '../../../../testkit/wallet/applications.ts';
import { approveAll, ask, openWallet, pay, paymentWhere, someone, stored } from '../../../../testkit/wallet/wallet.ts';
import { endAllWorkerRuns } from '../../../../testkit/wallet/worker-run.ts';
import { wallet } from '../../../../testkit/wallet/current.ts';
import { lockedTo, REMITTANCE } from '../../../brc100/actions/testing-derived.ts';

afterEach(endAllWorkerRuns);

test('a rejected sweep of coins that another wallet has moved ends once a block contains the conflicting transaction, although operators only reject the sweep', async () => {
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

test.each([0, 1])(
  'a sweep pays enough for nodes if its operator reports a fee of %s satoshis per kilobyte',
  async (fee) => {
    const network = await startForking(30);
    network.fee = fee;
    const workerRun = await openWallet(network, []);
    const transaction: Transaction = {
      version: 1,
      lockTime: 0,
      inputs: [{ txid: 'ab'.repeat(32), vout: 0, unlockingScript: new Uint8Array(2), sequence: 1 }],
      outputs: [{ satoshis: 50_000n, lockingScript: await lockedTo(workerRun) }],
    };
    const bytes = serializeTransaction(transaction);
    const paid = network.take(bytes);
    network.judge = (sweep) => {
      const { length } = serializeTransaction(sweep);
      const left = sweep.outputs.reduce((sum, { satoshis }) => sum - satoshis, 50_000n);
      return Number(left) * 1000 >= length * 100
        ? null
        : { status: 465, body: { status: 465, title: 'Fee too low', detail: 'refused' } };
    };
    await called(workerRun, 'internalizeAction', {
      tx: [...fromHex('01010101'), ...fromHex(paid).reverse(), ...fromHex('0100beef'), 0, 1, ...bytes, 0],
      outputs: [{ outputIndex: 0, protocol: 'wallet payment', paymentRemittance: REMITTANCE }],
      description: 'what was sent',
      labels: ['inbox'],
    });
    const [sweep] = (await stored(workerRun)).payments;
    const { trouble } = await paymentWhere(
      workerRun,
      sweep?.id ?? '',
      (record) => record.trouble !== null || record.state === 'settled',
    );
    expect(trouble).toBeNull();
  },
);
