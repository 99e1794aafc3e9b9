/** Performs a user's actions for signing in with the wallet. */
import type { Page } from 'puppeteer-core';
import type { WalletBrowser } from '../../tooling/drive/browser.ts';
import { pressWhenReady } from '../../tooling/drive/wallet.ts';

export async function signInPage(page: Page, state: 'ready' | 'no-wallet'): Promise<void> {
  await page.waitForSelector(`#sign-in[data-state="${state}"]`);
}

export async function signInApproval(wallet: WalletBrowser): Promise<Page> {
  const approval = await wallet.approval();
  await approval.waitForSelector('button[data-action=sign]');
  return approval;
}

/** Presses the page's button, and approves in the wallet's window. @returns that window's text */
export async function signIn(wallet: WalletBrowser, page: Page, password?: string): Promise<string> {
  await signInPage(page, 'ready');
  await page.bringToFront();
  await page.click('#sign-in form button');
  const approval = await signInApproval(wallet);
  const shown = await approval.evaluate(() => document.body.innerText);
  if (password !== undefined) await approval.type('input[type=password]', password);
  await pressWhenReady(approval, 'button[data-action=sign]');
  await wallet.noApproval();
  return shown;
}
