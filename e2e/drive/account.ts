import { randomUUID } from 'node:crypto';
import type { Browser, Page } from 'puppeteer-core';
import { saveLogo } from '../../server/applications/logo.ts';
import { testPng } from '../../protocol/http/testing-picture.ts';
import { consents, payments, webhookDeliveries, webhookEvents } from '../../server/database/schema.ts';
import { openTestDatabase } from '../../server/database/testing.ts';
import { startTestArc } from '../../server/chain/testing-arc.ts';
import { createTestReport, proveReport } from '../../server/payment-reports/testing-report.ts';
import {
  bearer,
  createTestWallet,
  register,
  registerApplication,
  signInOnPages,
  startTestApp,
  type TestApp,
  type TestWallet,
} from '../../server/testing.ts';
import { eq } from 'drizzle-orm';
import type { PaymentStatus } from '../../protocol/payments/payment.ts';

/** A service with seeded accounts. */
export interface AccountScene {
  app: TestApp;
  /** Opens a tab with a signed-in user. The user `full` has entries on every page, and the user `empty` has none. */
  open(browser: Browser, who: 'full' | 'empty'): Promise<Page>;
  /** Paths of all account pages, by description. */
  paths: Record<string, string>;
  close(): Promise<void>;
}

const LONG = 'An-unusually-long-name-without-a-single-blank-that-still-fits';

