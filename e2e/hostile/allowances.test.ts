/**
 * Pages that want more from an allowance than its user meant: pay without a hand, pay often for one act, hide, flood,
 * nag.
 */
import { expect, test } from 'vitest';
import type { Frame, Page } from 'puppeteer-core';
import { freshId, paymentRequest, rawPage, replyTo, say, type RawWindow } from '../drive/raw-page.ts';
import { approve, pressWhenReady, readyApproval, refuse } from '../drive/wallet.ts';
import {
  useAllowanceScene,
  CLIENT,
  scene,
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

/** At 50 USD for one BSV a satoshi costs this many hundred-millionths of a dollar. */
const PRICE = 50;

/** The user pays once, and lets the site take up to an amount of USD a week for what is swiped there. */
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

/** Every act of the given kind posts a new request for a payment in this frame. */
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

test('a key that is held down pays once', async () => {
  const { site, page } = await openSite();
  await allowSwipes(page);
  await payForEvery(page, 'keydown');
  await page.bringToFront();
  for (let i = 0; i < 4; i += 1) await page.keyboard.down('a'); // puppeteer repeats a key that is down, as a keyboard does
  await page.keyboard.up('a');
  const ids = await posted(page);
  expect(ids).toHaveLength(4);
  expect((await replyTo(page, ids[0] as string)).result).toBeDefined();
  await refuse(scene.wallet);
  for (const id of ids.slice(1)) expect((await replyTo(page, id)).error?.code).toMatch(/^(?:refused|busy)$/);
  expect((await allowances(site))[0]?.payments).toBe(1);
});

test('a click in a frame that lies unseen over another site’s page pays nothing by itself', async () => {
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

test('frames and tabs of one site share what is left, whatever they ask at the same moment and whenever the worker dies', async () => {
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
    // While the allowance covers all that was asked: a window that a killed worker was just opening stays there, of no use.
    if (asked.length === 3) await scene.wallet.killWorker();
  }
  let answered = 0;
  const replying = asked.map(([frame, id]) =>
    replyTo(frame, id).then((reply) => {
      answered += 1;
      return reply;
    }),
  );
  // All but the one that has the window: refused earlier, it would make room for the window of a later one.
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

test('somebody who clicks on and on where the window comes up gives nothing', async () => {
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
  // By the window's clock, which stands still between clicks: on a busy machine they would be too far apart.
  const clock = await approval.evaluateHandle(async () => {
    let now = performance.now();
    performance.now = () => now;
    const countAnew = () => dispatchEvent(new Event('focus'));
    countAnew();
    for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
    return { tick: () => void (now += 100), end: () => Reflect.deleteProperty(performance, 'now') && countAnew() };
  });
  // More than a second of a click every tenth of one.
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
