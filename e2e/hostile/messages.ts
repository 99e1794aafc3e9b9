/** Tests that malformed messages from a page have no effect and open no window. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Page } from 'puppeteer-core';
import { fence, freshId, paymentRequest, rawPage, replyTo, say, type RawWindow } from '../drive/raw-page.ts';
import type { Scene } from '../drive/scene.ts';
import { startSite, type Site } from '../drive/site.ts';
import { ask, readyApproval, stored } from '../../tooling/drive/wallet.ts';

interface StoredPayment {
  id: string;
  origin: string;
  requestId: string;
  state: string;
}

export function messages(stage: () => Scene): void {
  let scene: Scene;
  let site: Site;
  let page: Page;
  let before: { payments: number; approvals: number; satoshis: string };

  beforeEach(async () => {
    scene = stage();
    site = await startSite();
    site.page('/', rawPage());
    page = await scene.wallet.browser.newPage();
    await page.goto(`${site.origin}/`);
    before = await walletNow();
  });
  afterEach(async () => {
    await page.close();
    await scene.wallet.noApproval();
    await site.stop();
  });

  async function walletNow() {
    return {
      payments: (await stored(scene.page, 'payments')).length,
      approvals: scene.wallet.approvalCount().ever,
      satoshis: (await ask(scene.page, 'wallet/overview', {})).satoshis,
    };
  }

  /** Expects that no data was stored, no window opened and nothing was paid, and that the page still gets responses. */
  async function nothingHappened(): Promise<void> {
    await fence(page);
    expect(await walletNow()).toEqual(before);
  }

  const payments = () => stored<StoredPayment>(scene.page, 'payments');

  test.each([90, 250, 3000])(
    'parameters nested %i levels deep are rejected, and later requests are answered',
    async (depth) => {
      const id = freshId();
      await page.evaluate(
        (request, n) => {
          (window as unknown as RawWindow).say({ ...request, params: JSON.parse('['.repeat(n) + ']'.repeat(n)) });
        },
        paymentRequest(id),
        depth,
      );
      expect((await replyTo(page, id)).error?.code).toBe('invalid-request');
      await nothingHappened();
    },
  );

  test('forged replies of a page change nothing in the wallet, and its real request is still answered', async () => {
    const request = paymentRequest();
    await say(page, request);
    const approval = await readyApproval(scene.wallet);
    await say(page, { to: 'page', id: request.id, result: { payment: { status: 'COMPLETED' } } });
    await say(page, { to: 'page', event: 'wallet-present' });
    await fence(page);
    expect((await payments()).find(({ requestId }) => requestId === request.id)?.state).toBe('requested');
    const heard = await page.evaluate(
      (id) => (window as unknown as RawWindow).heard.filter((one) => one.id === id),
      request.id,
    );
    expect(heard).toHaveLength(1); // so far only the forged message, before the wallet's own
    await approval.close();
    await page.waitForFunction(
      (id) =>
        (window as unknown as RawWindow).heard.filter((one) => one.id === id)[1]?.error?.code === 'approval-closed',
      { polling: 20 },
      request.id,
    );
  });
}
