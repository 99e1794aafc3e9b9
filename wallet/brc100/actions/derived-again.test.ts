/** Payments to derived keys (BRC-29) that must, or must not, be swept again. */
import { afterEach, expect, test, vi } from 'vitest';
import { writeAddress } from '../../../protocol/bitcoin/address.ts';
import { toHex } from '../../../protocol/bitcoin/bytes.ts';
import { serializeTransaction, txidOf } from '../../../protocol/bitcoin/transaction.ts';
import { startForking } from '../../../testkit/network/forking.ts';
import { wallet } from '../../../testkit/wallet/current.ts';
import { openWallet, stored } from '../../../testkit/wallet/wallet.ts';
import { endAllWorkerRuns } from '../../../testkit/wallet/worker-run.ts';
import type { PaymentRecord } from '../../payments/record.ts';
import { FINAL_DEPTH, lockedTo, REMITTANCE, swept } from './testing-derived.ts';

afterEach(endAllWorkerRuns);

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
  const { network, sweep, paid, refresh, sweepOf, spendElsewhere, received, balance, logged } = await swept(1, 2);
  network.forget(sweep.signed!.txid);
  spendElsewhere(paid, 0);
  const again = await sweepOf(paid, 1);
  expect(again.signed!.inputs).toEqual([`${paid}:1`]);
  expect(await balance()).toBe(50_000n - again.signed!.feeSatoshis);
  expect(await received()).toEqual([100_000n]);
  network.chain.grow(FINAL_DEPTH + 1);
  while ((await logged()) !== 'payment-gone') await refresh();
  expect(await logged(paid, 1)).toBe('wallet-payment');
});

test('a payment is received once if its transaction’s ID changes before the transaction’s other payment is swept', async () => {
  const { network, run, sweep, paid, altered, sweepOf, received } = await swept(2, 2, 1);
  const db = await run.modules.database.database(wallet);
  // Simulates a restored log in which the second payment's lookup failed.
  await db.put('appLog', {
    key: `${paid}:1 payment`,
    entry: { kind: 'wallet-payment', outpoint: `${paid}:1`, satoshis: '50000', ...REMITTANCE },
    version: 1,
    at: 1,
    unapplied: Date.now() + 24 * 3600_000,
  } as never);
  network.forget(sweep.signed!.txid);
  network.forget(paid);
  const txid = network.take(altered);
  network.mine([txid]);
  await sweepOf(txid, 0);
  await sweepOf(txid, 1);
  expect(await received()).toEqual([100_000n]);
});

test('a sweep of many payments is read only once when their log entries are retired', async () => {
  const { run } = await swept(1, 50);
  const { endSwept } = await import('../../payments/network/swept.ts');
  const read = [vi.spyOn(IDBObjectStore.prototype, 'get'), vi.spyOn(IDBIndex.prototype, 'getAll')];
  await run.modules.database.inTransaction(wallet, (tx) => endSwept(wallet, tx));
  const count = read.reduce((sum, spy) => sum + spy.mock.calls.length, 0);
  expect(count).toBeGreaterThan(0);
  expect(count).toBeLessThan(10);
});

test.each([
  ['is mined', ({ network, sweep }: Awaited<ReturnType<typeof swept>>) => network.mine([sweep.signed!.txid])],
  [
    'is double-spent',
    ({ network, sweep, paid, spendElsewhere }) => {
      network.forget(sweep.signed!.txid);
      spendElsewhere(paid, 0);
    },
  ],
  [
    'loses its inputs to a changed ID',
    ({ network, sweep, paid, altered }) => {
      network.forget(sweep.signed!.txid);
      network.forget(paid);
      network.mine([network.take(altered)]);
    },
  ],
])('the record of a sweep of many payments is read only a few times when it %s', async (_, happen) => {
  const run = await swept(2, 60);
  happen(run);
  const spies = [
    vi.spyOn(IDBObjectStore.prototype, 'get'),
    vi.spyOn(IDBIndex.prototype, 'get'),
    vi.spyOn(IDBIndex.prototype, 'getAll'),
  ];
  await run.refresh();
  await run.refresh();
  const results = await Promise.all(spies.flatMap(({ mock }) => mock.results.map(({ value }) => value as unknown)));
  const isSweep = (one: unknown) => (one as Partial<PaymentRecord> | undefined)?.signed?.inputs.length === 60;
  const reads = results.flat().filter(isSweep);
  expect(reads.length).toBeGreaterThan(0);
  expect(reads.length).toBeLessThan(20);
});

test('lookups of payments that a block has double-spent become rarer', async () => {
  const { network, paid, refresh, doubleSpend } = await swept(1, 20);
  doubleSpend();
  const rounds: number[] = [];
  for (let i = 0; i < 10; i += 1) {
    const before = network.asked.length;
    await refresh();
    rounds.push(network.asked.slice(before).filter(({ url }) => url.includes(paid)).length);
  }
  expect(rounds.slice(5).reduce((sum, count) => sum + count)).toBeLessThan(20);
});

test('a payment that a block has double-spent is not swept again although the index still serves it', async () => {
  const { network, run, paid, bytes, refresh, doubleSpend, received } = await swept(1);
  doubleSpend();
  network.instead.set(`/tx/${paid}/hex`, { body: toHex(bytes) });
  const db = await run.modules.database.database(wallet);
  const { markSeen } = await import('../../coins/addresses/records.ts');
  for (let i = 0; i < 4; i += 1) {
    await refresh();
    // Marks the next change address as used, as a payment by the user would. The next sweep would then have a different
    // ID.
    const free = (await db.getAll('addresses'))
      .filter(({ chain, used }) => chain === 'change' && !used)
      .sort((a, b) => a.index - b.index)[0]!;
    await run.modules.database.inTransaction(wallet, (tx) => markSeen(wallet, tx, free.script));
  }
  expect([await received(), await db.count('payments')]).toEqual([[50_000n], 1]);
});

test('a payment mined under another ID is found although others have often paid its address', async () => {
  const network = await startForking(30);
  const run = await openWallet(network, []);
  const lockingScript = await lockedTo(run);
  const paying = (from: string, satoshis: bigint) =>
    serializeTransaction({
      version: 1,
      lockTime: 0,
      inputs: [{ txid: from.repeat(32), vout: 0, unlockingScript: new Uint8Array(2), sequence: 1 }],
      outputs: [{ satoshis, lockingScript }],
    });
  const db = await run.modules.database.database(wallet);
  const outpoint = `${'ee'.repeat(32)}:0`;
  await db.put('appLog', {
    key: `${outpoint} payment`,
    entry: { kind: 'wallet-payment', outpoint, satoshis: '50000', ...REMITTANCE },
    version: 1,
    at: 1,
    unapplied: 1,
  } as never);
  const dust = Array.from({ length: 30 }, (_, i) => network.take(paying((0x10 + i).toString(16), 1n)));
  const paid = network.take(paying('cd', 50_000n));
  network.mine([...dust, paid]);
  await run.modules.appSync.syncAppLog(wallet);
  await run.modules.appSync.syncAppLog(wallet);
  const { payments } = await stored(run);
  expect(payments.flatMap(({ signed }) => signed?.inputs ?? [])).toContain(`${paid}:0`);
});
