/** Searches in an application's payments, on a real PostgreSQL and through the merchant's pages. */
import { beforeAll, describe, expect, it } from 'vitest';
import { eq } from 'drizzle-orm';
import type { Session } from '../../../../protocol/http/api.ts';
import type { PaymentReport } from '../../../../protocol/http/api.ts';
import { users } from '../../../database/schema.ts';
import { createTestReport, proveAnonymously, proveReport } from '../../../payment-reports/testing-report.ts';
import { writeCursor } from '../../../payments/read.ts';
import { listSales } from '../../../payments/sales/sales.ts';
import { createTestDelivery } from '../../../received/testing-delivery.ts';
import {
  bearer,
  createTestWallet,
  register,
  registerApplication,
  signInOnPages,
  type TestApplication,
} from '../../../testing.ts';
import { useService } from '../../../testing-service.ts';

describe('the search of an application’s payments', () => {
  const { app, arc, database } = useService();
  const [ownerWallet, payerWallet] = [createTestWallet(), createTestWallet()];
  let owner: Session;
  let payer: Session;
  let cookie: string;

  beforeAll(async () => {
    // The last days of one month and the first of the next.
    app.clock.ms = Date.parse('2027-05-02T10:00:00Z');
    [owner, payer] = [await register(app, ownerWallet, 'alice'), await register(app, payerWallet, 'bob')];
    await database.db
      .update(users)
      .set({ name: 'Zoë Björk' })
      .where(eq(users.id, Number(payer.user.id)));
    cookie = (await signInOnPages(app, ownerWallet)).Cookie;
  });

  const pathOf = ({ id }: TestApplication) => `/account/applications/${id}/payments`;
  const show = (path: string) => app.send('GET', path, undefined, { Cookie: cookie });
  const address = (path: string, query: Record<string, string>) => `${path}?${new URLSearchParams(query).toString()}`;
  const rows = (body: string) =>
    [...body.matchAll(/class="list-row payment-row" href="\/account\/payments\/([^"]+)"/g)].map(
      ([, id]) => id as string,
    );
  const csvOf = (body: string) =>
    body
      .split('\r\n')
      .slice(1, -1)
      .map((line) => line.split(',')[1] as string);
  const report = async (made: PaymentReport, as: Session | null, status = 201) => {
    expect((await app.post('/api/v2/payments', made, as ? bearer(as) : {})).status).toBe(status);
  };
  const pay = async (changes: Record<string, unknown>, satoshis = 200_000n) => {
    app.clock.ms += 1000;
    const {
      report: { inputProof: _, ...made },
      txid,
      key,
    } = createTestReport([satoshis], payerWallet.publicKey);
    arc.statuses.set(txid, 'SEEN_ON_NETWORK');
    const {
      amount = '0.10',
      currency = 'USD',
      buttonData = null,
    } = changes as { amount?: string; currency?: string; buttonData?: string };
    const outputs = made.outputs.map((output) => ({ ...output, amount, currency }));
    await report(
      proveReport({ ...made, amount, currency, outputs, buttonData, ...changes }, payerWallet.publicKey, key),
      payer,
    );
    return { id: made.id, txid };
  };
  /** The matches on the page, which must equal those of the CSV export. */
  const found = async (application: TestApplication, query: Record<string, string>) => {
    const { status, body } = await show(address(pathOf(application), query));
    expect(status, JSON.stringify(query)).toBe(200);
    return rows(body);
  };

  it('finds each value by its beginning, combined with the other filters', async () => {
    const [shop, other] = [await registerApplication(app, owner), await registerApplication(app, owner)];
    const { clientIdentifier } = shop;
    const made = {
      clientIdentifier,
      label: 'Read the article',
      buttonId: 'order-2027/17',
      buttonData: '{"invoice":"INV_0042","seat":"100%"}',
    };
    const one = await pay(made, 123_457n);
    const japanese = await pay({ clientIdentifier, label: '東京駅の記事を読む', amount: '1234.50', currency: 'EUR' });
    const elsewhere = await pay({ ...made, clientIdentifier: other.clientIdentifier });
    const searches = ['read', 'ARTICLE', 'art read', 'order', 'order-2027', '2027/1', '17', 'inv_00', '100%', '123457'];
    for (const search of [...searches, '123,457 sats', one.txid.slice(0, 6), one.txid, one.id.slice(0, 8), one.id])
      expect(await found(shop, { search }), search).toEqual([one.id]);
    for (const search of ['zoe', 'Björ', 'bob', 'bob@local', 'BOB@localhost', 'bob zoë'])
      expect(await found(shop, { search }), search).toEqual([japanese.id, one.id]);
    for (const search of ['記事', '東京', '1234.50', '1,234.5', '€1.234,50', '1234.50 EUR'])
      expect(await found(shop, { search }), search).toEqual([japanese.id]);
    expect(await found(shop, { search: '0.10', button: 'order-2027/17' })).toEqual([one.id]);
    expect(await found(shop, { search: 'bob', button: 'Read the article' })).toEqual([one.id]);
    expect(await found(shop, { search: 'bob', status: 'FAILED' })).toEqual([]);
    expect(await found(shop, { search: 'bob', from: '2027-05-03', to: '2027-05-03' })).toEqual([]);
    // Payments of other applications never match.
    for (const search of [elsewhere.id, elsewhere.txid, elsewhere.txid.slice(0, 10)])
      expect(await found(shop, { search }), search).toEqual([]);
    expect(await found(other, { search: 'article' })).toEqual([elsewhere.id]);
    // No match by a part within a word, by five digits of an ID, or if one of several words is missing.
    for (const search of ['rticle', one.txid.slice(0, 5), 'read nothing', '1234', 'inv-0043'])
      expect(await found(shop, { search }), search).toEqual([]);
    const csv = (await show(address(`${pathOf(shop)}.csv`, { search: 'article' }))).body;
    expect(csvOf(csv)).toEqual([one.id]);
  });

  it('treats hostile text as text', async () => {
    const shop = await registerApplication(app, owner);
    const { clientIdentifier } = shop;
    const one = await pay({ clientIdentifier, label: 'q_w 100% \\ o’neil', buttonId: "x'y" });
    for (const search of ['q_w', '100%', "o'neil", "x'y", 'q_w % \\ _', 'q%', '!q', "q' | 'x':*", '(q'.repeat(130)])
      expect(await found(shop, { search }), search).toEqual([one.id]);
    const none = [
      '%',
      '_',
      '*',
      '.*',
      'qxw',
      'q.*k',
      "'",
      "' or 1=1 --",
      "k' | 'q':*",
      '!k',
      '(',
      '&',
      '<->',
      '\\',
      '\ud800',
    ];
    // A cursor from before the requested days, so no month is left.
    const before = writeCursor({ createdAt: new Date('2020-01-01T00:00:00Z'), id: one.id });
    expect(await found(shop, { search: 'q_w', cursor: before })).toEqual([]);
    for (const search of [...none, 'é'.repeat(1000), 'k:'.repeat(200), 'k '.repeat(200), '0'.repeat(400)])
      expect(await found(shop, { search }), search).toEqual([]);
  });

  it('finds a payment by its note and unknown sender if the owner received it, by new names once they are known', async () => {
    const [shop, strangers] = [
      await registerApplication(app, owner),
      await registerApplication(app, await register(app, createTestWallet(), 'carol')),
    ];
    const receive = async ({ clientIdentifier }: TestApplication, isReportedFirst: boolean) => {
      app.clock.ms += 1000;
      const { id, paymail } = owner.user;
      const made = await createTestDelivery(database.db, Number(id), paymail, new Date(app.clock.ms), {
        senderKey: payerWallet.publicKey,
      });
      arc.statuses.set(made.received.txid, 'SEEN_ON_NETWORK');
      const steps = [
        () => report(made.reportWith({ clientIdentifier }), payer),
        () => made.deliver({ note: 'Für Oma' }),
      ];
      for (const step of isReportedFirst ? steps : steps.toReversed()) await step();
      return made.report.id;
    };
    const received = [await receive(shop, true), await receive(shop, false)].toReversed();
    const theirs = await receive(strangers, true);
    for (const search of ['oma', 'für', 'bob oma']) expect(await found(shop, { search }), search).toEqual(received);
    const range = { from: new Date(0), until: new Date(app.clock.ms + 1) };
    const byOthers = (search: string) =>
      listSales(database.db, strangers.clientIdentifier, { ...range, search }, { limit: 5 });
    expect(await byOthers('oma')).toEqual([]);
    expect((await byOthers('bob')).map(({ id }) => id)).toEqual([theirs]);

    app.clock.ms += 1000;
    const {
      report: { inputProof: _, ...made },
      txid,
      key,
    } = createTestReport([200_000n], payerWallet.publicKey);
    arc.statuses.set(txid, 'SEEN_ON_NETWORK');
    const bare = { ...made, clientIdentifier: shop.clientIdentifier, label: 'anonymous' };
    await report(proveAnonymously(bare, app.baseUrl, key), null);
    expect(await found(shop, { search: 'anonymous bob' })).toEqual([]);
    await report(proveReport(bare, payerWallet.publicKey, key), payer, 200);
    expect(await found(shop, { search: 'anonymous bob' })).toEqual([made.id]);
  });
});
