import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { PaymentReport } from '../../protocol/http/api.ts';
import { METADATA_NAMES, metadataOf } from '../../protocol/payments/metadata.ts';
import type { CryptoResult } from '../../protocol/payments/payment.ts';
import { useTestDatabase } from '../database/testing.ts';
import { findPayment, type StoredPayment } from '../payments/stored-payment.ts';
import { checkReport } from './check-report.ts';
import { insertPayment, isSameReport } from './store.ts';
import { createTestReport, proveAnonymously } from './testing-report.ts';

const database = useTestDatabase();
const baseUrl = 'https://one.example';
const operation: CryptoResult = {
  id: '1',
  name: 'sealed',
  method: 'encrypt',
  data: null,
  dataEncoding: 'utf8',
  value: '00ff',
  valueEncoding: 'hex',
  key: 'identity',
  algorithm: null,
  publicKey: null,
  paymail: null,
  signature: null,
  verified: null,
};

async function stored(): Promise<{ report: PaymentReport; payment: StoredPayment }> {
  const made = createTestReport([200_000n, 300_000n], '');
  const report = proveAnonymously(
    {
      ...made.report,
      clientIdentifier: 'a-shop',
      ...metadataOf(Object.fromEntries(METADATA_NAMES.map((name) => [name, `its ${name}`]))),
      cryptoOperations: [operation],
    },
    baseUrl,
    made.key,
  );
  const terms = { network: 'devnet', publicKey: null, baseUrl, paymailDomain: '', destinations: new Map() } as const;
  const unknown = { inputSatoshis: null, usdRate: null, currencyRate: null, senderPaymail: null };
  await insertPayment(database.db, null, report, { ...checkReport(report, terms), ...unknown }, new Date());
  return { report, payment: (await findPayment(database.db, report.id)) as StoredPayment };
}

it('a report is the same in any order of members, and with a different proof', async () => {
  const { report, payment } = await stored();
  const turned = <T extends object>(value: T) => Object.fromEntries(Object.entries(value).toReversed()) as T;
  expect(isSameReport(payment, report)).toBe(true);
  const reordered = turned({
    ...report,
    outputs: report.outputs.map((output) => turned({ ...output, scripts: output.scripts.map(turned) })),
    cryptoOperations: [turned(operation)],
  });
  expect(isSameReport(payment, { ...reordered, inputProof: 'another', inputs: ['205000'] })).toBe(true);
  expect(isSameReport(payment, { ...report, id: report.id.toUpperCase() })).toBe(true);
  // A field missing from an older wallet's report is treated as having its default value.
  expect(
    isSameReport(payment, { ...report, outputs: report.outputs.map((one) => ({ ...one, reference: null })) }),
  ).toBe(true);
});

it('a report that differs in any field is a different one', async () => {
  const { report, payment } = await stored();
  const { report: other } = createTestReport([200_000n], '');
  const [first, second] = report.outputs as [PaymentReport['outputs'][0], PaymentReport['outputs'][0]];
  const changes: Partial<PaymentReport>[] = [
    { id: randomUUID() },
    { rawtx: other.rawtx },
    { amount: '0.200' },
    { currency: 'EUR' },
    { origin: 'https://eve.example' },
    { origin: null },
    { clientIdentifier: 'eves' },
    { outputs: [first] },
    { outputs: [second, first] },
    { cryptoOperations: undefined },
    { cryptoOperations: [operation, operation] },
    ...METADATA_NAMES.flatMap((name) => [{ [name]: 'another' }, { [name]: null }]),
    ...Object.keys(operation).map((name) => ({ cryptoOperations: [{ ...operation, [name]: 'another' }] })),
  ];
  const outputs: Partial<PaymentReport['outputs'][0]>[] = [
    { type: 'SCRIPT' },
    { to: 'x' },
    { paymail: 'eve@example.com' },
    { userId: '1' },
    { address: null },
    { script: '00' },
    { amount: '0.11' },
    { currency: 'EUR' },
    { satoshis: '1' },
    { reference: 'ref' },
    { scripts: other.outputs[0]?.scripts ?? [] },
    { scripts: first.scripts.map((one) => ({ ...one, satoshis: '1' })) },
    { scripts: [...first.scripts, ...first.scripts] },
  ];
  for (const change of [...changes, ...outputs.map((one) => ({ outputs: [{ ...first, ...one }, second] }))])
    expect(isSameReport(payment, { ...report, ...change } as PaymentReport), JSON.stringify(change)).toBe(false);
});

it('no report is the same as a payment received by paymail', async () => {
  const { report, payment } = await stored();
  expect(isSameReport({ ...payment, payment: { ...payment.payment, reported: false } }, report)).toBe(false);
});
