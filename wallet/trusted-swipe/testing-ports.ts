import { expect, vi } from 'vitest';
import type { PaymentOptions } from '../../protocol/payments/payment.ts';
import { PAGE_PORT, SWIPE_PAGE, SWIPE_PORT } from '../../protocol/messages/wire.ts';
import { RATES, useNetwork } from '../../testkit/network/network.ts';
import { approvalOf, decline, openWallet, stored } from '../../testkit/wallet/wallet.ts';
import { type WorkerRun } from '../../testkit/wallet/worker-run.ts';
import { wallet as current } from '../../testkit/wallet/current.ts';

export const network = useNetwork();

export const ORIGIN = 'https://shop.example';
const RATE = { price: RATES.USD, dollar: RATES.USD };

/** The page's or frame's end of a port to the worker. */
class Port {
  readonly heard: any[] = [];
  isOpen = true;
  #message: ((message: unknown) => void) | undefined;
  #leave: (() => void) | undefined;

  constructor(workerRun: WorkerRun, name: string, sender: object) {
    workerRun.modules.router.servePort(current, {
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

  async hears(wanted: object): Promise<any> {
    await vi.waitFor(() => expect(this.heard).toContainEqual(expect.objectContaining(wanted)), { interval: 2 });
    return this.heard.findLast((message) =>
      Object.entries(wanted).every(([name, value]) => message[name] === value || typeof value === 'object'),
    );
  }
}

export const pagePort = (workerRun: WorkerRun, frameId = 0) =>
  new Port(workerRun, PAGE_PORT, { url: `${ORIGIN}/`, origin: ORIGIN, frameId });
export const framePort = (workerRun: WorkerRun, more: object = {}) =>
  new Port(workerRun, SWIPE_PORT, { url: `${workerRun.profile.browser.root}${SWIPE_PAGE}`, frameId: 3, ...more });

export const switchOn = (workerRun: WorkerRun, perPayment = '1') =>
  workerRun.modules.swipeLimits.setSwipeLimits(current, { amount: '10', perPayment, currency: 'USD', rate: RATE });

export async function wallet(perPayment?: string): Promise<WorkerRun> {
  const workerRun = await openWallet(network, [1_000_000]);
  await switchOn(workerRun, perPayment);
  return workerRun;
}

export const offer = (options: PaymentOptions, button = 1) => ({ swipe: 'offer', button, options, scale: 1 });
export const bind = (secret: string) => ({ swipe: 'bind', secret, ancestors: [ORIGIN], scale: 1 });
export const request = (options: PaymentOptions) => ({
  id: 'message-1',
  method: 'payment/request',
  params: { id: 'request-1', options },
  userActivation: 'active',
});

/** Opens a relay and the frame over its button, and waits until the user could have read the frame. */
export async function shown(workerRun: WorkerRun, options: PaymentOptions) {
  const page = pagePort(workerRun);
  page.say(offer(options));
  const { id, secret } = await page.hears({ swipe: 'offered', button: 1 });
  const frame = framePort(workerRun);
  frame.say(bind(secret));
  await vi.waitFor(() => expect(frame.heard.at(-1)?.view?.totalSatoshis).toEqual(expect.any(String)), { interval: 2 });
  const since = Date.now();
  await vi.waitFor(() => expect(Date.now() - since).toBeGreaterThan(500), { interval: 2 });
  return { page, frame, id: id as string };
}

/** Runs the wallet's clock at real speed, because time limits of a few seconds would expire on a busy machine. */
function slowDown(): void {
  const [at, from] = [Date.now(), performance.now()];
  vi.mocked(Date.now).mockImplementation(() => Math.floor(at + performance.now() - from));
}

/** Like {@link shown}, followed by a swipe in the frame that the relay confirms. */
export async function swiped(workerRun: WorkerRun, options: PaymentOptions) {
  const all = await shown(workerRun, options);
  slowDown();
  all.frame.say({ swipe: 'began' });
  all.frame.say({ swipe: 'swiped' });
  await all.page.hears({ swipe: 'vouch', id: all.id });
  all.page.say({ swipe: 'intact', id: all.id });
  await all.page.hears({ swipe: 'swiped', id: all.id });
  return all;
}

/** Waits for a request's window, and rejects the request there. */
export async function opensWindow(workerRun: WorkerRun, page: Port): Promise<void> {
  await decline(workerRun, await approvalOf(workerRun));
  expect((await page.hears({ id: 'message-1' })).error).toMatchObject({ code: 'refused' });
}

export const signed = async (workerRun: WorkerRun) =>
  (await stored(workerRun)).payments.filter((payment) => payment.signed !== null);
