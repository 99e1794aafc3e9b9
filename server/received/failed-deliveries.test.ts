import { describe, expect, it } from 'vitest';
import { eq } from 'drizzle-orm';
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import { payments, users } from '../database/schema.ts';
import { checkSoon } from '../settlement/payment-status.ts';
import { bearer } from '../testing.ts';
import { useReceived } from './testing-received.ts';

describe('a delivered transaction that failed', () => {
  const { app, arc, database, people, now, newKeeper, newDelivery, follow, own } = useReceived();

  async function failedDelivery() {
    const keeper = await newKeeper();
    const made = await newDelivery(keeper);
    const { received } = made;
    const path = `/bsvalias/receive-transaction/${keeper.session.user.paymail}`;
    const hex = toHex(received.rawtx);
    const send = async () => (await app.post(path, { hex, reference: received.reference, metadata: {} })).status;
    const receivingBase = async () =>
      (
        await database.db
          .select()
          .from(users)
          .where(eq(users.id, Number(keeper.session.user.id)))
      )[0]?.receivingBase;
    expect(await send()).toBe(200);
    const before = await receivingBase();
    arc.statuses.set(received.txid, 'REJECTED');
    await follow();
    return { ...made, keeper, hex, send, before, receivingBase };
  }

  it('the service acknowledges it again only if the network accepts it after all', async () => {
    const { received, hex, send } = await failedDelivery();
    arc.statuses.delete(received.txid);
    arc.callbacks.length = 0;
    arc.refusesTransactions = true;
    expect(await send()).toBe(422);
    arc.refusesTransactions = false;
    // The service remembers a refused transaction for a while.
    app.clock.ms += 2 * 60_000;
    expect([await send(), arc.callbacks.map(({ rawTx }) => rawTx)]).toEqual([200, [hex]]);
  });

  it('the sender’s report makes its addresses paid again', async () => {
    const { received, report, keeper, before, receivingBase } = await failedDelivery();
    expect([before, await receivingBase()]).toEqual([2, 0]);
    arc.statuses.set(received.txid, 'SEEN_ON_NETWORK');
    expect((await app.post('/api/v2/payments', report, bearer(people.payer))).status).toBe(201);
    expect(await receivingBase()).toBe(2);
    arc.statuses.set(received.txid, 'MINED');
    await checkSoon(database.db, [received.txid], now());
    await follow();
    expect((await own(keeper.session)).map(({ status }) => status)).toContain('COMPLETED');
    expect(await receivingBase()).toBe(2);
  });

  it('its payment completes once it is mined, even if it is delivered again after the month of checks', async () => {
    const { received, send } = await failedDelivery();
    app.clock.ms += 31 * 24 * 3600_000;
    await follow();
    arc.statuses.set(received.txid, 'SEEN_ON_NETWORK');
    expect(await send()).toBe(200);
    await follow();
    arc.statuses.set(received.txid, 'MINED');
    for (let checks = 0; checks < 2; checks += 1) {
      app.clock.ms += 24 * 3600_000;
      await follow();
    }
    const { status, txid } = payments;
    expect(await database.db.select({ status }).from(payments).where(eq(txid, received.txid))).toEqual([
      { status: 'COMPLETED' },
    ]);
  });
});
