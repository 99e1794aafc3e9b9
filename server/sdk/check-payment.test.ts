import { expect, test } from 'vitest';
import { createTestWallet } from '../testing.ts';
import { createTestReport } from '../payment-reports/testing-report.ts';
import { metadataOf } from '../../protocol/payments/metadata.ts';
import { fromHex } from '../../protocol/bitcoin/bytes.ts';
import { normalizedTxidOf, txidOf } from '../../protocol/bitcoin/transaction.ts';
import { checkPayment } from './check-payment.ts';
import type { Expectation } from './expectation.ts';
import type { Payment } from './payment.ts';
import { VerificationError } from './verification-error.ts';

/** Returns a payment of 200,000 and 300,000 satoshis, reported as 0.10 USD each, at 50 USD per BSV. */
function make(change: (payment: Payment) => Partial<Payment> = () => ({})): Payment {
  const { report, txid, transaction } = createTestReport([200_000n, 300_000n], createTestWallet().publicKey);
  const { id, amount, currency, rawtx, outputs } = report;
  const payment: Payment = {
    id,
    amount,
    currency,
    ...metadataOf(report),
    rawtx,
    txid,
    normalizedTxid: normalizedTxidOf(transaction),
    outputs: outputs.map(({ scripts: _scripts, ...output }) => output),
    status: 'RECEIVED',
    statusDescription: null,
    clientIdentifier: 'c',
    satoshis: '500000',
    amountUsd: '0.25',
    userId: '1001',
    createdAt: '2025-01-01T00:00:00.000Z',
  };
  return { ...payment, ...change(payment) };
}
const first = ({ outputs }: Payment, amount = '0.10', currency = 'USD') => ({
  to: outputs[0]?.to ?? '',
  amount,
  currency,
});
const second = ({ outputs }: Payment, amount = '0.10') => ({ to: outputs[1]?.to ?? '', amount, currency: 'USD' });
const codeOf = (payment: Payment, expect: Expectation, rates = {}) => {
  try {
    checkPayment(payment, expect, rates);
    return 'good';
  } catch (error) {
    return error instanceof VerificationError ? error.code : error;
  }
};

test('a transaction of version 2 counts only once a block contains it, because others can change its id before', () => {
  const malleable = (status: Payment['status']) =>
    make(({ rawtx }) => {
      const later = `02${rawtx.slice(2)}`;
      return { status, rawtx: later, txid: txidOf(fromHex(later)) };
    });
  for (const [status, outcome] of [
    ['RECEIVED', 'not-paid'],
    ['COMPLETED', 'good'],
  ] as const) {
    const payment = malleable(status);
    expect(codeOf(payment, { ...first(payment), acceptContested: true })).toBe(outcome);
  }
});

test('accepts the expected payment to one or several recipients, in any order, paid in full or more', () => {
  const payment = make();
  expect(codeOf(payment, first(payment))).toBe('good');
  expect(codeOf(payment, { ...first(payment, '0.09'), buttonId: 'invoice-1' })).toBe('good');
  expect(codeOf(payment, { outputs: [second(payment), first(payment)] })).toBe('good');
  expect(codeOf(payment, { outputs: [first(payment, '0.04'), first(payment, '0.06')] })).toBe('good');
  expect(
    codeOf(
      make(() => ({ status: 'COMPLETED' })),
      { outputs: [], ...first(payment) } as never,
    ),
  ).toBe('unsupported');
});

test('rejects a payment that the network doesn’t have, or that no block has if a block is required', () => {
  for (const status of ['PENDING', 'FAILED', 'other'] as const) {
    const payment = make(() => ({ status: status as Payment['status'] }));
    expect(codeOf(payment, first(payment))).toBe('not-paid');
  }
  const [received, completed] = [make(), make(() => ({ status: 'COMPLETED' }))];
  expect(codeOf(received, { ...first(received), completed: true })).toBe('not-paid');
  expect(codeOf(completed, { ...first(completed), completed: true })).toBe('good');
});

test.each([
  ['0.10', 'good'],
  ['0.1', 'good'],
  [0.5, 'good'],
  ['0.09', 'mismatch'],
  ['x', 'unsupported'],
])('an amount of 0.10 that the payer chose is checked against the maximum %j: %s', (max, code) => {
  const payment = make();
  expect(codeOf(payment, { ...first(payment, '0.05'), max })).toBe(code);
});

test('rejects another button, recipient or currency, and a lower amount', () => {
  const payment = make();
  expect(codeOf(payment, { ...first(payment), buttonId: 'invoice-2' })).toBe('mismatch');
  expect(codeOf(payment, { ...first(payment), to: make().outputs[0]?.to ?? '' })).toBe('mismatch');
  expect(codeOf(payment, first(payment, '0.10', 'EUR'), { EUR: '45', USD: '50' })).toBe('mismatch');
  expect(codeOf(payment, first(payment, '0.11'))).toBe('mismatch');
  expect(codeOf(payment, { outputs: [first(payment), first(payment, '0.000001')] })).toBe('mismatch');
});

