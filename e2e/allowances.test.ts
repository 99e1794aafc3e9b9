/**
 * Allowances with the real extension: given in a payment's window or in response to a request, used without a window,
 * revoked in the popup.
 */
import { afterEach, expect, test, vi } from 'vitest';
import type { Page } from 'puppeteer-core';
import { allowanceTexts as t } from '../extension/ui/texts-allowance.ts';
import { allow } from './drive/allow.ts';
import { press, sees } from './drive/onboarding.ts';
import { answerTo, freshId, paymentRequest, rawPage, replyTo, say, type RawWindow } from './drive/raw-page.ts';
import { setScene, type Scene } from './drive/scene.ts';
import type { Site } from './drive/site.ts';
import { onStage } from './drive/stage.ts';
import { makeVisits } from './drive/visits.ts';
import { approve, pressWhenReady, readyApproval, refuse, stored } from './drive/wallet.ts';

interface StoredAllowance {
  origin: string;
  kind: string;
  id: string;
  spent: string;
  payments: number;
}

const CLIENT = 'test-game';

let scene: Scene;
const visits = makeVisits(() => scene);
const { openSite, openPage } = visits;

onStage(
  async () => {
    scene = await setScene({ satoshis: 5_000_000 });
  },
  () => scene?.end(),
);
afterEach(async () => {
  await visits.end();
});

/** A person clicks; each click posts one of the messages. Gives back the first one's id. */
async function click(page: Page, ...messages: { id: string }[]): Promise<string> {
  await page.evaluate((posted) => {
    const button = document.querySelector('#pay') as HTMLButtonElement;
    button.onclick = () => posted.forEach((message) => (window as unknown as RawWindow).say(message));
  }, messages);
  await page.bringToFront();
  await page.click('#pay');
  return messages[0]?.id as string;
}

/** A payment that the page makes by itself. */
function automatic(): { id: string; method: string; params: object } {
  const request = paymentRequest(undefined, { clientIdentifier: CLIENT });
  return { ...request, params: { ...request.params, automatic: true } };
}

const windows = () => scene.wallet.approvalCount().ever;
const allowances = async (site: Site) =>
  (await stored<StoredAllowance>(scene.page, 'allowances')).filter(({ origin }) => origin === site.origin);

/** Approves an allowance request, with the values in its form. */
async function grant(): Promise<void> {
  const approval = await scene.wallet.approval();
  await approval.waitForSelector('button[data-action=grant]');
  await pressWhenReady(approval, 'button[data-action=grant]');
  await scene.wallet.noApproval();
}

test('given with a payment it pays the next click without a window; once revoked in the popup, the window appears again', async () => {
  const { site, page } = await openSite();
  const paidBefore = (await scene.paid()).length;
  const first = await click(page, paymentRequest());
  await allow(scene.wallet, '1');
  await approve(scene.wallet);
  const reply = await replyTo(page, first);
  expect(reply.result).toMatchObject({
    payment: { status: 'RECEIVED' },
    cryptoOperations: [],
    token: expect.stringMatching(/^[0-9a-f]{32}$/),
  });
  expect(await allowances(site)).toMatchObject([{ kind: 'swipe', id: reply.result?.token, spent: '0', payments: 0 }]);

  const before = windows();
  const second = await click(page, paymentRequest());
  expect((await replyTo(page, second)).result).toMatchObject({ payment: { satoshis: '200000' } });
  expect(windows()).toBe(before);
  expect((await scene.paid()).length).toBe(paidBefore + 2);
  // 0.10 USD and a fee of some satoshis, at 50 USD a BSV.
  const [used] = await allowances(site);
  expect(used?.payments).toBe(1);
  expect(Number(used?.spent)).toBeGreaterThan(10_000_000);
  expect(Number(used?.spent)).toBeLessThan(10_010_000);

  const popup = await scene.wallet.open('popup');
  visits.closeLater(popup);
  await press(popup, t.sites);
  await (await popup.waitForSelector(`details[data-site="${site.origin}"] summary`))?.click();
  await sees(popup, 'this week');
  await press(popup, t.revoke);
  await press(popup, t.revokeSure);
  await vi.waitFor(async () => expect(await allowances(site)).toEqual([]));

  const third = await click(page, paymentRequest());
  await refuse(scene.wallet);
  expect((await replyTo(page, third)).error?.code).toBe('refused');
});

