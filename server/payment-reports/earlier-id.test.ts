import { beforeAll, describe, expect, it } from 'vitest';
import { p2pkhScript, writeAddress } from '../../protocol/bitcoin/address.ts';
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import { serializeTransaction, txidOf } from '../../protocol/bitcoin/transaction.ts';
import type { Session } from '../../protocol/http/api.ts';
import { createTestDelivery } from '../received/testing-delivery.ts';
import { bearer, createTestWallet, register, registerApplication, type TestApplication } from '../testing.ts';
import { useService } from '../testing-service.ts';
import { claimDue } from '../webhooks/queue.ts';
import { createTestReport, proveReport, type TestReport } from './testing-report.ts';

const PAYMENTS = '/api/v2/payments';

describe('a refund that names the ID that a payment by paymail had before its sender’s report', () => {
  const { app, arc, database } = useService();
  const [payerWallet, keeperWallet] = [createTestWallet(), createTestWallet()];
  let payer: Session;
  let keeper: Session;
  let shop: TestApplication;

  beforeAll(async () => {
    payer = await register(app, payerWallet, 'payer');
    keeper = await register(app, keeperWallet, 'keeper');
    shop = await registerApplication(app, keeper, { webhookUrl: 'https://shop.example/hook' });
  });

  const read = async (id: string) => (await app.get(`${PAYMENTS}/${id}`, bearer(keeper))).body.payment;

  async function deliverSale() {
    const { id, paymail } = keeper.user;
    const sale = await createTestDelivery(database.db, Number(id), paymail, new Date(app.clock.ms), {
      senderKey: payerWallet.publicKey,
    });
    arc.statuses.set(sale.received.txid, 'SEEN_ON_NETWORK');
    await sale.deliver();
    const { payments } = (await app.get('/api/v2/me/payments', bearer(keeper))).body;
    const { id: earlier } = payments.find(({ txid }: { txid: string }) => txid === sale.received.txid);
    const report = sale.reportWith({ clientIdentifier: shop.clientIdentifier });
    const reportSale = async () => expect((await app.post(PAYMENTS, report, bearer(payer))).status).toBe(201);
    return { earlier, report, key: sale.key, reportSale };
  }

  function createRefund(key: TestReport['key'], refundOf: string) {
    const made = createTestReport([500_000n], keeperWallet.publicKey);
    const hash = Uint8Array.from(key.toPublicKey().toHash() as number[]);
    const [script, address] = [p2pkhScript(hash), writeAddress(hash, 'devnet')];
    const outputs = [{ satoshis: 500_000n, lockingScript: script }];
    const rawtx = serializeTransaction({ ...made.transaction, outputs });
    arc.statuses.set(txidOf(rawtx), 'SEEN_ON_NETWORK');
    const [output] = made.report.outputs as [TestReport['report']['outputs'][0]];
    const { inputProof: _, ...report } = {
      ...made.report,
      rawtx: toHex(rawtx),
      clientIdentifier: shop.clientIdentifier,
      refundOf,
      outputs: [{ ...output, to: address, address, scripts: [{ script: toHex(script), satoshis: '500000' }] }],
    };
    return proveReport(report, keeperWallet.publicKey, made.key);
  }

  it.each(['no application', 'an application'])('counts if %s was notified of that ID', async (notified) => {
    const { earlier, report, key, reportSale } = await deliverSale();
    if (notified === 'an application')
      while ((await claimDue(database.db, new Map(), 100, new Date(app.clock.ms + 1))).length > 0);
    await reportSale();
    const refund = createRefund(key, earlier);
    for (const status of [201, 200]) {
      const answer = await app.post(PAYMENTS, refund, bearer(keeper));
      expect([answer.status, answer.body.payment]).toMatchObject([
        status,
        { refundOf: report.id, refundSatoshis: '500000' },
      ]);
    }
    expect((await read(report.id)).refundedSatoshis).toBe('500000');
  });

  it('a refund reported before its payment’s sender reports can be reported again afterward', async () => {
    const { earlier, key, reportSale } = await deliverSale();
    const refund = createRefund(key, earlier);
    expect((await app.post(PAYMENTS, refund, bearer(keeper))).status).toBe(201);
    await reportSale();
    expect((await app.post(PAYMENTS, refund, bearer(keeper))).status).toBe(200);
  });
});
