/** More of allowances.test.ts, which only the full run tries. */
import { expect, test } from 'vitest';
import type { Frame, Page } from 'puppeteer-core';
import {
  answerTo,
  freshId,
  paymentRequest,
  rawPage,
  replyTo,
  say,
  type Heard,
  type RawWindow,
} from '../drive/raw-page.ts';
import { ask, pressWhenReady, refuse } from '../drive/wallet.ts';
import {
  useAllowanceScene,
  CLIENT,
  scene,
  visits,
  openSite,
  openPage,
  allowances,
  payments,
  automatic,
  click,
  allowAutomatic,
} from './allowances-stage.ts';

useAllowanceScene();

const windows = () => scene.wallet.approvalCount().ever;

/** The payment id in a reply. */
const paymentOf = ({ result }: Heard) => (result?.payment as { id: string } | undefined)?.id;

test('what a site may pay by itself is not paid from a frame that another site shows or hides', async () => {
  const { site, page } = await openSite();
  site.page('/frame', rawPage());
  await page.bringToFront();
  await allowAutomatic(page, '5');
  const own = automatic();
  await say(page, own);
  expect((await replyTo(page, own.id)).result).toBeDefined();
  const { page: evil } = await openSite(`<iframe src="${site.origin}/frame" style="display:none"></iframe>`);
  const frame = (await (await evil.waitForSelector('iframe'))?.contentFrame()) as Frame;
  await frame.waitForFunction(() => typeof (window as unknown as RawWindow).say === 'function');
  const hidden = automatic();
  await say(frame, hidden);
  await refuse(scene.wallet);
  expect((await replyTo(frame, hidden.id)).error?.code).toBe('refused');
  expect((await allowances(site))[0]?.payments).toBe(1);
});

test('after a rejection the same click does not open another window', async () => {
  const { site } = await openSite();
  const [first, again] = [paymentRequest(), paymentRequest()];
  site.page(
    '/nag',
    rawPage(`<button id="pay">Pay</button><script>
    addEventListener('message', ({ data }) => { if (data?.id === '${first.id}' && data.error) say(${JSON.stringify(again)}); });
  </script>`),
  );
  const page = await openPage(site, '/nag');
  await click(page, first);
  const before = windows();
  await refuse(scene.wallet);
  await replyTo(page, first.id);
  expect((await replyTo(page, again.id)).error?.code).toBe('too-many-requests');
  expect(windows() - before).toBeLessThanOrEqual(1);
});

test('a page that takes its questions back, one after the other, opens one window for one click', async () => {
  const { site } = await openSite();
  site.page('/frame', rawPage());
  // The frames are there when the person clicks, so the browser calls each of them active. Each asks, and goes.
  site.page('/nag', rawPage(`<button id="pay">Pay</button>${'<iframe src="/frame"></iframe>'.repeat(6)}`));
  const page = await openPage(site, '/nag');
  await page.evaluate(() => {
    const next = () => {
      const frame = document.querySelector('iframe');
      if (!frame) return void Object.assign(window, { over: true });
      const leave = () => {
        clearTimeout(timer);
        frame.remove();
        next();
      };
      const timer = setTimeout(leave, 400);
      frame.contentWindow?.addEventListener('message', ({ data }) => data?.error && leave());
      return (frame.contentWindow as unknown as RawWindow).say({
        id: `question-${document.querySelectorAll('iframe').length}`,
        method: 'allowance/ask',
        params: { clientIdentifier: 'nag' },
      });
    };
    (document.querySelector('#pay') as HTMLButtonElement).onclick = next;
  });
  const before = windows();
  await page.bringToFront();
  await page.click('#pay');
  await page.waitForFunction(() => 'over' in window);
  await scene.wallet.noApproval();
  expect(windows() - before).toBeLessThanOrEqual(1);
});

test('the same request asked by hand and as automatic, in two tabs, is one payment', async () => {
  const { site, page } = await openSite();
  await allowAutomatic(page, '5');
  const tab = await openPage(site);
  const request = automatic();
  const { id: requested } = request;
  const byHand = { ...request, params: { ...request.params, automatic: false } };
  await say(page, request);
  // Whichever comes first decides how it is paid, and two tabs are heard in no order: here the automatic one is first.
  await expect.poll(async () => (await payments(site)).map(({ requestId }) => requestId)).toContain(requested);
  for (let i = 0; i < 3; i += 1) {
    await say(page, { ...request, id: freshId() });
    await say(tab, { ...byHand, id: freshId() });
  }
  const first = await replyTo(page, request.id);
  const second = await answerTo(tab, { ...byHand, id: freshId() });
  expect(paymentOf(second)).toBe(paymentOf(first));
  expect((await payments(site)).filter(({ requestId }) => requestId === requested)).toHaveLength(1);
  expect((await allowances(site))[0]?.payments).toBe(1);
});

