import { describe, expect, it } from 'vitest';
import { createTestReport, proveReport } from '../../payment-reports/testing-report.ts';
import { bearer, createTestWallet, register, registerApplication, signInOnPages } from '../../testing.ts';
import { useService } from '../../testing-service.ts';

describe('the sales of a seller', () => {
  const { app, arc } = useService();
  const wallet = createTestWallet();

  const linksOf = (page: string) =>
    new Map(
      [...page.matchAll(/<a class="[^"]*" href="([^"]+)"[^>]*>([^<]+)</g)].map(([, to = '', name = '']) => [name, to]),
    );

  it('appear one click from the first page of the account, with links to the button’s code and to webhooks', async () => {
    const session = await register(app, wallet, 'seller');
    const pages = await signInOnPages(app, wallet);
    const show = async (path: string) => {
      const { status, body } = await app.send('GET', path, undefined, pages);
      expect(status, path).toBe(200);
      return String(body);
    };
    const sales = linksOf(await show('/account')).get('Sales') ?? '';
    const before = await show(sales);
    expect(before).toContain('aria-current="page">Sales<');
    expect(before).not.toMatch(/OAuth|developer/i);
    const setUp = linksOf(before).get('Set up a shop') ?? '';
    expect(setUp).toBe('/account/applications/new?shop=yes');
    // The part for sign-in is closed to sellers, and open to developers.
    const form = await show(setUp);
    expect(form).toMatch(/<h1[^>]*>Set up a shop<[^]*<details><summary[^>]*>Sign-in with OAuth</);
    expect(form.match(/^[^]*<main[^]*?<details>/)?.[0]).not.toMatch(/OAuth|PKCE|redirect/i);
    expect(await show('/account/applications/new')).toMatch(/<details open><summary[^>]*>Sign-in with OAuth</);

    const { id, clientIdentifier } = await registerApplication(app, session, { name: 'Rose shop' });
    const payer = createTestWallet();
    const buyer = await register(app, payer, 'buyer');
    const { report, txid, key } = createTestReport([200_000n], payer.publicKey);
    arc.statuses.set(txid, 'SEEN_ON_NETWORK');
    const { inputProof: _, ...made } = { ...report, clientIdentifier, label: 'Roses' };
    const reported = await app.post('/api/v2/payments', proveReport(made, payer.publicKey, key), bearer(buyer));
    expect(reported.status).toBe(201);

    const after = await show(sales);
    expect(after).toContain('Rose shop');
    expect(after).toContain(`/account/payments/${report.id}`);
    const links = linksOf(after);
    expect(await show(links.get('All sales') ?? '')).toContain(`/account/payments/${report.id}`);
    expect(links.get('Code of the button')).toBe(`/account/applications/${id}#button`);
    const shop = await show(`/account/applications/${id}`);
    expect(shop).toContain('id="button"');
    expect(shop).toContain(`data-client-identifier=&quot;${clientIdentifier}&quot;`);
    expect(shop).toContain('data-to=&quot;seller@localhost&quot;');
    const webhooks = await show(links.get('Webhooks') ?? '');
    expect(linksOf(webhooks).get('Add a webhook URL')).toBe(`/account/applications/${id}/edit`);

    const others = await signInOnPages(app, payer);
    expect((await app.send('GET', sales, undefined, others)).body).not.toContain('Rose shop');
  });
});
