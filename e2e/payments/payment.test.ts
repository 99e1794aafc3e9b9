/**
 * Tests payments by swipe, with a real page, the real extension, the real service, and a ledger that verifies
 * transactions.
 */
import { expect, test, vi } from 'vitest';
import { fromHex } from '../../protocol/bitcoin/bytes.ts';
import type { Payment } from '../../protocol/payments/payment.ts';
import { normalizedTxidOf, parseTransaction, txidOf } from '../../protocol/bitcoin/transaction.ts';
import { giveAssets } from '../drive/assets.ts';
import { ADDRESS } from '../drive/scene.ts';
import {
  approve,
  ask,
  buttonIn,
  PASSWORD,
  pressWhenReady,
  readyApproval,
  refuse,
  stored,
  swipe,
} from '../../tooling/drive/wallet.ts';
import { usePaymentScene, scene, openShop, swiped, retry } from './payment-stage.ts';

usePaymentScene();

test('[E-01] [E-02] [S-02] [S-07] [S-10] [R-03] [C-01] [C-04] [C-05] [C-06] [P-01] [P-02] [P-03] [P-04] [P-05] [P-06] [P-07] [P-08] [P-09] [P-10] [P-11] [P-12] [P-13] a swipe and an approval make a payment, which a block confirms', async () => {
  const before = await scene.paid();
  const page = await openShop({ 'button-id': 'invoice-7', 'button-data': '{"n":7}' });
  const { payments, errors, loads, lastThis } = await swiped(page, 'done', () => approve(scene.wallet));
  expect(errors).toEqual([]);
  expect(loads).toEqual([0]);
  expect(lastThis).toBe(true);
  expect(payments).toHaveLength(1);
  const [payment] = payments as [Payment];
  // 0.10 USD at 50 USD per BSV
  expect(payment).toMatchObject({
    buttonId: 'invoice-7',
    buttonData: '{"n":7}',
    status: 'RECEIVED',
    amount: '0.10',
    currency: 'USD',
    satoshis: '200000',
    outputs: [{ type: 'ADDRESS', to: ADDRESS, address: ADDRESS, satoshis: '200000' }],
  });
  expect(payment.userId).toMatch(/^\d+$/);
  expect(payment.id).toMatch(/^[\da-f-]{36}$/);
  expect(payment.cryptoOperations).toEqual([]);
  const bytes = fromHex(payment.rawtx);
  const transaction = parseTransaction(bytes);
  expect(transaction.inputs.every(({ unlockingScript }) => unlockingScript.length > 100)).toBe(true);
  expect([txidOf(bytes), normalizedTxidOf(transaction)]).toEqual([payment.txid, payment.normalizedTxid]);
  expect((await scene.paid()).filter(({ txid }) => before.every((earlier) => earlier.txid !== txid))).toEqual([
    { txid: payment.txid, satoshis: 200_000 },
  ]);

  await scene.mine();
  await ask(scene.page, 'wallet/refresh', {});
  await vi.waitFor(
    async () => {
      const { items } = await ask(scene.page, 'activity/list', { limit: 10 });
      expect(items.find(({ id }) => id === payment.id)?.status).toBe('COMPLETED');
    },
    { interval: 200 },
  );
  const { items } = await ask(scene.page, 'activity/list', { limit: 10 });
  expect(items[0]).toMatchObject({ direction: 'sent', origin: scene.site.origin, satoshis: '200000' });
});

test('[C-03] a rejected payment gives the page one error with a stable code, and a later swipe pays', async () => {
  const page = await openShop();
  const before = (await scene.paid()).length;
  const first = await swiped(page, 'error', () => refuse(scene.wallet));
  expect(first.errors.map(({ code }) => code)).toEqual(['refused']);
  await retry(page);
  await approve(scene.wallet);
  await buttonIn(page, 'done');
  expect((await scene.paid()).length).toBe(before + 1);
});

