import { describe, expect, test, vi } from 'vitest';
import { readyFrame, swipeInFrame, swipeFrames } from '../../tooling/drive/trusted-swipe.ts';
import { ask, buttonIn, PASSWORD, refuse } from '../../tooling/drive/wallet.ts';
import { useTrustedSwipeScene, scene, page, button, show, covers, visits, standing } from './trusted-swipe-stage.ts';
import { MAX_SWIPE_FRAMES } from '../../protocol/messages/wire.ts';

useTrustedSwipeScene();

describe('the wallet’s track', () => {
  test.each([
    ['light, from left to right', '', 'lang="en"', ''],
    ['dark, from right to left, with the page’s colors and radius', 'dark', 'lang="ar" dir="rtl"', 'own'],
  ] as const)('looks like the button beneath: %s', async (_, scheme, html, own) => {
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme || 'light' }]);
    const style = own && '.service-button{--sb-accent:#dda3ee;--sb-radius:8px;--sb-height:56px;--sb-font-size:16px}';
    await show(button(), { html, head: `<style>:root{color-scheme:light dark}${style}</style>` });
    await covers(0);
    const frame = await readyFrame(page);
    // The color changes gradually.
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

describe('a swipe over the wallet’s track', () => {
  test('a swipe above the user’s limits is confirmed in a window, and the page learns nothing of limits', async () => {
    const paid = (await scene.paid()).length;
    await show(button('1.20'));
    await swipeInFrame(page, await buttonIn(page, 'ready'));
    await refuse(scene.wallet);
    await buttonIn(page, 'error');
    expect((await scene.paid()).length).toBe(paid);
  });

  test('a swipe isn’t possible while the wallet is locked: the button has its own track, and gets the wallet’s when it is unlocked', async () => {
    await show(button());
    await covers(0);
    await ask(scene.page, 'vault/lock', {});
    await covers();
    await ask(scene.page, 'vault/unlock', { password: PASSWORD });
    await page.mouse.move(5, 300);
    await covers(0);
  });
});

describe('the wallet’s track', () => {
  test('appears near the pointer, over at most three buttons, and disappears with its button', async () => {
    await page.setViewport({ width: 600, height: 900 });
    await show(Array.from({ length: 12 }, () => `<p>${button()}</p>`).join(''));
    await vi.waitFor(async () => expect((await standing()).hosts).toHaveLength(MAX_SWIPE_FRAMES));
    for (const number of [0, 11]) {
      const { tracks } = await standing();
      await page.mouse.move(200, tracks[number]!.y + 20, { steps: 3 });
      await vi.waitFor(async () => {
        const { hosts } = await standing();
        expect(hosts).toContainEqual(tracks[number]);
        expect(hosts.length).toBeLessThanOrEqual(MAX_SWIPE_FRAMES);
      });
    }
    await page.$$eval('.service-button', (all) => all.forEach((one, number) => number > 0 && one.remove()));
    await covers(0);
    await page.$eval('.service-button', (one) => (one as HTMLElement).setAttribute('data-disabled', 'true'));
    await covers();
    await page.$eval('.service-button', (one) => (one as HTMLElement).setAttribute('data-disabled', 'false'));
    await covers(0);
  });

  test('the wallet’s track is absent in print, over a page behind a dialog, and in a hidden tab', async () => {
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
});
