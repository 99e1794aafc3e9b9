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
import { ask, pressWhenReady, refuse, approve, readyApproval } from '../../tooling/drive/wallet.ts';
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
  posted,
} from './allowances-stage.ts';

useAllowanceScene();

const windows = () => scene.wallet.approvalCount().ever;

const paymentOf = ({ result }: Heard) => (result?.payment as { id: string } | undefined)?.id;

/** Price of a satoshi in hundred-millionths of a dollar, at 50 USD per BSV. */
const PRICE = 50;

/** Pays once, and grants a weekly swipe allowance in USD. */
async function allowSwipes(page: Page, amount = '5'): Promise<void> {
  const request = paymentRequest();
  await click(page, request);
  const approval = await readyApproval(scene.wallet);
  await approval.bringToFront();
  await approval.click('[data-action=allow-site]');
  await (await approval.waitForSelector('[data-part=grant-on]'))?.click();
  await (await approval.waitForSelector('[data-part=allowance-amount]'))?.type(amount);
  await approve(scene.wallet);
  await replyTo(page, request.id);
}

/** Makes the frame post a new payment request on each event of the given type. */
async function payForEvery(frame: Page | Frame, act: string): Promise<void> {
  await frame.evaluate(
    (name, request) => {
      let n = 0;
      const posted: string[] = [];
      Object.assign(window, { posted });
      window.addEventListener(name, () => {
        n += 1;
        const id = `${request.id}-${n}`;
        posted.push(id);
        (window as unknown as RawWindow).say({ ...request, id, params: { ...request.params, id } });
      });
    },
    act,
    paymentRequest(),
  );
}

