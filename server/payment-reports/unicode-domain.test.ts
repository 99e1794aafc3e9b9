import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Session } from '../../protocol/http/api.ts';
import { createTestDelivery } from '../received/testing-delivery.ts';
import { bearer, createTestWallet, register } from '../testing.ts';
import { useService } from '../testing-service.ts';
import { createTestReport, proveReport } from './testing-report.ts';

const PAYMENTS = '/api/v2/payments';

describe('reports at a service with an internationalized domain', () => {
  const { app, arc, database } = useService({ baseUrl: 'https://bücher.example' });
  const wallet = createTestWallet();
  let payer: Session;
  let bob: Session;
  beforeAll(async () => {
    payer = await register(app, wallet, 'payer');
    bob = await register(app, createTestWallet(), 'bob');
  });

  it.each(['bob@bücher.example', 'bob@xn--bcher-kva.example'])(
    'a payment to %s is recorded for its user',
    async (to) => {
      const made = await createTestDelivery(database.db, Number(bob.user.id), to, new Date(app.clock.ms), {
        senderKey: wallet.publicKey,
      });
      arc.statuses.set(made.received.txid, 'SEEN_ON_NETWORK');
      const { status, body } = await app.post(PAYMENTS, made.report, bearer(payer));
      expect([status, body.paymentOutputs?.[0]]).toEqual([201, expect.objectContaining({ to, paymail: to })]);
      expect((await app.get(`${PAYMENTS}/${made.report.id}`, bearer(bob))).status).toBe(200);
      expect((await app.post(PAYMENTS, made.report, bearer(payer))).status).toBe(200);
    },
  );

  it('a payment to the payer’s own script isn’t recorded as a payment to a user, in either spelling', async () => {
    const { report, txid, key } = createTestReport([200_000n], wallet.publicKey);
    arc.statuses.set(txid, 'SEEN_ON_NETWORK');
    const codeFor = async (paymail: string) => {
      const claim = { type: 'PAYMAIL' as const, to: paymail, paymail, address: null };
      const outputs = report.outputs.map((output) => ({ ...output, ...claim }));
      const proven = proveReport({ ...report, id: randomUUID(), outputs }, wallet.publicKey, key);
      return (await app.post(PAYMENTS, proven, bearer(payer))).body.error?.code;
    };
    for (const domain of ['xn--bcher-kva.example', 'bücher.example', 'Bu\u0308cher.example', 'bücher.example。'])
      expect(await codeFor(`bob@${domain}`), domain).toBe('payment-mismatch');
  });
});
