/**
 * The attacking site. Its page offers a button to the wallet and requests a payment after each gesture. The site has an
 * open prompt in another tab. Therefore, a request whose swipe wasn't accepted gets `busy` immediately instead of a
 * window. Legitimate swipes are paid despite the prompt.
 */
import { expect, vi } from 'vitest';
import type { Frame, Page } from 'puppeteer-core';
import { OFFER_EVENT, SWIPED_EVENT } from '../../../protocol/messages/wire.ts';
import { answerTo, fence, freshId, paymentRequest, rawPage, say, type Heard } from '../../drive/raw-page.ts';
import { ADDRESS, type Scene } from '../../drive/scene.ts';
import { startSite, type Site } from '../../drive/site.ts';
import { drag, readyFrame, swipeFrames, type TrackBounds } from '../../../tooling/drive/trusted-swipe.ts';
import { readyApproval, stored } from '../../../tooling/drive/wallet.ts';

export const OUTPUT = { to: ADDRESS, amount: '0.10', currency: 'USD' };
/** The button's position and size in the page (CSS pixels). */
export const PLACE: TrackBounds = { x: 100, y: 100, width: 300, height: 48 };

interface StoredPayment {
  id: string;
  origin: string;
  requestId: string;
  state: string;
  quote: { satoshis: string; outputs: { scripts: { script: string; satoshis: string }[] }[] } | null;
}

/**
 * Functions for the hostile page: `host()` returns the wallet's element, `css()` adds a style sheet, `popover()` adds
 * an element to the top layer, `offer()` offers a button.
 */
const TOOLS = `<script>
  var button = document.getElementById('button'), swiped = [];
  for (const one of document.querySelectorAll('.service-button')) dress(one);
  function dress(one) {
    const root = one.attachShadow({ mode: 'open' });
    root.innerHTML = '<div part="button" style="width:100%;height:100%;background:#fff;font:14px/1.2 sans-serif;direction:ltr"><div part="track" role="slider" style="width:100%;height:100%">' +
      ['fill', 'thumb', 'amount', 'cost'].map((part) => '<span part="' + part + '"></span>').join('') + '</div></div>';
    root.querySelector('[part=track]').addEventListener('${SWIPED_EVENT}', () => swiped.push(one.id));
  }
  function offer(asked, one = button) {
    one.dispatchEvent(new CustomEvent('${OFFER_EVENT}', { bubbles: true, composed: true, detail: typeof asked === 'string' ? asked : JSON.stringify(asked) }));
  }
  function host() { return document.querySelector(':scope > [popover]'); }
  function css(text) { document.head.append(Object.assign(document.createElement('style'), { textContent: text })); }
  function popover(style, text = '') {
    const shown = Object.assign(document.createElement('div'), { popover: 'manual', textContent: text });
    shown.style.cssText = 'position:fixed;inset:auto;margin:0;border:0;padding:0;' + style;
    document.body.append(shown);
    shown.showPopover();
    return shown;
  }
  function drawn() { return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))); }
</script>`;

export const hostilePage = (inside = ''): string =>
  rawPage(
    `<style>body{margin:0;height:3000px} #button{position:absolute;left:${PLACE.x}px;top:${PLACE.y}px;width:${PLACE.width}px;height:${PLACE.height}px}</style>
    <div id="button" class="service-button"></div>${inside}${TOOLS}`,
  );

/** A site with an open prompt, and one of its pages, which is reloaded for each attack. */
export interface Arena {
  scene: Scene;
  site: Site;
  page: Page;
  open(inside?: string): Promise<Page>;
  run(script: string): Promise<void>;
  /** Offers the button, and waits until the wallet's frame accepts swipes. */
  stand(options?: object): Promise<Frame>;
  /** Swipes across the button's area. `halfway` runs in the middle of the swipe. */
  swipe(way?: Parameters<typeof drag>[2]): Promise<void>;
  /** Requests the payment, as a page does after a swipe. @returns `paid`, or the error code */
  claim(options?: object, from?: Page | Frame): Promise<string>;
  /** Waits until the wallet has accepted or ignored the most recent gesture. */
  settled(): Promise<void>;
  /** Expects that no swipe was accepted, so the page's request needs a window. */
  expectNothing(): Promise<void>;
  /** Makes the payments of earlier tests more than a minute old, because payments per minute are limited. */
  minutePasses(): Promise<void>;
  /** Returns the site's stored payments since the page was loaded. Requests that need a window aren't stored. */
  paid(): Promise<StoredPayment[]>;
  close(): Promise<void>;
}

