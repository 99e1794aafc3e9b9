/**
 * The wallet for people who use it without eyes, without a mouse, or with one key: Axe looks at every screen, light and
 * dark, and a payment is made by keys alone, also where the wallet's own track lies over the button.
 */
import { expect, test } from 'vitest';
import { ADDRESS } from './drive/scene.ts';
import { allowSwipesOnAnySite, readyFrame, swipeFrames } from './drive/trusted-swipe.ts';
import { ask, buttonIn, PASSWORD, readyApproval, refuse, swipe, untilGuardPasses } from './drive/wallet.ts';
import { useAccessibilityScene, scene, pages, looker } from './accessibility-stage.ts';

useAccessibilityScene();

test('Axe finds nothing in the window that asks for a payment, in any of its states', async () => {
  const shop = await scene.shop({ label: 'Read it', 'op-return': 'Some text', 'button-data': '{"order":7}' });
  pages.push(shop);
  await ask(scene.page, 'vault/lock', {});
  await swipe(shop, await buttonIn(shop, 'ready'));
  const approval = await readyApproval(scene.wallet);
  const { found, look } = await looker(approval);
  await approval.waitForSelector('input[type=password]');
  await look('locked');
  await ask(scene.page, 'vault/unlock', { password: PASSWORD });
  await approval.waitForSelector('.approval-decision:not(:has(input[type=password]))');
  await look('payment');
  await approval.$$eval('details', (all) => all.forEach((one) => (one.open = true)));
  await look('payment, unfolded');
  // The bar with the decision lies over what scrolls: nothing that gets the focus is left behind it.
  const hidden = await approval.evaluate(() => {
    const bar = document.querySelector('.approval-decision') as HTMLElement;
    const inside = [...document.querySelectorAll<HTMLElement>('a, button, input, select, summary, [tabindex]')].filter(
      (one) => !bar.contains(one) && one.offsetParent !== null,
    );
    return inside.flatMap((one) => {
      one.focus();
      const [{ top, bottom }, edge] = [one.getBoundingClientRect(), bar.getBoundingClientRect().top];
      return document.activeElement === one && top >= edge && bottom > edge ? [one.outerHTML.slice(0, 100)] : [];
    });
  });
  expect(hidden).toEqual([]);
  expect(found).toEqual({});
  await refuse(scene.wallet);
});

test('keys alone pay, also where the wallet’s track lies over the button: that takes no focus', async () => {
  await allowSwipesOnAnySite(scene.page);
  const page = await scene.wallet.browser.newPage();
  pages.push(page);
  scene.site.page(
    '/keys',
    `<!doctype html><html lang="en"><title>A shop</title><script src="${scene.publicUrl}/button.js" defer></script>
    <a href="#before">Before</a><div class="service-button" data-to="${ADDRESS}" data-amount="0.10" data-currency="USD" data-label="Read it"></div>
    <a href="#after">After</a></html>`,
  );
  await page.goto(`${scene.site.origin}/keys`);
  await buttonIn(page, 'ready');
  await page.mouse.move(200, 60);
  await readyFrame(page);
  await expect.poll(() => swipeFrames(page)).toHaveLength(1);
  const focused = () =>
    page.evaluate(() => {
      const element = document.activeElement?.shadowRoot?.activeElement ?? document.activeElement;
      return element?.getAttribute('role') ?? element?.textContent ?? '';
    });
  const stops: string[] = [];
  await page.focus('a');
  for (let i = 0; i < 2; i += 1) {
    await page.keyboard.press('Tab');
    stops.push(await focused());
  }
  expect(stops).toEqual([expect.stringMatching(/slider|button/), 'After']);
  // One key, as a switch has: it asks, and the window takes the same key.
  await page.keyboard.down('Shift');
  await page.keyboard.press('Tab');
  await page.keyboard.up('Shift');
  const paid = (await scene.paid()).length;
  await page.keyboard.press('Enter');
  const approval = await readyApproval(scene.wallet);
  await untilGuardPasses(approval);
  await approval.focus('button[data-action=pay]');
  await approval.keyboard.press('Enter');
  await buttonIn(page, 'done');
  expect((await scene.paid()).length).toBe(paid + 1);
});
