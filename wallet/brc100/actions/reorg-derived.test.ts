/** Effects of reorganizations on payments to derived keys (BRC-29), which only the log can restore. */
import { afterEach, expect, test } from 'vitest';
import { wallet } from '../../../testkit/wallet/current.ts';
import { paymentWhere, restoreWallet, stored, wordsOf } from '../../../testkit/wallet/wallet.ts';
import { endAllWorkerRuns } from '../../../testkit/wallet/worker-run.ts';
import { FINAL_DEPTH, swept } from './testing-derived.ts';

afterEach(endAllWorkerRuns);

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
  // The saved file doesn't record the reorganization either.
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

test('the log entry of a payment to a derived key is retired once no reorganization can undo its sweep', async () => {
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
