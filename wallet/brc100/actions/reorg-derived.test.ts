/** Effects of reorganizations on payments to derived keys (BRC-29), which only the log can restore. */
import { PrivateKey, ProtoWallet } from '@bsv/sdk';
import { afterEach, expect, test, vi } from 'vitest';
import { p2pkhScript, writeAddress } from '../../../protocol/bitcoin/address.ts';
import { concatBytes, fromHex } from '../../../protocol/bitcoin/bytes.ts';
import { serializeTransaction, txidOf, type Transaction } from '../../../protocol/bitcoin/transaction.ts';
import { PAYMENT_PROTOCOL_ID } from '../../../protocol/messages/permission.ts';
import { called } from '../../../testkit/wallet/applications.ts';
import { wallet } from '../../../testkit/wallet/current.ts';
import { startForking } from '../../../testkit/network/forking.ts';
import { openWallet, paymentWhere, restoreWallet, stored, wordsOf } from '../../../testkit/wallet/wallet.ts';
import { endAllWorkerRuns, type WorkerRun } from '../../../testkit/wallet/worker-run.ts';
import { hash160 } from '../../keys/keys.ts';
import type { PaymentRecord } from '../../payments/record.ts';

afterEach(endAllWorkerRuns);

const SENDER = new PrivateKey(12_345);
const REMITTANCE = {
  derivationPrefix: 'cHJlZml4',
  derivationSuffix: 'c3VmZml4',
  senderIdentityKey: SENDER.toPublicKey().toString(),
};
const FINAL_DEPTH = 100;

async function lockedTo(run: WorkerRun): Promise<Uint8Array> {
  const { identity } = await run.modules.vault.publicKeys(wallet);
  const { publicKey } = await new ProtoWallet(SENDER).getPublicKey({
    protocolID: [...PAYMENT_PROTOCOL_ID],
    keyID: `${REMITTANCE.derivationPrefix} ${REMITTANCE.derivationSuffix}`,
    counterparty: identity,
  });
  return p2pkhScript(hash160(fromHex(publicKey)));
}

/** Starts a wallet that internalizes payments of 50,000 satoshis to a derived key, and sweeps them. */
async function swept(version = 2, count = 1) {
  const network = await startForking(30);
  const run = await openWallet(network, []);
  const lockingScript = await lockedTo(run);
  const transaction: Transaction = {
    version,
    lockTime: 0,
    inputs: [{ txid: 'ab'.repeat(32), vout: 0, unlockingScript: new Uint8Array(2), sequence: 1 }],
    outputs: Array.from({ length: count }, () => ({ satoshis: 50_000n, lockingScript })),
  };
  const bytes = serializeTransaction(transaction);
  const paid = network.take(bytes);
  await called(run, 'internalizeAction', {
    tx: [...fromHex('01010101'), ...fromHex(paid).reverse(), ...fromHex('0100beef'), 0, 1, ...bytes, 0],
    outputs: transaction.outputs.map((_, outputIndex) => ({
      outputIndex,
      protocol: 'wallet payment',
      paymentRemittance: REMITTANCE,
    })),
    description: 'what was sent',
    labels: ['inbox'],
  });
  const { id } = (await stored(run)).payments[0]!;
  const sweep = await paymentWhere(run, id, ({ state }) => state === 'settled');
  const unlockingScript = concatBytes(Uint8Array.of(0x51), new Uint8Array(2));
  const altered = serializeTransaction({
    ...transaction,
    inputs: transaction.inputs.map((one) => ({ ...one, unlockingScript })),
  });
  const now = vi.mocked(Date.now).getMockImplementation()!;
  let ahead = 0;
  vi.mocked(Date.now).mockImplementation(() => now() + ahead);
  const refresh = async (later = run) => {
    ahead += 15 * 60_000;
    await later.modules.poll.refresh(wallet, { all: true });
    await later.modules.drive.processAll(wallet);
    await later.modules.appSync.syncAppLog(wallet);
  };
  /** Refreshes until the network has a sweep of a transaction's output. @returns the sweep */
  const sweepOf = async (txid: string, vout = 0): Promise<PaymentRecord> => {
    for (;;) {
      await refresh();
      const { payments } = await stored(run);
      const found = payments.find((one) => one.signed?.inputs[0] === `${txid}:${vout}` && one.state === 'settled');
      if (found) return found;
    }
  };
  /** Replaces the last blocks by ones that contain the transaction, and drops another ID of it with that ID's sweep. */
  const replace = (blocks: number, transactionBytes: Uint8Array, gone: string, its: PaymentRecord) => {
    if (blocks > 0) network.chain.cut(blocks);
    network.forget(gone);
    network.forget(its.signed!.txid);
    network.judge = ({ inputs }) =>
      inputs.some(({ txid }) => txid === gone)
        ? { status: 462, body: { status: 462, title: 'missing inputs', detail: 'missing inputs' } }
        : null;
    const txid = network.take(transactionBytes);
    network.mine([txid]);
    network.chain.grow(blocks);
    return txid;
  };
  const balance = async () => (await run.modules.store.balance(wallet)).satoshis;
  const logged = async (txid = paid, vout = 0) =>
    (await (await run.modules.database.database(wallet)).get('appLog', `${txid}:${vout} payment`))?.entry.kind;
  return { network, run, sweep, bytes, paid, altered, refresh, sweepOf, replace, balance, logged };
}

