/** For tests that search an application's payments: two users, and requests to the merchant's pages. */
import { eq } from 'drizzle-orm';
import { beforeAll, expect } from 'vitest';
import type { PaymentReport, Session } from '../../../../protocol/http/api.ts';
import { users } from '../../../database/schema.ts';
import { createTestReport, proveReport } from '../../../payment-reports/testing-report.ts';
import { bearer, createTestWallet, register, signInOnPages, type TestApplication } from '../../../testing.ts';
import { useService } from '../../../testing-service.ts';

export function useSalesSearch() {
  const service = useService();
  const { app, arc, database } = service;
  const [ownerWallet, payerWallet] = [createTestWallet(), createTestWallet()];
  const people = {} as { owner: Session; payer: Session };
  let cookie: string;

  beforeAll(async () => {
    // The tests span the end of one month and the beginning of the next.
    app.clock.ms = Date.parse('2027-05-02T10:00:00Z');
    people.owner = await register(app, ownerWallet, 'alice');
    people.payer = await register(app, payerWallet, 'bob');
    await database.db
      .update(users)
      .set({ name: 'Zoë Björk' })
      .where(eq(users.id, Number(people.payer.user.id)));
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
      people.payer,
    );
    return { id: made.id, txid };
  };
  /** Returns the matches on the page. */
  const found = async (application: TestApplication, query: Record<string, string>) => {
    const { status, body } = await show(address(pathOf(application), query));
    expect(status, JSON.stringify(query)).toBe(200);
    return rows(body);
  };

  return { ...service, people, payerWallet, pathOf, show, address, rows, csvOf, report, pay, found };
}
