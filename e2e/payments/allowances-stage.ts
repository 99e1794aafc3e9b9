import { afterEach } from 'vitest';
import type { Page } from 'puppeteer-core';
import { paymentRequest, type RawWindow } from '../drive/raw-page.ts';
import { setScene, type Scene } from '../drive/scene.ts';
import type { Site } from '../drive/site.ts';
import { onStage } from '../drive/stage.ts';
import { makeVisits } from '../drive/visits.ts';
import { stored, pressWhenReady } from '../../tooling/drive/wallet.ts';

interface StoredAllowance {
  origin: string;
  kind: string;
  id: string;
  spent: string;
  payments: number;
}

export const CLIENT = 'test-game';

export let scene: Scene;
export const visits = makeVisits(() => scene);
export const { openSite, openPage } = visits;

/** Clicks in the page once per message. Each click posts its message. @returns the first message's ID */
export async function click(page: Page, ...messages: { id: string }[]): Promise<string> {
  await page.evaluate((posted) => {
    const button = document.querySelector('#pay') as HTMLButtonElement;
    button.onclick = () => posted.forEach((message) => (window as unknown as RawWindow).say(message));
  }, messages);
  await page.bringToFront();
  await page.click('#pay');
  return messages[0]?.id as string;
}

export function automatic(): { id: string; method: string; params: object } {
  const request = paymentRequest(undefined, { clientIdentifier: CLIENT });
  return { ...request, params: { ...request.params, automatic: true } };
}

export const windows = () => scene.wallet.approvalCount().ever;
export const allowances = async (site: Site) =>
  (await stored<StoredAllowance>(scene.page, 'allowances')).filter(({ origin }) => origin === site.origin);

export function useAllowanceScene(): void {
  onStage(
    async () => {
      scene = await setScene({ satoshis: 5_000_000 });
    },
    () => scene?.end(),
  );
  afterEach(async () => {
    await visits.end();
  });
}

/** Approves an allowance request with the form's prefilled values. */
export async function grant(): Promise<void> {
  const approval = await scene.wallet.approval();
  await approval.waitForSelector('button[data-action=grant]');
  await pressWhenReady(approval, 'button[data-action=grant]');
  await scene.wallet.noApproval();
}
