/**
 * Signing in to an application, from its page to its page: the real extension, the real service, the example
 * application.
 */
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'puppeteer-core';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { connectedTexts } from '../extension/ui/texts-connected.ts';
import { texts } from '../extension/ui/texts.ts';
import { createOAuthApp } from '../examples/oauth-app/app.ts';
import { axe } from './drive/axe.ts';
import { launchPlain } from './drive/browser.ts';
import { bundlePageClients } from './drive/page-clients.ts';
import { press } from './drive/onboarding.ts';
import { registerPerson, type Person } from './drive/person.ts';
import { setScene, type Scene } from './drive/scene.ts';
import { freePort } from '../scripts/free-port.ts';
import { answerTo, rawPage, replyTo } from './drive/raw-page.ts';
import { signIn, signInApproval, signInPage } from './drive/sign-in.ts';
import { onStage } from './drive/stage.ts';
import {
  approve,
  ask,
  buttonIn,
  PASSWORD,
  pressWhenReady,
  readyApproval,
  swipe,
  untilGuardPasses,
} from './drive/wallet.ts';

interface Registered {
  application: { id: string; name: string; oauthIdentifier: string };
}

let scene: Scene;
/** Has an account and makes applications. */
let developer: Person;
let plain: Browser | undefined;
const servers: Server[] = [];
const pages: Page[] = [];

onStage(
  async () => {
    scene = await setScene({ handle: 'ada', satoshis: 1_000_000 });
    developer = await registerPerson(scene.publicUrl, 'devon', 'Devon');
  },
  () => scene?.end(),
);
afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  await plain?.close();
});
afterEach(async () => {
  for (const page of pages.splice(0)) await page.close().catch(() => undefined);
  for (const page of await scene.wallet.approvals()) await page.close();
  for (const { name } of await scene.wallet.browser.cookies())
    await scene.wallet.browser.deleteMatchingCookies({ name, url: scene.publicUrl });
});

