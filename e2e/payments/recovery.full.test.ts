import { expect, test } from 'vitest';
import { expectConfirmed, paymentsOf } from '../drive/once.ts';
import { approve, buttonIn, pressWhenReady, readyApproval, swipe } from '../../tooling/drive/wallet.ts';
import { useRecoveryScene, scene, openShop, shop, latest, inState, paysOnceDespite } from './recovery-stage.ts';

useRecoveryScene();

test('a worker killed between signing and sending finds that the network has the transaction', () =>
  paysOnceDespite(async () => {
    scene.faults.when(/POST .*\/arc\/v1\/tx/, 'swallow');
    scene.faults.when(/GET .*\/arc\/v1\/tx\//, 'hold');
    const asked = scene.faults.next(/GET .*\/arc\/v1\/tx\//);
    await pressWhenReady(await readyApproval(scene.wallet), 'button[data-action=pay]');
    await asked;
    await scene.wallet.killWorker();
    scene.faults.clear();
  }));

test('a payment is reported by the next worker if the first one is killed after the broadcast', () =>
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

test('a payment is confirmed by the next worker if the first one is killed after the report', async () => {
  await openShop();
  await swipe(shop, await buttonIn(shop, 'ready'));
  await approve(scene.wallet);
  await buttonIn(shop, 'done');
  await inState('settled');
  await scene.wallet.killWorker();
  await expectConfirmed(scene);
});

test('the page gets its payment while the service is down, and the report follows', async () => {
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

test('a payment is paid once, by the same window, if the worker is killed after the request', () =>
  paysOnceDespite(async () => {
    await scene.wallet.killWorker();
    expect((await latest()).state).toBe('requested');
    expect((await scene.wallet.approvals()).length).toBe(1);
    await approve(scene.wallet);
  }));

test('a payment is signed and sent by the next worker if the first one is killed after the approval', () =>
  paysOnceDespite(async () => {
    await scene.wallet.killWorker();
    // Simulates a worker killed between approval and signing, an interval too short to hit from outside.
    await scene.page.evaluate(async () => {
      const open = indexedDB.open('service-button');
      const db = await new Promise<IDBDatabase>((resolve) => (open.onsuccess = () => resolve(open.result)));
      const tx = db.transaction(['payments', 'prompts'], 'readwrite');
      const [payments, prompts] = [tx.objectStore('payments'), tx.objectStore('prompts')];
      const [records, waiting] = [payments.getAll(), prompts.getAll()];
      await new Promise((resolve) => {
        tx.oncomplete = resolve;
        waiting.onsuccess = () => {
          const record = records.result.find((one) => one.state === 'requested');
          const prompt = waiting.result.find((one) => one.message === record.id);
          const { feeSatoshis: feeLimit } = prompt.details;
          payments.put({ ...record, state: 'approved', approvedAt: Date.now(), feeLimit, unfinished: 1 });
          prompts.delete([prompt.origin, prompt.message]);
        };
      });
      db.close();
    });
    const [approval] = await scene.wallet.approvals();
    await approval?.close();
  }));