test('the window of a locked wallet rejects a wrong password, and pays with the right one', async () => {
  const popup = await scene.wallet.open('popup');
  await ask(popup, 'vault/lock', {});
  await popup.close();
  const page = await openShop();
  await swipe(page, await buttonIn(page, 'ready'));
  const approval = await readyApproval(scene.wallet);
  await approval.type('input', 'not the password');
  await pressWhenReady(approval, 'button[data-action=pay]');
  await approval.waitForSelector('[role=alert], .field-error');
  expect(await page.evaluate(() => (window as unknown as { errors: unknown[] }).errors)).toEqual([]);
  // Selects the text with a script instead of a click, because the error message has just moved the field.
  await approval.$eval('input', (field) => field.select());
  await approve(scene.wallet, PASSWORD);
  await buttonIn(page, 'done');
});

test('[R-27] [R-28] [R-29] [A-19] [C-08] dev mode succeeds without wallet or network', async () => {
  const before = (await stored(scene.page, 'payments')).length;
  const page = await openShop({ 'dev-mode': 'true' });
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.evaluate(() =>
    addEventListener('message', ({ data }) => document.body.append(`posted ${JSON.stringify(data)}`)),
  );
  const { payments, errors, loads } = await swiped(page, 'done', async () => undefined);
  expect([payments, errors, loads]).toEqual([[], [], []]);
  expect((await stored(scene.page, 'payments')).length).toBe(before);
  // The browser can request the page's icon at any time.
  expect(requests.filter((url) => !url.endsWith('/favicon.ico'))).toEqual([]);
  expect(await page.evaluate(() => document.body.innerText)).not.toContain('posted');
});

test('tokens are paid to an address and to a paymail in a window that shows them, and the recipient’s wallet finds them', async () => {
  await giveAssets(scene, scene.page);
  const [gold] = (await ask(scene.page, 'assets/list', {})).tokens;
  if (!gold) throw new Error('no token');
  const { account } = await ask(scene.page, 'wallet/overview', {});
  const outputs = [
    { to: ADDRESS, amount: '5.5', currency: gold.id },
    { to: account?.paymail, amount: '2', asset: gold.id },
  ];
  const page = await openShop({ to: '', amount: '', currency: '', outputs: JSON.stringify(outputs) });
  const button = await buttonIn(page, 'ready');
  expect(await button.evaluate(({ shadowRoot }) => shadowRoot?.querySelector('.amount')?.textContent)).toBe(
    '7.5\u00a0tokens',
  );
  await swipe(page, button);
  const window = await readyApproval(scene.wallet);
  const shown = await window.evaluate(() => document.body.innerText);
  for (const text of [gold.id, '7.5 GOLD', '5.5 GOLD', '2 GOLD', ADDRESS, account?.paymail ?? ''])
    expect(shown.replaceAll(/[\u2066-\u2069\u200b]/g, '')).toContain(text);
  await approve(scene.wallet);
  await buttonIn(page, 'done');
  const [paid] = await page.evaluate(() =>
    (globalThis as unknown as { payments: Payment[] }).payments.map(({ id, amount, satoshis, outputs: all }) => ({
      id,
      amount,
      satoshis,
      units: all.map(({ token }) => token?.units),
    })),
  );
  expect(paid).toMatchObject({ amount: '7.5', satoshis: '2', units: ['550', '200'] });

  // The service has received the report, and the recipient's host has received the payment.
  await vi.waitFor(
    async () => {
      const details = await ask(scene.page, 'activity/read', { id: paid?.id ?? '' });
      expect([details.report, details.deliveries.map(({ state }) => state)]).toEqual(['done', ['done']]);
    },
    { interval: 200 },
  );
  await ask(scene.page, 'assets/refresh', {});
  const [left] = (await ask(scene.page, 'assets/list', {})).tokens;
  expect(left).toMatchObject({ id: gold.id, word: 'chain', amount: '1234562.39' });
  const held = await fetch(`${scene.service.url}/devnet/ordinals/api/txos/address/${ADDRESS}/unspent?bsv20=true`);
  expect(await held.json()).toMatchObject([{ data: { bsv20: { id: gold.id, amt: '550', status: 1 } } }]);
});
