import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { p2pkhScript, writeAddress } from '../../protocol/address.ts';
import type { PaymentReport } from '../../protocol/api.ts';
import { fromHex, toHex } from '../../protocol/bytes.ts';
import { ServiceError } from '../../protocol/errors.ts';
import { serializeTransaction } from '../../protocol/transaction.ts';
import { checkReport } from './check-report.ts';
import { createTestReport } from './testing-report.ts';

const codeOf = (report: PaymentReport, network: 'devnet' | 'mainnet' = 'devnet') => {
  try {
    checkReport(report, network);
    return 'fine';
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
};

type Output = PaymentReport['outputs'][number];
const changed = (report: PaymentReport, change: Partial<Output>): PaymentReport => ({
  ...report, outputs: report.outputs.map((output, i) => (i === 0 ? { ...output, ...change } : output)),
});
const otherHash = new Uint8Array(20).fill(9);

describe('checkReport', () => {
  it('works out ids and the sum itself', () => {
    const { report, txid } = createTestReport([200_000n, 300_000n]);
    const checked = checkReport(report, 'devnet');
    expect(checked).toMatchObject({ txid, satoshis: 500_000n });
    expect(checked.normalizedTxid).toMatch(/^[0-9a-f]{64}$/);
    expect(checked.normalizedTxid).not.toBe(txid);
  });

  it('refuses every truncation and every trailing byte', () => {
    const { report } = createTestReport();
    for (let length = 0; length < report.rawtx.length; length += 2) {
      expect(codeOf({ ...report, rawtx: report.rawtx.slice(0, length) }), `${length}`).toBe('invalid-transaction');
    }
    expect(codeOf({ ...report, rawtx: `${report.rawtx}00` })).toBe('invalid-transaction');
  });

  it('counts outputs: two declared alike need two', () => {
    const { report } = createTestReport([1_000n]);
    const twice: PaymentReport = { ...report, amount: '0.20', outputs: [...report.outputs, ...report.outputs] };
    expect(codeOf(twice)).toBe('payment-mismatch');
    const { transaction } = createTestReport();
    const output = { satoshis: 1_000n, lockingScript: fromHex(report.outputs[0]?.scripts[0]?.script ?? '') };
    const rawtx = toHex(serializeTransaction({ ...transaction, outputs: [output, output] }));
    expect(codeOf({ ...twice, rawtx })).toBe('fine');
  });

  it('refuses what the transaction does not pay', () => {
    const { report } = createTestReport([200_000n]);
    const script = report.outputs[0]?.scripts[0]?.script ?? '';
    const other = { address: writeAddress(otherHash, 'devnet'), script: toHex(p2pkhScript(otherHash)) };
    const cases: [string, Partial<Output>][] = [
      ['another script', { scripts: [{ script: other.script, satoshis: '200000' }] }],
      ['another address', { address: other.address, to: other.address }],
      ['another name for it', { to: other.address }],
      ['more satoshis', { satoshis: '200001', scripts: [{ script, satoshis: '200001' }] }],
      ['satoshis that are not the scripts’', { satoshis: '200001' }],
      ['satoshis not as we write them', { satoshis: '0200000' }],
      ['no scripts', { satoshis: '0', scripts: [] }],
      ['an upper-case script', { scripts: [{ script: script.toUpperCase(), satoshis: '200000' }] }],
      ['another type', { type: 'SCRIPT' }],
      ['a paymail beside it', { paymail: 'eve@example.com' }],
      ['a user beside it', { userId: '1001' }],
      ['no address', { address: null }],
    ];
    for (const [name, change] of cases) expect(codeOf(changed(report, change)), name).toBe('payment-mismatch');
    expect(codeOf(changed(report, { type: 'USER', userId: '1001', to: '1001', address: null }))).toBe('unsupported-recipient');
    expect(codeOf(changed(report, { type: 'PAYMAIL', paymail: 'a@b.c', to: 'a@b.c', address: null }))).toBe('unsupported-recipient');
    expect(codeOf(report, 'mainnet')).toBe('invalid-recipient');
  });

  it('refuses amounts that do not add up, whatever their scale', () => {
    const { report } = createTestReport([200_000n, 300_000n]);
    expect(codeOf({ ...report, amount: '0.2' })).toBe('fine');
    expect(codeOf({ ...report, amount: '0.200000' })).toBe('fine');
    expect(codeOf({ ...report, amount: '0.21' })).toBe('payment-mismatch');
    expect(codeOf({ ...report, currency: 'EUR' })).toBe('payment-mismatch');
    for (const amount of ['', '-0.20', '2e-1', '0.2 ', '.2', 'NaN']) expect(codeOf({ ...report, amount })).toBe('invalid-amount');
    expect(codeOf({ ...changed(report, { amount: '0.00' }), amount: '0.10' })).toBe('invalid-amount');
  });

  it('knows exactly what an amount of BSV is', () => {
    const { report } = createTestReport([150_000_000n]);
    const bsv = (amount: string) => ({ ...changed(report, { amount, currency: 'BSV' }), amount, currency: 'BSV' });
    expect(codeOf(bsv('1.50'))).toBe('fine');
    expect(codeOf(bsv('1.51'))).toBe('payment-mismatch');
  });

  it('takes a script only as the one that was asked for', () => {
    const { report } = createTestReport();
    const script = `OP_DUP OP_HASH160 ${report.outputs[0]?.scripts[0]?.script.slice(6, 46)} OP_EQUALVERIFY OP_CHECKSIG`;
    expect(codeOf(changed(report, { type: 'SCRIPT', address: null, script, to: script }))).toBe('fine');
    const other = script.replace('OP_DUP', 'OP_NOP');
    expect(codeOf(changed(report, { type: 'SCRIPT', address: null, script: other, to: other }))).toBe('payment-mismatch');
  });

  it('never takes a transaction with any bit changed for the same one', () => {
    const { report, txid } = createTestReport();
    fc.assert(fc.property(fc.nat(report.rawtx.length * 4 - 1), (bit) => {
      const bytes = fromHex(report.rawtx);
      bytes[bit >> 3] = (bytes[bit >> 3] as number) ^ (1 << (bit & 7));
      try {
        expect(checkReport({ ...report, rawtx: toHex(bytes) }, 'devnet').txid).not.toBe(txid);
      } catch (error) {
        expect(error).toBeInstanceOf(ServiceError);
      }
    }));
  });
});