test('trusts the transaction, not the report', () => {
  const other = make();
  const lies: [string, (payment: Payment) => Partial<Payment>, string][] = [
    [
      'a recipient that the transaction does not pay',
      ({ outputs }) => ({ outputs: outputs.map((output) => ({ ...output, to: other.outputs[0]?.to ?? '' })) }),
      'mismatch',
    ],
    ['another transaction', () => ({ rawtx: other.rawtx }), 'mismatch'],
    ['the id of another transaction', () => ({ txid: other.txid }), 'mismatch'],
    ['both of another', () => ({ rawtx: other.rawtx, txid: other.txid }), 'mismatch'],
    ['a transaction with something behind it', ({ rawtx }) => ({ rawtx: `${rawtx}00` }), 'malformed'],
    ['a transaction that breaks off', ({ rawtx }) => ({ rawtx: rawtx.slice(0, -2) }), 'malformed'],
    ['none', () => ({ rawtx: '' }), 'malformed'],
    ['no hex', () => ({ rawtx: 'zz' }), 'malformed'],
  ];
  for (const [name, lie, code] of lies) {
    const payment = make(lie);
    expect(codeOf(payment, first(payment)), name).toBe(code);
  }
  const amounts = make(({ outputs }) => ({ outputs: outputs.map((output) => ({ ...output, amount: '10.00' })) }));
  // The wallet claims ten dollars, but the satoshis are worth ten cents.
  expect(codeOf(amounts, first(amounts, '10.00'))).toBe('mismatch');
  expect(
    codeOf(
      make(({ outputs }) => ({ outputs: outputs.map((output) => ({ ...output, amount: 'much' })) })),
      first(amounts),
    ),
  ).toBe('mismatch');
});

test('compares BSV exactly, other currencies with the tolerance', () => {
  const bsv = make(({ outputs }) => ({
    outputs: outputs.map((output, i) => ({ ...output, currency: 'BSV', amount: i === 0 ? '0.002' : '0.003' })),
  }));
  expect(codeOf(bsv, first(bsv, '0.002', 'BSV'))).toBe('good');
  expect(codeOf(bsv, first(bsv, '0.00200001', 'BSV'))).toBe('mismatch');
  // At 47.5 USD per BSV, the satoshis are worth 0.095 USD, five percent below the price.
  const cheap = make(() => ({ amountUsd: '0.2375' }));
  expect(codeOf(cheap, first(cheap))).toBe('good');
  expect(codeOf(cheap, { ...first(cheap), rateTolerancePercent: 4 })).toBe('mismatch');
  const cheaper = make(() => ({ amountUsd: '0.23749' }));
  expect(codeOf(cheaper, first(cheaper))).toBe('mismatch');
  expect(codeOf(cheaper, { ...first(cheaper), rateTolerancePercent: 6 })).toBe('good');
  for (const rateTolerancePercent of [-1, 100, 0.5, Number.NaN])
    expect(codeOf(cheap, { ...first(cheap), rateTolerancePercent })).toBe('unsupported');
});

test('uses current rates if the payment doesn’t contain any, and for currencies other than the dollar', () => {
  const unknown = make(() => ({ amountUsd: null }));
  expect(codeOf(unknown, first(unknown), { USD: '50' })).toBe('good');
  expect(codeOf(unknown, first(unknown), { USD: '40' })).toBe('mismatch');
  expect(codeOf(unknown, first(unknown))).toBe('unsupported');
  const euro = make(({ outputs }) => ({ outputs: outputs.map((output) => ({ ...output, currency: 'EUR' })) }));
  // One BSV cost 50 USD at the time of payment and costs 25 USD or 26 EUR now, so it cost 52 EUR.
  expect(codeOf(euro, first(euro, '0.10', 'EUR'), { USD: '25', EUR: '26' })).toBe('good');
  expect(codeOf(euro, first(euro, '0.10', 'EUR'), { USD: '25', EUR: '20' })).toBe('mismatch');
  expect(codeOf(euro, first(euro, '0.10', 'EUR'), { USD: '25' })).toBe('unsupported');
  expect(codeOf(euro, first(euro, '0.10', 'EUR'), JSON.parse('{"__proto__":{"EUR":"26"},"USD":"25"}'))).toBe(
    'unsupported',
  );
});

test('throws for an expectation that can’t be checked', () => {
  const payment = make(({ outputs }) => ({
    outputs: outputs.map((output) => ({ ...output, type: 'PAYMAIL' as const, to: 'a@b.example' })),
  }));
  expect(codeOf(payment, first(payment))).toBe('unsupported');
  expect(codeOf(payment, { outputs: [] })).toBe('unsupported');
  for (const amount of ['0', '', '-1', '1e3', 'x'])
    expect(codeOf(make(), first(make(), amount)), amount).toBe('unsupported');
  expect(codeOf(payment, { outputs: [first(payment), first(payment, '1', 'BSV')] })).toBe('unsupported');
});