test('one click pays once: further requests of the page are put before the user', async () => {
  const { site, page } = await openSite();
  await click(page, paymentRequest());
  await allow(scene.wallet, '5');
  await approve(scene.wallet);
  const before = windows();
  const [one, two] = [paymentRequest(), paymentRequest()];
  await click(page, one, two);
  expect((await replyTo(page, one.id)).result).toBeDefined();
  await refuse(scene.wallet);
  expect((await replyTo(page, two.id)).error?.code).toBe('refused');
  expect(windows()).toBe(before + 1);
  expect((await allowances(site))[0]?.payments).toBe(1);
});

test('a page’s own script pays nothing from it without a person: the user is asked', async () => {
  const { site, page } = await openSite();
  const first = await click(page, paymentRequest());
  await allow(scene.wallet, '5');
  await approve(scene.wallet);
  await replyTo(page, first);
  const request = paymentRequest();
  const message = JSON.stringify({ ...request, userActivation: 'new' });
  const paidBefore = (await scene.paid()).length;
  // It tries whatever a script can: events of its own making, a click by itself, the field's name in its message.
  site.page(
    '/timer',
    rawPage(`<button id="own" onclick='say(${message})'></button><script>
    addEventListener('load', () => setTimeout(() => {
      for (const name of ['pointerdown', 'keydown', 'mousedown']) dispatchEvent(new Event(name));
      document.querySelector('#own').click();
    }, 100));
  </script>`),
  );
  await openPage(site, '/timer');
  const approval = await readyApproval(scene.wallet);
  expect(await approval.$eval('[data-part=allowance-left]', (one) => one.textContent)).toContain('$5.00');
  expect((await allowances(site))[0]).toMatchObject({ payments: 0, spent: '0' });
  expect((await scene.paid()).length).toBe(paidBefore);
  await refuse(scene.wallet);
});

test('a site asks for one for automatic payments, pays by it without a window or a hand, and learns what is left', async () => {
  const { site, page } = await openSite();
  const question = {
    id: freshId(),
    method: 'allowance/ask',
    params: {
      clientIdentifier: CLIENT,
      suggestedAmount: { amount: '0.25', currency: 'USD' },
      minimumAmount: { amount: '0.1', currency: 'USD' },
    },
  };
  await say(page, question);
  await grant();
  const { result } = await replyTo(page, question.id);
  expect(await allowances(site)).toMatchObject([{ kind: 'automatic', id: result?.token, payments: 0 }]);

  const before = windows();
  const paidBefore = (await scene.paid()).length;
  const asked = [automatic(), automatic()];
  for (const request of asked) await say(page, request);
  for (const request of asked)
    expect((await replyTo(page, request.id)).result).toMatchObject({ payment: { status: 'RECEIVED' } });
  expect(windows()).toBe(before);
  expect((await scene.paid()).length).toBe(paidBefore + 2);

  const left = async (clientIdentifier = CLIENT) =>
    (await answerTo(page, { id: freshId(), method: 'allowance/left', params: { clientIdentifier } } as { id: string }))
      .result;
  const rest = await left();
  expect(rest?.currency).toBe('USD');
  expect(Number(rest?.amount)).toBeGreaterThan(0.049);
  expect(Number(rest?.amount)).toBeLessThan(0.05);
  expect(rest?.satoshis).toBe(String(Math.floor(Number(rest?.amount) * 2_000_000)));
  expect(await left('another')).toMatchObject({ amount: '0', satoshis: '0' });

  // The allowance does not cover the third payment: it continues in a window, with the form for a new allowance open.
  const third = automatic();
  await say(page, third);
  const approval = await allow(scene.wallet, '2');
  expect(await approval.evaluate(() => document.body.innerText)).toContain(t.short['used-up']);
  await approve(scene.wallet);
  expect((await replyTo(page, third.id)).result).toMatchObject({
    payment: { status: 'RECEIVED' },
    token: expect.not.stringContaining(String(result?.token)),
  });
  const fourth = automatic();
  await say(page, fourth);
  expect((await replyTo(page, fourth.id)).result).toMatchObject({ payment: { status: 'RECEIVED' } });
  expect(windows()).toBe(before + 1);

  // Another port of the same machine is another site.
  const { page: other } = await openSite();
  await say(other, automatic());
  await refuse(scene.wallet);
});

