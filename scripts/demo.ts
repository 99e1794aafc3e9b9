/**
 * `npm run demo`: demonstrates the product in a headless browser: a new wallet, an account, coins from the faucet, the
 * demo shop, payments with an approval and with a single swipe, a confirmation, and a payment to a paymail. Saves
 * screenshots in demo-output/.
 */
import { mkdir, rm } from 'node:fs/promises';
import type { Page } from 'puppeteer-core';
import { needBrowser } from '../tooling/system.ts';

process.env.CHROME_PATH = needBrowser();
const OUTPUT = 'demo-output';
let number = 0;

/** Prints a completed step and takes a screenshot. */
async function done(what: string, page?: Page): Promise<void> {
  number += 1;
  console.log(`${String(number).padStart(2)}. ${what}`);
  if (page)
    await page.screenshot({
      path: `${OUTPUT}/${String(number).padStart(2, '0')}-${what
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, '-')
        .slice(0, 50)}.png`,
    });
}

await rm(OUTPUT, { recursive: true, force: true });
await mkdir(OUTPUT, { recursive: true });
console.log('Building the extension and the button …');
const { buildAll } = await import('./build.ts');
const { lastServiceAddress } = await import('./build-wallet.ts');
await buildAll(await lastServiceAddress());
const { startService } = await import('../tooling/drive/service.ts');
const { launchWallet } = await import('../tooling/drive/browser.ts');
const { ask, buttonIn, pressWhenReady, readyApproval, swipe } = await import('../tooling/drive/wallet.ts');
const { allowSwipesOnAnySite, paidFrame, readyFrameOver, swipeInFrame } =
  await import('../tooling/drive/trusted-swipe.ts');
const { until } = await import('../testing/patience.ts');
const { registerPerson } = await import('../tooling/drive/person.ts');
const { createWalletByHand } = await import('../tooling/drive/onboarding.ts');

const service = await startService({ BLOCK_INTERVAL_MS: '2000' });
const wallet = await launchWallet();
try {
  await done(`The service runs on ${service.url}, with its own network`);
  const { page } = await createWalletByHand(wallet, {
    serviceUrl: service.url,
    password: 'violet-harbour-mango-42',
    handle: 'ada',
  });
  await done('A new wallet, its words checked, and an account', page);

  const popup = await wallet.open('popup');
  await popup.setViewport({ width: 360, height: 600 });
  await popup.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }]); // no half-faded screenshots
  await ask(popup, 'wallet/faucet', { satoshis: 5_000_000 });
  await popup.waitForFunction(() => document.body.innerText.includes('5,000,000 satoshis'));
  await done('Coins from the faucet: 5,000,000 satoshis', popup);

  const shop = await wallet.browser.newPage();
  await shop.goto(`${service.url}/shop`);
  const button = await buttonIn(shop, 'ready');
  await done('The demo shop with ready buttons', shop);

  await shop.evaluate(() => {
    const page = window as unknown as { onShopPayment(payment: unknown): void; payment: unknown };
    const given = page.onShopPayment;
    page.onShopPayment = (payment) => {
      page.payment = payment;
      given(payment);
    };
  });
  await swipe(shop, button);
  const approval = await readyApproval(wallet);
  await approval.setViewport({ width: 420, height: 680 });
  await done('Swiped: the approval window opens', approval);
  await pressWhenReady(approval, 'button[data-action=pay]');

  await buttonIn(shop, 'done');
  await wallet.noApproval();
  await shop.bringToFront();
  await shop.waitForFunction(() => document.querySelector('#receipt')?.textContent?.trim());
  await done('Paid: the button and the shop show it', shop);
  const payment = await shop.evaluate(() => (window as unknown as { payment: unknown }).payment);

  const { items } = await ask(popup, 'activity/list', { limit: 1 });
  const record = items[0];
  if (record?.direction !== 'sent' || !record.txid) throw new Error('the payment is not in the activity');
  await popup.bringToFront();
  // The row for the faucet's coins may already show "Confirmed".
  await until('a block contains the payment', async () => {
    const activity = await ask(popup, 'activity/list', { limit: 1 });
    return activity.items[0]?.status === 'COMPLETED';
  });
  await popup.waitForFunction(() => document.querySelector('.activity summary')?.textContent?.includes('Confirmed'));
  await done('A block contains it, and the wallet checked its merkle path', popup);

  const status = (await (await fetch(`${service.url}/devnet/arc/v1/tx/${record.txid}`)).json()) as {
    txStatus: string;
    blockHeight: number;
  };
  if (status.txStatus !== 'MINED') throw new Error(`the network's status is ${status.txStatus}`);

  await allowSwipesOnAnySite(popup);
  const windows = wallet.approvalCount().ever;
  // Items paid in the first tab stay paid in that tab.
  const tab = await wallet.browser.newPage();
  await tab.goto(`${service.url}/shop`);
  const again = await buttonIn(tab, 'ready');
  await readyFrameOver(tab, again);
  await done('Swipes may pay up to $1 without a window: the wallet’s own track covers the button', tab);
  await swipeInFrame(tab, again);
  await buttonIn(tab, 'done');
  if (wallet.approvalCount().ever > windows) throw new Error('the swipe did not pay by itself: a window opened');
  await done('Paid by only the swipe', tab);
  const paid = await paidFrame(tab);
  await tab.waitForFunction(() =>
    [...document.documentElement.children].some(
      (one) => one.matches(':popover-open') && getComputedStyle(one).opacity === '1',
    ),
  );
  // Waits for the button's fill animation.
  await paid.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => null))));
  await done('For ten seconds the wallet shows recipient and amount, with a link to the details', tab);

  await registerPerson(service.url, 'bob', 'Bob Cratchit');
  await popup.bringToFront();
  await popup.click('.home-actions > button');
  await (await popup.waitForSelector('.send-to'))?.type('bob@localhost');
  await popup.type('.send-amount', '0.20');
  await popup.click('[data-action=review]');
  await popup.waitForSelector('[data-action=send]');
  await done('Sending to a paymail: its host provides the name', popup);
  await pressWhenReady(popup, '[data-action=send]');
  await popup.waitForSelector('[data-part=sent]');
  await done('Sent to bob@localhost', popup);

  console.log('\nThe payment object that the page received:\n');
  console.log(payment);
  console.log(`\nMined in block ${status.blockHeight}. Pictures are in ${OUTPUT}/.`);
} catch (error) {
  console.error('\nThe demo failed:', error);
  process.exitCode = 1;
  // The browser or a window may have closed.
  for (const [i, page] of (await wallet.browser.pages().catch(() => [])).entries())
    await page
      .bringToFront() // background tabs aren't drawn
      .then(() => page.screenshot({ path: `${OUTPUT}/failed-${i}.png` }))
      .catch(() => undefined);
} finally {
  await wallet.close().finally(() => service.stop());
}
