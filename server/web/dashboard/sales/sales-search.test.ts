/** Searches an application's payments, in a real PostgreSQL and on the merchant's pages. */
import { describe, expect, it } from 'vitest';
import { createTestReport, proveAnonymously, proveReport } from '../../../payment-reports/testing-report.ts';
import { writeCursor } from '../../../payments/read.ts';
import { listSales } from '../../../payments/sales/sales.ts';
import { createTestDelivery } from '../../../received/testing-delivery.ts';
import { createTestWallet, register, registerApplication, type TestApplication } from '../../../testing.ts';
import { useSalesSearch } from './testing-sales-search.ts';

describe('searching an application’s payments', () => {
  const { app, arc, database, people, payerWallet, pathOf, show, address, csvOf, report, pay, found } =
    useSalesSearch();

  it('finds each value by its beginning, combined with the other filters', async () => {
    const [shop, other] = [await registerApplication(app, people.owner), await registerApplication(app, people.owner)];
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
    // Nothing matches within a word, for five digits of an ID, or if any of several words is missing.
    for (const search of ['rticle', one.txid.slice(0, 5), 'read nothing', '1234', 'inv-0043'])
      expect(await found(shop, { search }), search).toEqual([]);
    const csv = (await show(address(`${pathOf(shop)}.csv`, { search: 'article' }))).body;
    expect(csvOf(csv)).toEqual([one.id]);
  });

  it('treats hostile text as text', async () => {
    const shop = await registerApplication(app, people.owner);
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
    // The cursor precedes the requested period, so there are no months to search.
    const before = writeCursor({ createdAt: new Date('2020-01-01T00:00:00Z'), id: one.id });
    expect(await found(shop, { search: 'q_w', cursor: before })).toEqual([]);
    for (const search of [...none, 'é'.repeat(1000), 'k:'.repeat(200), 'k '.repeat(200), '0'.repeat(400)])
      expect(await found(shop, { search }), search).toEqual([]);
  });

  it('finds a payment by its note and unregistered sender if the owner received it, and by new names once known', async () => {
    const [shop, strangers] = [
      await registerApplication(app, people.owner),
      await registerApplication(app, await register(app, createTestWallet(), 'carol')),
    ];
    const receive = async ({ clientIdentifier }: TestApplication, isReportedFirst: boolean) => {
      app.clock.ms += 1000;
      const { id, paymail } = people.owner.user;
      const made = await createTestDelivery(database.db, Number(id), paymail, new Date(app.clock.ms), {
        senderKey: payerWallet.publicKey,
      });
      arc.statuses.set(made.received.txid, 'SEEN_ON_NETWORK');
      const steps = [
        () => report(made.reportWith({ clientIdentifier }), people.payer),
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
    await report(proveReport(bare, payerWallet.publicKey, key), people.payer, 200);
    expect(await found(shop, { search: 'anonymous bob' })).toEqual([made.id]);
  });
});
