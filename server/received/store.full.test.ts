import { describe, expect, it } from 'vitest';
import type { Session } from '../../protocol/http/api.ts';
import { issueAddresses } from '../destinations/addresses.ts';
import { bearer } from '../testing.ts';
import { useReceived } from './testing-received.ts';

describe('transactions received by paymail', () => {
  const { app, arc, database, people, newKeeper, newDelivery, follow, own, inbox, eventsOf, told } = useReceived();
  const listed = async (session: Session) =>
    (await app.get('/api/v2/payments', bearer(session))).body.payments as any[];

  it.each(['the report first', 'the delivery first', 'both at once'])(
    '[S-09] each is one payment for each reader, with one event for each application: %s',
    async (order) => {
      const keeper = await newKeeper();
      const { reportWith, deliver, received } = await newDelivery(keeper);
      const report = reportWith({ clientIdentifier: keeper.shop.clientIdentifier });
      const send = async () =>
        expect((await app.post('/api/v2/payments', report, bearer(people.payer))).status).toBe(201);
      if (order === 'the report first') {
        await send();
        // The recipient can read the payment as soon as it is reported.
        expect((await app.get(`/api/v2/payments/${report.id}`, bearer(keeper.session))).status).toBe(200);
        await deliver();
      } else if (order === 'the delivery first') {
        await deliver();
        const [before] = await own(keeper.session);
        expect(before).toMatchObject({
          userId: null,
          status: 'RECEIVED',
          amount: '0.005',
          currency: 'BSV',
          satoshis: '500000',
          clientIdentifier: null,
          changeSatoshis: null,
        });
        expect(before.outputs).toMatchObject([
          { type: 'PAYMAIL', to: keeper.session.user.paymail, paymail: keeper.session.user.paymail },
        ]);
        await send();
        // The payment now has the report's ID, but can still be read by its previous ID.
        expect((await app.get(`/api/v2/payments/${before.id}`, bearer(keeper.session))).body.payment.id).toBe(
          report.id,
        );
        expect((await app.get(`/api/v2/payments/${before.id}`, bearer(people.stranger))).status).toBe(404);
      } else {
        await Promise.all([deliver(), send(), deliver()]);
      }
      for (const session of [people.payer, keeper.session]) {
        expect((await own(session)).filter(({ txid }) => txid === received.txid).map(({ id }) => id)).toEqual([
          report.id,
        ]);
        expect((await listed(session)).filter(({ txid }) => txid === received.txid).map(({ id }) => id)).toEqual([
          report.id,
        ]);
        const { payment } = (await app.get(`/api/v2/me/payments/${report.id}`, bearer(session))).body;
        expect(payment).toMatchObject({ userId: people.payer.user.id, buttonId: 'invoice-1' });
        // Scripts are included, because this service issued them.
        expect(payment.outputs[0].scripts).toEqual(report.outputs[0]?.scripts);
      }
      expect([
        (await own(people.stranger)).length,
        (await app.get(`/api/v2/payments/${report.id}`, bearer(people.stranger))).status,
      ]).toEqual([0, 404]);
      expect(await inbox(keeper)).toMatchObject([
        {
          txid: received.txid,
          paymentId: report.id,
          satoshis: '500000',
          sender: 'payer@two.example',
          senderVerified: true,
          note: 'for lunch',
        },
      ]);
      const count = await app.get(
        `/api/v1/users/${keeper.session.user.id}/payments?page[size]=1`,
        bearer(keeper.session),
      );
      expect([count.body.meta['total-pages'], count.body.data[0].id]).toEqual([1, report.id]);

      arc.statuses.set(received.txid, 'MINED');
      app.clock.ms += 120_000;
      await follow();
      for (const application of [keeper.shop, keeper.other]) {
        expect(await told(application)).toEqual([
          ['payment.received', report.id],
          ['payment.completed', report.id],
        ]);
        expect((await eventsOf(application.id)).map(({ body }) => JSON.parse(body).data.payment.status)).toEqual([
          'RECEIVED',
          'COMPLETED',
        ]);
      }
    },
  );

  it('the bytes stored for one transaction are limited, for any number of paid destinations', async () => {
    const keeper = await newKeeper();
    const [one, two] = [await newDelivery(keeper), await newDelivery(keeper)];
    const both = {
      txid: one.received.txid,
      normalizedTxid: one.received.normalizedTxid,
      rawtx: one.received.rawtx,
      outputs: [...one.received.outputs, ...two.received.outputs],
    };
    expect(await one.deliver(both)).toBe('stored');
    await expect(two.deliver({ ...both, rawtx: new Uint8Array(26_000_000) })).rejects.toMatchObject({
      code: 'too-large',
    });
    expect(await inbox(keeper)).toHaveLength(1);
    expect(await two.deliver(both)).toBe('stored');
  });

  it('an output counted by a report doesn’t count again for another destination at the same address', async () => {
    const keeper = await newKeeper();
    const one = await newDelivery(keeper, 5_000n);
    await issueAddresses(database.db, Number(keeper.session.user.id), 19);
    const two = await newDelivery(keeper, 5_000n);
    expect(two.received.outputs[0]).toEqual(one.received.outputs[0]);
    expect((await app.post('/api/v2/payments', two.report, bearer(people.payer))).status).toBe(201);
    const { txid, normalizedTxid, rawtx, outputs } = two.received;
    await expect(one.deliver({ txid, normalizedTxid, rawtx, outputs })).rejects.toMatchObject({
      code: 'payment-mismatch',
    });
    expect(await two.deliver()).toBe('stored');
    expect((await own(keeper.session)).map(({ id }) => id)).toEqual([two.report.id]);
  });
});