/** Makes an application. @returns its OAuth identifier */
async function newApplication(
  name: string,
  redirectUri: string,
  service = scene.publicUrl,
  owner = developer,
): Promise<string> {
  const response = await fetch(`${service}/api/v2/me/applications`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${owner.accessToken}` },
    body: JSON.stringify({ name, url: 'https://notes.example', redirectUri }),
  });
  expect(response.status).toBe(201);
  return ((await response.json()) as Registered).application.oauthIdentifier;
}

/** Starts the example application with an application of its own at a service. @returns its address */
async function startApp(name: string, service = scene.publicUrl, owner = developer): Promise<string> {
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const app = await createOAuthApp({
    serviceUrl: service,
    clientId: await newApplication(name, `${baseUrl}/callback`, service, owner),
    baseUrl,
  });
  const server = app.listen(port, '127.0.0.1');
  await once(server, 'listening');
  expect((server.address() as AddressInfo).port).toBe(port);
  servers.push(server);
  return baseUrl;
}

/** Opens a page in the browser with the wallet. */
async function open(url: string): Promise<Page> {
  const page = await scene.wallet.browser.newPage();
  pages.push(page);
  await page.goto(url);
  return page;
}

/** Follows a link, or presses a button, to the page after it. */
async function follow(page: Page, selector: string): Promise<void> {
  await page.bringToFront();
  await Promise.all([page.waitForNavigation(), page.click(selector)]);
}

const at = (page: Page) => new URL(page.url()).origin + new URL(page.url()).pathname;
const text = (page: Page, selector: string) => page.$eval(selector, (element) => element.textContent?.trim());
const consent = (page: Page) => page.waitForSelector('button[name=decision][value=allow]');
const home = (page: Page) => page.waitForSelector('#user-id');

test('[O-01] [O-02] [O-03] [O-04] [O-05] [O-07] [O-08] a person signs in with the wallet, allows it once, and the application reads what was allowed', async () => {
  const shop = await scene.shop({ 'button-id': 'invoice-1' });
  pages.push(shop);
  await swipe(shop, await buttonIn(shop, 'ready'));
  await approve(scene.wallet);
  await buttonIn(shop, 'done');

  const app = await startApp('Notes');
  const page = await open(app);
  await follow(page, 'a[href="/sign-in"]');
  expect(at(page)).toBe(`${scene.publicUrl}/sign-in`);
  expect(await text(page, '.lead')).toContain('Notes');
  const shown = await signIn(scene.wallet, page);
  // The window shows the origin reported by the browser, the account, and what is signed.
  expect(shown).toContain(scene.publicUrl);
  expect(shown).toContain('ada@');
  await consent(page);
  const asked = await page.$eval('main', (main) => main.innerText);
  expect(asked).toContain('Notes');
  expect(asked).toContain('notes.example');
  expect(asked.toLowerCase()).toContain('see your balance');
  await follow(page, 'button[value=allow]');
  await home(page);
  expect(at(page)).toBe(`${app}/`);
  const account = (await ask(scene.page, 'wallet/overview', {})).account;
  expect([await text(page, '#user-id'), await text(page, '#paymail')]).toEqual([account?.id, account?.paymail]);
  await vi.waitFor(
    async () => {
      await page.reload();
      expect(await text(page, '#payments tbody')).toContain('0.10 USD');
    },
    { interval: 300 },
  );
  // The wallet publishes its balance from now on, because an application may read it.
  await vi.waitFor(
    async () => {
      await ask(scene.page, 'wallet/refresh', {});
      await page.reload();
      expect(await text(page, '#balance')).toMatch(/^0\.\d+ BSV, \d+\.\d\d USD \(as of /);
    },
    { interval: 500 },
  );

  // The second time there is no prompt: the user is still signed in at the service, and has consented.
  await follow(page, 'form[action="/sign-out"] button');
  const before = scene.wallet.approvalCount().ever;
  await page.click('a[href="/sign-in"]');
  await home(page);
  expect(await text(page, '#user-id')).toBe(account?.id);
  expect(scene.wallet.approvalCount().ever).toBe(before);
});

test('a page of another origin does it all by itself, with fetch, openid-client and oidc-client-ts, and a cookie opens nothing to it', async () => {
  // Of the same site as the service, so that the browser sends its cookies along wherever a page may have them sent.
  const origin = scene.site.origin.replace('127.0.0.1', 'localhost');
  const callback = `${origin}/spa`;
  scene.site.page('/clients.js', await bundlePageClients(), { 'content-type': 'text/javascript; charset=utf-8' });
  scene.site.page(
    '/spa',
    '<!doctype html><html lang="en"><head><title>A page</title></head><body><script src="/clients.js"></script></body></html>',
  );
  const settings = {
    service: scene.publicUrl,
    clientId: await newApplication('Page', callback),
    callback,
    scope: 'auth.user_identity:read payments:read',
  };
  type Settings = typeof settings;
  const page = await open(callback);

  const begun = page.waitForNavigation();
  await page.evaluate(async ({ service, clientId, callback: redirect_uri, scope }: Settings) => {
    const { openid } = window;
    const server = await openid.discovery(new URL(service), clientId, undefined, openid.None(), {
      algorithm: 'oauth2',
      execute: [openid.allowInsecureRequests],
    });
    const [state, verifier] = [openid.randomState(), openid.randomPKCECodeVerifier()];
    sessionStorage.setItem('pending', JSON.stringify({ state, verifier }));
    location.href = openid.buildAuthorizationUrl(server, {
      redirect_uri,
      scope,
      state,
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }).href;
  }, settings);
  await begun;
  await signIn(scene.wallet, page);
  await consent(page);
  await follow(page, 'button[value=allow]');
  expect(at(page)).toBe(callback);
  const byOpenid = await page.evaluate(async ({ service, clientId }: Settings) => {
    const { openid } = window;
    const server = await openid.discovery(new URL(service), clientId, undefined, openid.None(), {
      algorithm: 'oauth2',
      execute: [openid.allowInsecureRequests],
    });
    const { state, verifier } = JSON.parse(sessionStorage.getItem('pending') ?? '{}');
    const first = await openid.authorizationCodeGrant(server, new URL(location.href), {
      expectedState: state,
      pkceCodeVerifier: verifier,
    });
    const tokens = await openid.refreshTokenGrant(server, first.refresh_token ?? '');
    const get = async (path: string, token: string, more: RequestInit = {}) => {
      const answer = await fetch(service + path, {
        ...more,
        headers: {
          Authorization: `Bearer ${token}`,
          'Content-Type': 'application/json',
          'Idempotency-Key': crypto.randomUUID(),
        },
      });
      return { status: answer.status, body: await answer.json(), challenge: answer.headers.get('WWW-Authenticate') };
    };
    const me = await get('/api/v2/me', tokens.access_token);
    const documents = await get('/api/v1/payments?limit=1', tokens.access_token);
    const refused = await get('/api/v2/me', tokens.access_token, { method: 'PATCH', body: '{"name":"x"}' });
    const missing = await get('/api/v2/nothing', tokens.access_token);
    // The service's session cookie is in this browser; the page that may have it sent is the service's own.
    const withCookies = await fetch(`${service}/api/v2/me/applications`, { credentials: 'include' }).then(
      () => 'read',
      () => 'hidden',
    );
    const withoutCookies = (await fetch(`${service}/api/v2/me/applications`)).status;
    await openid.tokenRevocation(server, first.refresh_token ?? '');
    return {
      me,
      documents,
      refused,
      missing,
      withCookies,
      withoutCookies,
      revoked: await get('/api/v2/me', tokens.access_token),
    };
  }, settings);
  const account = (await ask(scene.page, 'wallet/overview', {})).account;
  expect(byOpenid).toMatchObject({
    me: { status: 200, body: { user: { id: account?.id } } },
    documents: { status: 200, body: { jsonapi: { version: '1.0' } } },
    refused: { status: 403, body: { error: { code: 'insufficient-scope' } } },
    missing: { status: 404, body: { error: { code: 'not-found' } } },
    withCookies: 'hidden',
    withoutCookies: 401,
    revoked: { status: 401, challenge: 'Bearer error="invalid_token"' },
  });

  await page.goto(callback);
  const oidcSettings = {
    authority: scene.publicUrl,
    metadataUrl: `${scene.publicUrl}/.well-known/oauth-authorization-server`,
    client_id: settings.clientId,
    redirect_uri: callback,
    scope: settings.scope,
  };
  // Still signed in at the service, and allowed: it comes back at once.
  await page.evaluate((its) => void new window.oidc.UserManager(its).signinRedirect(), oidcSettings);
  await page.waitForFunction(
    (there) => location.href.startsWith(`${there}?code=`) && document.readyState === 'complete',
    {},
    callback,
  );
  const byOidc = await page.evaluate(async (its) => {
    const manager = new window.oidc.UserManager(its);
    const user = await manager.signinRedirectCallback();
    const renewed = await manager.signinSilent();
    const answer = await fetch(`${its.authority}/api/v1/auth/user_identity`, {
      headers: { Authorization: `Bearer ${renewed?.access_token}` },
    });
    await manager.revokeTokens(['refresh_token']);
    return { renewed: renewed?.access_token !== user.access_token, id: (await answer.json()).data.id };
  }, oidcSettings);
  expect(byOidc).toEqual({ renewed: true, id: account?.id });
});

test('[O-07] refused on the consent page: the application is notified, and learns nothing', async () => {
  const app = await startApp('Curious');
  const page = await open(app);
  await follow(page, 'a[href="/sign-in"]');
  await signIn(scene.wallet, page);
  await consent(page);
  await follow(page, 'button[value=deny]');
  expect(at(page)).toBe(`${app}/callback`);
  expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied');
  expect(await text(page, '#problem')).toBe('You did not allow it, so we know nothing about you.');
  expect(await page.$('#user-id')).toBeNull();
  // Asked again the next time.
  await page.click('a[href="/sign-in"]');
  await consent(page);
  // It says whose account that is; whoever it is not signs in as somebody else, and is asked the same.
  const asked = page.url();
  await follow(page, 'button[formaction="/sign-out"]');
  expect(at(page)).toBe(`${scene.publicUrl}/sign-in`);
  await signIn(scene.wallet, page);
  await consent(page);
  const parameters = (url: string) => Object.fromEntries(new URL(url).searchParams);
  expect(parameters(page.url())).toEqual(parameters(asked));
});

test('rejected in the wallet: the page says so, nobody is signed in, and the next attempt succeeds', async () => {
  const page = await open(`${scene.publicUrl}/sign-in?return=%2Fshop`);
  await signInPage(page, 'ready');
  await page.click('#sign-in form button');
  const approval = await signInApproval(scene.wallet);
  await pressWhenReady(approval, '.approval-buttons button[type=button]');
  await page.waitForSelector('[data-code="sign-in-refused"]');
  expect(await page.$eval('#sign-in', (section) => (section as HTMLElement).dataset.state)).toBe('ready');
  await scene.wallet.noApproval();
  await signIn(scene.wallet, page);
  await page.waitForFunction(() => location.pathname === '/shop');
});

test('a locked wallet is unlocked in the window that asks', async () => {
  await ask(scene.page, 'vault/lock', {});
  const page = await open(`${scene.publicUrl}/sign-in?return=%2Fshop`);
  expect(await signIn(scene.wallet, page, PASSWORD)).toContain('Unlock and sign in');
  await page.waitForFunction(() => location.pathname === '/shop');
});

test('the worker dies while the user reads: one window, and the same answer', async () => {
  const page = await open(`${scene.publicUrl}/sign-in?return=%2Fshop`);
  await signInPage(page, 'ready');
  await page.click('#sign-in form button');
  const approval = await signInApproval(scene.wallet);
  await scene.wallet.killWorker();
  await pressWhenReady(approval, 'button[data-action=sign]');
  await page.waitForFunction(() => location.pathname === '/shop');
});

test('permission revoked: the application finds out with its next request, and has to ask again', async () => {
  const app = await startApp('Fickle');
  const page = await open(app);
  await follow(page, 'a[href="/sign-in"]');
  await signIn(scene.wallet, page);
  await consent(page);
  await follow(page, 'button[value=allow]');
  await home(page);
  const connected = await open(`${scene.publicUrl}/account/connected`);
  await revoke(connected, 'Fickle');
  await page.bringToFront();
  await page.reload();
  expect(await text(page, '#note')).toContain('permission has ended');
  await page.click('a[href="/sign-in"]');
  await consent(page);

  // The same in the wallet.
  await follow(page, 'button[value=allow]');
  await home(page);
  const popup = scene.page;
  await popup.bringToFront();
  await popup.reload();
  await press(popup, texts.popup.settings);
  await press(popup, connectedTexts.title);
  const card = '::-p-xpath(//li[@data-connection][contains(., "Fickle")]';
  for (const action of ['remove', 'remove-sure'])
    await (await popup.waitForSelector(`${card}//button[@data-action="${action}"])`))?.click();
  await popup.waitForSelector(`${card})`, { hidden: true });
  await page.bringToFront();
  await page.reload();
  expect(await text(page, '#note')).toContain('permission has ended');
});

