/** Performs one-swipe payments in the wallet's frame over a button, with real input events. */
import type { CDPSession, ElementHandle, Frame, Page } from 'puppeteer-core';
import { SWIPE_PAGE } from '../../protocol/messages/wire.ts';
import { PATIENCE_MS, until } from '../../testing/patience.ts';
import { ask } from './wallet.ts';

/** A track's position in its page (CSS pixels). */
export interface TrackBounds {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Turns on one-swipe payments on any site, within limits in dollars. */
export async function allowSwipesOnAnySite(popup: Page, perSwipe = '1', perDay = '10'): Promise<void> {
  const { rate } = await ask(popup, 'sites/rate', { currency: 'USD' });
  if (!rate) throw new Error('no rate');
  await ask(popup, 'swipes/change', {
    amount: perDay,
    perPayment: perSwipe,
    currency: 'USD',
    rate: { price: rate.price, dollar: rate.dollar ?? rate.price },
  });
}

/** Returns the wallet's frames in a page, in order of creation. */
export const swipeFrames = (page: Page): Frame[] => page.frames().filter((frame) => frame.url().endsWith(SWIPE_PAGE));

/** Waits for the frame that shows the receipt of a swipe. */
export const paidFrame = (page: Page): Promise<Frame> =>
  until('a frame shows the payment', async () => {
    for (const frame of swipeFrames(page)) if (await frame.$('.paid').catch(() => null)) return frame;
    return null;
  });

/** Maximum wait for the acknowledgment of an input event (milliseconds). */
const INPUT_MS = 1000;
/**
 * How long to wait before a swipe (milliseconds). Slightly longer than the time for which a frame must be visible
 * before it accepts the pointer.
 */
const READ_MS = 650;

/** Waits until a frame shows its cost and accepts swipes. @returns false if it disappears first */
async function untilReady(frame: Frame): Promise<boolean> {
  const end = Date.now() + PATIENCE_MS;
  return frame
    .evaluate(
      (readMs, patience) =>
        new Promise<boolean>((resolve) => {
          const state = { text: '', isVisible: false, since: 0 };
          const target = document.querySelector('.track') ?? document.documentElement;
          const watch = new IntersectionObserver(
            (entries) => {
              const isVisible = (entries.at(-1) as unknown as { isVisible: boolean }).isVisible;
              if (isVisible !== state.isVisible) Object.assign(state, { isVisible, since: performance.now() });
            },
            { trackVisibility: true, delay: 100 } as IntersectionObserverInit,
          );
          watch.observe(target);
          const timer = setInterval(() => {
            const text = document.querySelector('.cost')?.textContent?.trim() ?? '';
            if (text !== state.text) Object.assign(state, { text, since: performance.now() });
            const isReady = state.isVisible && text !== '' && performance.now() - state.since >= readMs;
            if (!isReady && performance.now() < patience) return;
            clearInterval(timer);
            watch.disconnect();
            resolve(isReady);
          }, 50);
        }),
      READ_MS,
      PATIENCE_MS,
    )
    .catch((error: unknown) => {
      if (Date.now() > end) throw error;
      return false;
    });
}

/** Waits for the first of these frames to accept swipes. Returns null if all disappear first. */
const firstReady = (frames: readonly Frame[]): Promise<Frame | null> =>
  Promise.any(
    frames.map(async (frame) => {
      if (!(await untilReady(frame))) throw new Error('the frame is gone');
      return frame;
    }),
  ).catch(() => null);

/** Waits until a page has a wallet frame that accepts swipes. @param choose filters frames */
async function readyAmong(
  page: Page,
  choose: (frames: Frame[]) => Frame[] | Promise<Frame[]> = (frames) => frames,
): Promise<Frame> {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end;) {
    // The frame might have been replaced.
    const frame = await firstReady(await choose(swipeFrames(page)));
    if (frame) return frame;
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(drawn)));
  }
  const chosen = await choose(swipeFrames(page));
  const shown = await Promise.all(
    swipeFrames(page).map(async (frame) => {
      const text = await frame.evaluate(() => `${document.visibilityState}: ${document.body.innerText}`).catch(String);
      return `${chosen.includes(frame) ? '' : 'elsewhere, '}${text}`;
    }),
  );
  throw new Error(`none of the wallet's ${shown.length} frames is ready: ${shown.join(' | ')}`);
}

/** Waits until any wallet frame in a page accepts swipes. */
export const readyFrame = (page: Page): Promise<Frame> => readyAmong(page);

async function isOver(frame: Frame, place: TrackBounds): Promise<boolean> {
  const box = await frame.frameElement().then(
    (element) => element?.boundingBox(),
    () => null,
  );
  return !!box && Math.abs(box.x - place.x) <= place.height && Math.abs(box.y - place.y) <= place.height;
}

/** Waits until the wallet's frame over a button accepts swipes, regardless of other frames. */
export async function readyFrameOver(page: Page, button: ElementHandle<Element>): Promise<Frame> {
  await button.scrollIntoView();
  return readyAmong(page, async (frames) => {
    const place = await placeOf(button);
    await page.mouse.move(place.x + place.width / 2, place.y + place.height / 2); // Frames appear near the pointer.
    const over = await Promise.all(frames.map((frame) => isOver(frame, place)));
    return frames.filter((_, i) => over[i]);
  });
}

/** Waits until the wallet's frame over a button accepts swipes, then swipes in it. @returns the frame */
export async function swipeInFrame(page: Page, button: ElementHandle<Element>): Promise<Frame> {
  const frame = await readyFrameOver(page, button);
  await drag(page, await placeOf(button));
  return frame;
}

export const placeOf = (button: ElementHandle<Element>): Promise<TrackBounds> =>
  button.evaluate((element) => {
    const track = element.shadowRoot?.querySelector('[role=slider]') ?? element;
    const { x, y, width, height } = track.getBoundingClientRect();
    return { x, y, width, height };
  });

/** Drags the thumb with the mouse across part of the track. `halfway` runs in the middle. */
export async function drag(
  page: Page,
  { x, y, width, height }: TrackBounds,
  { from = 0.08, to = 0.95, halfway }: { from?: number; to?: number; halfway?: () => Promise<unknown> } = {},
): Promise<void> {
  const middle = y + height / 2;
  const half = (from + to) / 2;
  await taken(page.mouse.move(x + width * from, middle));
  await taken(page.mouse.down());
  await taken(page.mouse.move(x + width * half, middle, { steps: 3 }));
  await halfway?.();
  await taken(page.mouse.move(x + width * to, middle, { steps: 3 }));
  await taken(page.mouse.up());
}

/**
 * Waits until input is acknowledged, with a timeout, because a page that doesn't draw or a removed frame may never
 * acknowledge it.
 */
const taken = (input: Promise<unknown>): Promise<unknown> =>
  Promise.race([input.catch(() => undefined), new Promise((given) => setTimeout(given, INPUT_MS))]);

export async function dragByTouch(session: CDPSession, { x, y, width, height }: TrackBounds): Promise<void> {
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', part?: number) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: part === undefined ? [] : [{ x: x + width * part, y: y + height / 2 }],
    });
  await touch('touchStart', 0.08);
  for (const part of [0.2, 0.4, 0.6, 0.8, 0.95]) await touch('touchMove', part);
  await touch('touchEnd');
}
