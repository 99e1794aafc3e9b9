/**
 * Tests the wallet's accessibility: Axe checks each screen, and a payment is possible with only a keyboard or a single
 * switch.
 */
import { expect, test } from 'vitest';
import { ask, buttonIn, PASSWORD, readyApproval, refuse, swipe } from '../../tooling/drive/wallet.ts';
import { useAccessibilityScene, scene, pages, looker } from './accessibility-stage.ts';

useAccessibilityScene();

test('Axe finds no violations in any state of the payment window', async () => {
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
  // The decision buttons overlay the scrolled content, but must not hide a focused element.
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
