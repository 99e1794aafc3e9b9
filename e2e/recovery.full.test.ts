/** More of recovery.test.ts, which only the full run tries. */
import { expect, test } from 'vitest';
import { expectConfirmed, paymentsOf } from './drive/once.ts';
import { approve, buttonIn, pressWhenReady, readyApproval, swipe } from './drive/wallet.ts';
import { useRecoveryScene, scene, openShop, shop, latest, inState, paysOnceDespite } from './recovery-stage.ts';

useRecoveryScene();

test('killed while signed, the network has it already: counts as sent', () =>
  paysOnceDespite(async () => {
    scene.faults.when(/POST .*\/arc\/v1\/tx/, 'swallow');
    scene.faults.when(/GET .*\/arc\/v1\/tx\//, 'hold');
    const asked = scene.faults.next(/GET .*\/arc\/v1\/tx\//);
    await pressWhenReady(await readyApproval(scene.wallet), 'button[data-action=pay]');
    await asked;
    await scene.wallet.killWorker();
    scene.faults.clear();
  }));

test('killed once broadcast, before the service knows: reported by the next worker', () =>
  paysOnceDespite(async () => {
    scene.faults.when(/POST \/api\/v2\/payments/, 'hold');
    const asked = scene.faults.next(/POST \/api\/v2\/payments/);
    await pressWhenReady(await readyApproval(scene.wallet), 'button[data-action=pay]');
    await asked;
    await inState('broadcast');
    await scene.wallet.killWorker();
    scene.faults.clear();
    await inState('settled');
  }));

test('killed once settled: confirmed by the next worker', async () => {
  await openShop();
  await swipe(shop, await buttonIn(shop, 'ready'));
  await approve(scene.wallet);
  await buttonIn(shop, 'done');
  await inState('settled');
  await scene.wallet.killWorker();
  await expectConfirmed(scene);
});

test('the service is down: the page gets its payment all the same, and the report follows', async () => {
  await openShop();
  scene.faults.when(/\/api\/v2\//, 'refuse');
  await swipe(shop, await buttonIn(shop, 'ready'));
  await approve(scene.wallet);
  await buttonIn(shop, 'done');
  const [payment] = await paymentsOf(shop);
  expect(payment?.status).toBe('RECEIVED');
  expect((await latest()).state).toBe('broadcast');
  scene.faults.clear();
  await inState('settled');
});
