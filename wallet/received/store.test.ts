/** The data stored for a paymail payment, depending on the data already stored for its transaction. */
import { beforeEach, describe, expect, test } from 'vitest';
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import { codeOf } from '../../testing/code-of.ts';
import type { Receipt } from '../coins/receipts/receipt.ts';
import type { PaymentRecord } from '../payments/record.ts';
import { testCoin, testReceipt, testScript } from '../../testkit/wallet/coins.ts';
import { useDatabase } from '../../testkit/wallet/database.ts';
import type { ReceivedPayment } from './check.ts';
import { wallet as current } from '../../testkit/wallet/current.ts';

const NOW = Date.UTC(2026, 0, 1);
const [TXID, PARENT] = ['aa'.repeat(32), 'bb'.repeat(32)];
const PRICE = { currency: 'USD', price: '50', time: NOW };
const BOB = { paymail: 'bob@two.example', verified: true };

const wallet = useDatabase(async () => ({
  ...(await import('./store.ts')),
  ...(await import('../coins/records.ts')),
  ...(await import('../coins/coin-store.ts')),
}));

const scriptOf = (index: number) => toHex(testScript(index));
const output = (vout: number, satoshis: bigint, index: number, lockingScript = scriptOf(index)) => ({
  vout,
  satoshis,
  script: scriptOf(index),
  lockingScript,
  index,
});
const arrival = (more: Partial<ReceivedPayment> = {}): ReceivedPayment => ({
  rawtx: '00',
  txid: TXID,
  spends: [`${PARENT}:7`],
  outputs: [output(1, 700n, 0), output(3, 50n, 2)],
  sender: BOB,
  note: 'for lunch',
  createdAt: NOW,
  ...more,
});
const stored = () => wallet.db.get('receipts', TXID) as Promise<Receipt>;
const coins = async () =>
  (await wallet.db.getAll('coins')).map(({ vout, status, satoshis }) => [vout, status, satoshis]);
const RECEIPT = testReceipt({
  satoshis: 750n,
  address: 'address 0',
  createdAt: NOW,
  spends: [`${PARENT}:7`],
  sender: BOB,
  note: 'for lunch',
});

beforeEach(async () => {
  for (const index of [0, 1, 2])
    await wallet.db.put('addresses', {
      script: scriptOf(index),
      address: `address ${index}`,
      chain: 'service',
      index,
      used: false,
    });
});

describe('a received payment', () => {
  test('a payment is spendable, at addresses that are now used, with its sender and purpose', async () => {
    await wallet.storeArrival(current, arrival());
    expect(await wallet.db.getAll('coins')).toEqual(
      [[1, 700n, 0] as const, [3, 50n, 2] as const].map(([vout, satoshis, index]) => ({
        ...testCoin(satoshis, { vout, chain: 'service', index, script: scriptOf(index), height: null, seen: false }),
        tier: 1,
        value: Number(satoshis),
      })),
    );
    expect(await stored()).toEqual(RECEIPT);
    const used = (await wallet.db.getAll('addresses')).filter((one) => one.used).map(({ index }) => index);
    expect(used.toSorted()).toEqual([0, 2]);
    expect(await wallet.balance(current)).toEqual({ satoshis: 750n, unconfirmed: 750n, available: 2 });
  });

  test('a payment is stored with its actual script', async () => {
    const token = `0063036f7264${scriptOf(0)}`;
    await wallet.storeArrival(current, arrival({ outputs: [output(0, 1n, 0, token)] }));
    expect(await wallet.db.getAll('coins')).toMatchObject([{ script: token, tier: 3 }]);
    expect((await wallet.balance(current)).satoshis).toBe(0n);
  });

  test('a payment counts once, regardless of repetitions', async () => {
    for (let times = 0; times < 3; times += 1) await wallet.storeArrival(current, arrival());
    expect(await stored()).toEqual(RECEIPT);
    expect((await wallet.balance(current)).satoshis).toBe(750n);
  });

  test('new outputs are added if one transaction pays several times', async () => {
    await wallet.storeArrival(current, arrival({ outputs: [output(1, 700n, 0)] }));
    await wallet.storeArrival(
      current,
      arrival({ outputs: [output(3, 50n, 2)], sender: null, note: 'another', spends: [] }),
    );
    expect(await stored()).toEqual(RECEIPT);
  });

  test('the current price is stored if the payment is just arriving', async () => {
    await wallet.storeArrival(current, arrival(), PRICE);
    expect(await stored()).toEqual({ ...RECEIPT, priceThen: PRICE });
  });

  test('a payment found by the scan gains sender and note and keeps its earlier time, and spent coins stay spent', async () => {
    const coin = testCoin(700n, { vout: 1, status: 'reserved', paymentId: 'payment', height: 8 });
    await wallet.write((tx) => wallet.putCoin(tx, coin));
    const { sender, note, spends, ...known } = RECEIPT;
    for (const [before, after] of [
      [NOW - 5, NOW - 5],
      [NOW + 5, NOW],
    ] as const) {
      await wallet.db.put('receipts', { ...known, height: 8, unconfirmed: 0, createdAt: before });
      await wallet.storeArrival(current, arrival({ outputs: [output(1, 700n, 0)] }), PRICE);
      expect(await stored()).toEqual({ ...RECEIPT, height: 8, unconfirmed: 0, createdAt: after });
    }
    expect(await coins()).toEqual([[1, 'reserved', 700n]]);
  });

  test('the first sender and note are kept', async () => {
    await wallet.db.put('receipts', testReceipt({ sender: { ...BOB, verified: false }, note: 'rent' }));
    await wallet.storeArrival(current, arrival({ outputs: [output(1, 700n, 0)] }));
    expect(await stored()).toMatchObject({ sender: { verified: false }, note: 'rent' });
  });

  test('a payment that seemed to be gone is restored', async () => {
    await wallet.write((tx) => wallet.putCoin(tx, testCoin(700n, { vout: 1, status: 'gone', height: null })));
    await wallet.db.put('receipts', { ...RECEIPT, satoshis: 700n, failed: 'dropped' });
    await wallet.storeArrival(current, arrival());
    expect(await coins()).toEqual([
      [1, 'available', 700n],
      [3, 'available', 50n],
    ]);
    expect(await stored()).toEqual(RECEIPT);
  });

  test('nothing is stored in a wallet without its addresses', async () => {
    await wallet.db.delete('addresses', scriptOf(2));
    expect(await codeOf(wallet.storeArrival(current, arrival()))).toBe('wallet-not-set-up');
    expect([await coins(), await stored()]).toEqual([[], undefined]);
    expect((await wallet.db.getAll('addresses')).some(({ used }) => used)).toBe(false);
  });
});

