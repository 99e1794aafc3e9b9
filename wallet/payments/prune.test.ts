import { expect, test } from 'vitest';
import type { PaymentState } from '../../protocol/messages/wallet-messages.ts';
import type { WorkerRun } from '../../testkit/wallet/worker-run.ts';
import { useNetwork } from '../../testkit/network/network.ts';
import { approvalOf, ask, decide, openWallet, pay, stored } from '../../testkit/wallet/wallet.ts';
import type { PaymentRecord } from './record.ts';
import { wallet } from '../../testkit/wallet/current.ts';

const network = useNetwork();

const TO = 'mpYYAhbqNUWWTmrsjcHKkGRUFyQ1FSezFb';
const DAY = 24 * 3600_000;

/** Opens a wallet with a rejected payment, which serves as a template. */
async function refusedOnce(): Promise<{ workerRun: WorkerRun; record: PaymentRecord }> {
  const workerRun = await openWallet(network, [1_000_000]);
  const answer = ask(workerRun, 'request-0', pay(TO, 1000));
  await decide(workerRun, await approvalOf(workerRun), 'refuse');
  await answer;
  for (const id of workerRun.profile.browser.windows.keys()) workerRun.profile.browser.closeWindow(id);
  return { workerRun, record: (await stored(workerRun)).payments[0] as PaymentRecord };
}

async function put(workerRun: WorkerRun, records: PaymentRecord[]): Promise<void> {
  const db = await workerRun.modules.database.database(wallet);
  for (const record of records) await db.put('payments', record);
}

test('unsigned payments that ended are shown and stored for a day, and signed payments permanently', async () => {
  const { workerRun, record } = await refusedOnce();
  const signed = {
    rawtx: '',
    txid: 'ab',
    normalizedTxid: 'ab',
    inputProof: '',
    feeSatoshis: 1n,
    inputs: [],
    inputSatoshis: [],
    ownOutputs: [],
  };
  const old = (id: string, state: PaymentState, more: Partial<PaymentRecord> = {}): PaymentRecord => ({
    ...record,
    id,
    requestId: id,
    state,
    createdAt: Date.now() - 2 * DAY,
    updatedAt: Date.now() - 2 * DAY,
    ...more,
  });
  await put(workerRun, [
    old('old-refused', 'refused'),
    old('old-failed', 'failed'),
    old('old-settled', 'settled', { signed, height: 1 }),
    old('old-rejected', 'failed', { signed }),
  ]);
  const { items } = await (await import('../activity/list.ts')).listActivity(wallet, { limit: 10 });
  expect(
    items
      .filter(({ direction }) => direction === 'sent')
      .map(({ id }) => id)
      .sort(),
  ).toEqual([record.id, 'old-rejected', 'old-settled'].sort());
  await workerRun.modules.prune.pruneEnded(wallet);
  expect((await stored(workerRun)).payments.map(({ id }) => id).sort()).toEqual(
    [record.id, 'old-rejected', 'old-settled'].sort(),
  );
});

test('a site keeps its newest hundred unsigned payments, and other sites lose none', async () => {
  const { workerRun, record } = await refusedOnce();
  const many = (origin: string, n: number) =>
    Array.from({ length: n }, (_, i): PaymentRecord => ({
      ...record,
      id: `${origin}-${i}`,
      requestId: `request-${i + 1}`,
      origin,
      state: i % 2 ? 'failed' : 'refused',
      updatedAt: record.updatedAt + i,
    }));
  await put(workerRun, [...many('https://shop.example', 150), ...many('https://other.example', 150)]);
  const answer = ask(workerRun, 'request-new', pay(TO, 1000));
  await decide(workerRun, await approvalOf(workerRun));
  expect(await answer).toMatchObject({ status: 'RECEIVED' });
  const { payments } = await stored(workerRun);
  const of = (origin: string) => payments.filter((one) => one.origin === origin && one.signed === null);
  expect(of('https://other.example')).toHaveLength(150);
  expect(of('https://shop.example')).toHaveLength(100);
  expect(of('https://shop.example').map(({ id }) => id)).toContain('https://shop.example-149');
  expect(of('https://shop.example').map(({ id }) => id)).not.toContain('https://shop.example-49');
});
