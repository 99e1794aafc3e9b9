import { beforeAll, describe, expect, it } from 'vitest';
import { and, eq } from 'drizzle-orm';
import { writeAddress } from '../../../../protocol/bitcoin/address.ts';
import type { Session } from '../../../../protocol/http/api.ts';
import { paymentOutputs, payments } from '../../../database/schema.ts';
import { createTestReport, proveReport } from '../../../payment-reports/testing-report.ts';
import { finishPayment } from '../../../settlement/payment-status.ts';
import { bearer, createTestWallet, register, registerApplication, signInOnPages } from '../../../testing.ts';
import { useService } from '../../../testing-service.ts';

type Pages = { Cookie: string; Origin: string };

describe('the refund page', () => {
  const { app, arc, database } = useService();
  const [ownerWallet, payerWallet] = [createTestWallet(), createTestWallet()];
  let ownerSession: Session;
  let payer: Session;
  let owner: Pages;
  let payerPages: Pages;
  let clientIdentifier: string;

  beforeAll(async () => {
    ownerSession = await register(app, ownerWallet, 'alice');
    payer = await register(app, payerWallet, 'bob');
    ({ clientIdentifier } = await registerApplication(app, ownerSession));
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

  const warning = (body: string) => /data-elsewhere>(.*?)<\/p>/s.exec(body)?.[1] ?? null;

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
    expect((await show(`${whole.path}/refund`)).body).toContain('Nothing is left to refund.');
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

  describe('a payment to several recipients', () => {
    const artistWallet = createTestWallet();
    let artist: Session;
    let artistPages: Pages;

    beforeAll(async () => {
      artist = await register(app, artistWallet, 'carol');
      artistPages = await signInOnPages(app, artistWallet);
    });

    /** Pays 50,000 satoshis to `recipient` and 150,000 to a stranger. */
    async function payBoth(recipient: Session, client: string | null) {
      const { report, txid, key } = createTestReport([50_000n, 150_000n], payerWallet.publicKey);
      arc.statuses.set(txid, 'SEEN_ON_NETWORK');
      const { inputProof: _, ...rest } = { ...report, clientIdentifier: client };
      const made = proveReport(rest, payerWallet.publicKey, key);
      expect((await app.post('/api/v2/payments', made, bearer(payer))).status).toBe(201);
      await database.db
        .update(paymentOutputs)
        .set({ recipientId: Number(recipient.user.id) })
        .where(and(eq(paymentOutputs.paymentId, report.id), eq(paymentOutputs.position, 0)));
      const recipients = report.outputs.map(({ to }) => to);
      return { path: `/account/payments/${report.id}`, id: report.id, recipients };
    }

    /** Stores a refund by `artist` as the service counts it. */
    async function refundPart(of: string, satoshis: bigint) {
      const { report, txid } = createTestReport([satoshis], artistWallet.publicKey);
      arc.statuses.set(txid, 'SEEN_ON_NETWORK');
      expect((await app.post('/api/v2/payments', report, bearer(artist))).status).toBe(201);
      const refund = { refundOf: of, refundSatoshis: satoshis };
      await database.db.update(payments).set(refund).where(eq(payments.id, report.id));
      await database.db.update(payments).set({ refundedSatoshis: satoshis }).where(eq(payments.id, of));
    }

    it.each([
      ['another account’s application', () => clientIdentifier],
      ['no application', () => null],
    ])('a recipient is offered only the part that they received through %s', async (_, client) => {
      const { path } = await payBoth(artist, client());
      const { body } = await show(`${path}/refund`, artistPages);
      expect(button(body).amount).toBe('0.0005');
      expect(body).toContain('50,000 satoshis');
      expect(body).not.toContain('200,000 satoshis');
      const more = (await show(`${path}/refund?what=part&amount=0.00050001&unit=bsv`, artistPages)).body;
      expect(button(more)).toEqual({});
      expect(more).toContain('This is more than is left to refund.');
    });

    it('a recipient’s earlier refunds are subtracted from their part, until nothing of it is left', async () => {
      const begun = await payBoth(artist, clientIdentifier);
      await refundPart(begun.id, 20_000n);
      expect(button((await show(`${begun.path}/refund`, artistPages)).body).amount).toBe('0.0003');
      const done = await payBoth(artist, clientIdentifier);
      await refundPart(done.id, 50_000n);
      const { status, body } = await show(`${done.path}/refund`, artistPages);
      expect([status, button(body)]).toEqual([200, {}]);
      expect(body).toContain('Nothing is left to refund.');
      expect((await show(done.path, artistPages)).body).not.toContain(`${done.path}/refund`);
      expect(button((await show(`${done.path}/refund`)).body).amount).toBe('0.0015');
    });

    it('the owner is offered the whole payment, and sees who received it and how much went to others', async () => {
      const { path, recipients } = await payBoth(ownerSession, clientIdentifier);
      const { body } = await show(`${path}/refund`);
      expect(button(body).amount).toBe('0.002');
      const [own, stranger] = recipients.map((to) => body.indexOf(`${to}</bdi>`));
      expect(own).toBeGreaterThan(-1);
      expect(body.slice(own, body.indexOf('service-button'))).toContain(`${recipients[1]}</bdi>`);
      expect(body.slice(0, own)).toContain('Your account');
      expect(body.slice(own, stranger)).not.toContain('Your account');
      expect(warning(body)).toContain('150,000 satoshis');
    });

    it('warns the owner about a payment to its own sender that names the application', async () => {
      const { path } = await pay();
      expect(warning((await show(`${path}/refund`)).body)).toContain('200,000 satoshis');
    });

    it('doesn’t warn about a payment to the owner, nor recipients who can refund only their own part', async () => {
      const { id, path } = await payBoth(ownerSession, clientIdentifier);
      const ownerId = Number(ownerSession.user.id);
      await database.db.update(paymentOutputs).set({ recipientId: ownerId }).where(eq(paymentOutputs.paymentId, id));
      expect(warning((await show(`${path}/refund`)).body)).toBeNull();
      const { path: artists } = await payBoth(artist, clientIdentifier);
      expect(warning((await show(`${artists}/refund`, artistPages)).body)).toBeNull();
    });
  });
});