test('[O-06] landing register: the handle is checked while typing, an account is made, the wallet knows it, and on to the application', async () => {
  const fresh = await setScene({ handle: '', satoshis: 0 });
  try {
    const app = await startApp('Newcomers', fresh.publicUrl, await registerPerson(fresh.publicUrl, 'devon', 'Devon'));
    const page = await fresh.wallet.browser.newPage();
    await page.goto(app);
    await follow(page, 'a[href="/sign-in?new"]');
    await signInPage(page, 'ready');
    await page.type('#handle', 'devon');
    await page.waitForFunction(
      () =>
        document.querySelector('#handle-error')?.textContent ===
        'This handle, or one that looks like it, is already taken.',
    );
    await page.$eval('#handle', (input) => ((input as HTMLInputElement).value = ''));
    await page.type('#handle', 'newcomer');
    await page.waitForFunction(() =>
      document.querySelector('#handle-hint')?.textContent?.startsWith('newcomer is available.'),
    );
    await page.type('#name', 'New Comer');
    const shown = await signIn(fresh.wallet, page);
    expect(shown).toContain('newcomer');
    expect(shown).toContain('New Comer');
    await consent(page);
    await follow(page, 'button[value=allow]');
    await home(page);
    expect(await text(page, '#name')).toBe('New Comer');
    await vi.waitFor(
      async () => {
        const { account } = await ask(fresh.page, 'wallet/overview', {});
        expect(account).toMatchObject({ handle: 'newcomer', name: 'New Comer' });
      },
      { interval: 200 },
    );
  } finally {
    await fresh.end();
  }
});