/** Returns the same payment, but to a paymail and a user ID at the service. */
const toPersons = (
  change: (output: Payment['outputs'][number], i: number) => Partial<Payment['outputs'][number]> = () => ({}),
) => {
  const { report, txid, transaction } = createTestReport([200_000n, 300_000n], createTestWallet().publicKey);
  const persons = [
    { type: 'PAYMAIL' as const, to: 'Shop@pay.example', paymail: 'Shop@pay.example' },
    { type: 'USER' as const, to: '1001', userId: '1001' },
  ];
  return make(() => ({
    rawtx: report.rawtx,
    txid,
    normalizedTxid: normalizedTxidOf(transaction),
    outputs: report.outputs.map((output, i) => {
      const told = { ...output, address: null, ...(persons[i] as (typeof persons)[number]) };
      return { ...told, ...change(told, i) };
    }),
  }));
};

test('[S-08] [S-09] accepts payments to the service’s paymail and user ID by the scripts that it issued', () => {
  const both = {
    outputs: [
      { to: 'shop@PAY.example', amount: '0.10', currency: 'USD' },
      { to: '1001', amount: '0.10', currency: 'USD' },
    ],
  };
  expect(codeOf(toPersons(), both)).toBe('good');
  const [paymail, userId] = both.outputs;
  for (const one of [paymail, userId] as const) {
    expect(codeOf(toPersons(), one as Expectation)).toBe('good');
    expect(codeOf(toPersons(), { ...(one as { to: string; currency: string }), amount: '0.11' })).toBe('mismatch');
  }
  expect(codeOf(toPersons(), { ...(userId as { amount: string; currency: string }), to: '1002' })).toBe('mismatch');

  // Scripts that the transaction doesn't pay, that it underpays, or that belong to the other recipient.
  const [one, other] = [toPersons().outputs[0]?.scripts ?? [], toPersons()];
  expect(
    codeOf(
      toPersons((_, i) => (i === 0 ? { scripts: one } : {})),
      both,
    ),
  ).toBe('mismatch');
  expect(
    codeOf(
      toPersons(({ scripts }) => ({ scripts: [{ script: scripts?.[0]?.script ?? '', satoshis: '1' }] })),
      both,
    ),
  ).toBe('mismatch');
  const twice = other.outputs[0]?.scripts ?? [];
  expect(codeOf({ ...other, outputs: other.outputs.map((output) => ({ ...output, scripts: twice })) }, both)).toBe(
    'mismatch',
  );
  // Only the other host can tell who receives the payment at its paymail.
  for (const scripts of [null, undefined])
    expect(
      codeOf(
        toPersons(() => ({ scripts: scripts as null })),
        paymail as Expectation,
      ),
    ).toBe('unsupported');
});

test('[S-09] recognizes a paymail whose internationalized domain is in Unicode on one side and in ASCII on the other', () => {
  const forms = ['shop@bücher.example', 'shop@xn--bcher-kva.example', 'Shop@BÜCHER.example'];
  const paid = (paymail: string, to: string, amount = '0.10') =>
    codeOf(
      toPersons((_, i) => (i === 0 ? { to: paymail, paymail } : {})),
      { to, amount, currency: 'USD' },
    );
  for (const paymail of forms) for (const to of forms) expect(paid(paymail, to), `${paymail} ${to}`).toBe('good');
  expect(paid('shop@bücher.example', 'shop@bucher.example')).toBe('mismatch');
  expect(paid('shop@bücher.example', 'shop@xn--bcher-kva.example', '0.11')).toBe('mismatch');
  // Each output counts only once, even if the shop expects the same recipient under both spellings.
  const outputs = forms.map((to) => ({ to, amount: '0.10', currency: 'USD' }));
  expect(
    codeOf(
      toPersons((_, i) => (i === 0 ? { to: 'shop@bücher.example' } : {})),
      { outputs },
    ),
  ).toBe('mismatch');
});

test('rejects a fully refunded payment, and a refunded amount that isn’t digits', () => {
  const given = (refundedSatoshis: string) => make(() => ({ status: 'COMPLETED', refundedSatoshis }));
  const codes = ['0', '499999', '500000', '600000', 'x', '-1'].map((text) => {
    const payment = given(text);
    return codeOf(payment, first(payment));
  });
  expect(codes).toEqual(['good', 'good', 'not-paid', 'not-paid', 'malformed', 'malformed']);
});

test('accepts a price that the shop computed with floats, rounded the same way as in the button', () => {
  const payment = make((made) => ({
    amount: '0.30',
    amountUsd: '0.30',
    satoshis: '500000',
    outputs: made.outputs.slice(0, 1).map((output) => ({ ...output, amount: '0.30' })),
  }));
  const rate = { amountUsd: '0.75' };
  const priced = { ...payment, ...rate };
  expect(codeOf(priced, { ...first(payment), amount: 0.1 + 0.2 })).toBe('good');
  expect(codeOf(priced, { ...first(payment), amount: `${0.1 + 0.2}` })).toBe('good');
  expect(codeOf(priced, { ...first(payment), amount: 0.3 })).toBe('good');
  expect(codeOf(priced, { ...first(payment), amount: 0.31 })).toBe('mismatch');
  expect(codeOf(priced, { ...first(payment), amount: Number.NaN })).toBe('unsupported');
});
