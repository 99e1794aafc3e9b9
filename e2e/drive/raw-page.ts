/**
 * A page that posts to the relay without the button's script. Each test uses a separate origin, because of rate limits.
 */
import type { Frame, Page } from 'puppeteer-core';
import { CHANNEL } from '../../protocol/messages/wire.ts';
import { ADDRESS } from './scene.ts';

export interface Heard {
  id?: string;
  event?: string;
  result?: Record<string, unknown>;
  error?: { code: string; message: string };
}

/** Globals of a page from {@link rawPage}. */
export interface RawWindow {
  heard: Heard[];
  say(message: object): void;
}

/**
 * Returns a page with `inside` in its body. The page collects the relay's messages in `heard` and posts messages with
 * `say`.
 */
export function rawPage(inside = ''): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A page</title><script>
    var heard = [];
    addEventListener('message', ({ data }) => { if (data && data.to === 'page') heard.push(data); });
    function say(message) { postMessage({ channel: '${CHANNEL}', to: 'wallet', ...message }, '*'); }
  </script></head><body>${inside}</body></html>`;
}

let count = 0;
/** Returns a unique ID for a message or a payment. */
export const freshId = (): string => `raw-${process.pid}-${(count += 1)}`;

/** Returns a request for 0.10 USD (200,000 satoshis on devnet), in the button's format. */
export function paymentRequest(id = freshId(), options: object = {}): { id: string; method: string; params: object } {
  const outputs = [{ to: ADDRESS, amount: '0.10', currency: 'USD' }];
  return { id, method: 'payment/request', params: { id, options: { outputs, ...options } } };
}

/** Posts one message in a page's frame. The message's fields override the defaults of the wire format. */
export async function say(frame: Page | Frame, message: object): Promise<void> {
  await frame.evaluate((sent) => (window as unknown as RawWindow).say(sent), message);
}

export async function replyTo(frame: Page | Frame, id: string): Promise<Heard> {
  const handle = await frame.waitForFunction(
    (wanted) => (window as unknown as RawWindow).heard.find((heard) => heard.id === wanted),
    { polling: 20 },
    id,
  );
  return (await handle.jsonValue()) as Heard;
}

/** Posts a message and waits for its reply. */
export async function answerTo(frame: Page | Frame, message: { id: string }): Promise<Heard> {
  await say(frame, message);
  return replyTo(frame, message.id);
}

/**
 * Waits until the wallet has handled all earlier messages from the frame. The wallet handles each port's messages in
 * order.
 */
export async function fence(frame: Page | Frame): Promise<void> {
  for (let round = 0; round < 2; round += 1)
    await answerTo(frame, { id: freshId(), method: 'wallet/hello', params: {} } as { id: string });
}
