/** A transaction that pays one payee at two destinations. */
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { fromHex, toHex } from '../../protocol/bitcoin/bytes.ts';
import { normalizedTxidOf, serializeTransaction, txidOf } from '../../protocol/bitcoin/transaction.ts';
import { users } from '../database/schema.ts';
import { createDestination } from '../destinations/destinations.ts';
import { createTestReport, proveReport } from '../payment-reports/testing-report.ts';
import { bearer, type TestApplication } from '../testing.ts';
import { claimDue } from '../webhooks/queue.ts';
import { storeReceived } from './store.ts';
import { useReceived, type Keeper } from './testing-received.ts';

describe('a payment of two parts to one payee', () => {
  const { app, arc, database, people, wallet, now, newKeeper, follow, eventsOf } = useReceived();
  const [FIRST, SECOND] = [4_000n, 6_000n];

  /** Returns the deliveries of both parts, and the report, which names no application. */
  async function newPayment({ session }: Keeper) {
    const { db } = database;
    const { paymail } = session.user;
    const [user] = await db
      .select()
      .from(users)
      .where(eq(users.id, Number(session.user.id)));
    if (!user) throw new Error('no user');
    const destinations = [
      await createDestination(db, user.id, FIRST, now()),
      await createDestination(db, user.id, SECOND, now()),
    ];
    const { report, transaction, key } = createTestReport([FIRST, SECOND], wallet.publicKey);
    const scripts = destinations.map(({ outputs }) => outputs.map(({ script, satoshis }) => ({ script, satoshis })));
    const paid = scripts.flat().map((one) => ({ satoshis: BigInt(one.satoshis), lockingScript: fromHex(one.script) }));
    const whole = { ...transaction, outputs: [...paid, ...transaction.outputs.slice(2)] };
    const rawtx = serializeTransaction(whole);
    const txid = txidOf(rawtx);
    arc.statuses.set(txid, 'SEEN_ON_NETWORK');
    const [deliverFirst, deliverSecond] = destinations.map(({ reference }) => () => {
      const sender = { sender: 'payer@two.example', senderVerified: true, note: null };
      const transactionParts = { txid, normalizedTxid: normalizedTxidOf(whole), rawtx, outputs: whole.outputs };
      return storeReceived(db, { user, paymail, reference, ...transactionParts, ...sender }, now());
    }) as [() => Promise<unknown>, () => Promise<unknown>];
    const outputs = report.outputs.map((output, i) => ({
      ...output,
      ...{ type: 'PAYMAIL' as const, to: paymail, paymail, address: null },
      reference: destinations[i]?.reference,
      scripts: scripts[i] ?? [],
    }));
    const sent = proveReport({ ...report, rawtx: toHex(rawtx), outputs }, wallet.publicKey, key);
    const send = async () => expect((await app.post('/api/v2/payments', sent, bearer(people.payer))).status).toBe(201);
    return { id: report.id, txid, deliverFirst, deliverSecond, send };
  }

  const beginWebhooks = () => claimDue(database.db, new Map(), 100, new Date(now().getTime() + 1));
  /** Returns an application's events in order: type, whether under the report's ID, and the outputs' satoshis. */
  const notified = async ({ id: application }: TestApplication, reportId: string) =>
    (await eventsOf(application))
      .map(({ type, paymentId, body }) => ({ type, isReport: paymentId === reportId, body: JSON.parse(body) }))
      .toSorted((a, b) => Number(a.isReport) - Number(b.isReport))
      .map(({ type, isReport, body }) => [
        type,
        isReport,
        body.data.payment.outputs.map(({ satoshis }: { satoshis: string }) => BigInt(satoshis)),
      ]);
  const all = [
    ['payment.received', false, [FIRST]],
    ['payment.completed', false, [FIRST]],
    ['payment.received', true, [FIRST, SECOND]],
    ['payment.completed', true, [FIRST, SECOND]],
  ];
  const complete = async (txid: string) => {
    arc.statuses.set(txid, 'MINED');
    app.clock.ms += 120_000;
    await follow();
  };

  it('notifies the payee’s applications of both if the report comes between the deliveries', async () => {
    const keeper = await newKeeper();
    const { id, txid, deliverFirst, deliverSecond, send } = await newPayment(keeper);
    await deliverFirst();
    await beginWebhooks();
    await send();
    await deliverSecond();
    await complete(txid);
    for (const application of [keeper.shop, keeper.other]) expect(await notified(application, id)).toEqual(all);
  });

  it('notifies the payee’s applications of both if only the first webhook has begun before the report', async () => {
    const keeper = await newKeeper();
    const { id, txid, deliverFirst, deliverSecond, send } = await newPayment(keeper);
    await deliverFirst();
    await beginWebhooks();
    await deliverSecond();
    await send();
    await complete(txid);
    for (const application of [keeper.shop, keeper.other]) expect(await notified(application, id)).toEqual(all);
  });

  it('notifies the payee’s applications only under the earlier IDs if both webhooks have begun before the report', async () => {
    const keeper = await newKeeper();
    const { id, txid, deliverFirst, deliverSecond, send } = await newPayment(keeper);
    await deliverFirst();
    await deliverSecond();
    await beginWebhooks();
    await send();
    await complete(txid);
    for (const application of [keeper.shop, keeper.other]) {
      const events = await notified(application, id);
      expect(events).toHaveLength(4);
      for (const part of [FIRST, SECOND])
        expect(events.filter(([, , outputs]) => outputs[0] === part)).toEqual([
          ['payment.received', false, [part]],
          ['payment.completed', false, [part]],
        ]);
    }
  });
});
