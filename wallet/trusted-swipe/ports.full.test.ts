import { afterEach, describe, expect, test, vi } from 'vitest';
import { give, pay, someone } from '../../testkit/wallet/wallet.ts';
import { endAllWorkerRuns, type WorkerRun } from '../../testkit/wallet/worker-run.ts';
import {
  ORIGIN,
  pagePort,
  framePort,
  switchOn,
  wallet,
  offer,
  bind,
  request,
  swiped,
  opensWindow,
  signed,
} from './testing-ports.ts';
import { wallet as current } from '../../testkit/wallet/current.ts';

afterEach(endAllWorkerRuns);

describe('a payment by a swipe', () => {
  /** Pays with a swipe, and returns the secret for the frame that shows the payment. */
  async function paid() {
    const workerRun = await wallet();
    const options = pay(someone(), 1000);
    const { page, id } = await swiped(workerRun, options);
    page.say(request(options));
    const { result } = await page.hears({ id: 'message-1' });
    const { secret } = await page.hears({ swipe: 'paid', id });
    return { workerRun, options, page, id, secret, payment: result.payment.id as string };
  }

  test.each<[string, object]>([
    ['in another tab', { tab: { id: 8 } }],
    ['in a tab of its own', { frameId: 0 }],
  ])('no frame %s shows the payment', async (_, sender) => {
    const { workerRun, secret } = await paid();
    const frame = framePort(workerRun, sender);
    frame.say(bind(secret));
    frame.say({ swipe: 'details' });
    expect([frame.isOpen, frame.heard.filter(({ swipe }) => swipe === 'paid')]).toEqual([false, []]);
    expect(workerRun.profile.browser.openedTabs).toEqual([]);
  });

  test('a payment from the site’s own allowance is not shown', async () => {
    const workerRun = await wallet();
    await give(workerRun, { kind: 'swipe', currency: 'BSV', limit: 100_000n });
    const options = pay(someone(), 1000);
    const { page } = await swiped(workerRun, options);
    page.say({ ...request(options), userActivation: 'new' });
    expect((await page.hears({ id: 'message-1' })).result).toMatchObject({ payment: { satoshis: '1000' } });
    page.say(offer(pay(someone(), 2000), 2));
    await page.hears({ swipe: 'offered', button: 2 });
    expect(page.heard.filter(({ swipe }) => swipe === 'paid')).toEqual([]);
  });
});

test('a page that requests a payment other than the swiped one gets a window', async () => {
  const workerRun = await wallet();
  const { page } = await swiped(workerRun, pay(someone(), 1000));
  page.say({ ...request(pay(someone(), 1000)), userActivation: 'new' });
  await opensWindow(workerRun, page);
  expect(await signed(workerRun)).toEqual([]);
});

test.each<[string, (workerRun: WorkerRun) => Promise<unknown>]>([
  ['over the limit', (workerRun) => switchOn(workerRun, '0.0005')],
  ['of a wallet that was locked in the meantime', (workerRun) => workerRun.modules.vault.lock(current)],
  [
    'of limits that were switched off in the meantime',
    (workerRun) => workerRun.modules.swipeLimits.switchSwipesOff(current),
  ],
])('a swipe %s opens a window', async (_, change) => {
  const workerRun = await wallet();
  const options = pay(someone(), 1000);
  const { page } = await swiped(workerRun, options);
  await change(workerRun);
  page.say({ ...request(options), userActivation: 'new' });
  await opensWindow(workerRun, page);
  expect(await signed(workerRun)).toEqual([]);
});

test.each<[string, string, () => object]>([
  [
    'host of a paymail',
    'pay.example',
    () => offer({ outputs: [{ paymail: 'ann@pay.example', amount: '0.00001', currency: 'BSV' }] }),
  ],
  [
    'service of the button',
    'service.example',
    () => ({ ...offer(pay(someone(), 1000)), service: 'https://service.example' }),
  ],
])('no %s is contacted when a page shows a button, only once a pointer is near it', async (_, host, asks) => {
  const workerRun = await wallet();
  const page = pagePort(workerRun);
  page.say(asks());
  const { secret } = await page.hears({ swipe: 'offered', button: 1 });
  const asked = vi.spyOn(globalThis, 'fetch');
  const names = () => asked.mock.calls.map(([to]) => String(to)).filter((url) => url.includes(host));
  const frame = framePort(workerRun);
  frame.say(bind(secret));
  await frame.hears({ swipe: 'show' });
  // By the time another document gets a response, all work that the binding started has finished.
  const other = pagePort(workerRun);
  other.say(offer(pay(someone(), 1000)));
  await other.hears({ swipe: 'offered', button: 1 });
  expect(names()).toEqual([]);
  frame.say({ swipe: 'near' });
  await vi.waitFor(() => expect(names()).not.toEqual([]));
});

test.each<[string, object, (secret: string) => object]>([
  ['of another page of the wallet', { url: 'chrome-extension://wallet-extension-id/extension/popup/index.html' }, bind],
  ['of another extension', { id: 'another-extension' }, bind],
  ['of a page that was loaded ahead', { documentLifecycle: 'prerender' }, bind],
  ['in a tab of its own', { frameId: 0 }, bind],
  ['in another tab', { tab: { id: 8 } }, bind],
  ['in a frame of a frame', {}, (secret) => ({ ...bind(secret), ancestors: [ORIGIN, ORIGIN] })],
  ['in a page of another site', {}, (secret) => ({ ...bind(secret), ancestors: ['https://evil.example'] })],
  ['that is drawn smaller than its page', {}, (secret) => ({ ...bind(secret), scale: 0.5 })],
  ['with another secret', {}, () => bind('0'.repeat(32))],
])('a frame %s gets nothing', async (_, sender, first) => {
  const workerRun = await wallet();
  const page = pagePort(workerRun);
  page.say(offer(pay(someone(), 1000)));
  const { secret } = await page.hears({ swipe: 'offered', button: 1 });
  const frame = framePort(workerRun, sender);
  frame.say(first(secret));
  expect(frame.isOpen).toBe(false);
  expect(frame.heard.filter(({ swipe }) => swipe === 'show')).toEqual([]);
});

test('a worker killed between swipe and request has lost the swipe, and a window opens', async () => {
  const workerRun = await wallet();
  const options = pay(someone(), 1000);
  await swiped(workerRun, options);
  const next = await workerRun.profile.start();
  const page = pagePort(next);
  page.say({ ...request(options), userActivation: 'new' });
  await opensWindow(next, page);
  expect(await signed(next)).toEqual([]);
});

test('a worker killed anywhere in the payment pays once, or opens a window', async () => {
  const options = pay(someone(), 1000);
  for (let dieAt = 1, isThrough = false; !isThrough; dieAt += 7) {
    const first = await wallet();
    const { page } = await swiped(first, options);
    first.dieAt(dieAt);
    const answer = await first.untilDeath(() => {
      page.say(request(options));
      return page.hears({ id: 'message-1' });
    });
    isThrough = answer !== null && !first.dead;
    const next = isThrough ? first : await first.profile.start();
    if (!isThrough) {
      const later = pagePort(next);
      later.say({ ...request(options), userActivation: 'new' });
      await vi.waitFor(
        async () => expect((await signed(next)).length + next.profile.browser.windows.size).toBeGreaterThan(0),
        { interval: 5 },
      );
    }
    const limits = await next.modules.allowanceRecords.readAllowance(current, ['*', '', 'any-site']);
    expect(limits?.payments, `${dieAt}`).toBe((await signed(next)).length);
    expect((await signed(next)).length).toBeLessThanOrEqual(1);
  }
}, 60_000);