test('without a wallet the page says how to get one, and offers nothing that cannot work', async () => {
  plain = await launchPlain();
  const page = await plain.newPage();
  await page.goto(`${scene.publicUrl}/sign-in?return=%2Fshop`);
  await signInPage(page, 'no-wallet');
  expect(await page.$eval('#no-wallet a', (link) => (link as HTMLAnchorElement).getAttribute('href'))).toBe('/wallet');
  expect(await page.$eval('#login', (form) => (form as HTMLElement).hidden)).toBe(true);
  // It continues by itself: returning to the page checks again.
  const reloaded = page.waitForNavigation();
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await reloaded;
  await signInPage(page, 'no-wallet');
});

test('Axe finds nothing on the page in any of its states, nor in the window of the wallet, light or dark', async () => {
  const page = await open(`${scene.publicUrl}/sign-in?landing=register&return=%2Fshop`);
  const found: Record<string, string[]> = {};
  for (const scheme of ['light', 'dark']) {
    const dress = (on: Page) => on.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
    await dress(page);
    await page.goto(`${scene.publicUrl}/sign-in?landing=register&return=%2Fshop`);
    await signInPage(page, 'ready');
    await page.type('#handle', 'ada');
    await page.waitForFunction(() => document.querySelector('#handle-error')?.textContent !== '');
    found[`${scheme}: taken`] = await axe(page);
    await page.goto(`${scene.publicUrl}/sign-in?return=%2Fshop`);
    await signInPage(page, 'ready');
    await page.bringToFront();
    await page.click('#sign-in form button');
    const approval = await signInApproval(scene.wallet);
    await dress(approval);
    await approval.$eval('details', (details) => details.setAttribute('open', ''));
    found[`${scheme}: window`] = await axe(approval);
    found[`${scheme}: working`] = await axe(page);
    await untilGuardPasses(approval);
    await approval.keyboard.press('Escape');
    await page.waitForSelector('[data-code="sign-in-refused"]');
    await scene.wallet.noApproval();
    found[`${scheme}: refused`] = await axe(page);
  }
  expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, []])));
});