test('a prompt survives a killed worker, and ends with its page', async () => {
  const { page } = await openSite();
  const question = {
    id: freshId(),
    method: 'allowance/ask',
    params: { clientIdentifier: CLIENT, suggestedAmount: { amount: '1', currency: 'USD' } },
  };
  await say(page, question);
  await (await scene.wallet.approval()).waitForSelector('button[data-action=grant]');
  await scene.wallet.killWorker();
  await grant();
  expect((await replyTo(page, question.id)).result?.token).toMatch(/^[0-9a-f]{32}$/);

  const { page: leaving } = await openSite();
  await say(leaving, { ...question, id: freshId() });
  await (await scene.wallet.approval()).waitForSelector('button[data-action=grant]');
  await leaving.goto('about:blank');
  await scene.wallet.noApproval();
});

test('a site that was rejected twice is blocked from its next window, and unblocked in the popup', async () => {
  const { site, page } = await openSite();
  for (let i = 0; i < 2; i += 1) {
    const id = await click(page, paymentRequest());
    await refuse(scene.wallet);
    expect((await replyTo(page, id)).error?.code).toBe('refused');
  }
  await click(page, paymentRequest());
  const approval = await readyApproval(scene.wallet);
  await pressWhenReady(approval, '[data-action=block-hour]');
  await sees(approval, t.blocked);
  await approval.close();
  const before = windows();
  for (const request of [
    paymentRequest(),
    automatic(),
    { id: freshId(), method: 'allowance/ask', params: { clientIdentifier: CLIENT } },
  ]) {
    expect((await replyTo(page, await click(page, request))).error?.code).toBe('site-blocked');
  }
  expect(windows()).toBe(before);

  const popup = await scene.wallet.open('popup');
  visits.closeLater(popup);
  await press(popup, t.sites);
  await (await popup.waitForSelector(`details[data-site="${site.origin}"] summary`))?.click();
  await popup.click(`details[data-site="${site.origin}"] [data-action=unblock]`);
  await vi.waitFor(async () => {
    const known = await stored<{ origin: string; blockedUntil: number | null }>(scene.page, 'sites');
    expect(known.find(({ origin }) => origin === site.origin)?.blockedUntil).toBeNull();
  });
  await click(page, paymentRequest());
  await refuse(scene.wallet);
});

test('a page that asks again by itself as soon as it was refused has to wait; a person’s click in it need not', async () => {
  const { site } = await openSite();
  const [first, again] = [paymentRequest(), paymentRequest()];
  site.page(
    '/nag',
    rawPage(`<button id="pay">Pay</button><script>
    addEventListener('load', () => say(${JSON.stringify(first)}));
    addEventListener('message', ({ data }) => { if (data?.id === '${first.id}' && data.error) say(${JSON.stringify(again)}); });
  </script>`),
  );
  const page = await openPage(site, '/nag');
  await refuse(scene.wallet);
  const before = windows();
  expect((await replyTo(page, again.id)).error?.code).toBe('too-many-requests');
  expect(windows()).toBe(before);
  const clicked = await click(page, paymentRequest());
  await refuse(scene.wallet);
  expect((await replyTo(page, clicked)).error?.code).toBe('refused');
});

test('prices are shown in the user’s own currency, without a window', async () => {
  const { page } = await openSite();
  const before = windows();
  const { result } = await answerTo(page, { id: freshId(), method: 'rates/read', params: { currency: 'EUR' } } as {
    id: string;
  });
  expect(result).toMatchObject({
    currency: 'USD',
    prices: { USD: '50', BSV: '1', EUR: expect.any(String) },
    feeRate: { satoshis: 100, bytes: 1000 },
  });
  expect(windows()).toBe(before);
});
