/** The wallet's own track over buttons: where it stands, what it looks like, and what it leaves alone. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Page } from 'puppeteer-core';
import { MOST_SWIPE_FRAMES } from '../protocol/wire.ts';
import { ADDRESS, setScene, type Scene } from './drive/scene.ts';
import { onStage } from './drive/stage.ts';
import {
  allowSwipesOnAnySite,
  dragByTouch,
  placeOf,
  readyFrame,
  swipeFrames,
  swipeInFrame,
  type Place,
} from './drive/trusted-swipe.ts';
import { makeVisits } from './drive/visits.ts';
import { ask, buttonIn, PASSWORD, refuse } from './drive/wallet.ts';

let scene: Scene;
let page: Page;
const visits = makeVisits(() => scene);

onStage(
  async () => {
    scene = await setScene({ satoshis: 5_000_000 });
    await allowSwipesOnAnySite(scene.page);
  },
  () => scene?.end(),
);
beforeEach(async () => {
  page = await scene.wallet.browser.newPage();
  visits.closeLater(page);
});
afterEach(async () => {
  await visits.end();
});

const button = (amount = '0.10') =>
  `<div class="service-button" data-to="${ADDRESS}" data-amount="${amount}" data-currency="USD" data-label="Buy"></div>`;

/** Shows a page of these buttons. */
async function show(body: string, { html = 'lang="en"', head = '' } = {}): Promise<void> {
  scene.site.page(
    '/tracks',
    `<!doctype html><html ${html}><head><meta charset="utf-8"><title>A shop</title>${head}
    <script src="${scene.publicUrl}/button.js" defer></script></head><body>${body}</body></html>`,
  );
  await page.goto(`${scene.site.origin}/tracks`);
}

interface Standing {
  /** Hosts of frames that are shown, and the tracks of buttons, in the order of the document. */
  hosts: Place[];
  tracks: Place[];
  /** How far down the page goes. */
  height: number;
}

/** Where everything is, rounded to whole pixels. */
const standing = (): Promise<Standing> =>
  page.evaluate(() => {
    const places = (elements: Element[]) =>
      elements.map((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        return { x: Math.round(x), y: Math.round(y), width: Math.round(width), height: Math.round(height) };
      });
    const { scrollHeight, children } = document.documentElement;
    return {
      hosts: places(
        [...children].filter((one) => one.matches(':popover-open') && getComputedStyle(one).opacity === '1'),
      ),
      tracks: places([...document.querySelectorAll('.service-button')]),
      height: scrollHeight,
    };
  });

/** Waits until exactly these buttons have a frame over them, where they are. */
const covers = (...numbers: number[]) =>
  vi.waitFor(async () => {
    const { hosts, tracks } = await standing();
    expect(hosts).toHaveLength(numbers.length);
    expect(hosts).toEqual(expect.arrayContaining(numbers.map((number) => tracks[number])));
  });