test('a revoked allowance pays nothing and a blocked site prompts nothing, also after the worker was killed; payments stay listed', async () => {
  const { site, page } = await openSite();
  await allowAutomatic(page, '5');
  const paidRequest = automatic();
  const paid = paymentOf(await answerTo(page, paidRequest));
  expect(paid).toBeTypeOf('string');
  const [given] = await allowances(site);
  const popup = await scene.wallet.open('popup');
  visits.closeLater(popup);
  await ask(popup, 'sites/block', { origin: site.origin, hours: 1 });
  const before = windows();
  for (const kill of [false, true]) {
    if (kill) await scene.wallet.killWorker();
    for (const request of [
      automatic(),
      paymentRequest(),
      { id: freshId(), method: 'allowance/ask', params: { clientIdentifier: CLIENT } },
    ]) {
      expect((await answerTo(page, request)).error?.code).toBe('site-blocked');
    }
    // Money that moved already is no secret of the wallet's.
    expect(paymentOf(await answerTo(page, { ...paidRequest, id: freshId() }))).toBe(paid);
  }
  await ask(popup, 'sites/unblock', { origin: site.origin });
  await ask(popup, 'sites/revoke', { token: given?.id as string });
  const after = automatic();
  await say(page, after);
  await refuse(scene.wallet);
  expect((await replyTo(page, after.id)).error?.code).toBe('refused');
  expect(windows()).toBe(before + 1);
});

test('a page learns what is left of its own allowance, and of nothing else', async () => {
  const { page } = await openSite();
  await allowAutomatic(page, '0.5');
  const left = async (from: Page, clientIdentifier: string) =>
    (await answerTo(from, { id: freshId(), method: 'allowance/left', params: { clientIdentifier } } as { id: string }))
      .result;
  expect(await left(page, CLIENT)).toEqual({ amount: '0.5', currency: 'USD', satoshis: '1000000' });
  const { page: other } = await openSite();
  for (const [from, client] of [
    [other, CLIENT],
    [page, 'other'],
    [page, `${CLIENT} `],
  ] as const) {
    expect(await left(from, client)).toEqual({ amount: '0', currency: 'USD', satoshis: '0' });
  }
  // The answers to what anybody may ask name no amount of the user's.
  const { result } = await answerTo(other, { id: freshId(), method: 'rates/read', params: { currency: 'USD' } } as {
    id: string;
  });
  expect(Object.keys(result as object).sort()).toEqual(['currency', 'feeRate', 'prices', 'time']);
  expect(result?.prices).toEqual({ BSV: '1', USD: '50' });
});

test('a window that asks for the most there can be shows every digit, its buttons, and each hidden character', async () => {
  const { page } = await openSite();
  const amounts = {
    suggestedAmount: { amount: '99999999.99999999', currency: 'BSV' },
    minimumAmount: { amount: '999999999999999999.99999999', currency: 'USD' },
  };
  for (const suggestedAmount of [amounts.suggestedAmount, amounts.minimumAmount]) {
    const question = {
      id: freshId(),
      method: 'allowance/ask',
      params: { clientIdentifier: `${'x'.repeat(90)}\u202E\u3164\n`, ...amounts, suggestedAmount },
    };
    await click(page, question);
    const approval = await scene.wallet.approval();
    await approval.waitForSelector('button[data-action=grant]');
    await approval.setViewport({ width: 420, height: 640 });
    const seen = await approval.evaluate(() => ({
      across: document.documentElement.scrollWidth,
      width: innerWidth,
      height: innerHeight,
      text: document.body.innerText,
      buttons: [...document.querySelectorAll('.approval-buttons button')].map((button) => {
        const { left, right, top, bottom } = button.getBoundingClientRect();
        return { left, right, top, bottom, cut: button.scrollWidth > button.clientWidth };
      }),
    }));
    expect(seen.across).toBeLessThanOrEqual(seen.width);
    expect(seen.buttons).toHaveLength(2);
    for (const { left, right, top, bottom, cut } of seen.buttons) {
      expect(cut).toBe(false);
      expect([left >= 0, right <= seen.width, top >= 0, bottom <= seen.height]).toEqual([true, true, true, true]);
    }
    expect(seen.text).toContain('⟨U+202E⟩⟨U+3164⟩');
    await pressWhenReady(approval, '.approval-buttons button[type=button]');
    await replyTo(page, question.id);
    await scene.wallet.noApproval();
  }
});