export async function setArena(scene: Scene): Promise<Arena> {
  const site = await startSite();
  site.page('/asks', rawPage());
  const asking = await scene.wallet.browser.newPage();
  await asking.goto(`${site.origin}/asks`);
  const question = paymentRequest();
  await say(asking, question);
  await readyApproval(scene.wallet);
  const page = await scene.wallet.browser.newPage();

  const own = async () =>
    (await stored<StoredPayment>(scene.page, 'payments')).filter(
      ({ origin, requestId }) => origin === site.origin && requestId !== question.id,
    );
  /** IDs of payments made before the page was loaded. */
  let known = new Set<string>();

  const arena: Arena = {
    scene,
    site,
    page,
    async open(inside = '') {
      site.page('/', hostilePage(inside));
      await page.goto(`${site.origin}/`);
      await page.bringToFront();
      known = new Set((await own()).map(({ id }) => id));
      return page;
    },
    async run(script) {
      await page.evaluate(script);
    },
    async stand(options = {}) {
      await page.evaluate((asked) => (window as unknown as { offer(asked: object): void }).offer(asked), {
        options: { outputs: [OUTPUT], ...options },
      });
      const frame = await readyFrame(page);
      return frame as Frame;
    },
    swipe: (way) => drag(page, PLACE, way),
    async claim(options = {}, from = page) {
      const reply: Heard = await answerTo(from, paymentRequest(freshId(), { outputs: [OUTPUT], ...options }));
      return reply.error?.code ?? 'paid';
    },
    async settled() {
      const isPassedOn = () => page.evaluate(() => (window as unknown as { swiped?: string[] }).swiped?.length ?? 0);
      await vi.waitFor(async () => {
        if ((await isPassedOn()) > 0) return;
        const busy = await Promise.all(swipeFrames(page).map((frame) => frame.evaluate(isWorking).catch(() => false)));
        if (busy.some(Boolean)) throw new Error('a frame of the wallet is still at work');
      });
    },
    async expectNothing() {
      await arena.settled();
      await fence(page);
      expect(await arena.claim()).toBe('busy');
      expect(await arena.paid()).toEqual([]);
    },
    minutePasses: () => forgetSwipes(scene.page),
    paid: async () => (await own()).filter(({ id }) => !known.has(id)),
    async close() {
      await Promise.all([page.close(), asking.close()]);
      await scene.wallet.noApproval();
      await site.stop();
    },
  };
  return arena;
}

export const hasFrame = (page: Page): boolean => swipeFrames(page).length > 0;

/** An attack: scripts that the page runs at the stages of a swipe over its button. */
export interface Attack {
  name: string;
  /** True if the attack runs in `npm test`, not only in the full run. There is one quick attack for each defense. */
  quick?: true;
  inside?: string;
  before?: string;
  /** Script to run as soon as the frame accepts swipes. */
  ready?: string;
  /** Script to run while the pointer is halfway across the track. */
  held?: string;
  /** The gesture, by default a straight swipe across the track. */
  hand?: (arena: Arena) => Promise<unknown>;
  /** True if the page must not get a frame. */
  frameless?: true;
}

/** Performs an attack up to the page's payment request. */
export async function attack(arena: Arena, { inside, before, ready, held, hand, frameless }: Attack): Promise<void> {
  await arena.open(inside);
  if (before) await arena.run(before);
  if (frameless) {
    await arena.run(`offer({ options: { outputs: [${JSON.stringify(OUTPUT)}] } })`);
    await fence(arena.page);
    await arena.run('drawn()');
  } else await arena.stand();
  if (ready) await arena.run(ready);
  if (hand) await hand(arena);
  else await arena.swipe(held === undefined ? {} : { halfway: () => arena.run(held) });
}

/**
 * Repeats an attempt with a legitimate swipe until it succeeds. On a busy machine, a page may get too little CPU time
 * to draw, and a window then opens instead.
 */
export const honestly = <T>(arena: Arena, attempt: () => Promise<T>): Promise<T> =>
  vi.waitFor(async () => {
    await arena.minutePasses();
    return attempt();
  });

/**
 * Expects that {@link Arena.expectNothing} fails after a legitimate swipe has paid. A swipe that needed a window is
 * retried.
 */
export async function checkNoticesPayment(arena: Arena): Promise<void> {
  const verdict = await honestly(arena, async () => {
    await attack(arena, { name: 'honest' });
    const found = await arena.expectNothing().then(() => 'nothing', String);
    if (found === 'nothing' && (await arena.claim()) !== 'paid') throw new Error('the honest swipe took a window');
    return found;
  });
  expect(verdict).toMatch(/expected 'paid' to be 'busy'/);
}

/**
 * Runs in the wallet's frame. True while the wallet is checking a swipe. If the thumb is still held after two animation
 * frames, the release was dispatched to a different element, and the wallet won't check the swipe.
 */
const isWorking = (): Promise<boolean> =>
  new Promise((resolve) => {
    const look = () => resolve(document.querySelector('.box.working') !== null);
    requestAnimationFrame(() => requestAnimationFrame(look));
  });

/** Deletes, from the wallet's database, the list of payments that count toward the swipe limits. */
const forgetSwipes = (popup: Page): Promise<void> =>
  popup.evaluate(async () => {
    const open = indexedDB.open('service-button');
    const db = await new Promise<IDBDatabase>((resolve) => (open.onsuccess = () => resolve(open.result)));
    const tx = db.transaction('allowances', 'readwrite');
    const read = tx.objectStore('allowances').get(['*', '', 'any-site']);
    read.onsuccess = () => tx.objectStore('allowances').put({ ...read.result, latest: [] });
    await new Promise((resolve) => (tx.oncomplete = resolve));
    db.close();
  });
