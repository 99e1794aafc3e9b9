/** Tests the appearance, accessible name and behavior of a button in each state, in a real browser. */
import { describe, expect, test } from 'vitest';
import { ADDRESS } from '../drive/scene.ts';
import { buttonIn, swipe } from '../../tooling/drive/wallet.ts';
import { useStates, PAYS, page, visit, keyboard, inButton, showState } from './states-stage.ts';

useStates();

describe('swiping', () => {
  test('by mouse pays', async () => {
    await visit(`<div class="service-button" ${PAYS}></div>`);
    await swipe(page, await buttonIn(page, 'ready'));
    await buttonIn(page, 'done');
  });

  test('by touch pays, unless the finger leaves the screen too early', async () => {
    await visit(`<div class="service-button" ${PAYS}></div>`);
    const { x, y, width } = (await (await buttonIn(page, 'ready')).boundingBox())!;
    const drag = async (to: number, down = 0) => {
      await page.touchscreen.touchStart(x + 24, y + 24);
      for (let step = 1; step <= 8; step += 1)
        await page.touchscreen.touchMove(x + 24 + ((to - 24) * step) / 8, y + 24 + (down * step) / 8);
      await page.touchscreen.touchEnd();
    };
    await drag(width / 2);
    await buttonIn(page, 'ready');
    await drag(width - 4);
    await buttonIn(page, 'done');
  });

  test('by keyboard pays: arrows move the thumb, Escape resets it, End completes the swipe', async () => {
    await visit(`<div class="service-button" ${PAYS}></div>`);
    await buttonIn(page, 'ready');
    const value = () => inButton((root) => root.querySelector('[role=slider]')!.getAttribute('aria-valuenow'));
    await keyboard('Tab', 'ArrowRight', 'ArrowRight', 'ArrowLeft');
    expect(await value()).toBe('10');
    await keyboard('Escape');
    expect(await value()).toBe('0');
    await keyboard('End');
    await buttonIn(page, 'done');
  });
});

describe('screen readers announce', () => {
  test('the button’s name and its outcome', async () => {
    await showState('done');
    const { role, name } = (await page.accessibility.snapshot({ interestingOnly: true }))!.children!.find(
      (node) => node.role === 'slider',
    )!;
    expect([role, name]).toEqual(['slider', 'Swipe to pay $0.10: Read on']);
    expect(await inButton((root) => root.querySelector('[aria-live]')!.textContent)).toBe("It's yours! Paid $0.10.");
  });
});

test('the panel for paying by phone shows a payment link, and returns the focus when Escape closes it', async () => {
  await visit(
    `<div class="service-button" data-to="${ADDRESS}" data-amount="0.002" data-currency="BSV" data-label="Read & pay"></div>`,
    { walletless: true },
  );
  await buttonIn(page, 'no-wallet');
  await keyboard('Tab', 'Tab', 'Enter');
  await page.waitForFunction(() => document.querySelector('.service-button')!.shadowRoot!.querySelector('dialog svg'));
  expect(await inButton((root) => root.querySelector('dialog a')!.getAttribute('href'))).toBe(
    `bitcoin:${ADDRESS}?sv&amount=0.002&label=Read%20%26%20pay`,
  );
  expect(await inButton((root) => root.activeElement?.textContent)).toBe('Close');
  await keyboard('Escape');
  await page.waitForFunction(() => !document.querySelector('.service-button')!.shadowRoot!.querySelector('dialog'));
  expect(await inButton((root) => root.activeElement?.getAttribute('aria-label'))).toBe('Pay by phone');
});
