/** The service's verdicts on token payments, and the resulting webhooks to the merchant. */
import { randomBytes, randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { p2pkhScript } from '../../protocol/bitcoin/address.ts';
import { writeTokenScript, type Token } from '../../protocol/assets/bsv21/token.ts';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import {
  parseTransaction,
  serializeTransaction,
  txidOf,
  type Transaction,
} from '../../protocol/bitcoin/transaction.ts';
import type { TransactionSource } from '../chain/transaction-source.ts';
import { receivedTransactions, tokenVerdicts, webhookEvents } from '../database/schema.ts';
import { createOrdinalDestination } from '../destinations/destinations.ts';
import { createTokenReport, proveReport } from '../payment-reports/testing-report.ts';
import { REJECTED } from '../payments/acceptance.ts';
import { findPayment, type StoredPayment } from '../payments/stored-payment.ts';
import { createTestWallet, register, registerApplication, type TestApplication } from '../testing.ts';
import { useService } from '../testing-service.ts';
import { enqueueMissedEvents } from '../webhooks/outbox.ts';
import { followTokens } from './follow-tokens.ts';
import { finishPayment } from './payment-status.ts';

const { app, arc, database } = useService();
const [sellerWallet, payerWallet] = [createTestWallet(), createTestWallet()];
const HOUR = 3600_000;

interface Outpoint {
  txid: string;
  vout: number;
}

const index = new Map<string, Transaction>();
let isAway = false;
/** Offset of the follower's clock. The service's clock is unchanged, because access tokens expire after an hour. */
let ahead = 0;
let asked: string[] = [];
const source: Pick<TransactionSource, 'transaction'> = {
  async transaction(txid) {
    asked.push(txid);
    if (isAway) throw new ServiceError('network-unavailable');
    const transaction = index.get(txid);
    return transaction ? { transaction, bytes: serializeTransaction(transaction).length } : null;
  },
};

function make(spent: readonly Outpoint[], tokens: readonly Token[]): string {
  const lock = p2pkhScript(Uint8Array.from(randomBytes(20)));
  const coin = { txid: randomBytes(32).toString('hex'), vout: 0 };
  index.set(coin.txid, { version: 1, inputs: [], outputs: [{ satoshis: 5000n, lockingScript: lock }], lockTime: 0 });
  const bytes = serializeTransaction({
    version: 1,
    inputs: [...spent, coin].map((place) => ({ ...place, unlockingScript: new Uint8Array(), sequence: 0xffff_ffff })),
    outputs: tokens.map((token) => ({ satoshis: 1n, lockingScript: writeTokenScript(token, lock) })),
    lockTime: 0,
  });
  index.set(txidOf(bytes), parseTransaction(bytes));
  return txidOf(bytes);
}
function mint(amt: bigint): { id: string; at: Outpoint } {
  const txid = make([], [{ op: 'deploy+mint', amt, dec: 1, sym: 'GOLD' }]);
  return { id: `${txid}_0`, at: { txid, vout: 0 } };
}

describe('payments in tokens', () => {
  let payer: string;
  let sellerId: number;
  let shop: TestApplication;
  let other: TestApplication;
  beforeAll(async () => {
    payer = (await register(app, payerWallet, 'payer')).accessToken;
    const seller = await register(app, sellerWallet, 'seller');
    sellerId = Number(seller.user.id);
    shop = await registerApplication(app, seller, { webhookUrl: 'https://shop.example/hook' });
    other = await registerApplication(app, seller, { webhookUrl: 'https://shop.example/other' });
  });
  beforeEach(async () => {
    index.clear();
    [isAway, ahead, asked] = [false, 0, []];
    await database.db.delete(webhookEvents);
  });

  const follow = () =>
    followTokens({
      db: database.db,
      source,
      now: () => new Date(app.clock.ms + ahead),
      log: pino({ level: 'silent' }),
      maxDelayMs: 60_000,
    });
  const later = (ms = HOUR) => (ahead += ms);
  async function pay(id: string, spent: Outpoint, units = 25n): Promise<string> {
    const made = createTokenReport(payerWallet.publicKey, { id, units, spent });
    arc.statuses.set(made.txid, 'SEEN_ON_NETWORK');
    const { inputProof: _, ...said } = { ...made.report, clientIdentifier: shop.clientIdentifier };
    const { status, body } = await app.post('/api/v2/payments', proveReport(said, payerWallet.publicKey, made.key), {
      Authorization: `Bearer ${payer}`,
    });
    expect([status, body.payment.outputs[0].token.validity]).toEqual([201, 'unverified']);
    return said.id;
  }
  const validityOf = async (id: string): Promise<string> =>
    (await app.get(`/api/v2/payments/${id}`, { Authorization: `Bearer ${payer}` })).body.payment.outputs[0].token
      .validity;
  const eventsOf = async () =>
    (await database.db.select().from(webhookEvents).orderBy(webhookEvents.sequence)).map(({ type, body }) => [
      type,
      JSON.parse(body ?? '').data.payment.outputs[0].token.validity,
    ]);

  it('become valid if the payer had them, and notify the seller once', async () => {
    const { id, at } = mint(100n);
    const moved = make(
      [at],
      [
        { op: 'transfer', id, amt: 25n },
        { op: 'transfer', id, amt: 75n },
      ],
    );
    const paid = await pay(id, { txid: moved, vout: 0 });
    await follow();
    expect(await validityOf(paid)).toBe('valid');
    later();
    expect(await follow()).toBe(0);
    expect(await eventsOf()).toEqual([
      ['payment.received', 'unverified'],
      ['payment.checked', 'valid'],
    ]);
  });

  it('become invalid if the payer had fewer or other tokens', async () => {
    const { id, at } = mint(24n);
    const other = mint(1000n);
    const forged = make([], [{ op: 'transfer', id, amt: 1000n }]);
    const money = randomBytes(32).toString('hex');
    index.set(money, {
      version: 1,
      inputs: [],
      outputs: [{ satoshis: 1n, lockingScript: p2pkhScript(new Uint8Array(20)) }],
      lockTime: 0,
    });
    const places: [string, Outpoint][] = [
      ['too little', at],
      ['another token', other.at],
      ['what was forged before', { txid: forged, vout: 0 }],
      ['money', { txid: money, vout: 0 }],
    ];
    for (const [what, place] of places) {
      const paid = await pay(id, place);
      await follow();
      expect(await validityOf(paid), what).toBe('invalid');
    }
    expect((await eventsOf()).filter(([type]) => type === 'payment.checked')).toEqual(
      places.map(() => ['payment.checked', 'invalid']),
    );
  });

  it('stay unverified while the index is unavailable or incomplete, and are verified later', async () => {
    const { id, at } = mint(25n);
    const paid = await pay(id, at);
    isAway = true;
    expect(await follow()).toBe(1);
    expect([await follow(), await validityOf(paid)]).toEqual([0, 'unverified']);
    isAway = false;
    const mints = new Map(index);
    index.clear();
    later();
    expect([await follow(), await validityOf(paid)]).toEqual([1, 'unverified']);
    for (const [txid, transaction] of mints) index.set(txid, transaction);
    later();
    await follow();
    expect(await validityOf(paid)).toBe('valid');
  });

  it('become unknown after three days, or if their history is too long to follow', async () => {
    const { id, at } = mint(25n);
    isAway = true;
    const lost = await pay(id, at);
    later(3 * 24 * HOUR + 1);
    await follow();
    [isAway, ahead] = [false, 0];
    let place = at;
    for (let i = 0; i < 205; i += 1) place = { txid: make([place], [{ op: 'transfer', id, amt: 25n }]), vout: 0 };
    const long = await pay(id, place);
    await follow();
    expect([await validityOf(lost), await validityOf(long)]).toEqual(['unknown', 'unknown']);
    later();
    expect(await follow()).toBe(0);
    // Each attempt reads a limited number of transactions.
    expect(asked.length).toBeLessThanOrEqual(502);
  });

  it('reuse the result for their own output from following a later payment', async () => {
    const { id, at } = mint(100n);
    const paid = await pay(id, at, 25n);
    const { txid } = (await app.get(`/api/v2/payments/${paid}`, { Authorization: `Bearer ${payer}` })).body.payment;
    await database.db.insert(tokenVerdicts).values({ outpoint: `${txid}:0`, valid: true });
    await follow();
    expect(await validityOf(paid)).toBe('valid');
    expect((await eventsOf()).at(-1)).toEqual(['payment.checked', 'valid']);
  });

  it('a known history is not followed again', async () => {
    await database.db.delete(tokenVerdicts);
    const { id, at } = mint(100n);
    let place = at;
    for (let i = 0; i < 150; i += 1) place = { txid: make([place], [{ op: 'transfer', id, amt: 100n }]), vout: 0 };
    await pay(id, place, 25n);
    await follow();
    const before = asked.length;
    for (let i = 0; i < 150; i += 1) place = { txid: make([place], [{ op: 'transfer', id, amt: 100n }]), vout: 0 };
    // Both halves together exceed the limit per attempt.
    const paid = await pay(id, place, 25n);
    await follow();
    expect(await validityOf(paid)).toBe('valid');
    expect(asked.length - before).toBeLessThan(320);
  });

  it('notify each reader once, including those who learn of the payment later', async () => {
    const { id, at } = mint(25n);
    const paid = await pay(id, at);
    await follow();
    const { payment, outputs } = (await findPayment(database.db, paid)) as StoredPayment;
    const { reference } = await createOrdinalDestination(database.db, sellerId, 1, new Date(app.clock.ms));
    await database.db.insert(receivedTransactions).values({
      id: randomUUID(),
      reference,
      userId: sellerId,
      txid: payment.txid,
      paymentId: paid,
      paymentCreatedAt: payment.createdAt,
      senderVerified: false,
      createdAt: new Date(app.clock.ms),
    });
    await database.db.transaction((tx) => enqueueMissedEvents(tx, { payment, outputs }, new Date(app.clock.ms)));
    const events = await database.db.select().from(webhookEvents).orderBy(webhookEvents.sequence);
    for (const { id: one } of [shop, other])
      expect(events.flatMap(({ applicationId, type }) => (applicationId === one ? type : []))).toEqual([
        'payment.received',
        'payment.checked',
      ]);
  });

  it('read a limited number of outputs of any size, because each takes memory', async () => {
    const { id, at } = mint(25n);
    const empty = Array.from({ length: 30_000 }, () => ({ satoshis: 1n, lockingScript: new Uint8Array() }));
    const wide = Array.from({ length: 20 }, () => ({ txid: randomBytes(32).toString('hex'), vout: 0 }));
    for (const { txid } of wide) index.set(txid, { version: 1, inputs: [], outputs: empty, lockTime: 0 });
    const paid = await pay(id, { txid: make([...wide, at], [{ op: 'transfer', id, amt: 25n }]), vout: 0 });
    await follow();
    expect(await validityOf(paid)).toBe('unknown');
    expect(asked.length).toBeLessThan(10);
  });

  it('notify the seller of a verdict reached after they failed, once they are mined', async () => {
    const { id, at } = mint(24n);
    const paid = await pay(id, at);
    await finishPayment(database.db, paid, REJECTED, new Date(app.clock.ms));
    await follow();
    await finishPayment(database.db, paid, { status: 'COMPLETED', description: null }, new Date(app.clock.ms));
    expect(await eventsOf()).toEqual([
      ['payment.received', 'unverified'],
      ['payment.failed', 'unverified'],
      ['payment.checked', 'invalid'],
      ['payment.completed', 'invalid'],
    ]);
  });

  it('get checked once each, even if two instances follow them concurrently', async () => {
    const { id, at } = mint(100n);
    for (let i = 0; i < 3; i += 1) await pay(id, at);
    const [first, second] = await Promise.all([follow(), follow()]);
    expect((first ?? 0) + (second ?? 0)).toBe(3);
    expect((await eventsOf()).filter(([type]) => type === 'payment.checked')).toHaveLength(3);
  });
});
