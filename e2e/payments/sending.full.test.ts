import { expect, test, vi } from 'vitest';
import { ADDRESS } from '../drive/scene.ts';
import { ask, pressWhenReady, stored } from '../../tooling/drive/wallet.ts';
import type { StoredPayment } from '../drive/once.ts';
import { useSendingScene, OTHER, scene, fillIn, unspent, textOf } from './sending-stage.ts';

useSendingScene();

test('one transaction is made if the worker is killed between click and response', async () => {
  const page = await fillIn([{ to: ADDRESS, amount: '0.02' }]);
  scene.faults.when(/POST .*\/arc\/v1\/tx$/, 'hold');
  const handedIn = scene.faults.next(/POST .*\/arc\/v1\/tx$/);
  await pressWhenReady(page, '[data-action=send]');
  await handedIn;
  await scene.wallet.killWorker();
  scene.faults.clear();
  // The window got no response, so the outcome is unknown. Clicking again repeats the same payment.
  await page.waitForSelector('.banner-danger');
  await pressWhenReady(page, '[data-action=send]');
  await page.waitForSelector('[data-part=sent]');
  const paid = (await scene.paid()).filter(({ satoshis }) => satoshis === 40_000);
  expect(paid).toEqual([{ txid: await textOf(page, '[data-part=txid]'), satoshis: 40_000 }]);
  const payments = (await stored<StoredPayment & { state: string }>(page, 'payments')).filter(
    ({ signed }) => signed?.txid === paid[0]?.txid,
  );
  expect(payments).toHaveLength(1);
});

test('sending the maximum leaves a balance of exactly zero', async () => {
  await vi.waitFor(
    async () =>
      expect(
        (await stored<{ status: string }>(scene.page, 'coins')).filter(
          ({ status }) => status === 'pending' || status === 'reserved',
        ),
      ).toEqual([]),
    { interval: 100 },
  );
  const before = Number((await ask(scene.page, 'wallet/overview', {})).satoshis);
  const page = await fillIn([
    { to: ADDRESS, amount: '0.01' },
    { to: OTHER, amount: null },
  ]);
  expect(await textOf(page, '[data-part=left]')).toBe('$0.00 (0 satoshis)');
  await pressWhenReady(page, '[data-action=send]');
  await page.waitForSelector('[data-part=sent]');
  const txid = await textOf(page, '[data-part=txid]');
  expect((await ask(page, 'wallet/overview', {})).satoshis).toBe('0');
  const [{ signed }] = (await stored<StoredPayment>(page, 'payments')).filter((one) => one.signed?.txid === txid) as [
    StoredPayment,
  ];
  const rest = (await unspent(OTHER)).find((one) => one.txid === txid)?.satoshis ?? 0;
  // The remaining balance is the balance minus the first recipient's amount and the fee.
  expect(rest).toBe(before - 20_000 - Number(signed?.feeSatoshis));
  expect(Number(signed?.feeSatoshis)).toBeGreaterThan(0);
});