export async function startAccountScene(): Promise<AccountScene> {
  const [database, arc] = await Promise.all([openTestDatabase(), startTestArc()]);
  const app = await startTestApp(database, { arcUrl: arc.url });
  const wallets = { full: createTestWallet(), empty: createTestWallet() };
  const publisher = await register(app, createTestWallet(), 'publisher');
  const full = await register(app, wallets.full, 'maria.fernandez-of-the-hills');
  await register(app, wallets.empty, 'newcomer');
  const shop = await registerApplication(app, full, {
    name: 'The Corner Shop',
    url: 'https://shop.example',
    description: 'Sells prints.\nTest and live share it.',
    redirectUri: 'https://shop.example/oauth/back',
    webhookUrl: 'https://shop.example/hooks/payments',
    requirePkce: true,
  });
  await saveLogo(database.db, Number(full.user.id), shop.id, testPng(96, 96, [180, 40, 90]), new Date(app.clock.ms));
  const bare = await registerApplication(app, full, {
    name: LONG.slice(0, 60),
    url: `https://${'long-'.repeat(10)}name.example/with/a/path`,
  });
  const reader = await registerApplication(app, publisher, { name: 'Reading Room', url: 'https://reading.example' });

  const pay = async (status: PaymentStatus, changes: Record<string, unknown>, amounts = [200_000n]) => {
    app.clock.ms += 3_600_000;
    const {
      report: { inputProof: _, ...report },
      txid,
      key,
    } = createTestReport(amounts, wallets.full.publicKey);
    arc.statuses.set(txid, 'SEEN_ON_NETWORK');
    // The wallet's token is valid for an hour.
    const signedIn = await signIn(app, wallets.full);
    await app.post(
      '/api/v2/payments',
      proveReport({ ...report, ...changes }, wallets.full.publicKey, key),
      bearer(signedIn),
    );
    await database.db
      .update(payments)
      .set({ status, statusDescription: status === 'FAILED' ? 'Another transaction spent the same coins.' : null })
      .where(eq(payments.id, report.id));
    return report.id;
  };
  const statuses = ['COMPLETED', 'FAILED', 'RECEIVED'] as const;
  let latest = '';
  for (let i = 0; i < 22; i += 1) {
    latest = await pay(
      statuses[i % 3] ?? 'RECEIVED',
      {
        clientIdentifier: shop.clientIdentifier,
        label: i % 2 === 0 ? 'A print, “framed” and signed by the artist' : null,
        buttonId: i === 21 ? `order-${'0123456789'.repeat(8)}` : `order-${i}`,
        buttonData: '{"order": 7, "items": ["print", "frame"]}',
      },
      i % 4 === 1 ? [200_000n, 300_000n] : [200_000n],
    );
  }
  const userId = Number(full.user.id);
  await database.db.insert(consents).values([
    { userId, applicationId: reader.id, scope: 'auth.user_identity:read', grantedAt: new Date(app.clock.ms) },
    { userId, applicationId: reader.id, scope: 'users.balance:read', grantedAt: new Date(app.clock.ms + 86_400_000) },
    { userId, applicationId: bare.id, scope: 'payments:read', grantedAt: new Date(app.clock.ms) },
    {
      userId: Number(publisher.user.id),
      applicationId: shop.id,
      scope: 'users.profiles:read',
      grantedAt: new Date(app.clock.ms),
    },
  ]);
  const events = await database.db.select().from(webhookEvents).where(eq(webhookEvents.applicationId, shop.id));
  for (const [i, event] of events.entries()) {
    const state = (['delivered', 'given-up', 'pending'] as const)[i % 3] ?? 'pending';
    await database.db
      .update(webhookEvents)
      .set({ state, nextAttemptAt: state === 'pending' ? new Date(app.clock.ms) : null })
      .where(eq(webhookEvents.id, event.id));
    if (state !== 'pending')
      await database.db.insert(webhookDeliveries).values([
        {
          id: randomUUID(),
          eventId: event.id,
          attemptedAt: event.createdAt,
          durationMs: 10_000,
          status: null,
          error: 'No answer within 10 seconds.',
        },
        {
          id: randomUUID(),
          eventId: event.id,
          attemptedAt: new Date(event.createdAt.getTime() + 5_000),
          durationMs: 84,
          status: state === 'delivered' ? 200 : 500,
          error: state === 'delivered' ? null : 'The receiver did not accept it.',
        },
      ]);
  }

  const described = { description: LONG, url: 'https://garden.example', protocol: 'bsv-21', decimals: 2 };
  const asset = { ...described, name: 'Garden hours', initialSupply: '18446744073709551615' };
  const { id: assetId } = (await app.post('/api/v2/me/assets', asset, bearer(await signIn(app, wallets.full))))
    .body as { id: string };

  const consent = new URLSearchParams({
    response_type: 'code',
    client_id: shop.oauthIdentifier,
    redirect_uri: 'https://shop.example/oauth/back',
    scope: 'auth.user_identity:read users.balance:read',
    state: 'af0ifjsldkj',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  });
  const application = `/account/applications/${shop.id}`;
  return {
    app,
    paths: {
      overview: '/account',
      payments: '/account/payments',
      'payments-failed': '/account/payments?status=FAILED',
      payment: `/account/payments/${latest}`,
      assets: '/account/assets',
      'asset-new': '/account/assets/new',
      asset: `/account/assets/${assetId}`,
      'asset-delete': `/account/assets/${assetId}/delete`,
      applications: '/account/applications',
      'application-new': '/account/applications/new',
      application: application,
      'application-edit': `${application}/edit`,
      'application-logo': `${application}/logo`,
      'application-test-payment': `${application}/test-payment`,
      'application-secret': `${application}/secret`,
      'application-webhook-secret': `${application}/webhook-secret`,
      'application-delete': `${application}/delete`,
      'application-payments': `${application}/payments`,
      'application-payments-found': `${application}/payments?button=order-1&status=FAILED`,
      'application-webhooks': `${application}/webhooks`,
      'application-bare': `/account/applications/${bare.id}`,
      connected: '/account/connected',
      consent: `/oauth/v1/authorize?${consent.toString()}`,
      gone: '/account/payments/gone',
    },
    async open(browser, who) {
      const { Cookie } = await signInOnPages(app, wallets[who]);
      const [name = '', value = ''] = Cookie.split('=');
      const context = await browser.createBrowserContext();
      await context.setCookie({ name, value, domain: 'localhost', path: '/', httpOnly: true, sameSite: 'Lax' });
      return context.newPage();
    },
    async close() {
      await Promise.all([app.close(), arc.close()]);
      await database.close();
    },
  };
}

/** Signs in a wallet and returns a session with a fresh token. */
async function signIn(app: TestApp, wallet: TestWallet) {
  const { nonce, message } = (await app.post('/api/v2/sign-in/challenges', { publicKey: wallet.publicKey })).body;
  return (await app.post('/api/v2/sign-in', { publicKey: wallet.publicKey, nonce, signature: wallet.sign(message) }))
    .body;
}
