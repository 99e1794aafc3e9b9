import { afterEach } from 'vitest';
import type { Frame, Page } from 'puppeteer-core';
import { freshId, paymentRequest, replyTo, say, type RawWindow } from '../drive/raw-page.ts';
import { setScene, type Scene } from '../drive/scene.ts';
import type { Site } from '../drive/site.ts';
import { onStage } from '../drive/stage.ts';
import { makeVisits } from '../drive/visits.ts';
import { pressWhenReady, stored } from '../../tooling/drive/wallet.ts';

interface StoredAllowance {
  origin: string;
  kind: string;
  id: string;
  spent: string;
  limit: string;
  payments: number;
}
interface StoredPayment {
  requestId: string;
  origin: string;
  state: string;
  signed: { feeSatoshis: string } | null;
  quote: { satoshis: string } | null;
}

export const CLIENT = 'test-game';

export let scene: Scene;
export const visits = makeVisits(() => scene);
export const { openSite, openPage } = visits;
export const allowances = async (site: Site) =>
  (await stored<StoredAllowance>(scene.page, 'allowances')).filter(({ origin }) => origin === site.origin);
export const payments = async (site: Site) =>
  (await stored<StoredPayment>(scene.page, 'payments')).filter(({ origin }) => origin === site.origin);
export const automatic = () => {
  const request = paymentRequest(undefined, { clientIdentifier: CLIENT });
  return { ...request, params: { ...request.params, automatic: true } };
};

export async function click(page: Page, ...messages: object[]): Promise<void> {
  await page.evaluate((posted) => {
    const button = document.querySelector('#pay') as HTMLButtonElement;
    button.onclick = () => posted.forEach((message) => (window as unknown as RawWindow).say(message));
  }, messages);
  await page.bringToFront();
  await page.click('#pay');
}

/** Makes the site request an allowance for automatic payments, and approves it. */
export async function allowAutomatic(page: Page, amount: string): Promise<void> {
  const question = {
    id: freshId(),
    method: 'allowance/ask',
    params: { clientIdentifier: CLIENT, suggestedAmount: { amount, currency: 'USD' } },
  };
  await say(page, question);
  const approval = await scene.wallet.approval();
  await approval.waitForSelector('button[data-action=grant]');
  await pressWhenReady(approval, 'button[data-action=grant]');
  await scene.wallet.noApproval();
  await replyTo(page, question.id);
}
export const posted = (frame: Page | Frame) => frame.evaluate(() => (window as unknown as { posted: string[] }).posted);

export function useAllowanceScene(): void {
  onStage(
    async () => {
      scene = await setScene({ satoshis: 50_000_000 });
    },
    () => scene?.end(),
  );
  afterEach(async () => {
    await visits.end();
  });
}
