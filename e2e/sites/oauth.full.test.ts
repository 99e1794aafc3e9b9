import type { Page } from 'puppeteer-core';
import { expect, onTestFinished, test, vi } from 'vitest';
import { connectedTexts, texts } from '../../extension/ui/texts/texts.ts';
import { axe } from '../drive/axe.ts';
import { bundlePageClients } from '../drive/page-clients.ts';
import { launchPlain } from '../../tooling/drive/browser.ts';
import { press } from '../../tooling/drive/onboarding.ts';
import { signIn, signInApproval, signInPage } from '../drive/sign-in.ts';
import {
  ask,
  goTo,
  PASSWORD,
  pressWhenReady,
  untilGuardPasses,
  approve,
  readyApproval,
} from '../../tooling/drive/wallet.ts';
import {
  useOAuthScene,
  scene,
  newApplication,
  startApp,
  open,
  follow,
  at,
  text,
  consent,
  home,
} from './oauth-stage.ts';
import { answerTo, rawPage, replyTo } from '../drive/raw-page.ts';

useOAuthScene();

async function revoke(page: Page, name: string): Promise<void> {
  await page.bringToFront();
  const button = await page.waitForSelector(`::-p-xpath(//li[.//h2[contains(., "${name}")]]//button)`);
  await Promise.all([page.waitForNavigation(), button?.click()]);
}

test('a page of a different origin completes OAuth with fetch, openid-client and oidc-client-ts, and cookies give it no access', async () => {
  // This origin is same-site with the service, so the browser sends the service's cookies with permitted requests.
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
    // This browser has the service's session cookie, but only the service's own pages can use it.
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
  // The user is still signed in and has consented, so the service redirects immediately.
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

test('an application that opened sign-in with window.open gets the code from its popup', async () => {
  const callback = `${scene.site.origin}/popup`;
  const request = new URLSearchParams({
    response_type: 'code',
    client_id: await newApplication('Popups', callback),
    redirect_uri: callback,
    scope: 'auth.user_identity:read',
    state: 'x',
  });
  scene.site.page(
    '/popup',
    `<!doctype html><html lang="en"><title>Popups</title><button id="in">Sign in</button><p id="answer"></p><script>
      if (location.search) {
        opener.postMessage(location.search, location.origin);
        close();
      }
      document.querySelector('#in').onclick = () =>
        (window.popup = open(${JSON.stringify(`${scene.publicUrl}/oauth/v1/authorize?${request}`)}, 'sign-in', 'width=500,height=700'));
      onmessage = ({ data }) => (document.querySelector('#answer').textContent = data);
    </script></html>`,
  );
  const opener = await open(callback);
  const opened = new Promise<Page | null>((resolve) => opener.once('popup', resolve));
  await opener.click('#in');
  const popup = await opened;
  if (!popup) throw new Error('no popup');
  await signIn(scene.wallet, popup);
  await consent(popup);
  expect(await opener.evaluate('popup.closed')).toBe(false);
  const closed = new Promise((resolve) => popup.once('close', resolve));
  await popup.click('button[value=allow]');
  await closed;
  await opener.waitForFunction(() => document.querySelector('#answer')?.textContent);
  const answer = new URLSearchParams((await text(opener, '#answer')) ?? '');
  expect([answer.get('state'), answer.get('error'), answer.get('code')]).toEqual([
    'x',
    null,
    expect.stringMatching(/./),
  ]);
});

test('[O-07] a denial on the consent page is returned to the application without any data', async () => {
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
  // The next sign-in asks the user for consent again.
  await page.click('a[href="/sign-in"]');
  await consent(page);
  // The consent page shows the current account. Another user can sign in instead, and must also consent.
  const asked = page.url();
  await follow(page, 'button[formaction="/sign-out"]');
  expect(at(page)).toBe(`${scene.publicUrl}/sign-in`);
  await signIn(scene.wallet, page);
  await consent(page);
  const parameters = (url: string) => Object.fromEntries(new URL(url).searchParams);
  expect(parameters(page.url())).toEqual(parameters(asked));
});

test('a rejection in the wallet signs no one in and is shown on the page, and the next attempt succeeds', async () => {
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

test('a locked wallet is unlocked in the sign-in window', async () => {
  await ask(scene.page, 'vault/lock', {});
  const page = await open(`${scene.publicUrl}/sign-in?return=%2Fshop`);
  expect(await signIn(scene.wallet, page, PASSWORD)).toContain('Unlock and sign in');
  await page.waitForFunction(() => location.pathname === '/shop');
});

test('the next request from an application fails after its access is revoked, until it gets consent again', async () => {
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

  // A revocation in the wallet has the same effect.
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

test('without a wallet, the page explains how to get one and offers only actions that work', async () => {
  const plain = await launchPlain();
  onTestFinished(() => plain.close());
  const page = await plain.newPage();
  await page.goto(`${scene.publicUrl}/sign-in?return=%2Fshop`);
  await signInPage(page, 'no-wallet');
  expect(await page.$eval('#no-wallet a', (link) => (link as HTMLAnchorElement).getAttribute('href'))).toBe('/wallet');
  expect(await page.$eval('#login', (form) => (form as HTMLElement).hidden)).toBe(true);
  // When the user returns to the page, it checks again for a wallet and continues automatically.
  const reloaded = page.waitForNavigation();
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await reloaded;
  await signInPage(page, 'no-wallet');
});

test('Axe finds no violations in any state of the page or in the wallet’s window, light or dark', async () => {
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

test('a worker killed while the window is open leads to the same response from one window', async () => {
  const page = await open(`${scene.publicUrl}/sign-in?return=%2Fshop`);
  await signInPage(page, 'ready');
  await page.click('#sign-in form button');
  const approval = await signInApproval(scene.wallet);
  await scene.wallet.killWorker();
  await pressWhenReady(approval, 'button[data-action=sign]');
  await page.waitForFunction(() => location.pathname === '/shop');
});

test('a frame in another site’s page and a page without a user gesture open no window', async () => {
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
  // The request is sent when the page loads, without a user gesture. A script run by Puppeteer would be treated as a
  // gesture.
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

test('a user describes an asset on the account’s pages and mints it with the wallet, and the page shows its confirmation', async () => {
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
  await goTo(scene.page, 'popup');
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
  // Requests from other sites are rejected, for any asset.
  scene.site.page('/mint', rawPage());
  const other = await open(`${scene.site.origin}/mint`);
  const asked = { id: 'raw-mint-1', method: 'asset/mint', params: { assetId } };
  expect((await answerTo(other, asked as { id: string })).error?.code).toBe('permission-refused');
});
