import { beforeAll, describe, expect, it } from 'vitest';
import { eq } from 'drizzle-orm';
import { writeAddress } from '../../../../protocol/bitcoin/address.ts';
import type { Session } from '../../../../protocol/http/api.ts';
import { payments } from '../../../database/schema.ts';
import { createTestReport, proveReport } from '../../../payment-reports/testing-report.ts';
import { finishPayment } from '../../../settlement/payment-status.ts';
import { bearer, createTestWallet, register, registerApplication, signInOnPages } from '../../../testing.ts';
import { useService } from '../../../testing-service.ts';

type Pages = { Cookie: string; Origin: string };

describe('the refund page', () => {
  const { app, arc, database } = useService();
  const [ownerWallet, payerWallet] = [createTestWallet(), createTestWallet()];
  let payer: Session;
  let owner: Pages;
  let payerPages: Pages;
  let clientIdentifier: string;

  beforeAll(async () => {
    const session = await register(app, ownerWallet, 'alice');
    payer = await register(app, payerWallet, 'bob');
    ({ clientIdentifier } = await registerApplication(app, session));
    owner = await signInOnPages(app, ownerWallet);
    payerPages = await signInOnPages(app, payerWallet);
  });

  const pay = async (changes: Partial<typeof payments.$inferInsert> = {}) => {
    const { report, txid, key } = createTestReport([200_000n], payerWallet.publicKey);
    arc.statuses.set(txid, 'SEEN_ON_NETWORK');
    const { inputProof: _, ...rest } = { ...report, clientIdentifier };
    const made = proveReport(rest, payerWallet.publicKey, key);
    expect((await app.post('/api/v2/payments', made, bearer(payer))).status).toBe(201);
    await database.db
      .update(payments)
      .set({ currencyRate: '50', usdRate: '50', ...changes })
      .where(eq(payments.id, report.id));
    const hash = Uint8Array.from(key.toPublicKey().toHash() as number[]);
    return { path: `/account/payments/${report.id}`, id: report.id, address: writeAddress(hash, 'devnet') };
  };
  const show = (path: string, as = owner) => app.send('GET', path, undefined, as);
  const button = (body: string) =>
    Object.fromEntries(
      [...(/class="service-button"[^>]*/.exec(body)?.[0] ?? '').matchAll(/data-([a-z-]+)="([^"]*)"/g)].map(
        ([, name, value]) => [name, value],
      ),
    );

  it('shows one button that refunds the whole payment to the payer’s address, with the payment’s ID', async () => {
    const { path, id, address } = await pay();
    expect((await show(path)).body).toContain(`href="${path}/refund"`);
    const { body } = await show(`${path}/refund`);
    expect(button(body)).toEqual({
      to: address,
      amount: '0.002',
      currency: 'BSV',
      label: 'Refund',
      'on-payment': 'onRefunded',
      'refund-of': id,
      'client-identifier': clientIdentifier,
    });
    expect(body).toContain('0.10 USD');
  });

  it.each([
    ['what=part&amount=0.05&unit=sale', '0.001'],
    ['what=part&amount=0.0005&unit=bsv', '0.0005'],
    ['what=part&amount=0.10&unit=sale', '0.002'],
    ['what=part&amount=0,05&unit=sale', '0.001'],
    ['what=part&amount=٠٫٠٥&unit=sale', '0.001'],
    ['what=all&amount=nonsense', '0.002'],
  ])('pays the requested part: %s', async (query, amount) => {
    const { path } = await pay();
    expect(button((await show(`${path}/refund?${query}`)).body).amount).toBe(amount);
  });

  it.each(['0.11&unit=sale', '0.00200001&unit=bsv', '', '-1', '0', '1e3', 'x', '<b>'])(
    'offers no button for an impossible amount: %s',
    async (amount) => {
      const { path } = await pay();
      const { body, status } = await show(`${path}/refund?what=part&amount=${amount}`);
      expect([status, button(body)]).toEqual([200, {}]);
      expect(body).toContain('aria-invalid="true"');
      expect(body).not.toContain('<b>');
    },
  );

  it('offers both readings of an ambiguous amount instead of guessing', async () => {
    const { path } = await pay();
    const { body } = await show(`${path}/refund?what=part&amount=1,000&unit=bsv`);
    expect(button(body)).toEqual({});
    expect([...body.matchAll(/href="[^"]*amount=([^"]*)"/g)].map(([, amount]) => amount)).toEqual(['1', '1000']);
  });

  it('offers the rest after a partial refund, and nothing after a full one', async () => {
    const { path } = await pay({ refundedSatoshis: 150_000n });
    expect(button((await show(`${path}/refund`)).body).amount).toBe('0.0005');
    expect((await show(path)).body).toContain('Partly refunded');
    const whole = await pay({ refundedSatoshis: 200_000n });
    expect((await show(`${whole.path}/refund`)).body).toContain('All of this payment was refunded.');
    expect((await show(`${whole.path}/refund`)).body).not.toContain('data-refund-of');
    expect((await show(`${whole.path}/refund`, payerPages)).status).toBe(404);
    const { body } = await show(whole.path);
    expect(body).toContain('>Refunded<');
    expect(body).not.toContain(`${whole.path}/refund`);
  });

  it('offers only BSV if the sale’s rate is unknown', async () => {
    const { path } = await pay({ currencyRate: null });
    const { body } = await show(`${path}/refund?what=part&amount=0.001&unit=sale`);
    expect(button(body).amount).toBe('0.001');
    expect(body).not.toContain('value="sale"');
  });

  it('rejects payers, visitors without a session, and failed or unreported payments', async () => {
    const { path, id } = await pay();
    expect((await show(`${path}/refund`, payerPages)).status).toBe(404);
    expect((await show(path, payerPages)).body).not.toContain('/refund"');
    expect((await app.send('GET', `${path}/refund`)).status).toBe(303);
    await finishPayment(database.db, id, { status: 'FAILED', description: null }, new Date(app.clock.ms));
    expect((await show(`${path}/refund`)).status).toBe(404);
    const unreported = await pay({ reported: false });
    expect((await show(`${unreported.path}/refund`)).status).toBe(404);
  });
});
