import { describe, expect, test } from 'vitest';
import type { PaymentRecord } from './record.ts';
import { newPayment, newReport } from './start.ts';
import { dueAt, unfinishedOf } from './remaining-work.ts';
import { NOT_TRIED } from './retry.ts';
import { wallet } from '../../testkit/wallet/current.ts';

const SERVICE = 'https://pay.example';
const LATER = 2_000_000_000_000;
const at = (nextAt: number) => ({ attempts: 1, nextAt, problem: 'network-unavailable' });
const payment = (more: Partial<PaymentRecord>) =>
  newPayment(wallet, {
    requestId: 'request',
    origin: 'https://shop.example',
    options: { outputs: [] },
    state: 'broadcast',
    quote: { outputs: [], amount: '0', currency: 'BSV', satoshis: 0n },
    ...more,
  });

describe('the remaining work of a payment', () => {
  test('each step has a separate retry time, and the payment is due at the earliest one', () => {
    const record = payment({
      confirmation: at(LATER + 1),
      report: { ...at(LATER + 2), state: 'waiting' },
      serviceReport: { ...at(LATER + 3), state: 'waiting', service: 'https://shop.example', proof: '' },
      deliveries: [
        { ...at(LATER + 4), output: 0, state: 'waiting' },
        { ...at(LATER - 1), output: 1, state: 'done' },
      ],
      broadcast: at(LATER - 2),
    });
    expect(dueAt(record, SERVICE)).toBe(LATER + 1);
    expect(dueAt({ ...record, height: 7 }, SERVICE)).toBe(LATER + 2);
    expect(dueAt({ ...record, height: 7, report: newReport('done') }, SERVICE)).toBe(LATER + 3);
    expect(dueAt({ ...record, height: 7, report: newReport('none'), serviceReport: null }, SERVICE)).toBe(LATER + 4);
  });

  test('before the network has a payment, its only step is the broadcast', () => {
    expect(dueAt(payment({ state: 'signed', broadcast: at(LATER), report: newReport('waiting') }), SERVICE)).toBe(
      LATER,
    );
  });

  test('an approved payment is signed immediately', () => {
    expect(dueAt(payment({ state: 'approved' }), SERVICE)).toBe(0);
    expect(unfinishedOf(payment({ state: 'approved' }))).toBe(1);
  });

  test('a report waits for an account without waking the worker', () => {
    const record = payment({ height: 7, report: newReport('waiting') });
    expect(unfinishedOf(record)).toBe(2);
    expect(dueAt(record, null)).toBe(Number.POSITIVE_INFINITY);
    expect(dueAt(record, SERVICE)).toBe(0);
  });

  test('a report is not the only work while other steps remain or may follow', () => {
    const service = { ...at(LATER), service: SERVICE, proof: '' };
    const others: Partial<PaymentRecord>[] = [
      { height: null },
      { deliveries: [{ ...at(LATER), output: 0, state: 'waiting' }] },
      { serviceReport: { ...service, state: 'waiting' } },
      { serviceReport: { ...service, state: 'by-account' } },
    ];
    for (const other of others) expect(unfinishedOf(payment({ height: 7, ...other }))).toBe(1);
    expect(unfinishedOf(payment({ height: 7, serviceReport: { ...service, state: 'done' } }))).toBe(2);
  });

  test('a settled payment is watched until a block contains it', () => {
    const settled = payment({
      state: 'settled',
      report: newReport('done'),
      confirmation: at(LATER),
      broadcast: NOT_TRIED,
    });
    expect(dueAt(settled, SERVICE)).toBe(LATER);
    expect(unfinishedOf(settled)).toBe(1);
    expect(unfinishedOf({ ...settled, height: 7 })).toBe(0);
  });
});
