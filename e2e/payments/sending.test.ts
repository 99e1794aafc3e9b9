/** Tests sending money from the popup, with the real worker and a ledger that verifies transactions. */
import { correction, generate } from 'lean-qr';
import { expect, test } from 'vitest';
import type { Page } from 'puppeteer-core';
import { ADDRESS } from '../drive/scene.ts';
import { ask, pressWhenReady, stored, untilGuardPasses } from '../../tooling/drive/wallet.ts';
import type { StoredPayment } from '../drive/once.ts';
import { useSendingScene, OTHER, scene, fillIn, unspent, textOf } from './sending-stage.ts';

useSendingScene();

test('[S-10] one transaction pays two addresses: the ledger shows the same amounts as the window', async () => {
  const page = await fillIn([
    { to: ADDRESS, amount: '0.10' },
    { to: OTHER, amount: '0.05' },
  ]);
  expect(await page.$$eval('[data-part=to]', (all) => all.map((one) => one.textContent))).toEqual([ADDRESS, OTHER]);
  const total = Number((await textOf(page, '[data-part=total]'))?.match(/\(([\d,]+)/)?.[1]?.replaceAll(',', ''));
  await pressWhenReady(page, '[data-action=send]');
  await page.waitForSelector('[data-part=sent]');
  const txid = await textOf(page, '[data-part=txid]');
  expect(await scene.paid()).toEqual([{ txid, satoshis: 200_000 }]);
  expect(await unspent(OTHER)).toEqual([{ txid, satoshis: 100_000 }]);
  expect(Number((await ask(page, 'wallet/overview', {})).satoshis)).toBeGreaterThanOrEqual(1_000_000 - total);
  const {
    items: [item],
  } = await ask(page, 'activity/list', { limit: 1 });
  expect(item).toMatchObject({ direction: 'sent', origin: null, txid, satoshis: '300000' });
  // The transaction is sent only to the network, not reported to the service.
  expect(scene.faults.seen.filter((line) => line.startsWith('POST /api/v2/payments'))).toEqual([]);
});

async function chooseCode(page: Page, text: string): Promise<void> {
  const code = generate(text, { minCorrectionLevel: correction.M });
  const modules = Array.from({ length: code.size * code.size }, (_, i) =>
    code.get(i % code.size, Math.floor(i / code.size)),
  );
  await page.evaluate(
    async (size, dark) => {
      const canvas = new OffscreenCanvas((size + 8) * 6, (size + 8) * 6);
      const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D;
      for (const [i, isDark] of dark.entries())
        if (isDark) context.fillRect(((i % size) + 4) * 6, (Math.floor(i / size) + 4) * 6, 6, 6);
      const chosen = new DataTransfer();
      chosen.items.add(new File([await canvas.convertToBlob()], 'code.png', { type: 'image/png' }));
      const input = document.querySelector('input[data-part=image]') as HTMLInputElement;
      input.files = chosen.files;
      input.dispatchEvent(new Event('change', { bubbles: true }));
    },
    code.size,
    modules,
  );
}

test('a contact saved from a QR code is paid from the list by keyboard', async () => {
  const { page } = scene;
  await page.bringToFront();
  await page.reload();
  await (await page.waitForSelector('.home-actions > button'))?.click();
  await (await page.waitForSelector('[data-action=scan]'))?.click();
  await page.waitForSelector('[data-part=scan]');
  await chooseCode(page, 'https://elsewhere.example/pay');
  await page.waitForSelector('[data-part=scan-outcome][data-at=unfit]');
  expect(await page.$eval('.send-to', (field) => (field as HTMLInputElement).value)).toBe('');
  await chooseCode(page, `bitcoin:${OTHER}?sv&amount=0.0007&label=Coffee`);
  await page.waitForSelector('[data-part=scan-outcome][data-at=filled]');
  const values = () =>
    page.$$eval('.send-to, .send-amount, .send-currency select', (all) =>
      all.map((one) => (one as HTMLInputElement | HTMLSelectElement).value),
    );
  expect(await values()).toEqual([OTHER, '0.0007', 'BSV']);
  // Scanning the code only fills in the form.
  const sent = async () => (await stored<StoredPayment>(page, 'payments')).length;
  const before = await sent();
  await page.click('[data-action=save-contact]');
  await page.type('[data-part=recipient] .contact-save input', 'Coffee shop');
  await page.keyboard.press('Enter');
  await page.waitForSelector('[data-part=recipient] [data-part=contact]');
  expect(await stored(page, 'contacts')).toEqual([
    { id: OTHER, to: OTHER, name: 'Coffee shop', service: null, paymail: null },
  ]);

  await page.reload();
  await (await page.waitForSelector('.home-actions > button'))?.click();
  await page.waitForSelector('[data-action=contact]');
  await page.type('.send-to', 'coffee');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  expect((await values())[0]).toBe(OTHER);
  await page.type('.send-amount', '0.02');
  await page.keyboard.down('Control');
  await page.keyboard.down('Enter');
  await page.waitForSelector('[data-action=send]');
  expect(await textOf(page, '.send-recipient')).toContain('Coffee shop');
  // A key that is still held down never confirms the payment. A new press does.
  await untilGuardPasses(page);
  await page.keyboard.down('Enter');
  expect(await page.$('[data-action=send][aria-busy=true]')).toBeNull();
  expect(await sent()).toBe(before);
  await page.keyboard.up('Enter');
  await page.keyboard.press('Enter');
  await page.keyboard.up('Control');
  await page.waitForSelector('[data-part=sent]');
  const txid = await textOf(page, '[data-part=txid]');
  expect(await unspent(OTHER)).toContainEqual({ txid, satoshis: 40_000 });
  await page.reload();
  await page.waitForSelector('.activity [data-part=contact]');
  const row = await textOf(page, '.activity');
  expect(row).toContain('Coffee shop');
});
