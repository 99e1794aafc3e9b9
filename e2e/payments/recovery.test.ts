/**
 * Kills the service worker in each state of a payment. After each kill, there must be exactly one transaction, and no
 * coin may be lost.
 */
import { expect, test } from 'vitest';
import { expectConfirmed, lookBefore } from '../drive/once.ts';
import { approve, buttonIn, pressWhenReady, readyApproval, swipe } from '../../tooling/drive/wallet.ts';
import { useRecoveryScene, scene, openShop, shop, latest, inState, paysOnceDespite } from './recovery-stage.ts';

useRecoveryScene();

test('the next worker sends the same bytes again if the first one is killed before the network responds', () =>
  paysOnceDespite(async () => {
    scene.faults.when(/POST .*\/arc\/v1\/tx/, 'hold');
    const asked = scene.faults.next(/POST .*\/arc\/v1\/tx/);
    await pressWhenReady(await readyApproval(scene.wallet), 'button[data-action=pay]');
    await asked;
    await inState('signed');
    const { signed } = await latest();
    await scene.wallet.killWorker();
    scene.faults.clear();
    await inState('settled');
    expect((await latest()).signed?.txid).toBe(signed?.txid);
  }));

test('a payment that the network rejects can be canceled in the popup, and then can never be mined', async () => {
  const before = await lookBefore(scene);
  await openShop();
  scene.faults.when(/POST .*\/arc\/v1\/tx/, { status: 461, body: { status: 461, title: 'Malformed transaction' } });
  await swipe(shop, await buttonIn(shop, 'ready'));
  await approve(scene.wallet);
  const failed = await buttonIn(shop, 'error');
  expect(await failed.evaluate((host) => host.shadowRoot?.textContent)).toContain('Not accepted');
  scene.faults.clear();
  const { id, signed } = await latest();
  const popup = await scene.wallet.open('popup');
  const row = `.activity[data-id="${id}"]`;
  await popup.locator(`${row} > summary`).click();
  await popup.locator(`${row} [data-action=cancel-payment]`).click();
  await popup.locator(`${row} [data-action=cancel-yes]`).click();
  await popup.waitForSelector(`${row} .muted ::-p-text(cancellation is on its way)`);
  await inState('settled'); // the cancellation has settled
  const { rawtx } = signed as unknown as { rawtx: string };
  const late = await fetch(`${scene.service.url}/devnet/arc/v1/tx`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ rawTx: rawtx }),
  });
  expect(late.status).not.toBe(200);
  await expectConfirmed(scene);
  await popup.waitForSelector(`${row} .badge-danger`);
  expect((await scene.paid()).length).toBe(before.paid);
  const fee = BigInt((await latest()).signed?.feeSatoshis ?? 0);
  expect((await lookBefore(scene)).satoshis).toBe(before.satoshis - fee);
  await popup.close();
});
