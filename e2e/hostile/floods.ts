/**
 * Tests limits on concurrent requests: one window per site, four windows in total, and one stored payment per window.
 */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Frame, Page } from 'puppeteer-core';
import { paymentRequest, rawPage, replyTo, say, type RawWindow } from '../drive/raw-page.ts';
import type { Scene } from '../drive/scene.ts';
import { startSite, type Site } from '../drive/site.ts';
import { approve, buttonIn, refuse, stored, swipe } from '../../tooling/drive/wallet.ts';

interface StoredPayment {
  id: string;
  origin: string;
  state: string;
  signed: unknown;
}

export function floods(stage: () => Scene): void {
  let scene: Scene;
  let sites: Site[] = [];
  let pages: Page[] = [];

  beforeEach(() => {
    scene = stage();
  });
  afterEach(async () => {
    for (const page of pages) await page.close();
    await scene.wallet.noApproval();
    for (const site of sites) await site.stop();
    [pages, sites] = [[], []];
  });

  async function openSite(inside = ''): Promise<{ site: Site; page: Page }> {
    const site = await startSite();
    site.page('/', rawPage(inside));
    site.page('/frame', rawPage());
    const page = await scene.wallet.browser.newPage();
    await page.goto(`${site.origin}/`);
    sites.push(site);
    pages.push(page);
    return { site, page };
  }

  /** Posts `n` requests with different IDs in one task. */
  async function flood(frame: Page | Frame, n: number): Promise<string[]> {
    return frame.evaluate(
      (request, count) =>
        Array.from({ length: count }, (_, i) => {
          const id = `${request.id}-${i}`;
          (window as unknown as RawWindow).say({ ...request, id, params: { ...request.params, id } });
          return id;
        }),
      paymentRequest(),
      n,
    );
  }

  /** Counts the requests without a reply. */
  function unanswered(frame: Page | Frame, ids: string[]): Promise<number> {
    return frame.evaluate((all) => {
      const replied = new Set((window as unknown as RawWindow).heard.map(({ id }) => id));
      return all.filter((id) => !replied.has(id)).length;
    }, ids);
  }

  async function answered(frame: Page | Frame, ids: string[], open: number): Promise<Record<string, number>> {
    await vi.waitFor(async () => expect(await unanswered(frame, ids)).toBe(open), { interval: 100 });
    return frame.evaluate((all) => {
      const codes: Record<string, number> = {};
      for (const { id, error } of (window as unknown as RawWindow).heard) {
        if (id && all.includes(id)) codes[error?.code ?? 'paid'] = (codes[error?.code ?? 'paid'] ?? 0) + 1;
      }
      return codes;
    }, ids);
  }

  const payments = () => stored<StoredPayment>(scene.page, 'payments');

  test('three thousand requests from one page open one window, store one payment and sign nothing; a swipe then pays', async () => {
    const before = {
      payments: (await payments()).length,
      approvals: scene.wallet.approvalCount().ever,
      paid: (await scene.paid()).length,
    };
    const { site, page } = await openSite();
    const ids = await flood(page, 3000);
    await scene.wallet.approval();
    const codes = await answered(page, ids, 1);
    expect(Object.keys(codes).filter((code) => !['busy', 'too-many-requests'].includes(code))).toEqual([]);
    expect(codes['too-many-requests']).toBeGreaterThan(2900);
    expect(scene.wallet.approvalCount().ever).toBe(before.approvals + 1);
    const made = (await payments()).filter(({ origin }) => origin === site.origin);
    expect(made.map(({ state, signed }) => [state, signed])).toEqual([['requested', null]]);
    expect((await payments()).length).toBe(before.payments + 1);
    await refuse(scene.wallet);
    await answered(page, ids, 0);
    expect((await stored<{ status: string }>(scene.page, 'coins')).map(({ status }) => status)).toEqual(['available']);

    const shop = await scene.shop();
    pages.push(shop);
    await swipe(shop, await buttonIn(shop, 'ready'));
    await approve(scene.wallet);
    await buttonIn(shop, 'done');
    expect((await scene.paid()).length).toBe(before.paid + 1);
  });

  test('floods of requests from six sites open four windows for different sites, and the rest get errors', async () => {
    const opened = [];
    for (let i = 0; i < 6; i += 1) opened.push(await openSite('<iframe src="/frame"></iframe>'));
    const before = scene.wallet.approvalCount().ever;
    await Promise.all(opened.flatMap(({ page }) => page.frames().map((frame) => flood(frame, 50))));
    for (const { page } of opened)
      await page.waitForFunction(() => (window as unknown as RawWindow).heard.length > 40, { polling: 20 });
    const asking = await vi.waitFor(
      async () => {
        const origins = (await payments()).filter(({ state }) => state === 'requested').map(({ origin }) => origin);
        expect(origins).toHaveLength(4);
        return origins;
      },
      { interval: 100 },
    );
    expect(new Set(asking).size).toBe(4);
    for (const { page, site } of opened) {
      if (asking.includes(site.origin)) continue;
      const request = paymentRequest();
      await say(page, request);
      expect((await replyTo(page, request.id)).error?.code).toMatch(/^(?:busy|too-many-requests)$/);
    }
    expect(scene.wallet.approvalCount().ever - before).toBe(4);
    expect(scene.wallet.approvalCount().most).toBe(4);
  });

  test('sequential requests without a quote leave few records', async () => {
    const before = (await payments()).length;
    const { page } = await openSite();
    for (let i = 0; i < 20; i += 1) {
      const request = paymentRequest(undefined, {
        outputs: [{ to: 'nobody', amount: '1', currency: 'USD' }],
        buttonData: 'x'.repeat(20_000),
      });
      await say(page, request);
      expect((await replyTo(page, request.id)).error?.code).toBe('invalid-recipient');
    }
    expect((await payments()).length).toBe(before);
  });
}
