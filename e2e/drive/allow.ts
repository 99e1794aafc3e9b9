import type { Page } from 'puppeteer-core';
import type { WalletBrowser } from '../../tooling/drive/browser.ts';
import { readyApproval } from '../../tooling/drive/wallet.ts';

/** Waits for a payment window and turns on "Allow this site…", with an amount in the offered currency. */
export async function allow(wallet: WalletBrowser, amount: string): Promise<Page> {
  const approval = await readyApproval(wallet);
  await approval.bringToFront();
  if (!(await approval.$('[data-part=grant-on]'))) await approval.click('[data-action=allow-site]');
  await (await approval.waitForSelector('[data-part=grant-on]'))?.click();
  await (await approval.waitForSelector('[data-part=allowance-amount]'))?.type(amount);
  return approval;
}
