import { describe, expect, it } from 'vitest';
import { useDatabase } from '../../testkit/wallet/database.ts';
import { wallet } from '../../testkit/wallet/current.ts';
import type { PaymentRecord } from './record.ts';
import { newPayment, newReport } from './start.ts';

const store = useDatabase(() => import('./start.ts'));

const payment = (more: Partial<PaymentRecord> = {}) =>
  newPayment(wallet, {
    requestId: 'request',
    origin: 'https://shop.example',
    options: { outputs: [] },
    state: 'approved',
    quote: { outputs: [], amount: '0', currency: 'BSV', satoshis: 0n },
    report: newReport('none'),
    ...more,
  });
const start = (record: PaymentRecord, how?: Parameters<typeof store.startPayment>[3]) =>
  store.write((tx) => store.startPayment(wallet, tx, record, how));
const stored = async () => (await store.db.getAll('payments')).map(({ id, requestId }) => [id, requestId]);

describe('starting a payment', () => {
  it('starting a payment returns the stored payment if its site has one with that ID', async () => {
    const [first, second] = [payment(), payment()];
    expect((await start(first)).id).toBe(first.id);
    expect((await start(second)).id).toBe(first.id);
    expect(await stored()).toEqual([[first.id, 'request']]);
  });

  it('starting a payment stores a new one if only another site has one with that ID', async () => {
    await start(payment());
    await start(payment({ origin: 'https://other.example' }));
    expect(await stored()).toHaveLength(2);
  });

  it('starting a payment can reuse the ID of one that has ended', async () => {
    const [first, second] = [payment({ state: 'failed' }), payment()];
    await start(first);
    expect((await start(second, { isOver: ({ state }) => state === 'failed' })).id).toBe(second.id);
    expect(await stored()).toEqual(
      expect.arrayContaining([
        [first.id, `request ${first.id}`],
        [second.id, 'request'],
      ]),
    );
  });

  it('starting a payment that awaits a decision requires a prompt', async () => {
    const record = payment({ state: 'requested' });
    await expect(start(record)).rejects.toMatchObject({ code: 'internal' });
    expect(await stored()).toEqual([]);
    await store.write(async (tx) => {
      await store.putPaymentPrompt(wallet, tx, record, 'withheld');
      await store.startPayment(wallet, tx, record);
    });
    expect(await stored()).toEqual([[record.id, 'request']]);
  });

  it('starting a payment signs it immediately only if it is approved', async () => {
    const signed = { event: 'sign' } as const;
    expect((await start(payment(), { signed })).state).toBe('signed');
    await expect(start(payment({ requestId: 'other', state: 'settled' }), { signed })).rejects.toMatchObject({
      code: 'internal',
    });
    expect(await stored()).toHaveLength(1);
  });
});
