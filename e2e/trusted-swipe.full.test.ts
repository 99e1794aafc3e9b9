/** More of trusted-swipe.test.ts, which only the full run tries. */
import { describe, expect, test, vi } from 'vitest';
import { readyFrame, swipeInFrame } from './drive/trusted-swipe.ts';
import { ask, buttonIn, PASSWORD, refuse } from './drive/wallet.ts';
import { useTrustedSwipeScene, scene, page, button, show, covers } from './trusted-swipe-stage.ts';

useTrustedSwipeScene();

describe('the wallet’s track', () => {
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
});

describe('a swipe over it', () => {
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
