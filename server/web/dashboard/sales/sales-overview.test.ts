import { describe, expect, it } from 'vitest';
import { createTestReport, proveReport } from '../../../payment-reports/testing-report.ts';
import { bearer, createTestWallet, register, registerApplication, signInOnPages } from '../../../testing.ts';
import { useService } from '../../../testing-service.ts';

describe('a seller’s sales', () => {
  const { app, arc } = useService();
  const wallet = createTestWallet();

  const linksOf = (page: string) =>
    new Map(
      [...page.matchAll(/<a class="[^"]*" href="([^"]+)"[^>]*>([^<]+)</g)].map(([, to = '', name = '']) => [name, to]),
    );

  it('appear one click from the account’s first page, with links to the button’s code and to webhooks', async () => {
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
    // The sign-in fields are collapsed for merchants, and expanded for developers.
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

  it('begin with the button’s code on a new shop’s page, which collapses credentials and shows no unneeded secret', async () => {
    const owner = createTestWallet();
    await register(app, owner, 'florist');
    const pages = await signInOnPages(app, owner);
    const setUp = async (fields: Record<string, string>) => {
      const form = String((await app.send('GET', '/account/applications/new?shop=yes', undefined, pages)).body);
      const token = /name="form-token" value="([0-9a-f]{64})"/.exec(form)?.[1] ?? '';
      const body = new URLSearchParams({
        'form-token': token,
        name: 'Florist',
        url: 'https://florist.example',
        ...fields,
      });
      const { status, headers } = await app.send('POST', '/account/applications', body, pages);
      expect(status).toBe(303);
      const cookies = headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
      const path = headers.get('location') ?? '';
      return String((await app.send('GET', path, undefined, { Cookie: [pages.Cookie, ...cookies].join('; ') })).body);
    };
    const shop = await setUp({ shop: 'yes' });
    expect(shop).toContain('Your shop is set up.');
    expect(shop).toContain('data-to=&quot;florist@localhost&quot;');
    expect(shop).toMatch(/<details class="[^"]*"><summary[^>]*>Credentials</);
    expect(shop.replace(/<details[^]*?<\/details>/g, '')).not.toMatch(/OAuth|PKCE|redirect|secret|Access</i);
    const withServer = await setUp({ shop: 'yes', webhookUrl: 'https://florist.example/hook' });
    expect(withServer).toMatch(/>Webhook secret<[^]*whsec_/);
    expect(withServer).not.toMatch(/<dt[^>]*>Client secret<\/dt><dd class="mono/);
    const developer = await setUp({ redirectUri: 'https://florist.example/back' });
    expect(developer).toMatch(/<dt[^>]*>Client secret<\/dt><dd class="mono/);
    expect(developer).toMatch(/<details class="[^"]*" open><summary[^>]*>Credentials</);
  });
});
