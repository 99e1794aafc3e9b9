import { describe, expect, it } from 'vitest';
import { p2pkhScript } from '../../protocol/bitcoin/address.ts';
import { writeTokenScript } from '../../protocol/assets/bsv21/token.ts';
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import type { CryptoResult } from '../../protocol/payments/payment.ts';
import { storedOutput, storedPayment } from './testing-payments.ts';
import { hex, paymentView } from './view.ts';
import { metadataOf } from '../../protocol/payments/metadata.ts';

const TOKEN_ID = `${'ab'.repeat(32)}_0`;

describe('a payment in the API', () => {
  it('shows the transferred amounts and the sender’s statements, and null for unknown values', () => {
    const payment = storedPayment({ amount: '7.00', label: 'Read', refundOf: 'x' });
    const { payment: shown, paymentOutputs } = paymentView({ payment, outputs: [] });
    expect(shown).toEqual({
      id: payment.id,
      ...metadataOf({ label: 'Read', refundOf: 'x' }),
      status: 'RECEIVED',
      statusDescription: null,
      network: 'seen',
      clientIdentifier: null,
      txid: payment.txid,
      normalizedTxid: payment.normalizedTxid,
      satoshis: '200000',
      amountUsd: '0.10',
      serviceAmount: '0.10',
      amountDeviates: true,
      amount: '7.00',
      currency: 'USD',
      inputSatoshis: null,
      spendSatoshis: null,
      feeSatoshis: null,
      changeSatoshis: null,
      outputs: [],
      paymentOutputs: [],
      cryptoOperations: [],
      userId: null,
      senderPaymail: null,
      refundSatoshis: null,
      refundedSatoshis: '0',
      rawtx: '0102ff',
      createdAt: '2027-05-02T10:00:00.000Z',
    });
    expect(paymentOutputs).toEqual([]);
  });

  it('shows its sums, sender and refunds as text', () => {
    const payment = storedPayment({
      userId: 17,
      inputSatoshis: 1_000_000n,
      outputSatoshis: 999_900n,
      refundSatoshis: 5n,
      refundedSatoshis: 7n,
      status: 'FAILED',
      statusDescription: 'no',
    });
    expect(paymentView({ payment, outputs: [] }).payment).toMatchObject({
      userId: '17',
      inputSatoshis: '1000000',
      spendSatoshis: '200100',
      feeSatoshis: '100',
      changeSatoshis: '799900',
      refundSatoshis: '5',
      refundedSatoshis: '7',
      status: 'FAILED',
      statusDescription: 'no',
    });
  });

  it('shows a recipient’s scripts only if this service issued them', () => {
    const scripts = [{ script: '6a', satoshis: '200000', keyPath: 'm/0/1' }];
    const outputs = [storedOutput({ scripts, recipientId: null }), storedOutput({ scripts, recipientId: 17 })];
    const { payment, paymentOutputs } = paymentView({ payment: storedPayment(), outputs });
    expect(paymentOutputs.map((output) => output.scripts)).toEqual([null, [{ script: '6a', satoshis: '200000' }]]);
    expect([payment.outputs, payment.paymentOutputs]).toEqual([paymentOutputs, paymentOutputs]);
    // Neither the recipient's ID nor the host's reference is included.
    const { to, address } = storedOutput();
    expect(paymentOutputs[0]).toEqual({
      type: 'ADDRESS',
      to,
      address,
      paymail: null,
      userId: null,
      script: null,
      amount: '0.10',
      currency: 'USD',
      satoshis: '200000',
      scripts: null,
    });
  });

  it('shows which of its operations this service has verified', () => {
    const operation = (method: CryptoResult['method']) =>
      ({ id: method, method, verified: null, paymail: null }) as CryptoResult;
    const payment = storedPayment({ cryptoOperations: [operation('sign'), operation('encrypt')] });
    expect(
      paymentView({ payment, outputs: [] }).payment.cryptoOperations.map(({ id, checked }) => [id, checked]),
    ).toEqual([
      ['sign', true],
      ['encrypt', false],
    ]);
  });

  it('shows the units of a token from its script, without a worth, and its ID instead of an unverified name', () => {
    const script = toHex(writeTokenScript({ op: 'transfer', id: TOKEN_ID, amt: 25n }, p2pkhScript(new Uint8Array(20))));
    const outputs = [storedOutput({ currency: 'gold', satoshis: 1n, scripts: [{ script, satoshis: '1' }] })];
    const view = (assetId: string | null, tokenValidity: 'valid' | null) =>
      paymentView({
        payment: storedPayment({
          satoshis: 1n,
          currency: 'gold',
          currencyRate: null,
          tokenId: TOKEN_ID,
          assetId,
          tokenValidity,
        }),
        outputs,
      }).payment;
    expect(view(null, null)).toMatchObject({
      amountUsd: null,
      serviceAmount: null,
      amountDeviates: null,
      currency: TOKEN_ID,
      outputs: [{ currency: TOKEN_ID, token: { id: TOKEN_ID, units: '25', validity: 'unverified', assetId: null } }],
    });
    expect(view('an-asset', 'valid')).toMatchObject({
      currency: 'gold',
      outputs: [{ currency: 'gold', token: { validity: 'valid', assetId: 'an-asset' } }],
    });
  });

  it('shows bytes as hexadecimal text, and only the view’s part of a buffer', () => {
    expect(hex(Uint8Array.of(0, 1, 0xff, 3).subarray(1, 3))).toBe('01ff');
  });
});
