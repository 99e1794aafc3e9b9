/**
 * Tests trusted swipes end to end: which messages from a relay, a frame and a page lead to a payment without a window.
 * In all other cases, such as after the worker stopped, a window opens or nothing happens.
 */
import { afterEach, describe, expect, test, vi } from 'vitest';
import { approvalOf, give, openWallet, PASSWORD, pay, someone } from '../../testkit/wallet/wallet.ts';
import { endAllWorkerRuns } from '../../testkit/wallet/worker-run.ts';
import {
  network,
  ORIGIN,
  pagePort,
  framePort,
  switchOn,
  wallet,
  offer,
  bind,
  request,
  shown,
  swiped,
  opensWindow,
  signed,
} from './testing-ports.ts';
import { wallet as current } from '../../testkit/wallet/current.ts';

afterEach(endAllWorkerRuns);

test('the track announces a window if the limits don’t cover the payment, unless the site has an allowance', async () => {
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

test('a swipe on a track that announces a window opens one, although the limits have risen since', async () => {
  const workerRun = await wallet('0.01'); // 20,000 satoshis
  const options = pay(someone(), 30_000);
  const { page, frame, id } = await shown(workerRun, options);
  expect(frame.heard.at(-1).view.opensWindow).toBe(true);
  await switchOn(workerRun);
  frame.say({ swipe: 'began' });
  frame.say({ swipe: 'swiped' });
  await page.hears({ swipe: 'swiped', id });
  page.say({ ...request(options), userActivation: 'new' });
  await opensWindow(workerRun, page);
  expect(await signed(workerRun)).toEqual([]);
});

test('a swipe in the frame that the relay confirms pays the page’s next request, once', async () => {
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

test('a request that a track can’t show is rejected immediately', async () => {
  const workerRun = await wallet();
  const page = pagePort(workerRun);
  const one = pay(someone(), 1000);
  page.say(offer({ outputs: [...one.outputs, ...pay(someone(), 1000).outputs] }, 1));
  page.say(offer({ outputs: [{ paymail: 'sh\u043ep@pay.example', amount: '1', currency: 'BSV' }] }, 2));
  page.say(offer({ ...one, cryptoOperations: [{ name: 'me', method: 'paymail' }] }, 3));
  page.say(offer({ outputs: [{ script: '51', amount: '0.00001', currency: 'BSV' }] }, 4));
  // Tokens aren't looked up before a swipe.
  page.say(offer({ outputs: [{ to: someone(), amount: '1', currency: `${'ab'.repeat(32)}_0` }] }, 5));
  for (const button of [1, 2, 3, 4, 5]) await page.hears({ swipe: 'refused', button });
});

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

  test('a frame shows the payment and opens the wallet’s own page for it, once', async () => {
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

  test('a second frame doesn’t show the payment, and a swipe in the first frame doesn’t pay again', async () => {
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

  test('a frame does not show the payment of a document that was unloaded', async () => {
    const { workerRun, page, secret } = await paid();
    page.leave();
    const frame = framePort(workerRun);
    frame.say(bind(secret));
    expect(frame.heard).toEqual([{ swipe: 'over' }]);
    expect(frame.isOpen).toBe(false);
  });

  test('a frame opens no page before it is bound', async () => {
    const { workerRun } = await paid();
    const frame = framePort(workerRun);
    frame.say({ swipe: 'details' });
    expect([frame.isOpen, workerRun.profile.browser.openedTabs]).toEqual([false, []]);
  });
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
    'a swipe without a press',
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
])('%s pays nothing, and a window opens', async (_, report) => {
  const workerRun = await wallet();
  const options = pay(someone(), 1000);
  const all = await shown(workerRun, options);
  await report(all);
  all.page.say({ ...request(options), userActivation: 'new' });
  await opensWindow(workerRun, all.page);
  expect(await signed(workerRun)).toEqual([]);
});

test('nothing is offered while swipes are off or the wallet is locked, or to a page in a frame, and the relay is notified of changes', async () => {
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
  await workerRun.modules.vault.lock(current);
  await page.hears({ swipe: 'off' });
  await workerRun.modules.vault.unlock(current, PASSWORD);
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
  await offAfter(() => walletHandlers(current)['sites/block']({ origin: ORIGIN, hours: 1 }), 2);
  await walletHandlers(current)['sites/unblock']({ origin: ORIGIN });
  await page.hears({ swipe: 'on' });
  await offAfter(() => walletHandlers(current)['swipes/switch-off']({}), 3);
});

test('a wallet that is locked and unlocked again has lost the swipe, and a window opens', async () => {
  const workerRun = await wallet();
  const options = pay(someone(), 1000);
  const { page } = await swiped(workerRun, options);
  await workerRun.modules.vault.lock(current);
  await page.hears({ swipe: 'off' });
  await workerRun.modules.vault.unlock(current, PASSWORD);
  await page.hears({ swipe: 'on' });
  page.say(request(options));
  await opensWindow(workerRun, page);
  expect(await signed(workerRun)).toEqual([]);
});

test('a frame is shown whether or not funds are sufficient for its payment', async () => {
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

test('a relay is notified when its frame is closed, and no frame shows the offer of a document that was unloaded', async () => {
  const workerRun = await wallet();
  const page = pagePort(workerRun);
  page.say(offer(pay(someone(), 1000)));
  const first = await page.hears({ swipe: 'offered', button: 1 });
  const closed = framePort(workerRun);
  closed.say(bind(first.secret));
  closed.leave();
  await page.hears({ swipe: 'over', id: first.id });
  page.say(offer(pay(someone(), 1000), 2));
  const { secret } = await page.hears({ swipe: 'offered', button: 2 });
  page.leave();
  const frame = framePort(workerRun);
  frame.say(bind(secret));
  expect(frame.heard).toEqual([{ swipe: 'over' }]);
  expect(frame.isOpen).toBe(false);
});

test('a site whose relay floods the wallet gets no offers until a second later', async () => {
  const workerRun = await wallet();
  const page = pagePort(workerRun);
  const options = pay(someone(), 1000);
  const time = Date.now();
  vi.mocked(Date.now).mockReturnValue(time);
  for (let button = 1; button <= 100; button += 1) page.say(offer(options, button));
  for (let button = 1; button <= 100; button += 1) await page.hears({ button });
  // A document can have only a few frames, so each frame is ended. Only the limit on requests is tested.
  for (const { swipe, id } of page.heard) if (swipe === 'offered') page.say({ swipe: 'end', id });
  page.say(offer(options, 101));
  await page.hears({ swipe: 'refused', button: 101 });
  vi.mocked(Date.now).mockReturnValue(time + 1000);
  page.say(offer(options, 102));
  await page.hears({ swipe: 'offered', button: 102 });
});