test('a merchant gives a part of a payment back from the dashboard, and its page says so; and tries the application with play money', async () => {
  const page = await open(`${scene.publicUrl}/account/applications/new`);
  await signIn(scene.wallet, page);
  await page.waitForSelector('#name');
  await page.type('#name', 'Refunding Shop');
  await page.type('#url', 'https://refunds.example');
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
  const client = /Client identifier\s+(\w+)/.exec(await page.evaluate(() => document.body.innerText))?.[1] ?? '';
  expect(client).not.toBe('');
  const application = new URL(page.url()).pathname;

  const shop = await scene.shop({ 'client-identifier': client, amount: '0.0002', currency: 'BSV' });
  pages.push(shop);
  await swipe(shop, await buttonIn(shop, 'ready'));
  await approve(scene.wallet);
  await buttonIn(shop, 'done');

  await vi.waitFor(
    async () => {
      await page.goto(`${scene.publicUrl}${application}/payments`);
      await follow(page, '.payment-row');
    },
    { timeout: 30_000, interval: 500 },
  );
  const payment = page.url();
  await follow(page, 'a[href$="/refund"]');
  expect(await axe(page)).toEqual([]);
  await page.click('input[value=part]');
  await page.type('#amount', '0.00005');
  await follow(page, 'main form button');
  expect(await axe(page)).toEqual([]);
  await swipe(page, await buttonIn(page, 'ready'));
  await Promise.all([page.waitForNavigation(), approve(scene.wallet)]);
  expect(page.url()).toBe(payment);
  const partly = async () => {
    await page.goto(payment);
    return text(page, 'main');
  };
  await vi.waitFor(async () => expect(await partly()).toContain('Partly refunded'), { timeout: 30_000, interval: 500 });
  expect(await partly()).toContain('5,000 satoshis');
  expect(await axe(page)).toEqual([]);

  // And tries the application without a shop, with play money that comes back.
  await page.goto(scene.publicUrl + application);
  await follow(page, 'a[href$="/test-payment"]');
  await swipe(page, await buttonIn(page, 'ready'));
  await approve(scene.wallet);
  await buttonIn(page, 'done');
  const listed = async () => {
    await page.goto(`${scene.publicUrl}${application}/payments?button=test-payment`);
    return page.$$eval('.payment-row', (rows) => rows.map((row) => row.textContent));
  };
  await vi.waitFor(async () => expect(await listed()).toEqual([expect.stringMatching(/0\.05 USD[^]*“Test payment”/)]), {
    timeout: 30_000,
    interval: 500,
  });
});

