/** Tests the record that remains of a large transaction if its application doesn't finish it. */
import { serialize } from 'node:v8';
import { expect, test, vi } from 'vitest';
import { APP, appScript, call, called, output } from '../../testkit/wallet/applications.ts';
import { setTime } from '../../testkit/wallet/clock.ts';
import { useNetwork } from '../../testkit/network/network.ts';
import { approvalOf, decide, give, openWallet, stored } from '../../testkit/wallet/wallet.ts';
import type { WorkerRun } from '../../testkit/wallet/worker-run.ts';
import type { PaymentRecord } from './record.ts';
import { wallet } from '../../testkit/wallet/current.ts';

const network = useNetwork();
const HOUR_MS = 3600_000;
/** Maximum size of the record in bytes. The record contains only the payment's activity entry and IDs. */
const ROW_BYTES = 4_000;

const SCRIPT_BYTES = 300_000;
const large = (more: object = {}) => ({
  description: 'write a long text',
  labels: ['text'],
  outputs: [
    output(1_000, appScript(0)),
    output(0, `006a4e${toLittleEndian(SCRIPT_BYTES)}${'61'.repeat(SCRIPT_BYTES)}`),
  ],
  options: { signAndProcess: false },
  ...more,
});

function toLittleEndian(length: number): string {
  return Buffer.from(Uint32Array.of(length).buffer).toString('hex');
}

async function allowed(): Promise<WorkerRun> {
  const run = await openWallet(network, [10_000_000]);
  await give(run, { origin: APP, currency: 'BSV', limit: 5_000_000n });
  return run;
}

/** Returns the application's payment, ignoring a split that the wallet may have made for it. */
const onlyPayment = async (run: WorkerRun) =>
  (await stored(run)).payments.find(({ action }) => action) as PaymentRecord;

/** Asserts that the record is small and the activity is unchanged. */
async function isRowAlone(run: WorkerRun, code: string): Promise<void> {
  const record = await onlyPayment(run);
  expect(record).toMatchObject({ signed: null, error: { code } });
  expect(serialize(record).length).toBeLessThan(ROW_BYTES);
  const { readActivity } = await import('../activity/details.ts');
  expect(await readActivity(wallet, record.id)).toMatchObject({
    item: { label: 'write a long text', satoshis: '1000', recipientCount: 2, status: 'FAILED', statusCode: code },
    labels: ['text'],
    signed: false,
  });
}

test('an aborted action keeps its activity entry, but none of its scripts', async () => {
  const run = await allowed();
  const { signableTransaction } = await called(run, 'createAction', large());
  expect(serialize(await onlyPayment(run)).length).toBeGreaterThan(SCRIPT_BYTES);
  await called(run, 'abortAction', { reference: signableTransaction!.reference });
  await isRowAlone(run, 'action-aborted');
  expect((await stored(run)).coins.filter(({ status }) => status === 'reserved')).toEqual([]);
});

test('an expired action keeps its activity entry, but none of its scripts', async () => {
  const run = await allowed();
  await called(run, 'createAction', large());
  setTime(Date.now() + HOUR_MS);
  await run.modules.drive.processAll(wallet);
  await isRowAlone(run, 'action-expired');
});

test('an action that the user rejects keeps its activity entry, but none of its scripts', async () => {
  const run = await openWallet(network, [10_000_000]);
  const answer = call(run, 'createAction', large());
  await decide(run, await approvalOf(run), 'refuse');
  expect(await answer).toMatchObject({ reason: 'refused' });
  await isRowAlone(run, 'refused');
});

test('a finished action keeps its transaction', async () => {
  const run = await allowed();
  const { signableTransaction } = await called(run, 'createAction', large());
  await called(run, 'signAction', { reference: signableTransaction!.reference, spends: {} });
  await vi.waitFor(async () => expect((await onlyPayment(run)).signed).not.toBeNull());
  expect((await onlyPayment(run)).signed?.rawtx.length).toBeGreaterThan(2 * SCRIPT_BYTES);
});

test('scripts stored by an earlier version are removed when ended payments are pruned', async () => {
  const run = await allowed();
  const { signableTransaction } = await called(run, 'createAction', large());
  const { action, quote } = await onlyPayment(run);
  await called(run, 'abortAction', { reference: signableTransaction!.reference });
  const ended = await onlyPayment(run);
  const { unsigned, beef, expiresAt, ...kept } = action!;
  await (await run.modules.database.database(wallet)).put('payments', { ...ended, action: kept, quote });
  await run.modules.prune.pruneEnded(wallet);
  await isRowAlone(run, 'action-aborted');
  expect((await onlyPayment(run)).updatedAt).toBe(ended.updatedAt);
});
