/** Tests the position, appearance and limits of the wallet's own track over buttons. */
import { describe, expect, test, vi } from 'vitest';
import { PATIENCE_MS } from '../../testing/patience.ts';
import { ADDRESS } from '../drive/scene.ts';
import { dragByTouch, placeOf, readyFrame, swipeFrames, swipeInFrame } from '../../tooling/drive/trusted-swipe.ts';
import { buttonIn, refuse } from '../../tooling/drive/wallet.ts';
import { useTrustedSwipeScene, scene, page, visits, button, show, standing, covers } from './trusted-swipe-stage.ts';

useTrustedSwipeScene();

describe('the wallet’s track', () => {
  test('stays over its button when the page scrolls, resizes, moves or scales it', async () => {
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
    // A button gets no frame if its scroll container clips it or a fixed element covers it.
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

  test('takes no focus, and is neither a frame nor a resource that the page can see', async () => {
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

describe('a swipe over the wallet’s track', () => {
  const windows = () => scene.wallet.approvalCount().ever;

  async function swipeBy(hand: string): Promise<void> {
    const host = await buttonIn(page, 'ready');
    if (hand === 'mouse') return void (await swipeInFrame(page, host));
    await covers(0);
    await readyFrame(page);
    await dragByTouch(await page.createCDPSession(), await placeOf(host));
  }

  /** Swipes until a swipe pays. If the page gets too little CPU time to draw, a window opens instead. */
  async function payBySwipe(hand: string): Promise<void> {
    for (let left = 5; ; left--) {
      const opened = windows();
      await swipeBy(hand);
      const isPaid = await Promise.any([
        buttonIn(page, 'done').then(() => true),
        vi.waitUntil(() => windows() > opened, { timeout: PATIENCE_MS }).then(() => false),
      ]);
      if (isPaid) return expect(windows()).toBe(opened);
      expect(left, 'swipes that may take a window').toBeGreaterThan(0);
      await refuse(scene.wallet);
      await show(button());
    }
  }

  test.each(['mouse', 'finger'])('a swipe with a %s pays, without a window', async (hand) => {
    const paid = (await scene.paid()).length;
    await show(button());
    await payBySwipe(hand);
    expect((await scene.paid()).length).toBe(paid + 1);
    // The frame then shows the recipient and the amount, after the button's own message and before the button
    // reappears.
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
});
