import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { eq } from 'drizzle-orm';
import type { Session } from '../../../../protocol/http/api.ts';
import { payments } from '../../../database/schema.ts';
import { createTestReport, proveReport } from '../../../payment-reports/testing-report.ts';
import { seedSales } from '../../../payments/sales/testing-sales.ts';
import { finishPayment } from '../../../settlement/payment-status.ts';
import { bearer, createTestWallet, register, registerApplication, signInOnPages } from '../../../testing.ts';
import { useService } from '../../../testing-service.ts';

type Pages = { Cookie: string; Origin: string };

describe('an application’s payments page', () => {
  const { app, arc, database } = useService();
  const [ownerWallet, payerWallet] = [createTestWallet(), createTestWallet()];
  let owner: Session;
  let payer: Session;
  let pages: Pages;

  beforeAll(async () => {
    // Past midnight in Berlin, but still the previous day in UTC.
    app.clock.ms = Date.parse('2027-05-10T22:30:00Z');
    [owner, payer] = [await register(app, ownerWallet, 'alice'), await register(app, payerWallet, 'bob')];
    pages = await signInOnPages(app, ownerWallet);
  });

  const show = (path: string, { zone = 'UTC', as = pages } = {}) =>
    app.send('GET', path, undefined, { Cookie: `${as.Cookie}; time-zone=${encodeURIComponent(zone)}` });
  const pay = async (changes: Record<string, unknown>, satoshis = 200_000n) => {
    app.clock.ms += 1000;
    const {
      report: { inputProof: _, ...report },
      txid,
      key,
    } = createTestReport([satoshis], payerWallet.publicKey);
    arc.statuses.set(txid, 'SEEN_ON_NETWORK');
    const made = proveReport({ ...report, ...changes }, payerWallet.publicKey, key);
    expect((await app.post('/api/v2/payments', made, bearer(payer))).status).toBe(201);
    return { id: report.id as string, txid };
  };
  const rows = (body: string) =>
    [...body.matchAll(/class="list-row payment-row" href="\/account\/payments\/([^"]+)"/g)].map(([, id]) => id);
  const total = (body: string) =>
    /class="amount amount-large">([^<]+)<[^]*?class="muted">([^·]+) ·/.exec(body)?.slice(1);
  const lines = (csv: string) => csv.split('\r\n').slice(1, -1);

  it('shows amount, payer and button of each payment, and a total without failed ones', async () => {
    const { id: application, clientIdentifier } = await registerApplication(app, owner);
    const path = `/account/applications/${application}/payments`;
    const nothing = (await show(path)).body;
    expect(total(nothing)).toEqual(['0 USD', '0 payments']);
    expect(nothing).toContain('No payments on these days.');
    const read = await pay({ clientIdentifier, label: 'Read <it>', buttonId: 'order-1' });
    const tip = await pay({ clientIdentifier, buttonId: 'tip' }, 100_000n);
    const lost = await pay({ clientIdentifier, buttonId: 'lost' }, 400_000n);
    await pay({ buttonId: 'of no application' });
    const rate = (await database.db.select().from(payments).where(eq(payments.id, read.id)))[0]!.currencyRate!;
    const sum = (satoshis: number) => `${((Number(rate) * satoshis) / 1e8).toFixed(2)} USD`;
    const { body } = await show(path);
    expect(rows(body)).toEqual([lost.id, tip.id, read.id]);
    expect(body).toMatch(
      /class="list-title amount">0\.10 USD<\/span><span class="list-note anywhere"><bdi>bob@localhost<\/bdi> · <bdi>“Read &lt;it&gt;”<\/bdi>/,
    );
    expect(body).toContain('<bdi>tip</bdi>');
    expect(total(body)).toEqual([sum(700_000), '3 payments']);
    expect(body).toContain('700,000 satoshis');
    const fail = () =>
      finishPayment(database.db, lost.id, { status: 'FAILED', description: null }, new Date(app.clock.ms));
    expect([await fail(), await fail()]).toEqual([true, false]);
    const after = (await show(path)).body;
    expect(total(after)).toEqual([sum(300_000), '2 payments']);
    expect(rows(after)).toHaveLength(3);
    expect((await show(`/account/applications/${application}`)).body).toContain('“Read &lt;it&gt;”');
  });

  it('filters by day, status, button, payer and transaction, without payments of other applications', async () => {
    const [{ id: application, clientIdentifier }, other] = [
      await registerApplication(app, owner),
      await registerApplication(app, owner),
    ];
    const path = `/account/applications/${application}/payments`;
    const labelled = await pay({ clientIdentifier, label: 'Print', buttonId: 'order-1' });
    const plain = await pay({ clientIdentifier, buttonId: 'Print' });
    const failed = await pay({ clientIdentifier, buttonId: 'order-1' });
    await finishPayment(database.db, failed.id, { status: 'FAILED', description: null }, new Date(app.clock.ms));
    const elsewhere = await pay({ clientIdentifier: other.clientIdentifier, label: 'Print', buttonId: 'order-1' });
    const found = async (query: Record<string, string>, zone = 'UTC') => {
      const answer = await show(`${path}?${new URLSearchParams(query).toString()}`, { zone });
      expect(answer.status, JSON.stringify(query)).toBe(200);
      return rows(answer.body).sort();
    };
    const of = (...made: { id: string }[]) => made.map(({ id }) => id).sort();
    expect(await found({})).toEqual(of(labelled, plain, failed));
    expect(await found({ button: 'Print' })).toEqual(of(labelled, plain));
    expect(await found({ button: 'order-1' })).toEqual(of(labelled, failed));
    const ofButton = total((await show(`${path}?button=Print`)).body);
    expect(ofButton?.[1]).toBe('2 payments');
    expect(total((await show(`${path}?button=order-1`)).body)?.[1]).toBe('1 payment');
    expect(total((await show(`${path}?button=nothing`)).body)).toEqual(['0 USD', '0 payments']);
    expect(await found({ button: 'order-1', status: 'FAILED' })).toEqual(of(failed));
    expect(await found({ status: 'COMPLETED' })).toEqual([]);
    expect(await found({ search: 'BOB@localhost' })).toEqual(of(labelled, plain, failed));
    expect(await found({ search: 'bob@localhost', button: 'Print' })).toEqual(of(labelled, plain));
    expect(await found({ search: ` ${plain.txid} ` })).toEqual(of(plain));
    expect(await found({ search: plain.id })).toEqual(of(plain));
    for (const search of [elsewhere.id, elsewhere.txid, '%', '\0', "' or 'x'='x", 'x'.repeat(5000)])
      expect(await found({ search, status: 'RECEIVED' }), search).toEqual(search === '\0' ? of(labelled, plain) : []);
    const day = { from: '2027-05-11', to: '2027-05-11' };
    expect([await found(day), await found(day, 'Europe/Berlin')]).toEqual([[], of(labelled, plain, failed)]);
    expect((await show(path, { zone: 'Europe/Berlin' })).body).toContain(
      'Days and times are in <bdi>Europe/Berlin</bdi>.',
    );
    const { body } = await show(`${path}?button=Print&status=RECEIVED`);
    expect(body).toContain('<option value="Print">');
    expect(body).toContain('<option value="RECEIVED" selected>');
    expect(body).toContain('.csv?from=2027-04-11&amp;to=2027-05-10&amp;status=RECEIVED&amp;button=Print"');
    const stranger = await signInOnPages(app, payerWallet);
    for (const part of [path, `${path}.csv`]) expect((await show(part, { as: stranger })).status, part).toBe(404);
    expect((await app.send('GET', `${path}.csv`)).status).toBe(303);
  });

  it('lists each payment once, in pages and as CSV', async () => {
    const { id: application, clientIdentifier } = await registerApplication(app, owner);
    const path = `/account/applications/${application}/payments`;
    const from = new Date('2027-03-01T00:00:00Z');
    // Several payments share a timestamp across a page boundary.
    await seedSales(database.db, clientIdentifier, { count: 1200, stepMs: 0, from });
    const days = 'from=2027-03-01&to=2027-03-02';
    const all = new Set<string | undefined>();
    let next: string | undefined = `${path}?${days}`;
    for (let page = 0; page < 3; page += 1) {
      const { body } = await show(next ?? '');
      for (const id of rows(body)) all.add(id);
      next = /href="([^"]+)" rel="next"/.exec(body)?.[1]?.replaceAll('&amp;', '&');
    }
    expect(all.size).toBe(60);
    const csv = await show(`${path}.csv?${days}`);
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(csv.headers.get('content-disposition')).toBe('attachment; filename=payments-2027-03-01-2027-03-02.csv');
    expect(csv.headers.get('cache-control')).toBe('no-store');
    expect(new Set(lines(csv.body).map((line) => line.split(',')[1])).size).toBe(1200);
    expect(lines(csv.body)).toHaveLength(1200);
    const some = lines((await show(`${path}.csv?${days}&status=FAILED&button=Label+4`)).body);
    expect(some.length).toBeGreaterThan(10);
    for (const line of some) expect(line).toMatch(/,FAILED,.*,Label 4,/);
  });

  it('exports CSV in which a page’s texts are never formulas', async () => {
    const { id: application, clientIdentifier } = await registerApplication(app, owner);
    const label = '=HYPERLINK("https://evil.example","a, b")';
    const { id, txid } = await pay({ clientIdentifier, label, buttonId: '+1\r\n-2' }, 123_456n);
    const { body } = await show(`/account/applications/${application}/payments.csv`);
    const [stored] = await database.db.select().from(payments).where(eq(payments.id, id));
    expect(body).toBe(
      'created_at_utc,payment_id,status,amount,currency,satoshis,amount_usd,amount_stated_by_payer,payer_user_id,payer_paymail,button_label,button_id,site,refunded_satoshis,refund,refund_of,transaction_id,token_id,token_smallest_units,token_validity\r\n' +
        `${stored!.createdAt.toISOString()},${id},RECEIVED,0.061728,USD,123456,0.061728,${stored!.amount},${payer.user.id},bob@localhost,"'=HYPERLINK(""https://evil.example"",""a, b"")","'+1\r\n'-2",https://shop.example,0,,,${txid},,,\r\n`,
    );
  });

  it('exports CSV without formulas for spreadsheets that split at semicolons and ignore quotes within a cell', async () => {
    const { id: application, clientIdentifier } = await registerApplication(app, owner);
    await pay({ clientIdentifier, label: 'a;=1+1;"@b', buttonId: 'x\n "=2\t+3; －4;5' });
    const { body } = await show(`/account/applications/${application}/payments.csv`);
    expect(body).toContain(`"a;'=1+1;'""@b","x\n' ""=2\t'+3;' －4;5",`);
    const cells = body.split(/[;\t\r\n]/).map((one: string) => one.replaceAll('"', '').trim());
    expect(cells.filter((one: string) => /^[=+\-@－]/.test(one))).toEqual([]);
    for (const label of ['a-b; c+d', '100 %; ok']) await pay({ clientIdentifier, label, buttonId: '00123' });
    const file = await fetch(`${app.url}/account/applications/${application}/payments.csv`, {
      headers: { Cookie: pages.Cookie },
    });
    const bytes = new Uint8Array(await file.arrayBuffer());
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    expect(new TextDecoder().decode(bytes)).toContain(',a-b; c+d,"=""00123""",');
  });

  it('limits exports to a few per minute', async () => {
    const { id: application } = await registerApplication(app, owner);
    const answers = [];
    for (let i = 0; i < 12; i += 1)
      answers.push(await show(`/account/applications/${application}/payments.csv?x=${randomUUID()}`));
    expect(answers.at(-1)!.status).toBe(429);
    expect(answers.at(-1)!.body).toContain('Too many requests');
    app.clock.ms += 3 * 60_000;
  });
});
