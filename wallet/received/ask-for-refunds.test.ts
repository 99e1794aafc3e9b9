/** Tests when the service is queried about money that may be a refund, and which parts of its response are stored. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Receipt } from '../coins/receipts/receipt.ts';
import type * as Events from '../events.ts';
import type { PaymentRecord } from '../payments/record.ts';
import type * as Client from '../service/client.ts';
import { setTime } from '../../testkit/wallet/clock.ts';
import { testReceipt } from '../../testkit/wallet/coins.ts';
import { ObjectStore } from '../../testkit/database/source.ts';
import { useDatabase } from '../../testkit/wallet/database.ts';
import { wallet as current } from '../../testkit/wallet/current.ts';

const NOW = Date.UTC(2026, 0, 1);
const [SECOND, HOUR, WEEK] = [1000, 3600_000, 7 * 24 * 3600_000];
const TXID = 'aa'.repeat(32);
const PAYMENT = '2f0e1f6a-64a5-4a8e-9c0d-0a8c2b7c1d11';

const world = { refunds: [] as { paymentId: string; txid: string }[], isDown: false, asked: 0, changes: 0 };

const wallet = useDatabase(async () => {
  vi.doMock('../service/client.ts', () => ({
    listRefunds: (async () => {
      world.asked += 1;
      if (world.isDown) throw new Error('nobody there');
      return world.refunds.map((one) => ({ ...one, satoshis: '5' }) as never);
    }) satisfies typeof Client.listRefunds,
  }));
  vi.doMock(
    '../events.ts',
    () => ({ announceChange: () => void (world.changes += 1) }) satisfies Partial<typeof Events>,
  );
  return { ...(await import('./refunds.ts')), ...(await import('../store/database.ts')) };
});

beforeEach(async () => {
  setTime(NOW);
  Object.assign(world, { refunds: [], isDown: false, asked: 0, changes: 0 });
  await wallet.writeKey(current, 'account', { id: 'u', handle: 'ann', paymail: 'ann@pay.example', name: '' });
});

/** Fields of a receipt for money at an address from which a payment was made. */
const GUESS = { refundOf: { id: 'guessed', origin: null, to: 'a' } };
/** Fields of a receipt for a paymail payment without a sender. */
const BY_PAYMAIL = { sender: null };
const put = (more: Partial<Receipt> = GUESS) => wallet.db.put('receipts', testReceipt({ createdAt: NOW, ...more }));
async function asks(isNew?: boolean): Promise<boolean> {
  const before = world.asked;
  await wallet.confirmRefunds(current, isNew);
  return world.asked > before;
}

describe('queries to the service', () => {
  test.each<[string, Partial<Receipt>]>([
    ['where a payment came from', GUESS],
    ['by paymail', { sender: { paymail: 'bob@two.example', verified: false } }],
    ['by paymail without a sender', BY_PAYMAIL],
    ['a week ago', { ...GUESS, createdAt: NOW - WEEK }],
  ])('the service is queried about received money %s', async (_, more) => {
    await put(more);
    expect(await asks()).toBe(true);
  });

  test.each<[string, Partial<Receipt>]>([
    ['at any other address', {}],
    ['and never will', { ...GUESS, failed: 'dropped' }],
    ['and is a refund for sure', { refundOf: { ...GUESS.refundOf, isConfirmed: true } }],
    ['by paymail and is a refund for sure', { ...BY_PAYMAIL, refundOf: { ...GUESS.refundOf, isConfirmed: true } }],
    ['and went out', { ...GUESS, spent: { feeSatoshis: 1n, count: 0, paid: [] } }],
    ['more than a week ago', { ...GUESS, createdAt: NOW - WEEK - 1 }],
  ])('the service isn’t queried about received money %s', async (_, more) => {
    await put(more);
    expect(await asks()).toBe(false);
  });

  test('the service is queried about any new paymail payment, regardless of its reported age', async () => {
    expect(await asks(true)).toBe(true);
    setTime(NOW + HOUR);
    expect(await asks()).toBe(false);
  });

  test('no query is made without an account, and one immediately when there is an account', async () => {
    await wallet.deleteKey(current, 'account');
    expect(await asks(true)).toBe(false);
    await wallet.writeKey(current, 'account', { id: 'u', handle: 'ann', paymail: 'ann@pay.example', name: '' });
    expect(await asks()).toBe(true);
  });

  test('the service is queried once a minute, including new arrivals', async () => {
    await put();
    expect(await asks()).toBe(true);
    setTime(NOW + 60 * SECOND - 1);
    expect([await asks(), await asks(true)]).toEqual([false, false]);
    setTime(NOW + 60 * SECOND);
    expect(await asks()).toBe(true);
  });

  test('queries become less frequent: after a twentieth of the latest receipt’s age', async () => {
    // After four minutes, the latest receipt is 80 minutes old, and a twentieth of 80 minutes is four minutes.
    const due = NOW + 4 * 60 * SECOND;
    await put({ ...GUESS, createdAt: NOW - 76 * 60 * SECOND });
    await put({ ...GUESS, txid: 'bb'.repeat(32), createdAt: NOW - 5 * HOUR });
    expect(await asks()).toBe(true);
    setTime(due - 1);
    expect(await asks()).toBe(false);
    setTime(due);
    expect(await asks()).toBe(true);
  });

  test('only the latest hundred receipts are queried', async () => {
    await put({ ...GUESS, createdAt: NOW - HOUR });
    const putOther = (n: number) => put({ txid: n.toString(16).padStart(64, '0'), refundOf: undefined as never });
    for (let n = 0; n < 99; n += 1) await putOther(n);
    expect(await asks()).toBe(true);
    await putOther(99);
    setTime(NOW + HOUR);
    expect(await asks()).toBe(false);
  });

  test('the query is repeated after no response', async () => {
    await put();
    world.isDown = true;
    await wallet.confirmRefunds(current);
    setTime(NOW + 60 * SECOND);
    expect([await asks(), world.changes]).toEqual([true, 0]);
  });
});

