/**
 * Tests pages with many buttons, buttons that are added later, frames or unusual scripts, and pages in the back/forward
 * cache.
 */
import { describe, expect, test } from 'vitest';
import type { Payment } from '../../protocol/payments/payment.ts';
import { ADDRESS } from '../drive/scene.ts';
import { approve, buttonIn } from '../../tooling/drive/wallet.ts';
import {
  useShopPages,
  PAYS,
  CALLBACKS,
  scene,
  page,
  visit,
  payments,
  pay,
  visitWithTurbo,
  leaveAndReturn,
} from './pages-stage.ts';

useShopPages();

const SECOND_ADDRESS = 'mkHS9ne12qx9pS9VojpwU5xtRd4T7X7ZUt';

describe('a button pays', () => {
  test('[S-12] [A-07] [R-31] [R-32] several recipients in the given order, with the change last', async () => {
    const outputs = [
      { address: SECOND_ADDRESS, amount: '0.02', currency: 'USD' },
      { to: ADDRESS, amount: '0.01', currency: 'USD' },
    ];
    await visit(
      `<div class="service-button" data-outputs='${JSON.stringify(outputs)}' data-preserve-order="true" data-on-payment="onPay"></div>`,
    );
    await pay();
    const [payment] = await payments();
    expect(payment).toMatchObject({
      amount: '0.03',
      currency: 'USD',
      satoshis: '60000',
      outputs: [
        { address: SECOND_ADDRESS, satoshis: '40000' },
        { address: ADDRESS, satoshis: '20000' },
      ],
    });
    const values = outputsOf(payment!.rawtx);
    expect(values.slice(0, 2)).toEqual([40_000, 20_000]);
    // The change is split into several outputs, because the wallet has few coins.
    const fee = 20_000_000 - values.reduce((all, value) => all + value, 0);
    expect(values.length).toBeGreaterThan(2);
    expect(fee).toBeGreaterThan(0);
    expect(fee).toBeLessThan(1_000);
  });
});

test('buttons in frames of the same site and of another site are paid separately', async () => {
  scene.site.page(
    '/inner',
    `<!doctype html><html lang="en"><head><title>Inner</title>${CALLBACKS}</head><body><div class="service-button" ${PAYS} data-button-id="inner"></div><script src="${scene.publicUrl}/button.js"></script></body></html>`,
  );
  await visit(`<iframe src="/inner" width="400" height="120" title="Inner"></iframe>`);
  const frame = await (await page.waitForSelector('iframe'))!.contentFrame();
  await frame.waitForSelector('.service-button[data-state=ready]');
  await frame.focus('.service-button >>> [role=slider]');
  await page.keyboard.press('End');
  await approve(scene.wallet);
  await frame.waitForSelector('.service-button[data-state=done]');
  expect(
    await frame.evaluate(() => (window as unknown as { payments: Payment[] }).payments.map(({ buttonId }) => buttonId)),
  ).toEqual(['inner']);
});

test('a page restored from the back/forward cache pays', async () => {
  scene.site.page('/elsewhere', '<!doctype html><title>Elsewhere</title>');
  await visit(`<div class="service-button" ${PAYS}></div>`, {
    before: `<script>addEventListener('pageshow', (event) => { window.wasKept = event.persisted; });</script>`,
  });
  await buttonIn(page, 'ready');
  await page.goto(`${scene.site.origin}/elsewhere`);
  await page.goBack();
  await buttonIn(page, 'ready');
  expect(await page.evaluate(() => (window as unknown as { wasKept: boolean }).wasKept)).toBe(true);
  await pay();
  expect(await payments()).toHaveLength(1);
});

test('a cached page doesn’t offer what has been paid on a newer copy of it', async () => {
  scene.site.page('/elsewhere', '<!doctype html><title>Elsewhere</title>');
  await visit(`<div class="service-button" ${PAYS}></div>`, {
    before: `<script>addEventListener('pageshow', (event) => { window.wasKept = event.persisted; });</script>`,
  });
  await buttonIn(page, 'ready');
  const url = page.url();
  await page.goto(`${scene.site.origin}/elsewhere`);
  await page.goto(url);
  await buttonIn(page, 'ready');
  await pay();
  await page.goBack();
  await page.goBack();
  expect(page.url()).toBe(url);
  expect(await page.evaluate(() => (window as unknown as { wasKept: boolean }).wasKept)).toBe(true);
  await buttonIn(page, 'done');
});

test('a paid button restored from a Turbo snapshot is still paid', async () => {
  await visitWithTurbo();
  await pay();
  await leaveAndReturn();
  await buttonIn(page, 'done');
  expect(await payments()).toHaveLength(1);
});

function outputsOf(rawtx: string): number[] {
  const bytes = Buffer.from(rawtx, 'hex');
  let at = 4;
  const size = () => bytes[at++]!;
  for (let inputs = size(); inputs > 0; inputs -= 1) {
    at += 36;
    const script = size();
    at += script + 4;
  }
  return Array.from({ length: size() }, () => {
    const value = Number(bytes.readBigUInt64LE(at));
    at += 8;
    const script = size();
    at += script;
    return value;
  });
}
