import { expect, test, vi } from 'vitest';
import { allowanceTexts as t } from '../../extension/ui/texts/texts.ts';
import { allow } from '../drive/allow.ts';
import { press, sees } from '../../tooling/drive/onboarding.ts';
import { answerTo, freshId, paymentRequest, rawPage, replyTo, say } from '../drive/raw-page.ts';
import { approve, pressWhenReady, readyApproval, refuse, stored } from '../../tooling/drive/wallet.ts';
import {
  useAllowanceScene,
  CLIENT,
  scene,
  visits,
  openSite,
  openPage,
  click,
  automatic,
  windows,
  allowances,
  grant,
} from './allowances-stage.ts';

useAllowanceScene();

test('one click pays once, and further requests from the page open a window', async () => {
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

test('a script without a user gesture pays nothing from the allowance and opens a window', async () => {
  const { site, page } = await openSite();
  const first = await click(page, paymentRequest());
  await allow(scene.wallet, '5');
  await approve(scene.wallet);
  await replyTo(page, first);
  const request = paymentRequest();
  const message = JSON.stringify({ ...request, userActivation: 'new' });
  const paidBefore = (await scene.paid()).length;
  // The page's script tries forged events, a scripted click, and a message with a forged user activation.
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

test('a site rejected twice can be blocked in its next window, and unblocked in the popup', async () => {
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

test('a rejected page must wait before its next automatic request, but not before a clicked one', async () => {
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

test('a prompt survives a killed worker, and closes with its page', async () => {
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
