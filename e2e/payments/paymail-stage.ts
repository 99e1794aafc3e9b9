import { afterEach, expect, vi } from 'vitest';
import type { Page } from 'puppeteer-core';
import type { Payment } from '../../protocol/payments/payment.ts';
import { paymentsOf } from '../drive/once.ts';
import { onStage } from '../drive/stage.ts';
import { startTwoHosts, type Side, type TwoHosts } from '../drive/two-hosts.ts';
import { approve, ask, buttonIn, readyApproval, stored, swipe } from '../../tooling/drive/wallet.ts';

export let two: TwoHosts;
export let alice: Side;
export let bob: Side;
export const pages: Page[] = [];

export async function openShop(side: Side, attributes: Record<string, string>, service?: string): Promise<Page> {
  const page = await side.shop(attributes, service);
  pages.push(page);
  await swipe(page, await buttonIn(page, 'ready'));
  return page;
}

/** Swipes and approves. @returns the payment that the page received, and the window's text */
export async function pay(
  side: Side,
  attributes: Record<string, string>,
  service?: string,
): Promise<{ payment: Payment; shown: string }> {
  const page = await openShop(side, attributes, service);
  const shown = await textOf(await readyApproval(side.wallet));
  await approve(side.wallet);
  await buttonIn(page, 'done');
  const [payment] = (await paymentsOf(page)) as [Payment];
  return { payment, shown };
}

export const textOf = (page: Page) => page.evaluate(() => document.body.innerText);
export const coinsOf = async ({ page }: Side, txid: string) =>
  (await stored<{ txid: string; satoshis: string }>(page, 'coins')).filter((coin) => coin.txid === txid);
export const toBob = (amount: string, more: Record<string, string> = {}) => ({
  to: bob.paymail,
  amount,
  currency: 'USD',
  ...more,
});

/**
 * Expects the payment exactly once in Bob's wallet, with a verified sender unless `verified` is false, because Alice's
 * host was unreachable.
 */
export async function expectAtBob({ txid, satoshis }: Payment, verified = true): Promise<void> {
  await vi.waitFor(
    async () => {
      const { items } = await ask(bob.page, 'activity/list', { limit: 20 });
      expect(items.filter((item) => item.txid === txid)).toMatchObject([
        {
          direction: 'received',
          satoshis,
          sender: { paymail: alice.paymail, ...(verified ? { verified } : {}) },
          note: null,
        },
      ]);
    },
    { interval: 100 },
  );
  expect((await coinsOf(bob, txid)).reduce((sum, coin) => sum + BigInt(coin.satoshis), 0n)).toBe(BigInt(satoshis));
}

export function usePaymailHosts(): void {
  onStage(
    async () => {
      two = await startTwoHosts();
      ({ alice, bob } = two);
      await two.fund(alice, 20_000_000);
    },
    () => two?.end(),
  );
  afterEach(async () => {
    for (const { faults } of [alice, bob]) faults.clear();
    for (const page of pages.splice(0)) await page.close();
  });
}