/** Mines the sweep in block 30. */
async function confirmed(version?: number) {
  const one = await swept(version);
  one.network.mine();
  await one.refresh();
  await paymentWhere(one.run, one.sweep.id, ({ height }) => height !== null);
  return one;
}

test('a payment by derived key whose sweep was confirmed is swept again if a reorganization changes its ID', async () => {
  const { sweep, paid, altered, sweepOf, replace, balance, logged } = await confirmed();
  const txid = replace(1, altered, paid, sweep);
  const again = await sweepOf(txid);
  expect([await logged(), await logged(txid)]).toEqual(['payment-gone', 'wallet-payment']);
  expect(await balance()).toBe(50_000n - again.signed!.feeSatoshis);
});

test('a payment by derived key is restored although a reorganization has undone its confirmed sweep', async () => {
  const { network, run, sweep, paid, refresh } = await confirmed(1);
  const words = await wordsOf(run);
  // Not even the saved file knows about the reorganization.
  const { exportFile, importFile } = await import('../../app-backup/file.ts');
  const { file } = await exportFile(wallet);
  run.end();
  network.chain.cut(1);
  network.forget(sweep.signed!.txid);
  network.mine([paid]);
  const restored = await restoreWallet(network, words);
  await importFile(wallet, file);
  await refresh(restored);
  expect((await stored(restored)).payments).toMatchObject([{ sweep: true, signed: { inputs: [`${paid}:0`] } }]);
});

test('a payment by derived key is swept by a second browser if a reorganization undoes the first browser’s sweep', async () => {
  const { network, run, sweep, paid, refresh } = await confirmed(1);
  const words = await wordsOf(run);
  const { exportFile, importFile } = await import('../../app-backup/file.ts');
  const { file } = await exportFile(wallet);
  run.end();
  const second = await restoreWallet(network, words);
  await importFile(wallet, file);
  await refresh(second);
  const db = await second.modules.database.database(wallet);
  expect([await db.count('payments'), await db.countFromIndex('appLog', 'unapplied')]).toEqual([0, 0]);
  network.chain.cut(1);
  network.forget(sweep.signed!.txid);
  network.mine([paid]);
  network.chain.grow(1);
  await refresh(second);
  expect((await stored(second)).payments).toMatchObject([{ sweep: true, signed: { inputs: [`${paid}:0`] } }]);
});

test('the log entry of a payment by derived key ends once no reorganization can undo its sweep', async () => {
  const { network, refresh, logged } = await confirmed();
  network.chain.grow(FINAL_DEPTH / 2);
  await refresh();
  network.chain.grow(FINAL_DEPTH / 2 - 1);
  await refresh();
  await refresh();
  expect(await logged()).toBe('wallet-payment');
  network.chain.grow(1);
  await refresh();
  await refresh();
  expect(await logged()).toBe('payment-gone');
});

