/**
 * Trusted swipes by their ports, through the whole background: what a relay, a frame and a page have to report for a payment
 * without a window, and that anything else, a worker that dies included, leads to the window or to nothing.
 */
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { PaymentOptions } from '../../../protocol/payment.ts';
import { PAGE_PORT, SWIPE_PAGE, SWIPE_PORT } from '../../../protocol/wire.ts';
import { RATES, useNetwork } from '../testing/network.ts';
import { approvalOf, decline, give, openWallet, PASSWORD, pay, someone, stored } from '../testing/wallet.ts';
import { endAllWorkerRuns, type WorkerRun } from '../testing/worker-run.ts';

const network = useNetwork();
afterEach(endAllWorkerRuns);

const ORIGIN = 'https://shop.example';
const RATE = { price: RATES.USD, dollar: RATES.USD };

/** The other end of a port of the worker. */
class Port {
  readonly heard: any[] = [];
  isOpen = true;
  #message: ((message: unknown) => void) | undefined;
  #leave: (() => void) | undefined;

  constructor(workerRun: WorkerRun, name: string, sender: object) {
    workerRun.modules.router.servePort({
      name,
      sender: { id: workerRun.profile.browser.id, tab: { id: 7 }, ...sender },
      onMessage: { addListener: (listener: (message: unknown) => void) => (this.#message = listener) },
      onDisconnect: { addListener: (listener: () => void) => (this.#leave = listener) },
      postMessage: (message: unknown) => this.heard.push(message),
      disconnect: () => (this.isOpen = false),
    } as never);
  }

  say(message: object): void {
    this.#message?.(message);
  }

  leave(): void {
    this.#leave?.();
  }

  /** Waits for a message that has these properties. */
  async hears(wanted: object): Promise<any> {
    await vi.waitFor(() => expect(this.heard).toContainEqual(expect.objectContaining(wanted)), {
      interval: 2,
      timeout: 5000,
    });
    return this.heard.findLast((message) =>
      Object.entries(wanted).every(([name, value]) => message[name] === value || typeof value === 'object'),
    );
  }
}

const pagePort = (workerRun: WorkerRun, frameId = 0) =>
  new Port(workerRun, PAGE_PORT, { url: `${ORIGIN}/`, origin: ORIGIN, frameId });
const framePort = (workerRun: WorkerRun, more: object = {}) =>
  new Port(workerRun, SWIPE_PORT, { url: `${workerRun.profile.browser.root}${SWIPE_PAGE}`, frameId: 3, ...more });

const switchOn = (workerRun: WorkerRun, perPayment = '1') =>
  workerRun.modules.swipeLimits.setSwipeLimits({ amount: '10', perPayment, currency: 'USD', rate: RATE });

async function wallet(perPayment?: string): Promise<WorkerRun> {
  const workerRun = await openWallet(network, [1_000_000]);
  await switchOn(workerRun, perPayment);
  return workerRun;
}

const offer = (options: PaymentOptions, button = 1) => ({ swipe: 'offer', button, options, scale: 1 });
const bind = (secret: string) => ({ swipe: 'bind', secret, ancestors: [ORIGIN], scale: 1 });
const request = (options: PaymentOptions) => ({
  id: 'message-1',
  method: 'payment/request',
  params: { id: 'request-1', options },
  userActivation: 'active',
});

/** A relay and the frame over its button, which has been there to read. */
async function shown(workerRun: WorkerRun, options: PaymentOptions) {
  const page = pagePort(workerRun);
  page.say(offer(options));
  const { id, secret } = await page.hears({ swipe: 'offered', button: 1 });
  const frame = framePort(workerRun);
  frame.say(bind(secret));
  await vi.waitFor(() => expect(frame.heard.at(-1)?.view?.totalSatoshis).toEqual(expect.any(String)), {
    interval: 2,
    timeout: 5000,
  });
  const since = Date.now();
  await vi.waitFor(() => expect(Date.now() - since).toBeGreaterThan(500), { interval: 2 });
  return { page, frame, id: id as string };
}

/** From here on the wallet's clock runs as ours does: on a busy machine what is good for seconds would be over. */
function slowDown(): void {
  const [at, from] = [Date.now(), performance.now()];
  vi.mocked(Date.now).mockImplementation(() => Math.floor(at + performance.now() - from));
}

/** The same, with a person's swipe in the frame that the relay has vouched for. */
async function swiped(workerRun: WorkerRun, options: PaymentOptions) {
  const all = await shown(workerRun, options);
  slowDown();
  all.frame.say({ swipe: 'began' });
  all.frame.say({ swipe: 'swiped' });
  await all.page.hears({ swipe: 'vouch', id: all.id });
  all.page.say({ swipe: 'intact', id: all.id });
  await all.page.hears({ swipe: 'swiped', id: all.id });
  return all;
}

/** Waits for the window of a request, and refuses there. */
async function opensWindow(workerRun: WorkerRun, page: Port): Promise<void> {
  await decline(workerRun, await approvalOf(workerRun));
  expect((await page.hears({ id: 'message-1' })).error).toMatchObject({ code: 'refused' });
}

const signed = async (workerRun: WorkerRun) =>
  (await stored(workerRun)).payments.filter((payment) => payment.signed !== null);

test('the track says that a window follows where the limits do not cover it, unless the site has an allowance', async () => {
  const workerRun = await wallet('0.01'); // 20,000 satoshis
  const opensWindow = async (satoshis: number) => {
    const { frame } = await shown(workerRun, pay(someone(), satoshis));
    return frame.heard.at(-1).view.opensWindow;
  };
  expect(await opensWindow(10_000)).toBe(false);
  expect(await opensWindow(30_000)).toBe(true);
  await give(workerRun, { kind: 'swipe' });
  expect(await opensWindow(30_000)).toBe(false);
});

test('a swipe in the frame that the relay vouches for pays what the page then asks for, once', async () => {
  const workerRun = await wallet();
  const options = pay(someone(), 1000);
  const { page } = await swiped(workerRun, options);
  page.say(request(options));
  expect((await page.hears({ id: 'message-1' })).result).toMatchObject({ payment: { satoshis: '1000' } });
  expect(workerRun.profile.browser.windowsOpened).toBe(0);
  const again = { ...request(options), id: 'message-2', params: { id: 'request-2', options }, userActivation: 'new' };
  page.say(again);
  await approvalOf(workerRun);
  expect(await signed(workerRun)).toHaveLength(1);
});

describe('what a swipe has paid', () => {
  /** A payment by a swipe, and the frame that its relay then makes. */
  async function paid() {
    const workerRun = await wallet();
    const options = pay(someone(), 1000);
    const { page, id } = await swiped(workerRun, options);
    page.say(request(options));
    const { result } = await page.hears({ id: 'message-1' });
    const { secret } = await page.hears({ swipe: 'paid', id });
    return { workerRun, options, page, id, secret, payment: result.payment.id as string };
  }

  test('a frame shows, and leads to the wallet’s own page of that payment, once', async () => {
    const { workerRun, options, page, id, secret, payment } = await paid();
    const frame = framePort(workerRun);
    frame.say(bind(secret));
    const { view } = await frame.hears({ swipe: 'paid' });
    expect(view).toMatchObject({
      to: options.outputs[0]!.to,
      amount: options.outputs[0]!.amount,
      totalSatoshis: expect.any(String),
    });
    const { openedTabs } = workerRun.profile.browser;
    expect(openedTabs).toEqual([]);
    frame.say({ swipe: 'details' });
    frame.say({ swipe: 'details' });
    const url = `${workerRun.profile.browser.root}extension/popup/index.html#payment=${payment}`;
    await vi.waitFor(() => expect(openedTabs).toEqual([url]));
    expect(frame.isOpen).toBe(false);
    await page.hears({ swipe: 'paid-over', id });
  });

  test.each<[string, object]>([
    ['of another tab', { tab: { id: 8 } }],
    ['in a tab of its own', { frameId: 0 }],
  ])('no frame %s shows', async (_, sender) => {
    const { workerRun, secret } = await paid();
    const frame = framePort(workerRun, sender);
    frame.say(bind(secret));
    frame.say({ swipe: 'details' });
    expect([frame.isOpen, frame.heard.filter(({ swipe }) => swipe === 'paid')]).toEqual([false, []]);
    expect(workerRun.profile.browser.openedTabs).toEqual([]);
  });

  test('no second frame shows, and none pays', async () => {
    const { workerRun, page, secret, id } = await paid();
    const first = framePort(workerRun);
    first.say(bind(secret));
    await first.hears({ swipe: 'paid' });
    const second = framePort(workerRun);
    second.say(bind(secret));
    expect(second.isOpen).toBe(false);
    page.heard.length = 0;
    for (const swipe of ['began', 'swiped']) first.say({ swipe });
    page.say({ swipe: 'intact', id });
    expect(page.heard.filter(({ swipe }) => swipe === 'vouch' || swipe === 'swiped')).toEqual([]);
    expect(first.isOpen).toBe(false);
  });

  test('is not shown of what the site’s own allowance paid', async () => {
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

  test('a frame opens no page before it is bound', async () => {
    const { workerRun } = await paid();
    const frame = framePort(workerRun);
    frame.say({ swipe: 'details' });
    expect([frame.isOpen, workerRun.profile.browser.openedTabs]).toEqual([false, []]);
  });
});

test('a page that asks for something else than was swiped gets a window', async () => {
  const workerRun = await wallet();
  const { page } = await swiped(workerRun, pay(someone(), 1000));
  page.say({ ...request(pay(someone(), 1000)), userActivation: 'new' });
  await opensWindow(workerRun, page);
  expect(await signed(workerRun)).toEqual([]);
});

test.each<[string, (all: Awaited<ReturnType<typeof shown>>) => Promise<void>]>([
  [
    'a swipe that the relay does not vouch for',
    async ({ page, frame, id }) => {
      frame.say({ swipe: 'began' });
      frame.say({ swipe: 'swiped' });
      await page.hears({ swipe: 'vouch', id });
      page.say({ swipe: 'end', id });
    },
  ],
  [
    'a swipe without a hand that took hold',
    async ({ page, frame, id }) => {
      frame.say({ swipe: 'swiped' });
      await page.hears({ swipe: 'swiped', id });
    },
  ],
  [
    'a swipe that the frame has taken back',
    async ({ page, frame, id }) => {
      for (const swipe of ['began', 'let-go', 'swiped']) frame.say({ swipe });
      await page.hears({ swipe: 'swiped', id });
    },
  ],
  ['a relay that vouches before there was a swipe', async ({ page, id }) => page.say({ swipe: 'intact', id })],
])('%s pays nothing: a window asks', async (_, report) => {
  const workerRun = await wallet();
  const options = pay(someone(), 1000);
  const all = await shown(workerRun, options);
  await report(all);
  all.page.say({ ...request(options), userActivation: 'new' });
  await opensWindow(workerRun, all.page);
  expect(await signed(workerRun)).toEqual([]);
});

test.each<[string, (workerRun: WorkerRun) => Promise<unknown>]>([
  ['over the limit', (workerRun) => switchOn(workerRun, '0.0005')],
  ['of a wallet that was locked in the meantime', (workerRun) => workerRun.modules.vault.lock()],
  ['of limits that were switched off in the meantime', (workerRun) => workerRun.modules.swipeLimits.switchSwipesOff()],
])('a swipe %s is put before the user', async (_, change) => {
  const workerRun = await wallet();
  const options = pay(someone(), 1000);
  const { page } = await swiped(workerRun, options);
  await change(workerRun);
  page.say({ ...request(options), userActivation: 'new' });
  await opensWindow(workerRun, page);
  expect(await signed(workerRun)).toEqual([]);
});

test('nothing is offered while it is off or locked, nor in a frame; the relay hears when that changes', async () => {
  const workerRun = await openWallet(network, [1_000_000]);
  const options = pay(someone(), 1000);
  const page = pagePort(workerRun);
  page.say(offer(options));
  await page.hears({ swipe: 'off' });
  await switchOn(workerRun);
  await page.hears({ swipe: 'on' });
  page.say(offer(options, 2));
  await page.hears({ swipe: 'offered', button: 2 });
  page.heard.length = 0;
  await workerRun.modules.vault.lock();
  await page.hears({ swipe: 'off' });
  await workerRun.modules.vault.unlock(PASSWORD);
  await page.hears({ swipe: 'on' });
  const inner = pagePort(workerRun, 4);
  inner.say(offer(options));
  page.say(offer(options, 3));
  await page.hears({ swipe: 'offered', button: 3 });
  expect(inner.heard).toEqual([]);
});

test('nothing is offered once the user has turned swipes off, or has blocked the site', async () => {
  const workerRun = await wallet();
  const { walletHandlers } = workerRun.modules.handlers;
  const page = pagePort(workerRun);
  page.say(offer(pay(someone(), 1000)));
  await page.hears({ swipe: 'offered', button: 1 });
  const offAfter = async (change: () => Promise<unknown>, button: number) => {
    page.heard.length = 0;
    await change();
    await page.hears({ swipe: 'off' });
    page.heard.length = 0;
    page.say(offer(pay(someone(), 1000), button));
    await page.hears({ swipe: 'off' });
  };
  await offAfter(() => walletHandlers['sites/block']({ origin: ORIGIN, hours: 1 }), 2);
  await walletHandlers['sites/unblock']({ origin: ORIGIN });
  await page.hears({ swipe: 'on' });
  await offAfter(() => walletHandlers['swipes/switch-off']({}), 3);
});

test('a wallet that is locked and unlocked again has forgotten what was swiped: a window asks', async () => {
  const workerRun = await wallet();
  const options = pay(someone(), 1000);
  const { page } = await swiped(workerRun, options);
  await workerRun.modules.vault.lock();
  await page.hears({ swipe: 'off' });
  await workerRun.modules.vault.unlock(PASSWORD);
  await page.hears({ swipe: 'on' });
  page.say(request(options));
  await opensWindow(workerRun, page);
  expect(await signed(workerRun)).toEqual([]);
});

test('a site that offers without end is not listened to any more', async () => {
  const workerRun = await wallet();
  const page = pagePort(workerRun);
  const options = pay(someone(), 1000);
  vi.mocked(Date.now).mockReturnValue(Date.now());
  let button = 0;
  const answer = async () => {
    page.say(offer(options, (button += 1)));
    const heard = await page.hears({ button });
    if (heard.swipe === 'offered') page.say({ swipe: 'end', id: heard.id });
    return heard.swipe;
  };
  while (button < 200 && (await answer()) === 'offered');
  expect(button).toBeLessThan(200);
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
])('no %s is asked because a page shows a button: only once a hand is near', async (_, host, asks) => {
  const workerRun = await wallet();
  const page = pagePort(workerRun);
  page.say(asks());
  const { secret } = await page.hears({ swipe: 'offered', button: 1 });
  const asked = vi.spyOn(globalThis, 'fetch');
  const names = () => asked.mock.calls.map(([to]) => String(to)).filter((url) => url.includes(host));
  const frame = framePort(workerRun);
  frame.say(bind(secret));
  await frame.hears({ swipe: 'show' });
  // Whatever the binding has begun is through once another document has been answered.
  const other = pagePort(workerRun);
  other.say(offer(pay(someone(), 1000)));
  await other.hears({ swipe: 'offered', button: 1 });
  expect(names()).toEqual([]);
  frame.say({ swipe: 'near' });
  await vi.waitFor(() => expect(names()).not.toEqual([]));
});

test('what a track cannot name is refused at once', async () => {
  const workerRun = await wallet();
  const page = pagePort(workerRun);
  const one = pay(someone(), 1000);
  page.say(offer({ outputs: [...one.outputs, ...pay(someone(), 1000).outputs] }, 1));
  page.say(offer({ outputs: [{ paymail: 'sh\u043ep@pay.example', amount: '1', currency: 'BSV' }] }, 2));
  page.say(offer({ ...one, cryptoOperations: [{ name: 'me', method: 'paymail' }] }, 3));
  page.say(offer({ outputs: [{ script: '51', amount: '0.00001', currency: 'BSV' }] }, 4));
  // Tokens: not even looked up, since nobody has swiped.
  page.say(offer({ outputs: [{ to: someone(), amount: '1', currency: `${'ab'.repeat(32)}_0` }] }, 5));
  for (const button of [1, 2, 3, 4, 5]) await page.hears({ swipe: 'refused', button });
});

test('a frame stands whether or not there is money for what it shows', async () => {
  const workerRun = await wallet();
  const page = pagePort(workerRun);
  page.say(offer(pay(someone(), 900_000_000)));
  const { secret } = await page.hears({ swipe: 'offered', button: 1 });
  const frame = framePort(workerRun);
  frame.say(bind(secret));
  await vi.waitFor(() => expect(frame.heard.length).toBeGreaterThan(0));
  expect(frame.heard).not.toContainEqual({ swipe: 'over' });
  expect(page.heard).toHaveLength(1);
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

test('a worker that dies between swipe and request has forgotten it: a window asks', async () => {
  const workerRun = await wallet();
  const options = pay(someone(), 1000);
  await swiped(workerRun, options);
  const next = await workerRun.profile.start();
  const page = pagePort(next);
  page.say({ ...request(options), userActivation: 'new' });
  await opensWindow(next, page);
  expect(await signed(next)).toEqual([]);
});

test('a worker that dies anywhere in the payment pays once, or asks in a window', async () => {
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
        { interval: 5, timeout: 5000 },
      );
    }
    const limits = await next.modules.allowances.readAllowance(['*', '', 'any-site']);
    expect(limits?.payments, `${dieAt}`).toBe((await signed(next)).length);
    expect((await signed(next)).length).toBeLessThanOrEqual(1);
  }
}, 60_000);