describe('the wallet’s track', () => {
  test('stays over its button through scrolling, in boxes too, resizing, and whatever moves or scales it', async () => {
    await show(`<div id="box" style="block-size:200px;overflow:auto"><p id="above"></p>${button()}<p style="block-size:900px">
      </div><p style="block-size:3000px"></p>`);
    await covers(0);
    const { height } = await standing();
    for (const change of [
      'scrollTo(0, 20)',
      'scrollTo(0, 0)',
      'box.scrollTop = 5',
      'box.scrollTop = 0; above.style.blockSize = "33.3px"',
      'document.body.style.zoom = 0.9',
      'document.body.style.cssText = "transform: scale(1.1); transform-origin: 0 0"',
      'document.body.style.cssText = "position: fixed; inset-block-start: 30px; inset-inline: 60px"',
      'document.body.style.cssText = "text-align: center"',
    ]) {
      await page.evaluate(change);
      await covers(0);
    }
    await page.setViewport({ width: 700, height: 500 });
    await covers(0);
    expect((await standing()).height).toBe(height);
    // Partly outside of what the box shows, and beneath what stays while the page scrolls, there is the button alone.
    await page.evaluate('box.scrollTop = 90');
    await covers();
    await page.evaluate('box.scrollTop = 0');
    await covers(0);
    await page.evaluate(() => {
      const head = document.createElement('div');
      head.style.cssText = 'position: fixed; inset: 0 0 auto; block-size: 100px; background: white';
      document.body.append(head);
    });
    await covers();
  });

  test('comes to where the hand is, over three buttons at most, and goes with its button', async () => {
    await page.setViewport({ width: 600, height: 900 });
    await show(Array.from({ length: 12 }, () => `<p>${button()}</p>`).join(''));
    await vi.waitFor(async () => expect((await standing()).hosts).toHaveLength(MOST_SWIPE_FRAMES));
    for (const number of [0, 11]) {
      const { tracks } = await standing();
      await page.mouse.move(200, tracks[number]!.y + 20, { steps: 3 });
      await vi.waitFor(async () => {
        const { hosts } = await standing();
        expect(hosts).toContainEqual(tracks[number]);
        expect(hosts.length).toBeLessThanOrEqual(MOST_SWIPE_FRAMES);
      });
    }
    await page.$$eval('.service-button', (all) => all.forEach((one, number) => number > 0 && one.remove()));
    await covers(0);
    await page.$eval('.service-button', (one) => (one as HTMLElement).setAttribute('data-disabled', 'true'));
    await covers();
    await page.$eval('.service-button', (one) => (one as HTMLElement).setAttribute('data-disabled', 'false'));
    await covers(0);
  });

  test('is not in print, nor over a page behind a dialog, nor in a tab that nobody sees', async () => {
    await show(button());
    await covers(0);
    await page.emulateMediaType('print');
    await covers();
    await page.emulateMediaType();
    await covers(0);
    await page.evaluate(() => document.body.append(document.createElement('dialog')));
    await page.$eval('dialog', (dialog) => dialog.showModal());
    await covers();
    await page.$eval('dialog', (dialog) => dialog.close());
    await covers(0);
    const other = await scene.wallet.browser.newPage();
    visits.closeLater(other);
    await other.bringToFront();
    await vi.waitFor(() => expect(swipeFrames(page)).toEqual([]));
    await page.bringToFront();
    await covers(0);
  });

  test.each([
    ['light, from left to right', '', 'lang="en"', ''],
    ['dark, from right to left, with colours and corners of the page', 'dark', 'lang="ar" dir="rtl"', 'own'],
  ] as const)('looks like the button beneath: %s', async (_, scheme, html, own) => {
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme || 'light' }]);
    const style = own && '.service-button{--sb-accent:#dda3ee;--sb-radius:8px;--sb-height:56px;--sb-font-size:16px}';
    await show(button(), { html, head: `<style>:root{color-scheme:light dark}${style}</style>` });
    await covers(0);
    const frame = await readyFrame(page);
    // A colour takes a moment to become what it is.
    await vi.waitFor(async () => {
      const beneath = await page.$eval('.service-button', (element) => {
        const part = (name: string) => getComputedStyle(element.shadowRoot!.querySelector(`[part~=${name}]`)!);
        const { direction, fontSize } = getComputedStyle(element);
        return { direction, fontSize, accent: part('fill').backgroundColor, paper: part('thumb').backgroundColor };
      });
      const above = await frame.evaluate(() => {
        const part = (name: string) => getComputedStyle(document.querySelector(`.${name}`)!);
        return {
          direction: part('box').direction,
          fontSize: part('amount').fontSize,
          accent: part('fill').backgroundColor,
          paper: part('thumb').backgroundColor,
        };
      });
      expect(above).toEqual(beneath);
    });
  });

  test('takes nothing else of the page: neither focus nor keys, nor a name, nor a place in its frames', async () => {
    await show(`<input>${button()}`);
    await covers(0);
    await buttonIn(page, 'ready');
    await page.focus('input');
    await page.keyboard.press('Tab');
    const seen = await page.evaluate(() => ({
      focus: document.activeElement?.className,
      frames: window.length,
      named: document.querySelectorAll('iframe').length,
      resources: performance.getEntries().filter(({ name }) => name.includes('extension')).length,
    }));
    expect(seen).toEqual({ focus: 'service-button', frames: 0, named: 0, resources: 0 });
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true);
  });
});

describe('a swipe over it', () => {
  const windows = () => scene.wallet.approvalCount().ever;

  test.each(['mouse', 'finger'])('with a %s pays, without a window', async (hand) => {
    const [paid, opened] = [(await scene.paid()).length, windows()];
    await show(button());
    const host = await buttonIn(page, 'ready');
    if (hand === 'mouse') await swipeInFrame(page, host);
    else {
      await covers(0);
      await readyFrame(page);
      await dragByTouch(await page.createCDPSession(), await placeOf(host));
    }
    await buttonIn(page, 'done');
    expect((await scene.paid()).length).toBe(paid + 1);
    expect(windows()).toBe(opened);
    // Whom and how much, once the button's own words have had their time; then the button is there again.
    await covers(0);
    const [frame] = swipeFrames(page);
    expect(await frame!.$eval('.label', (label) => (label as HTMLElement).innerText)).toMatch(/^Paid \$0\.10\s+[mn]/);
    if (hand === 'finger') return covers();
    const opens = scene.wallet.browser.waitForTarget((target) => target.url().includes('#payment='));
    await frame!.click('.details');
    const details = await (await opens).page();
    visits.closeLater(details!);
    await details!.waitForFunction((to) => document.body.innerText.includes(to), {}, ADDRESS);
    await vi.waitFor(() => expect(swipeFrames(page)).toEqual([]));
  });

  test('of more than the user allows goes before them in a window, and the page learns nothing of limits', async () => {
    const paid = (await scene.paid()).length;
    await show(button('1.20'));
    await swipeInFrame(page, await buttonIn(page, 'ready'));
    await refuse(scene.wallet);
    await buttonIn(page, 'error');
    expect((await scene.paid()).length).toBe(paid);
  });

  test('is none while the wallet is locked: the button has its own track, and gets the wallet’s when it is unlocked', async () => {
    await show(button());
    await covers(0);
    await ask(scene.page, 'vault/lock', {});
    await covers();
    await ask(scene.page, 'vault/unlock', { password: PASSWORD });
    await page.mouse.move(5, 300);
    await covers(0);
  });
});