describe('one of this wallet’s payments to itself', () => {
  async function pay(state: PaymentRecord['state'], txid: string | null = TXID): Promise<void> {
    const spent = testCoin(900n, { txid: PARENT, vout: 7, status: 'spent', paymentId: 'payment' });
    await wallet.write((tx) => wallet.putCoin(tx, spent));
    await wallet.db.put('payments', {
      id: 'payment',
      origin: '',
      requestId: 'payment',
      state,
      createdAt: NOW,
      signed: txid === null ? null : { txid, inputs: [spent.outpoint], ownOutputs: [`${TXID}:1`] },
    } as unknown as PaymentRecord);
  }
  const ownOutputs = async () => (await wallet.db.get('payments', 'payment'))?.signed?.ownOutputs;
  const made = async () => (await coins()).filter(([vout]) => vout !== 7);

  test.each([
    ['signed', 'pending'],
    ['broadcast', 'available'],
    ['settled', 'available'],
  ] as const)('no receipt is stored, and the coins belong to the payment while it is %s', async (state, status) => {
    await pay(state);
    await wallet.write((tx) => wallet.putCoin(tx, testCoin(700n, { vout: 1, height: null, status })));
    await wallet.db.put('receipts', RECEIPT); // a receipt from a scan that didn't recognize the wallet's own payment
    await wallet.storeArrival(current, arrival());
    expect(await made()).toEqual([
      [1, status, 700n],
      [3, status, 50n],
    ]);
    expect((await wallet.db.get('coins', `${TXID}:3`))?.paymentId).toBe('payment');
    expect(await stored()).toBeUndefined();
    expect(await ownOutputs()).toEqual([`${TXID}:1`, `${TXID}:3`]);
    await wallet.storeArrival(current, arrival());
    expect(await ownOutputs()).toEqual([`${TXID}:1`, `${TXID}:3`]);
  });

  test('an output that the scan found first belongs to the payment', async () => {
    await pay('broadcast');
    await wallet.write((tx) => wallet.putCoin(tx, testCoin(50n, { vout: 3, height: null })));
    await wallet.storeArrival(current, arrival());
    expect(await ownOutputs()).toEqual([`${TXID}:1`, `${TXID}:3`]);
  });

  test('no receipt is stored if its first input is an application’s', async () => {
    await pay('broadcast');
    await wallet.write((tx) => wallet.putCoin(tx, testCoin(700n, { vout: 1, height: null })));
    await wallet.storeArrival(current, arrival({ spends: [`${'dd'.repeat(32)}:0`, `${PARENT}:7`] }));
    expect(await stored()).toBeUndefined();
    expect(await ownOutputs()).toEqual([`${TXID}:1`, `${TXID}:3`]);
  });

  test('nothing is stored if the network permanently rejected the payment', async () => {
    await pay('failed');
    expect(await codeOf(wallet.storeArrival(current, arrival()))).toBe('payment-mismatch');
    expect([await made(), await stored()]).toEqual([[], undefined]);
  });

  test('another transaction that only spends the same coin becomes a receipt', async () => {
    await pay('failed', 'cc'.repeat(32));
    await wallet.storeArrival(current, arrival());
    expect(await stored()).toEqual(RECEIPT);
    expect((await wallet.db.get('coins', `${TXID}:3`))?.paymentId).toBeNull();
    expect(await ownOutputs()).toEqual([`${TXID}:1`]);
  });

  test('a spend of a coin that an unsigned payment has only reserved becomes a receipt', async () => {
    await pay('signable', null);
    await wallet.storeArrival(current, arrival());
    expect(await stored()).toEqual(RECEIPT);
  });
});
