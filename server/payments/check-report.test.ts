import { randomUUID } from 'node:crypto';
import { PrivateKey } from '@bsv/sdk';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { p2pkhScript, writeAddress } from '../../protocol/address.ts';
import type { PaymentReport } from '../../protocol/api.ts';
import { concatBytes, fromHex, toHex } from '../../protocol/bytes.ts';
import { ServiceError } from '../../protocol/errors.ts';
import { pushData, serializeTransaction, type TransactionInput } from '../../protocol/transaction.ts';
import { checkReport } from './check-report.ts';
import { createTestReport as createReport, proveReport } from './testing-report.ts';

const newPublicKey = () => PrivateKey.fromRandom().toPublicKey().toString();
const SENDER = newPublicKey();
const createTestReport = (amounts: readonly bigint[] = [200_000n]) => createReport(amounts, SENDER);

const codeOf = (report: PaymentReport, network: 'devnet' | 'mainnet' = 'devnet', publicKey = SENDER) => {
  try {
    checkReport(report, network, publicKey);
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
    const checked = checkReport(report, 'devnet', SENDER);
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
    const { transaction, key } = createTestReport();
    const output = { satoshis: 1_000n, lockingScript: fromHex(report.outputs[0]?.scripts[0]?.script ?? '') };
    const rawtx = toHex(serializeTransaction({ ...transaction, outputs: [output, output] }));
    expect(codeOf(proveReport({ ...twice, rawtx }, SENDER, key))).toBe('fine');
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
    const { report, txid, key } = createTestReport();
    fc.assert(fc.property(fc.nat(report.rawtx.length * 4 - 1), (bit) => {
      const bytes = fromHex(report.rawtx);
      bytes[bit >> 3] = (bytes[bit >> 3] as number) ^ (1 << (bit & 7));
      const altered = { ...report, rawtx: toHex(bytes) };
      expect(codeOf(altered)).not.toBe('fine');
      try {
        expect(checkReport(proveReport(altered, SENDER, key), 'devnet', SENDER).txid).not.toBe(txid);
      } catch (error) {
        expect(error).toBeInstanceOf(ServiceError);
      }
    }));
  });
});

describe('the proof of a report', () => {
  /** The same payment with other inputs, its proof made for that. */
  const withInputs = ({ report, transaction, key }: ReturnType<typeof createTestReport>, ...inputs: Partial<TransactionInput>[]) => {
    const [first] = transaction.inputs as [TransactionInput];
    const rawtx = toHex(serializeTransaction({ ...transaction, inputs: inputs.map((input) => ({ ...first, ...input })) }));
    return proveReport({ ...report, rawtx }, SENDER, key);
  };

  it('is good for one payment, one transaction, one account and one key', () => {
    const { report, key } = createTestReport();
    const other = createTestReport();
    const proofs: [string, PaymentReport][] = [
      ['another id', proveReport({ ...report, id: randomUUID() }, SENDER, key)],
      ['another transaction', proveReport({ ...report, rawtx: other.report.rawtx }, SENDER, key)],
      ['another account', proveReport(report, newPublicKey(), key)],
      ['another key', proveReport(report, SENDER, other.key)],
      ['another report', other.report],
    ];
    for (const [name, { inputProof }] of proofs) expect(codeOf({ ...report, inputProof }), name).toBe('payment-mismatch');
    expect(codeOf(report, 'devnet', newPublicKey())).toBe('payment-mismatch');
    expect(codeOf(proveReport(report, SENDER, key))).toBe('fine');
  });

  it('is that of the first input, and of no other', () => {
    const [made, other] = [createTestReport(), createTestReport()];
    const [own, foreign] = [made.transaction.inputs[0] ?? {}, other.transaction.inputs[0] ?? {}];
    expect(codeOf(withInputs(made, own, foreign))).toBe('fine');
    expect(codeOf(withInputs(made, foreign, own))).toBe('payment-mismatch');
  });

  it('needs an unlocking script that ends in the compressed key', () => {
    const made = createTestReport();
    const publicKey = fromHex(made.key.toPublicKey().toString());
    const uncompressed = Uint8Array.from(made.key.toPublicKey().encode(false) as number[]);
    const signature = pushData(new Uint8Array(71).fill(0x30));
    const coinbase = { txid: '0'.repeat(64), vout: 0xffff_ffff };
    const cases: [string, Partial<TransactionInput>][] = [
      ['empty', { unlockingScript: new Uint8Array() }],
      ['a coinbase', { ...coinbase, unlockingScript: concatBytes(pushData(Uint8Array.of(1, 2, 3)), new TextEncoder().encode('/a miner/')) }],
      ['a long coinbase', { ...coinbase, unlockingScript: new Uint8Array(100).fill(0x51) }],
      ['one byte', { unlockingScript: Uint8Array.of(0x21) }],
      ['a key cut short', { unlockingScript: pushData(publicKey).slice(0, -1) }],
      ['less than a key', { unlockingScript: publicKey.slice(1) }],
      ['a signature alone', { unlockingScript: signature }],
      ['a key, then something else', { unlockingScript: concatBytes(signature, pushData(publicKey), Uint8Array.of(0x51)) }],
      ['the whole key', { unlockingScript: concatBytes(signature, pushData(uncompressed)) }],
      ['no point of the curve', { unlockingScript: concatBytes(signature, pushData(new Uint8Array(33).fill(0xff))) }],
      ['zeros', { unlockingScript: concatBytes(signature, pushData(new Uint8Array(33))) }],
    ];
    for (const [name, input] of cases) expect(codeOf(withInputs(made, input)), name).toBe('payment-mismatch');
    expect(codeOf(withInputs(made, { unlockingScript: concatBytes(signature, pushData(publicKey)) }))).toBe('fine');
  });

  it('is nothing but a canonical signature', () => {
    const { report } = createTestReport();
    const zeros = Buffer.alloc(65);
    const cases = ['', 'A', '='.repeat(88), zeros.toString('base64'), zeros.fill(0xff).toString('base64'), report.inputProof.slice(0, -1), ` ${report.inputProof}`];
    for (const inputProof of cases) expect(codeOf({ ...report, inputProof }), inputProof).toBe('payment-mismatch');
  });
});
