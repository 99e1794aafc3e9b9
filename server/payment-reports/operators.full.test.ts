/** Sales and refunds with a service that queries ARC or Arcade for real transactions. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pino } from 'pino';
import { p2pkhScript, writeAddress } from '../../protocol/bitcoin/address.ts';
import type { Session } from '../../protocol/http/api.ts';
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import { createArcClient } from '../chain/arc-client.ts';
import { spend, startTestNetwork, type Coin, type TestNetwork } from '../paymail/testing-network.ts';
import { verifyPayment } from '../sdk/index.ts';
import { followDue } from '../settlement/follow.ts';
import {
  bearer,
  createTestWallet,
  register,
  registerApplication,
  type TestApplication,
  type TestWallet,
} from '../testing.ts';
import { useService } from '../testing-service.ts';
import { createTestReport, proveReport } from './testing-report.ts';

const PAYMENTS = '/api/v2/payments';
const MINUTE_MS = 60_000;

let network: TestNetwork;
beforeAll(async () => {
  network = await startTestNetwork();
});
afterAll(() => network.close());

describe.each(['arc', 'arcade'])('payments through the operator %s', (operator) => {
  const operatorUrl = () => new URL(operator, network.arcUrl).href;
  const { app, database } = useService(() => ({ arcUrl: operatorUrl() }));
  const [payer, keeper] = [createTestWallet(), createTestWallet()];
  let [payerSession, keeperSession, shop] = [{} as Session, {} as Session, {} as TestApplication];

  beforeAll(async () => {
    payerSession = await register(app, payer, 'payer');
    keeperSession = await register(app, keeper, 'keeper');
    shop = await registerApplication(app, keeperSession);
  });

  const paymentTo = async (hash: Uint8Array, { key, ...coin }: Coin, by: TestWallet, refundOf?: string) => {
    const [script, address] = [toHex(p2pkhScript(hash)), writeAddress(hash, 'devnet')];
    const transaction = await spend({ key, ...coin }, [{ script, satoshis: 200_000 }]);
    const { inputProof: _, ...report } = createTestReport([200_000n], by.publicKey).report;
    const outputs = report.outputs.map((output) => ({
      ...output,
      to: address,
      address,
      scripts: [{ script, satoshis: '200000' }],
    }));
    const { clientIdentifier } = shop;
    const unproven = {
      ...report,
      rawtx: transaction.toHex(),
      outputs,
      clientIdentifier,
      ...(refundOf && { refundOf }),
    };
    return { transaction, address, report: proveReport(unproven, by.publicKey, key) };
  };
  const hashOf = ({ key }: Coin) => Uint8Array.from(key.toPublicKey().toHash() as number[]);
  const statusOf = async (id: string, session: Session) =>
    (await app.get(`${PAYMENTS}/${id}`, bearer(session))).body.payment.status;
  const follow = () =>
    followDue({
      db: database.db,
      arc: createArcClient(operatorUrl()),
      now: () => new Date(app.clock.ms + MINUTE_MS),
      log: pino({ level: 'silent' }),
      maxDelayMs: MINUTE_MS,
      callback: null,
    });

  it('a sale counts once the network has it, is verified, refunded, and completed by a block', async () => {
    const [paid, kept] = [await network.coin(300_000), await network.coin(300_000)];
    const sale = await paymentTo(hashOf(kept), paid, payer);
    const early = await app.post(PAYMENTS, sale.report, bearer(payerSession));
    expect([early.status, early.body.error.code]).toEqual([422, 'not-accepted']);

    await network.broadcast(sale.transaction);
    expect((await app.post(PAYMENTS, sale.report, bearer(payerSession))).status).toBe(201);
    const verified = await verifyPayment({
      apiUrl: app.url,
      clientIdentifier: shop.clientIdentifier,
      clientSecret: shop.clientSecret,
      paymentId: sale.report.id,
      expect: { to: sale.address, amount: '0.10', currency: 'USD' },
    });
    expect(verified).toMatchObject({ id: sale.report.id, status: 'RECEIVED' });

    const refund = await paymentTo(hashOf(paid), kept, keeper, sale.report.id);
    await network.broadcast(refund.transaction);
    expect((await app.post(PAYMENTS, refund.report, bearer(keeperSession))).status).toBe(201);
    const { payment } = (await app.get(`${PAYMENTS}/${sale.report.id}`, bearer(keeperSession))).body;
    expect(payment).toMatchObject({ refundedSatoshis: '200000' });

    await network.coin(1_000); // Also mines all previous transactions.
    await follow();
    expect(await statusOf(sale.report.id, payerSession)).toBe('COMPLETED');
    expect(await statusOf(refund.report.id, keeperSession)).toBe('COMPLETED');
  });
});
