import { beforeAll, describe, expect, it } from 'vitest';
import { paymentResponse, type Session } from '../../protocol/http/api.ts';
import { paymentsDocument } from '../../protocol/compat/api-v1.ts';
import { paymentsResponse } from '../../protocol/http/api-v2.ts';
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import { serializeTransaction, txidOf } from '../../protocol/bitcoin/transaction.ts';
import { bearer, createTestWallet, register } from '../testing.ts';
import { createTestReport, proveReport } from './testing-report.ts';
import { useService } from '../testing-service.ts';

describe('payments to long scripts', () => {
  const { app, arc } = useService();
  let alice: Session;
  const wallet = createTestWallet();

  beforeAll(async () => {
    alice = await register(app, wallet, 'alice');
  });

  it('a single payment shows them completely, and lists shorten them, because a page could be half a gigabyte', async () => {
    const { report, transaction, key } = createTestReport(
      Array.from({ length: 50 }, (_, i) => BigInt(i + 1)),
      wallet.publicKey,
    );
    const script = `516a4d1027${'61'.repeat(9_990)}`;
    const bytes = Uint8Array.from(Buffer.from(script, 'hex'));
    transaction.outputs.forEach((output) => (output.lockingScript = bytes));
    const rawtx = serializeTransaction(transaction);
    arc.statuses.set(txidOf(rawtx), 'SEEN_ON_NETWORK');
    const outputs = report.outputs.map((output) => ({
      ...output,
      type: 'SCRIPT' as const,
      to: script,
      address: null,
      script,
      scripts: [{ script, satoshis: output.satoshis }],
    }));
    const sent = await app.post(
      '/api/v2/payments',
      proveReport({ ...report, rawtx: toHex(rawtx), outputs }, wallet.publicKey, key),
      bearer(alice),
    );
    expect(sent.status).toBe(201);
    expect(paymentResponse.parse(sent.body).payment.outputs[0]).toMatchObject({ to: script, script });
    expect((await app.get(`/api/v2/payments/${report.id}`, bearer(alice))).body.payment.outputs[49]).toMatchObject({
      to: script,
      script,
    });

    const shortened = `${script.slice(0, 1_000)}…`;
    const second = await app.get('/api/v2/me/payments', bearer(alice));
    const [listed] = paymentsResponse.parse(second.body).payments;
    expect(listed?.outputs.map(({ to, script: whole, satoshis }) => [to, whole, satoshis])).toEqual(
      report.outputs.map(({ satoshis }) => [shortened, null, satoshis]),
    );
    const first = await app.get('/api/v1/payments', bearer(alice));
    const { included } = paymentsDocument.parse(
      JSON.parse(typeof first.body === 'string' ? first.body : JSON.stringify(first.body)),
    );
    expect(included.map((one) => one.type === 'payment-outputs' && [one.attributes.to, one.attributes.script])).toEqual(
      report.outputs.map(() => [shortened, null]),
    );
  });
});
