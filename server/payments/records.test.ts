import { beforeAll, describe, expect, it } from 'vitest';
import type { Session } from '../../protocol/http/api.ts';
import { MAX_RECORDS_PER_REQUEST, recordsResponse } from '../../protocol/http/records.ts';
import { createTestReport } from '../payment-reports/testing-report.ts';
import { createTestDelivery } from '../received/testing-delivery.ts';
import { finishPayment } from '../settlement/payment-status.ts';
import { bearer, createTestWallet, register } from '../testing.ts';
import { useService } from '../testing-service.ts';

describe('transaction records', () => {
  const { app, arc, database } = useService();
  const [payer, stranger] = [createTestWallet(), createTestWallet()];
  let [own, others]: Session[] = [];

  beforeAll(async () => {
    [own, others] = [await register(app, payer, 'payer'), await register(app, stranger, 'stranger')];
  });

  const list = async (session: Session | undefined, ...txids: string[]) => {
    const { status, body } = await app.get(`/api/v2/me/records?txids=${txids.join(',')}`, bearer(session as Session));
    expect(status, JSON.stringify(body)).toBe(200);
    return recordsResponse.parse(body);
  };

  async function paid() {
    const made = createTestReport([200_000n, 3000n], payer.publicKey);
    arc.statuses.set(made.txid, 'SEEN_ON_NETWORK');
    expect((await app.post('/api/v2/payments', made.report, bearer(own as Session))).status).toBe(201);
    return made;
  }

  it('returns records to the account that reported them, with the scripts that its wallet checks', async () => {
    const { txid, report } = await paid();
    const { sent, received } = await list(own, txid, 'ab'.repeat(32), txid);
    const { origin, label = null } = report;
    expect(sent).toMatchObject([{ txid, origin, label, serviceAmount: '0.1015', currency: report.currency }]);
    expect(sent[0]?.outputs).toEqual(report.outputs.map(({ type, to, scripts }) => ({ type, to, scripts })));
    expect(received).toEqual([]);
    expect(await list(others, txid)).toEqual({ sent: [], received: [] });
  });

  it('omits failed payments', async () => {
    const { txid, report } = await paid();
    await finishPayment(database.db, report.id, { status: 'FAILED', description: null }, new Date());
    expect((await list(own, txid)).sent).toEqual([]);
  });

  it('names the sender of a paymail payment only to its recipient', async () => {
    const { id, paymail } = (own as Session).user;
    const { received, deliver } = await createTestDelivery(database.db, Number(id), paymail, new Date(app.clock.ms));
    await deliver();
    const { outputs, txid } = received;
    expect((await list(own, txid)).received).toMatchObject([
      { txid, sender: 'payer@two.example', senderVerified: true, note: 'for lunch' },
    ]);
    const [record] = (await list(own, txid)).received;
    const values = new Set(outputs.map(({ satoshis }) => satoshis.toString()));
    for (const { satoshis } of record?.scripts ?? []) expect(values).toContain(satoshis);
    expect(await list(others, txid)).toEqual({ sent: [], received: [] });
  });

  it.each([
    ['none', ''],
    ['no transaction id', 'order-7'],
    [
      'too many',
      Array(MAX_RECORDS_PER_REQUEST + 1)
        .fill('ab'.repeat(32))
        .join(','),
    ],
  ])('rejects a request with %s', async (_, txids) => {
    expect((await app.get(`/api/v2/me/records?txids=${txids}`, bearer(own as Session))).status).toBe(400);
  });

  it("rejects callers that aren't wallets", async () => {
    expect((await app.get(`/api/v2/me/records?txids=${'ab'.repeat(32)}`)).status).toBe(401);
  });
});
