import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eq, sql } from 'drizzle-orm';
import { LockingScript, type PrivateKey, type Transaction } from '@bsv/sdk';
import type { PaymentReport, Session } from '../../protocol/http/api.ts';
import { metadataOf } from '../../protocol/payments/metadata.ts';
import { satoshisToBsv } from '../../protocol/money/money.ts';
import { paymentDestinationMessage } from '../../protocol/http/paymail.ts';
import { paymailDestinations } from '../database/schema.ts';
import { proveAnonymously, proveReport } from '../payment-reports/testing-report.ts';
import { REJECTED } from '../payments/acceptance.ts';
import { finishPayment } from '../settlement/payment-status.ts';
import { useService } from '../testing-service.ts';
import { bearer, createTestWallet, register, type TestWallet } from '../testing.ts';
import { spend, startTestNetwork, type Output, type TestNetwork } from './testing-network.ts';

let network: TestNetwork;
beforeAll(async () => {
  network = await startTestNetwork();
});
afterAll(() => network.close());

interface IssuedDestination {
  outputs: Output[];
  reference: string;
}

describe('a payment whose script and value two references share', () => {
  const { app, database } = useService(() => ({ arcUrl: network.arcUrl, wocUrl: network.wocUrl, rateLimits: 'off' }));
  const [bobs, mallorys] = [createTestWallet(), createTestWallet()];
  let bob: Session;
  beforeAll(async () => {
    bob = await register(app, bobs, 'bob');
    await register(app, mallorys, 'mallory');
  });

  let people = 0;
  const newShop = () => register(app, createTestWallet(), `shop-${(people += 1)}`);
  const ask = async ({ user }: Session): Promise<IssuedDestination> =>
    (await app.post(`/bsvalias/p2p-payment-destination/${user.paymail}`, { satoshis: 2_500 })).body;
  /** Requests destinations with the same script for Bob and Mallory. Scripts repeat after twenty unpaid requests. */
  const twins = async (shop: Session): Promise<[IssuedDestination, IssuedDestination]> => {
    const all: IssuedDestination[] = [];
    for (let i = 0; i <= 20; i += 1) all.push(await ask(shop));
    const [first, last] = [all[0], all[20]] as [IssuedDestination, IssuedDestination];
    expect(last.outputs).toEqual(first.outputs);
    return [first, last];
  };
  const deliver = (
    shop: Session,
    transaction: Transaction,
    { reference }: IssuedDestination,
    handle: string,
    wallet: TestWallet,
  ) =>
    app.post(`/bsvalias/receive-transaction/${shop.user.paymail}`, {
      hex: transaction.toHex(),
      reference,
      metadata: {
        sender: `${handle}@localhost`,
        pubkey: wallet.publicKey,
        signature: wallet.sign(transaction.id('hex')),
        note: `from ${handle}`,
      },
    });
  const payments = async (session: Session) =>
    (await app.get('/api/v2/me/payments', bearer(session))).body.payments as { id: string; senderPaymail: string }[];
  const inbox = async (session: Session) =>
    (await app.get('/api/v2/me/received', bearer(session))).body.received as Record<string, unknown>[];
  const reportOf = (shop: Session, transaction: Transaction, { outputs, reference }: IssuedDestination) => {
    const satoshis = outputs.reduce((sum, one) => sum + one.satoshis, 0).toString();
    const amount = satoshisToBsv(BigInt(satoshis));
    const report: Omit<PaymentReport, 'inputProof'> = {
      id: randomUUID(),
      rawtx: transaction.toHex(),
      amount,
      currency: 'BSV',
      origin: 'https://shop.example',
      clientIdentifier: null,
      ...metadataOf({}),
      outputs: [
        {
          type: 'PAYMAIL',
          to: shop.user.paymail,
          paymail: shop.user.paymail,
          userId: null,
          address: null,
          script: null,
          amount,
          currency: 'BSV',
          satoshis,
          scripts: outputs.map((one) => ({ script: one.script, satoshis: String(one.satoshis) })),
          reference,
        },
      ],
    };
    return report;
  };
  /** Moves a destination after all payments in the storage order, as if its script had just been issued. */
  const issueAgain = ({ reference }: IssuedDestination) =>
    database.db
      .update(paymailDestinations)
      .set({ sequence: sql`nextval('payment_order')` })
      .where(eq(paymailDestinations.reference, reference));
  const pay = async ({ outputs }: IssuedDestination): Promise<{ transaction: Transaction; key: PrivateKey }> => {
    const coin = await network.coin(100_000);
    return { transaction: await spend(coin, outputs), key: coin.key };
  };

  it.each(['with an account', 'without an account'])(
    '[S-09] names no sender until the payer’s report does, and counts as one payment: %s',
    async (account) => {
      const shop = await newShop();
      const [his, hers] = await twins(shop);
      const { transaction, key } = await pay(his);
      expect((await deliver(shop, transaction, hers, 'mallory', mallorys)).status).toBe(200);
      expect(await payments(shop)).toMatchObject([{ senderPaymail: null }]);
      expect(await inbox(shop)).toMatchObject([{ sender: null, senderVerified: false, note: null }]);
      // Bob's own delivery is acknowledged, but doesn't determine the sender.
      expect((await deliver(shop, transaction, his, 'bob', bobs)).status).toBe(200);
      expect(await payments(shop)).toMatchObject([{ senderPaymail: null }]);
      const unproven = reportOf(shop, transaction, his);
      const report =
        account === 'with an account'
          ? proveReport(unproven, bobs.publicKey, key)
          : proveAnonymously(unproven, app.baseUrl, key);
      const answer = await app.post('/api/v2/payments', report, account === 'with an account' ? bearer(bob) : {});
      expect(answer.status).toBe(201);
      expect((await payments(shop)).map(({ id }) => id)).toEqual([report.id]);
      expect(await inbox(shop)).toMatchObject([
        { paymentId: report.id, sender: 'bob@localhost', senderVerified: true, note: 'from bob', satoshis: '2500' },
      ]);
      // Because of the report, Mallory's reference is unpaid.
      expect((await deliver(shop, transaction, hers, 'mallory', mallorys)).body.code).toBe('payment-mismatch');
      expect((await deliver(shop, transaction, his, 'bob', bobs)).status).toBe(200);
      expect(await payments(shop)).toHaveLength(1);
    },
  );

  it('names its sender if it is delivered only after the report', async () => {
    const shop = await newShop();
    const [his, hers] = await twins(shop);
    const { transaction, key } = await pay(his);
    expect((await deliver(shop, transaction, hers, 'mallory', mallorys)).status).toBe(200);
    const report = proveReport(reportOf(shop, transaction, his), bobs.publicKey, key);
    expect((await app.post('/api/v2/payments', report, bearer(bob))).status).toBe(201);
    expect(await inbox(shop)).toMatchObject([{ sender: null, note: null }]);
    expect((await deliver(shop, transaction, his, 'bob', bobs)).status).toBe(200);
    expect(await inbox(shop)).toMatchObject([{ sender: 'bob@localhost', senderVerified: true, note: 'from bob' }]);
  });

  it('names no sender if the other reference was paid only by a payment that failed', async () => {
    const shop = await newShop();
    const [his, hers] = await twins(shop);
    const first = await pay(his);
    expect((await deliver(shop, first.transaction, his, 'bob', bobs)).status).toBe(200);
    const [failed] = await payments(shop);
    await finishPayment(database.db, failed?.id ?? '', REJECTED, new Date(app.clock.ms));
    const { transaction, key } = await pay(his);
    expect((await deliver(shop, transaction, hers, 'mallory', mallorys)).status).toBe(200);
    expect((await inbox(shop))[1]).toMatchObject({ txid: transaction.id('hex'), sender: null, note: null });
    const report = proveReport(reportOf(shop, transaction, his), bobs.publicKey, key);
    expect((await app.post('/api/v2/payments', report, bearer(bob))).status).toBe(201);
    expect((await deliver(shop, transaction, his, 'bob', bobs)).status).toBe(200);
    expect(await inbox(shop)).toMatchObject([
      { txid: first.transaction.id('hex'), paymentId: failed?.id },
      { txid: transaction.id('hex'), paymentId: report.id, sender: 'bob@localhost', note: 'from bob' },
    ]);
  });

  it('names its sender immediately if no other request is for the same script and value', async () => {
    const shop = await newShop();
    const his = await ask(shop);
    const { transaction } = await pay(his);
    expect((await deliver(shop, transaction, his, 'bob', bobs)).status).toBe(200);
    expect(await inbox(shop)).toMatchObject([{ sender: 'bob@localhost', senderVerified: true, note: 'from bob' }]);
    expect(await payments(shop)).toMatchObject([{ senderPaymail: 'bob@localhost' }]);
  });

  it('can’t be reported as paying a reference that another transaction has paid, or one newer than the payment', async () => {
    const shop = await newShop();
    const [first, second] = [await ask(shop), await ask(shop)];
    const one = await pay(first);
    expect((await deliver(shop, one.transaction, first, 'bob', bobs)).status).toBe(200);
    const two = await pay(first);
    await network.broadcast(two.transaction);
    const again = proveReport(reportOf(shop, two.transaction, first), bobs.publicKey, two.key);
    expect((await app.post('/api/v2/payments', again, bearer(bob))).body.error.code).toBe('payment-conflict');
    const coin = await network.coin(100_000);
    const later = await ask(shop);
    const both = await spend(coin, [...second.outputs, ...later.outputs]);
    expect((await deliver(shop, both, second, 'bob', bobs)).status).toBe(200);
    await issueAgain(later);
    expect((await deliver(shop, both, later, 'mallory', mallorys)).body.code).toBe('payment-mismatch');
    const newer = proveReport(reportOf(shop, both, later), bobs.publicKey, coin.key);
    expect((await app.post('/api/v2/payments', newer, bearer(bob))).body.error.code).toBe('payment-mismatch');
  });

  it.each([2_500, undefined])('can also pay an address from basic resolution, for %s satoshis', async (amount) => {
    const shop = await newShop();
    const fields = { senderHandle: 'bob@localhost', dt: new Date(app.clock.ms).toISOString() };
    const request = { ...fields, ...(amount !== undefined && { amount }) };
    const { output } = (
      await app.post(`/bsvalias/address/${shop.user.paymail}`, {
        ...request,
        signature: bobs.sign(paymentDestinationMessage(request)),
        pubkey: bobs.publicKey,
      })
    ).body as { output: string };
    const hers: IssuedDestination[] = [];
    for (let i = 0; i < 20; i += 1) hers.push(await ask(shop));
    const same = hers.find(({ outputs }) => outputs[0]?.script === output) as IssuedDestination;
    const { transaction } = await pay(same);
    expect((await deliver(shop, transaction, same, 'mallory', mallorys)).status).toBe(200);
    expect(await inbox(shop)).toMatchObject([{ sender: null, senderVerified: false, note: null }]);
    expect(await payments(shop)).toMatchObject([{ senderPaymail: null }]);
  });

  it('can’t occur once the network has the payment, because the script isn’t issued again', async () => {
    const shop = await newShop();
    const his = await ask(shop);
    const { transaction } = await pay(his);
    // Bob's wallet has broadcast the transaction but hasn't delivered it when Mallory requests the same script.
    await network.broadcast(transaction);
    const scripts = new Set<string>();
    for (let i = 0; i < 40; i += 1) for (const { script } of (await ask(shop)).outputs) scripts.add(script);
    expect(scripts.size).toBe(19);
    expect(scripts).not.toContain(his.outputs[0]?.script);
    expect(LockingScript.fromHex([...scripts][0] ?? '').toASM()).toMatch(/^OP_DUP OP_HASH160 /);
  });
});