test('a frame in another site’s page, and a page that nobody touched, open no window', async () => {
  const now = Date.now();
  const params = {
    nonce: 'nonce-0123456789abcdef',
    issuedAt: new Date(now).toISOString(),
    expiresAt: new Date(now + 300_000).toISOString(),
    register: null,
  };
  scene.site.page('/frame', rawPage('<button id="go" style="width:100%;height:100px">Go</button>'));
  scene.site.page(
    '/outer',
    rawPage(`<iframe src="${scene.site.origin.replace('127.0.0.1', 'localhost')}/frame"></iframe>`),
  );
  const before = scene.wallet.approvalCount().ever;
  // Of its own accord, as it is loaded: what a test has a page do counts as a person's act.
  const asked = { id: 'raw-idle-1', method: 'identity/sign-in', params };
  scene.site.page('/idle', rawPage(`<script>say(${JSON.stringify(asked)})</script>`));
  expect((await replyTo(await open(`${scene.site.origin}/idle`), asked.id)).error?.code).toBe('click-first');
  const outer = await open(`${scene.site.origin}/outer`);
  const frame = await outer.waitForFrame((one) => one.url().endsWith('/frame'));
  await (await frame.waitForSelector('#go'))?.click();
  expect(
    (await answerTo(frame, { id: 'raw-frame-1', method: 'identity/sign-in', params } as { id: string })).error?.code,
  ).toBe('click-first');
  expect(scene.wallet.approvalCount().ever).toBe(before);
});

/** Takes back what an application was allowed, on the page of connected apps. */
async function revoke(page: Page, name: string): Promise<void> {
  await page.bringToFront();
  const button = await page.waitForSelector(`::-p-xpath(//li[.//h2[contains(., "${name}")]]//button)`);
  await Promise.all([page.waitForNavigation(), button?.click()]);
}

test('a person describes an asset on the pages of the account and mints it with the wallet, and the page says so once a block has it', async () => {
  const page = await open(`${scene.publicUrl}/account/assets`);
  await signIn(scene.wallet, page);
  await page.waitForSelector('.account-tabs [aria-current=page][href="/account/assets"]');
  await follow(page, 'a[href="/account/assets/new"]');
  await page.type('#name', 'Garden hours');
  await page.type('#supply', '1000.5');
  await page.select('#decimals', '2');
  await follow(page, 'main form .button-primary');
  const mint = await page.waitForSelector('[data-mint]');
  const assetId = await mint?.evaluate((button) => (button as HTMLElement).dataset.assetId);
  await mint?.click();
  const approval = await readyApproval(scene.wallet, 'mint');
  const shown = (part: string) => approval.$eval(`[data-part=${part}]`, (element) => element.textContent);
  expect([await shown('name'), await shown('supply'), await shown('decimals')]).toEqual([
    'Garden hours',
    '1,000.5',
    '2',
  ]);
  await Promise.all([page.waitForNavigation(), approve(scene.wallet, undefined, 'mint')]);
  const { tokens } = await ask(scene.page, 'assets/list', {});
  expect(tokens).toMatchObject([{ symbol: 'Garden hours', amount: '1000.5', word: 'chain' }]);
  expect(await text(page, 'main')).toContain(tokens[0]?.id);
  await scene.mine();
  await vi.waitFor(
    async () => {
      await page.reload();
      expect(await page.$('main .badge-success')).not.toBeNull();
    },
    { interval: 300 },
  );
  // The page of another site is refused, whatever asset it names.
  scene.site.page('/mint', rawPage());
  const other = await open(`${scene.site.origin}/mint`);
  const asked = { id: 'raw-mint-1', method: 'asset/mint', params: { assetId } };
  expect((await answerTo(other, asked as { id: string })).error?.code).toBe('permission-refused');
});
