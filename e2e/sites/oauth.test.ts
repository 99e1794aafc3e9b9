/** Tests signing in to an application, with the real extension, the real service and the example application. */
import { expect, test, vi } from 'vitest';
import { axe } from '../drive/axe.ts';
import { registerPerson } from '../../tooling/drive/person.ts';
import { setScene } from '../drive/scene.ts';
import { signIn, signInPage } from '../drive/sign-in.ts';
import { approve, ask, buttonIn, swipe } from '../../tooling/drive/wallet.ts';
import { useOAuthScene, scene, pages, startApp, open, follow, at, text, consent, home } from './oauth-stage.ts';

useOAuthScene();

test('[O-01] [O-02] [O-03] [O-04] [O-05] [O-07] [O-08] a user signs in with the wallet and consents once, and the application reads only the permitted data', async () => {
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
  // The window shows the browser-verified origin, the account, and the signed text.
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
  // The wallet now publishes its balance, because an application has access to it.
  await vi.waitFor(
    async () => {
      await ask(scene.page, 'wallet/refresh', {});
      await page.reload();
      expect(await text(page, '#balance')).toMatch(/^0\.\d+ BSV, \d+\.\d\d USD \(as of /);
    },
    { interval: 500 },
  );

  // The second sign-in doesn't open a prompt, because the user is still signed in to the service and has consented.
  await follow(page, 'form[action="/sign-out"] button');
  const before = scene.wallet.approvalCount().ever;
  await page.click('a[href="/sign-in"]');
  await home(page);
  expect(await text(page, '#user-id')).toBe(account?.id);
  expect(scene.wallet.approvalCount().ever).toBe(before);
});

test('[O-06] landing=register checks the handle while typing, creates an account that the wallet knows, and continues to the application', async () => {
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

test('a merchant refunds a part of a payment in the dashboard, and tests the application with play money', async () => {
  const page = await open(`${scene.publicUrl}/account/applications/new`);
  await signIn(scene.wallet, page);
  await page.waitForSelector('#name');
  await page.type('#name', 'Refunding Shop');
  await page.type('#url', 'https://refunds.example');
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
  // For an application without a redirect URL, the page shows the credentials in a collapsed section.
  await page.$$eval('details', (folds) => folds.forEach((one) => (one.open = true)));
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
    { interval: 500 },
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
  await vi.waitFor(async () => expect(await partly()).toContain('Partly refunded'), { interval: 500 });
  expect(await partly()).toContain('5,000 satoshis');
  expect(await axe(page)).toEqual([]);

  // Sends the application a test payment in the network's worthless coins.
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
    interval: 500,
  });
});