describe('a service with an unreachable index', () => {
  const { app } = useService(() => ({ arcUrl: network.arcUrl, wocUrl: 'http://127.0.0.1:1', rateLimits: 'off' }));

  it('reissues scripts, and marks no sender of their payments as certain', async () => {
    const shop = await register(app, createTestWallet(), 'keeper');
    const wallet = createTestWallet();
    await register(app, wallet, 'bob');
    const ask = async (satoshis: number): Promise<IssuedDestination> =>
      (await app.post(`/bsvalias/p2p-payment-destination/${shop.user.paymail}`, { satoshis })).body;
    for (let i = 0; i < 20; i += 1) await ask(1_000 + i);
    const given = await ask(2_500);
    const transaction = await spend(await network.coin(100_000), given.outputs);
    const answer = await app.post(`/bsvalias/receive-transaction/${shop.user.paymail}`, {
      hex: transaction.toHex(),
      reference: given.reference,
      metadata: {
        sender: 'bob@localhost',
        pubkey: wallet.publicKey,
        signature: wallet.sign(transaction.id('hex')),
        note: '',
      },
    });
    expect(answer.status).toBe(200);
    const { received } = (await app.get('/api/v2/me/received', bearer(shop))).body;
    expect(received).toMatchObject([{ sender: null, senderVerified: false, satoshis: '2500' }]);
  });
});
