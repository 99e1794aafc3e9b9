/**
 * Tests that each of the wallet's windows can use only its own methods and prompt, and that pages can't access the
 * windows.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Page } from 'puppeteer-core';
import { paymentRequest, rawPage, replyTo, say, type RawWindow } from '../drive/raw-page.ts';
import type { Scene } from '../drive/scene.ts';
import { startSite, type Site } from '../drive/site.ts';
import { ask, pressWhenReady, readyApproval, stored } from '../../tooling/drive/wallet.ts';

interface StoredPayment {
  id: string;
  requestId: string;
  state: string;
  signed: unknown;
  error: { code: string } | null;
}

interface StoredPrompt {
  message: string;
  window: { id: string; shownAt: number | null };
}

const UNKNOWN = { code: 'approval-unknown' };

export function windows(stage: () => Scene): void {
  let scene: Scene;
  let site: Site;
  let page: Page;
  let tabs: Page[] = [];

  beforeEach(async () => {
    scene = stage();
    site = await startSite();
    site.page('/', rawPage());
    page = await scene.wallet.browser.newPage();
    await page.goto(`${site.origin}/`);
  });
  afterEach(async () => {
    for (const tab of [page, ...tabs]) if (!tab.isClosed()) await tab.close();
    tabs = [];
    await scene.wallet.noApproval();
    await site.stop();
  });

  async function openTab(document: string): Promise<Page> {
    const tab = await scene.wallet.browser.newPage();
    tabs.push(tab);
    await tab.goto(`chrome-extension://${scene.wallet.extensionId}/extension/${document}`);
    return tab;
  }

  async function asked() {
    const request = paymentRequest();
    await say(page, request);
    const approval = await readyApproval(scene.wallet);
    const record = async () =>
      (await stored<StoredPayment>(scene.page, 'payments')).find(
        ({ requestId }) => requestId === request.id,
      ) as StoredPayment;
    const prompt = async () => {
      const { id } = await record();
      return (await stored<StoredPrompt>(scene.page, 'prompts')).find(({ message }) => message === id) as StoredPrompt;
    };
    return { request, approval, approvalId: (await prompt()).window.id, record, prompt };
  }

  const decide = (from: Page, approvalId: string) => ask(from, 'approval/decide', { approvalId, decision: 'pay' });

  test('an approval that was paid cannot be paid again, before or after the worker is killed', async () => {
    const { approval, approvalId, record, request } = await asked();
    const address = approval.url();
    await pressWhenReady(approval, 'button[data-action=pay]');
    await scene.wallet.noApproval(); // the window closes automatically
    await replyTo(page, request.id);
    const paid = (await scene.paid()).length;
    for (const kill of [false, true]) {
      if (kill) await scene.wallet.killWorker();
      const tab = await openTab(address.slice(address.indexOf('approval/')));
      await expect(decide(tab, approvalId)).rejects.toMatchObject(UNKNOWN);
      await expect(ask(tab, 'approval/decide', { approvalId, decision: 'refuse' })).rejects.toMatchObject(UNKNOWN);
    }
    expect((await record()).state).not.toBe('refused');
    expect((await scene.paid()).length).toBe(paid);
  });

  const documents = ['approval/index.html', 'popup/index.html', 'popup/settings/index.html', 'onboarding/index.html'];

  test.each(documents)('no page, including the wallet’s own, can show extension/%s in a frame', async (document) => {
    const url = `chrome-extension://${scene.wallet.extensionId}/extension/${document}`;
    for (const around of [page, scene.page]) {
      const violated = around === scene.page;
      const shown = await around.evaluate(async (src) => {
        const frame = Object.assign(window.document.createElement('iframe'), { src });
        const loaded = new Promise((resolve) => frame.addEventListener('load', resolve));
        window.document.body.append(frame);
        await loaded;
        try {
          return frame.contentDocument?.querySelector('body')?.innerHTML ?? null;
        } catch {
          return null;
        }
      }, url);
      const frame = around.mainFrame().childFrames()[0];
      expect(shown, around.url()).toBeFalsy();
      // The frame shows the browser's error page, which contains none of the extension's code.
      expect(await frame?.evaluate(() => typeof chrome !== 'undefined' && chrome.runtime?.id)).toBeFalsy();
      expect(
        await frame?.evaluate(
          () => window.document.querySelector('#app, main, .popup, .onboarding, .approval') !== null,
        ),
      ).toBe(false);
      if (violated) await around.evaluate(() => window.document.querySelector('iframe')?.remove());
    }
  });

  test('no page can open, fetch or embed anything of the extension', async () => {
    const root = `chrome-extension://${scene.wallet.extensionId}`;
    const paths = [
      ...documents.map((document) => `/extension/${document}`),
      '/manifest.json',
      '/service-worker-loader.js',
      '/extension/content/relay.iife.js',
      '/extension/icons/icon-16.png',
    ];
    for (const path of paths) {
      const got = await page.evaluate(async (url) => {
        const load = (tag: string, attribute: string) =>
          new Promise<string>((resolve) => {
            const element = document.createElement(tag);
            element.addEventListener('load', () => resolve(`${tag} loaded`));
            element.addEventListener('error', () => resolve('blocked'));
            if (tag === 'link') element.setAttribute('rel', 'stylesheet');
            element.setAttribute(attribute, url);
            document.head.append(element);
          });
        return Promise.all([
          fetch(url).then(
            () => 'fetched',
            () => 'blocked',
          ),
          fetch(url, { mode: 'no-cors' }).then(
            () => 'fetched',
            () => 'blocked',
          ),
          load('img', 'src'),
          load('script', 'src'),
          load('link', 'href'),
        ]);
      }, root + path);
      expect([...new Set(got)], path).toEqual(['blocked']);
    }
  });

  test('a page that opens an approval’s address gets the browser’s error page', async () => {
    const { approval, record } = await asked();
    const url = approval.url();
    await page.evaluate((to) => void window.open(to), url);
    const target = await scene.wallet.browser.waitForTarget((one) => one.opener() === page.target());
    const opened = (await target.page()) as Page;
    tabs.push(opened);
    const left = await scene.wallet.browser.newPage();
    tabs.push(left);
    await left.goto(`${site.origin}/`);
    await Promise.all([left.waitForNavigation(), left.evaluate((to) => location.assign(to), url)]);
    for (const tab of [opened, left]) {
      await tab.waitForFunction(() => document.URL.startsWith('chrome-error:') || document.URL === 'about:blank');
      expect(await tab.evaluate(() => document.querySelector('[data-action], #app') !== null)).toBe(false);
    }
    expect((await record()).state).toBe('requested');
  });

  test('a page can’t send extension messages', async () => {
    const { approvalId, record } = await asked();
    const outcome = await page.evaluate(
      async (extensionId, id) => {
        const runtime = (globalThis as { chrome?: { runtime?: typeof chrome.runtime } }).chrome?.runtime;
        if (!runtime?.sendMessage && !runtime?.connect) return 'no messages';
        const message = { method: 'approval/decide', params: { approvalId: id, decision: 'pay' } };
        return runtime.sendMessage(extensionId, message).then(
          (reply: unknown) => `answered ${JSON.stringify(reply)}`,
          () => 'refused',
        );
      },
      scene.wallet.extensionId,
      approvalId,
    );
    expect(outcome).toBe('no messages');
    expect(await page.evaluate(() => (window as unknown as RawWindow).heard.filter(({ id }) => id))).toEqual([]);
    expect((await record()).state).toBe('requested');
  });
}