test('a payment by derived key is swept by its first sweep if a reorganization changes its ID back', async () => {
  const { run, sweep, bytes, paid, altered, refresh, sweepOf, replace, balance, logged } = await swept();
  const changed = replace(0, altered, paid, sweep);
  const second = await sweepOf(changed);
  replace(1, bytes, changed, second);
  expect((await sweepOf(paid)).id).toBe(sweep.id);
  await refresh();
  expect(await run.modules.transition.readPayment(wallet, second.id)).toMatchObject({ state: 'failed' });
  expect([await logged(), await logged(changed)]).toEqual(['wallet-payment', 'payment-gone']);
  const db = await run.modules.database.database(wallet);
  expect(await db.getAll('receipts')).toMatchObject([{ txid: paid, satoshis: 50_000n }]);
  expect(await db.countFromIndex('appLog', 'unapplied')).toBe(0);
  expect(await balance()).toBe(50_000n - sweep.signed!.feeSatoshis);
});

test('a payment by derived key that the index has not listed yet is kept if another one to the same key is mined', async () => {
  const network = await startForking(30);
  const run = await openWallet(network, []);
  const lockingScript = await lockedTo(run);
  const [first, second] = ['ab', 'cd'].map((of) =>
    serializeTransaction({
      version: 1,
      lockTime: 0,
      inputs: [{ txid: of.repeat(32), vout: 0, unlockingScript: new Uint8Array(2), sequence: 1 }],
      outputs: [{ satoshis: 50_000n, lockingScript }],
    }),
  ) as [Uint8Array, Uint8Array];
  const db = await run.modules.database.database(wallet);
  const key = `${txidOf(first)}:0`;
  await db.put('appLog', {
    key: `${key} payment`,
    entry: { kind: 'wallet-payment', outpoint: key, satoshis: '50000', ...REMITTANCE },
    version: 1,
    at: 1,
    unapplied: 1,
  } as never);
  const other = network.take(second);
  network.mine([other]);
  const address = writeAddress(lockingScript.slice(3, 23), 'devnet');
  network.instead.set(`/address/${address}/unconfirmed/history`, { body: { result: [] } });
  network.instead.set(`/address/${address}/confirmed/history`, { body: { result: [{ tx_hash: other, height: 30 }] } });
  const now = vi.mocked(Date.now).getMockImplementation()!;
  let ahead = 0;
  vi.mocked(Date.now).mockImplementation(() => now() + ahead);
  const refresh = async () => {
    ahead += 15 * 60_000;
    await run.modules.poll.refresh(wallet, { all: true });
    await run.modules.drive.processAll(wallet);
    await run.modules.appSync.syncAppLog(wallet);
  };
  await refresh();
  await refresh();
  // Now the index lists the first payment.
  network.take(first);
  for (let i = 0; i < 3; i += 1) await refresh();
  const { payments } = await stored(run);
  const inputs = payments.flatMap(({ signed }) => signed?.inputs ?? []);
  expect(inputs).toContain(`${other}:0`);
  expect(inputs).toContain(key);
});

test('a payment is swept again if another wallet swept only the other payment of their transaction', async () => {
  const { network, sweep, paid, refresh, sweepOf, balance, logged } = await swept(1, 2);
  network.forget(sweep.signed!.txid);
  network.mine([
    network.take(
      serializeTransaction({
        version: 1,
        lockTime: 0,
        inputs: [{ txid: paid, vout: 0, unlockingScript: new Uint8Array(2), sequence: 1 }],
        outputs: [{ satoshis: 49_000n, lockingScript: p2pkhScript(new Uint8Array(20)) }],
      }),
    ),
  ]);
  const again = await sweepOf(paid, 1);
  expect(again.signed!.inputs).toEqual([`${paid}:1`]);
  expect(await balance()).toBe(50_000n - again.signed!.feeSatoshis);
  network.chain.grow(FINAL_DEPTH + 1);
  while ((await logged()) !== 'payment-gone') await refresh();
  expect(await logged(paid, 1)).toBe('wallet-payment');
});
