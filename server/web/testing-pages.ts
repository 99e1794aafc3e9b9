/** For tests: a service whose user has at least one record of every kind, and the paths of all pages that show them. */
import { beforeAll, expect } from 'vitest';
import { authorizeQuery } from '../oauth/testing.ts';
import { createTestReport, proveReport } from '../payment-reports/testing-report.ts';
import { bearer, createTestWallet, register, registerApplication, signInOnPages } from '../testing.ts';
import { useService } from '../testing-service.ts';

export function usePages() {
  const { app, arc } = useService();
  const wallet = createTestWallet();
  const pages = { Cookie: '', Origin: '' };
  const paths: string[] = [];
  let asked: string;

  beforeAll(async () => {
    const session = await register(app, wallet, 'alice');
    const shop = await registerApplication(app, session, {
      webhookUrl: 'https://hooks.example/pay',
      redirectUri: 'https://shop.example/back',
    });
    const { id, clientIdentifier } = shop;
    asked = `/oauth/v1/authorize?${new URLSearchParams(authorizeQuery(shop) as Record<string, string>)}`;
    const { report, txid, key } = createTestReport([200_000n], wallet.publicKey);
    arc.statuses.set(txid, 'SEEN_ON_NETWORK');
    const { inputProof: _, ...made } = { ...report, clientIdentifier };
    expect((await app.post('/api/v2/payments', proveReport(made, wallet.publicKey, key), bearer(session))).status).toBe(
      201,
    );
    const { body: created } = await app.post(
      '/api/v2/me/assets',
      { name: 'Garden hours', initialSupply: 5, protocol: 'bsv-21' },
      bearer(session),
    );
    const asset = `/account/assets/${created.id}`;
    Object.assign(pages, await signInOnPages(app, wallet));
    const application = `/account/applications/${id}`;
    paths.push(
      '/account',
      '/account/picture',
      '/account/sales',
      '/account/payments',
      '/account/payments?status=FAILED',
      `/account/payments/${report.id}`,
      `/account/payments/${report.id}/refund`,
      '/account/applications',
      '/account/applications/new',
      application,
      `${application}/edit`,
      `${application}/logo`,
      `${application}/payments`,
      `${application}/webhooks`,
      `${application}/test-payment`,
      `${application}/delete`,
      `${application}/secret`,
      `${application}/webhook-secret`,
      '/account/assets',
      '/account/assets/new',
      asset,
      `${asset}/edit`,
      `${asset}/delete`,
      '/account/connected',
      '/account/nothing',
      '/gallery',
      '/api/reference',
      '/api/reference/api-v2-payments',
      '/api/reference/webhooks',
      '/api/reference/errors',
      '/api/reference/search?q=token+lifetime',
      '/api/reference/search?q=xyzzy',
      '/shop',
      '/',
    );
  });

  return { app, paths, pages, consent: () => asked };
}
