import { expect, test, vi } from 'vitest';
import { approve, ask, buttonIn, readyApproval, refuse, swipe } from '../../tooling/drive/wallet.ts';
import { usePaymentScene, scene, openShop, swiped, retry } from './payment-stage.ts';

usePaymentScene();

/** Deletes the fee policy, which the wallet caches for a minute. */
async function forgetPolicy(): Promise<void> {
  await scene.page.evaluate(async () => {
    const open = indexedDB.open('service-button');
    const db = await new Promise<IDBDatabase>((resolve) => (open.onsuccess = () => resolve(open.result)));
    const store = db.transaction('keyval', 'readwrite').objectStore('keyval');
    const get = store.get('network');
    await new Promise(
      (resolve) =>
        (get.onsuccess = () => (store.put({ reported: get.result.reported }, 'network').onsuccess = resolve)),
    );
    db.close();
  });
  await scene.wallet.killWorker(); // The worker also caches the policy in memory.
}

test('a payment to oneself shows only its fee, and pays nothing if the window is closed', async () => {
  const page = await openShop({ to: (await ask(scene.page, 'wallet/overview', {})).receiveAddress });
  const { errors } = await swiped(page, 'error', async () => {
    const approval = await readyApproval(scene.wallet);
    const [total, fee] = await approval.$$eval('[data-part=satoshis], [data-part=fee]', (parts) =>
      parts.map(({ textContent }) => /([\d,]+) satoshi/.exec(textContent ?? '')?.[1]),
    );
    expect(total).toMatch(/^[1-9]\d*$/);
    expect(total).toBe(fee);
    await approval.close();
  });
  expect(errors.map(({ code }) => code)).toEqual(['approval-closed']);
});

test('the window can’t pay more than the balance, and explains why', async () => {
  const page = await openShop({ amount: '5000' });
  const { errors } = await swiped(page, 'error', async () => {
    const approval = await readyApproval(scene.wallet);
    expect(await approval.$eval('button[data-action=pay]', (b) => (b as HTMLButtonElement).disabled)).toBe(true);
    await refuse(scene.wallet);
  });
  expect(errors.map(({ code }) => code)).toEqual(['refused']);
});

test('nothing is signed while the ledger is down, and a later swipe pays', async () => {
  await forgetPolicy();
  scene.faults.when(/\/devnet\/arc\//, 'refuse');
  const page = await openShop();
  await swipe(page, await buttonIn(page, 'ready'));
  const approval = await readyApproval(scene.wallet);
  expect(await approval.$eval('button[data-action=pay]', (b) => (b as HTMLButtonElement).disabled)).toBe(true);
  await refuse(scene.wallet);
  await buttonIn(page, 'error');
  scene.faults.clear();
  await retry(page);
  await approve(scene.wallet);
  await buttonIn(page, 'done');
});

test('a payment whose response from the ledger is lost is made only once', async () => {
  const before = (await scene.paid()).length;
  const page = await openShop();
  await swipe(page, await buttonIn(page, 'ready'));
  scene.faults.when(/POST .*\/arc\/v1\/tx/, 'swallow');
  await approve(scene.wallet);
  await buttonIn(page, 'done');
  expect((await scene.paid()).length).toBe(before + 1);
});

test('[R-26] [A-18] a disabled button cannot be swiped', async () => {
  const page = await openShop({ disabled: 'true' });
  await swipe(page, await buttonIn(page, 'disabled'));
  await buttonIn(page, 'disabled');
  expect(await scene.wallet.approvals()).toEqual([]);
});

test('two concurrent buttons of one site get one approval, and an error for the other', async () => {
  const [one, two] = [await openShop(), await openShop()];
  await one.bringToFront();
  await swipe(one, await buttonIn(one, 'ready'));
  await readyApproval(scene.wallet);
  await two.bringToFront();
  await swipe(two, await buttonIn(two, 'ready'));
  await buttonIn(two, 'error');
  expect(await two.evaluate(() => (window as unknown as { errors: { code: string }[] }).errors[0]?.code)).toBe('busy');
  expect((await scene.wallet.approvals()).length).toBe(1);
  await approve(scene.wallet);
  await buttonIn(one, 'done');
});

test('the badge counts an open prompt, and the popup lists it and brings its window to the front', async () => {
  const page = await openShop();
  await swipe(page, await buttonIn(page, 'ready'));
  const approval = await readyApproval(scene.wallet);
  const badge = () => scene.page.evaluate(() => chrome.action.getBadgeText({}));
  await vi.waitFor(async () => expect(await badge()).toBe('1'));
  const popup = await scene.wallet.open('popup');
  const row = await popup.waitForSelector('.open-prompt');
  expect(await row?.evaluate(({ textContent }) => textContent)).toContain(new URL(scene.site.origin).host);
  await row?.click();
  await vi.waitFor(async () => expect(await approval.evaluate(() => document.visibilityState)).toBe('visible'));
  await refuse(scene.wallet);
  await buttonIn(page, 'error');
  await vi.waitFor(async () => expect(await badge()).toBe(''));
});