test('an automatic payment isn’t made from a frame that another site shows or hides', async () => {
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

test('the same click does not open another window after a rejection', async () => {
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

test('a page that sends and cancels one request after another opens one window per click', async () => {
  const { site } = await openSite();
  site.page('/frame', rawPage());
  // All frames exist when the user clicks, so the browser reports user activation for each. One after another, each
  // frame sends a request and is removed.
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

test('the same request sent as automatic and as manual, in two tabs, is one payment', async () => {
  const { site, page } = await openSite();
  await allowAutomatic(page, '5');
  const tab = await openPage(site);
  const request = automatic();
  const { id: requested } = request;
  const byHand = { ...request, params: { ...request.params, automatic: false } };
  await say(page, request);
  // Requests from two tabs can arrive in either order, so the second request is sent only after the automatic request
  // has been stored.
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

test('a revoked allowance pays nothing and a blocked site prompts nothing, even after the worker was killed; payments stay listed', async () => {
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
    // The page may still read a payment that it has already received.
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

test('a page can read the remainder of its own allowance, and no other amounts', async () => {
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
  // Responses to pages without permission contain none of the user's amounts.
  const { result } = await answerTo(other, { id: freshId(), method: 'rates/read', params: { currency: 'USD' } } as {
    id: string;
  });
  expect(Object.keys(result as object).sort()).toEqual(['currency', 'feeRate', 'prices', 'time']);
  expect(result?.prices).toEqual({ BSV: '1', USD: '50' });
});

test('a window with the largest amounts shows every digit, its buttons and all hidden characters', async () => {
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

test('a key held down pays once', async () => {
  const { site, page } = await openSite();
  await allowSwipes(page);
  await payForEvery(page, 'keydown');
  await page.bringToFront();
  for (let i = 0; i < 4; i += 1) await page.keyboard.down('a'); // without `up`, the next press would be a key repeat
  await page.keyboard.up('a');
  const ids = await posted(page);
  expect(ids).toHaveLength(4);
  expect((await replyTo(page, ids[0] as string)).result).toBeDefined();
  await refuse(scene.wallet);
  for (const id of ids.slice(1)) expect((await replyTo(page, id)).error?.code).toMatch(/^(?:refused|busy)$/);
  expect((await allowances(site))[0]?.payments).toBe(1);
});

test('a click in an invisible frame over another site’s page doesn’t pay without a window', async () => {
  const { site, page } = await openSite();
  site.page('/frame', rawPage('<style>body{height:100vh;margin:0}</style>'));
  await allowSwipes(page);
  const { page: evil } = await openSite(
    `<iframe src="${site.origin}/frame" style="position:fixed;inset:0;width:100%;height:100%;opacity:0.01;border:0"></iframe>`,
  );
  const frame = (await (await evil.waitForSelector('iframe'))?.contentFrame()) as Frame;
  await frame.waitForFunction(() => typeof (window as unknown as RawWindow).say === 'function');
  await payForEvery(frame, 'click');
  await evil.bringToFront();
  await evil.mouse.click(300, 300);
  const [id] = await posted(frame);
  const approval = await readyApproval(scene.wallet);
  expect(await approval.$eval('[data-part=origin]', (one) => one.textContent)).toBe(site.origin);
  await refuse(scene.wallet);
  expect((await replyTo(frame, id as string)).error?.code).toBe('refused');
  expect((await allowances(site))[0]?.payments).toBe(0);
});

test('concurrent requests from frames and tabs of one site never exceed the allowance, even if the worker is killed', async () => {
  const { site, page } = await openSite('<iframe src="/frame"></iframe><iframe src="/frame"></iframe>');
  site.page('/frame', rawPage());
  await page.reload();
  await allowAutomatic(page, '0.5');
  const tab = await openPage(site);
  const everywhere = [...page.frames(), ...tab.frames()];
  expect(everywhere).toHaveLength(6);
  const asked: [Page | Frame, string][] = [];
  for (const frame of everywhere) {
    for (let i = 0; i < 3; i += 1) {
      const request = automatic();
      asked.push([frame, request.id]);
      await say(frame, request);
    }
    // The worker may be killed while it opens a window. The window stays open, but isn't needed while the allowance
    // covers all requests.
    if (asked.length === 3) await scene.wallet.killWorker();
  }
  let answered = 0;
  const replying = asked.map(([frame, id]) =>
    replyTo(frame, id).then((reply) => {
      answered += 1;
      return reply;
    }),
  );
  // Waits for the replies to all requests except the one that opened a window. Rejecting that request earlier would let
  // another request open a window.
  await expect.poll(() => answered).toBe(asked.length - 1);
  await refuse(scene.wallet);
  const replies = await Promise.all(replying);
  const paid = replies.filter(({ result }) => result !== undefined);
  expect(paid).toHaveLength(4); // 0.10 USD and a fee each
  const made = (await payments(site)).filter(({ signed }) => signed !== null);
  const cost = made.reduce(
    (sum, { quote, signed }) => sum + (Number(quote?.satoshis) + Number(signed?.feeSatoshis)) * PRICE,
    0,
  );
  const [left] = await allowances(site);
  expect(made).toHaveLength(4);
  expect(Number(left?.spent)).toBe(cost);
  expect(Number(left?.spent)).toBeLessThanOrEqual(Number(left?.limit));
});

test('repeated clicks at the window’s position grant nothing', async () => {
  const { site, page } = await openSite();
  const question = {
    id: freshId(),
    method: 'allowance/ask',
    params: { clientIdentifier: CLIENT, suggestedAmount: { amount: '5', currency: 'USD' } },
  };
  await say(page, question);
  const approval = await scene.wallet.approval();
  const button = await approval.waitForSelector('button[data-action=grant]');
  await approval.bringToFront();
  if (!button) throw new Error('there is no button');
  const { x, y } = await button.clickablePoint();
  // Replaces the window's clock, because a busy machine could delay the clicks too much.
  const clock = await approval.evaluateHandle(async () => {
    let now = performance.now();
    performance.now = () => now;
    const countAnew = () => dispatchEvent(new Event('focus'));
    countAnew();
    for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
    return { tick: () => void (now += 100), end: () => Reflect.deleteProperty(performance, 'now') && countAnew() };
  });
  // Twelve clicks at 100 ms intervals, more than a second.
  for (let i = 0; i < 12; i += 1) {
    await clock.evaluate(({ tick }) => tick());
    await approval.mouse.click(x, y);
  }
  expect(await allowances(site)).toEqual([]);
  expect(await approval.$('button[data-action=grant]')).not.toBeNull();
  await clock.evaluate(({ end }) => end());
  await pressWhenReady(approval, '.approval-buttons button[type=button]');
  expect((await replyTo(page, question.id)).error?.code).toBe('allowance-refused');
});
