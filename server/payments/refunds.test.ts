import { describe, expect, it } from 'vitest';
import { p2pkhScript, writeAddress } from '../../protocol/bitcoin/address.ts';
import { fromHex } from '../../protocol/bitcoin/bytes.ts';
import { useTestDatabase } from '../database/testing.ts';
import { createTestReport } from '../payment-reports/testing-report.ts';
import { refundAddress, refundScript, refundsOf, refundsTo, revertRefund } from './refunds.ts';
import { findPayment } from './stored-payment.ts';
import { insertPayment, insertUser } from './testing-payments.ts';

describe('a refund’s address', () => {
  const { report, key } = createTestReport([1_000n], '02'.padEnd(66, '1'));
  const rawtx = fromHex(report.rawtx);
  const hash = Uint8Array.from(key.toPublicKey().toHash() as number[]);

  it('comes from the key of the payment’s first input, which its report proved', () => {
    expect(refundAddress({ reported: true, rawtx }, 'devnet')).toBe(writeAddress(hash, 'devnet'));
    expect(refundAddress({ reported: true, rawtx }, 'mainnet')).toBe(writeAddress(hash, 'mainnet'));
    expect(refundScript({ reported: true, rawtx })).toEqual(p2pkhScript(hash));
  });

  it('remains unknown without a report, because an exchange may own the input', () => {
    expect(refundAddress({ reported: false, rawtx }, 'devnet')).toBeNull();
    expect(refundScript({ reported: false, rawtx })).toBeNull();
  });
});

describe('refunds', () => {
  const database = useTestDatabase();
  const at = (minute: number) => new Date(Date.UTC(2027, 4, 2, 10, minute));

  async function refunded(userId: number | null, ...given: [bigint | null, 'RECEIVED' | 'FAILED'][]) {
    const counted = given.reduce((sum, [one, status]) => sum + (status === 'FAILED' ? 0n : (one ?? 0n)), 0n);
    const { id } = await insertPayment(database.db, { userId, refundedSatoshis: counted });
    const refunds = [];
    for (const [i, [refundSatoshis, status]] of given.entries())
      refunds.push(await insertPayment(database.db, { refundOf: id, refundSatoshis, status, createdAt: at(i) }));
    return { id, refunds };
  }

  it('lists a payment’s refunds, newest first, including failed ones, but not payments that merely name it', async () => {
    const { id, refunds } = await refunded(
      null,
      [5n, 'RECEIVED'],
      [null, 'RECEIVED'],
      [9n, 'FAILED'],
      [7n, 'RECEIVED'],
    );
    await refunded(null, [1n, 'RECEIVED']);
    const [first, , failed, last] = refunds;
    expect(await refundsOf(database.db, id, 10)).toEqual([
      { id: last?.id, satoshis: 7n, status: 'RECEIVED', createdAt: at(3) },
      { id: failed?.id, satoshis: 9n, status: 'FAILED', createdAt: at(2) },
      { id: first?.id, satoshis: 5n, status: 'RECEIVED', createdAt: at(0) },
    ]);
    expect((await refundsOf(database.db, id, 2)).map(({ satoshis }) => satoshis)).toEqual([7n, 9n]);
  });

  it('lists refunds of an account’s payments that have not failed, newest first', async () => {
    const [ann, ben] = [await insertUser(database.db, 'ann'), await insertUser(database.db, 'ben')];
    const { id, refunds } = await refunded(ann, [5n, 'RECEIVED'], [null, 'RECEIVED'], [9n, 'FAILED'], [7n, 'RECEIVED']);
    await refunded(ben, [3n, 'RECEIVED']);
    await refunded(null, [4n, 'RECEIVED']);
    await refunded(ann, [6n, 'FAILED']);
    const [first, , , last] = refunds;
    const all = [
      { paymentId: id, txid: last?.txid, satoshis: 7n },
      { paymentId: id, txid: first?.txid, satoshis: 5n },
    ];
    expect(await refundsTo(database.db, ann, 10)).toEqual(all);
    expect(await refundsTo(database.db, ann, 1)).toEqual(all.slice(0, 1));
  });

  it('subtracts a failed refund from its payment only', async () => {
    const [one, other] = [
      await refunded(null, [5n, 'RECEIVED'], [7n, 'RECEIVED']),
      await refunded(null, [8n, 'RECEIVED']),
    ];
    const left = async () =>
      Promise.all([one, other].map(async ({ id }) => (await findPayment(database.db, id))?.payment.refundedSatoshis));
    await revertRefund(database.db, { refundOf: one.id, refundSatoshis: 5n });
    expect(await left()).toEqual([7n, 8n]);
    // A refund that lacks a payment or an amount was never counted.
    await revertRefund(database.db, { refundOf: one.id, refundSatoshis: null });
    await revertRefund(database.db, { refundOf: 'order 7', refundSatoshis: null });
    await revertRefund(database.db, { refundOf: null, refundSatoshis: 3n });
    expect(await left()).toEqual([7n, 8n]);
  });
});