describe('a refund', () => {
  const signed = {} as PaymentRecord['signed'];
  const payment = (more: object = {}) => ({
    id: PAYMENT,
    origin: 'https://shop.example',
    state: 'settled',
    signed,
    createdAt: NOW,
    quote: { outputs: [{ to: 'till@shop.example' }, { to: 'b' }] },
    ...more,
  });
  const putPayment = (more?: object) => wallet.db.put('payments', payment(more) as unknown as PaymentRecord);
  const stored = async () => ({
    receipt: await wallet.db.get('receipts', TXID),
    payment: await wallet.db.get('payments', PAYMENT),
  });
  /** Makes the service report the transaction as a refund. */
  async function confirm(paymentId = PAYMENT): Promise<void> {
    world.refunds = [{ paymentId, txid: TXID }];
    setTime(Date.now() + HOUR);
    await wallet.confirmRefunds(current, true);
  }
  const REFUND = { id: PAYMENT, origin: 'https://shop.example', to: 'till@shop.example', isConfirmed: true };

  test('a refund at the address of a payment is recorded once, regardless of the guess before', async () => {
    await put();
    await putPayment();
    await confirm();
    expect(await stored()).toEqual({ receipt: testReceipt({ createdAt: NOW, refundOf: REFUND }), payment: payment() });
    expect(world.changes).toBe(1);
    await putPayment({ origin: 'https://other.example' });
    await confirm();
    expect(((await stored()).receipt as Receipt).refundOf).toEqual(REFUND);
    expect(world.changes).toBe(1);
  });

  test('a refund that a full disk couldn’t store is recorded later, although its query is due only once', async () => {
    await put({ ...BY_PAYMAIL, createdAt: NOW - 2 * WEEK });
    await putPayment();
    world.refunds = [{ paymentId: PAYMENT, txid: TXID }];
    vi.spyOn(ObjectStore.prototype, 'put').mockImplementationOnce(() => {
      throw new DOMException('', 'QuotaExceededError');
    });
    await wallet.confirmRefunds(current, true);
    expect((await stored()).receipt).not.toHaveProperty('refundOf');
    setTime(NOW + HOUR);
    await wallet.confirmRefunds(current);
    expect((await stored()).receipt).toMatchObject({ refundOf: REFUND });
  });

  test('a refund by paymail is added to the payment’s refunds, up to a hundred', async () => {
    for (const [before, after] of [
      [undefined, [TXID]],
      [['x'], ['x', TXID]],
      [Array(99).fill('x'), [...Array(99).fill('x'), TXID]],
      [Array(100).fill('x'), Array(100).fill('x')],
    ]) {
      await put(BY_PAYMAIL);
      await putPayment(before && { refundedBy: before });
      await confirm();
      expect(await stored()).toMatchObject({ receipt: { refundOf: REFUND }, payment: { refundedBy: after } });
    }
  });

  test('a refund of the user’s own payment has no site, and no recipient if the payment had none', async () => {
    await put();
    await putPayment({ origin: '', quote: { outputs: [] } });
    await confirm();
    expect((await stored()).receipt).toMatchObject({ refundOf: { id: PAYMENT, origin: null, to: '' } });
  });

  test.each<[string, () => Promise<unknown>]>([
    ['the wallet did not make its payment', () => put()],
    ['its payment was never signed', async () => (await put(), putPayment({ signed: undefined }))],
    ['the wallet has not seen it', () => putPayment()],
    ['it came in at another address', async () => (await put({}), putPayment())],
  ])('no refund is recorded if %s', async (_, prepare) => {
    await prepare();
    const before = await stored();
    await confirm();
    expect(await stored()).toEqual(before);
    expect([world.asked, world.changes]).toEqual([1, 0]);
  });

  test('several refunds are recorded separately and announced together', async () => {
    await put();
    await put({ ...GUESS, txid: 'bb'.repeat(32) });
    await putPayment();
    world.refunds = ['unknown', TXID, 'bb'.repeat(32), 'unknown'].map((txid) => ({ paymentId: PAYMENT, txid }));
    await wallet.confirmRefunds(current);
    const all = await wallet.db.getAll('receipts');
    expect(all.map(({ refundOf }) => refundOf)).toEqual([REFUND, REFUND]);
    expect(world.changes).toBe(1);
  });
});
