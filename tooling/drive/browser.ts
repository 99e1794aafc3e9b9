/** Controls a real Chromium with the real extension. */
import { join } from 'node:path';
import {
  launch,
  type Browser,
  type CDPSession,
  type LaunchOptions,
  type Page,
  type Target,
  type WebWorker,
} from 'puppeteer-core';
import { findBrowser } from '../system.ts';
import { PATIENCE_MS } from '../../testing/patience.ts';
import './attached-frames.ts';
import { watch } from './evidence.ts';
import './patient-clicks.ts';

const ARGS = [
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  // Each window would load the address bar's pages, which accounts for most of a launch's CPU time.
  '--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup',
];

export const BUILT_WALLET = join(process.cwd(), 'dist/extension');

export interface WalletBrowser {
  browser: Browser;
  extensionId: string;
  /** Returns the current service worker. After {@link WalletBrowser.killWorker}, the next event restarts the worker. */
  worker(): Promise<WebWorker>;
  /** Kills the service worker, as a browser can do at any moment. */
  killWorker(): Promise<void>;
  /** Opens one of the wallet's pages in a tab. */
  open(name: 'popup' | 'popup/settings' | 'onboarding'): Promise<Page>;
  approval(): Promise<Page>;
  approvals(): Promise<Page[]>;
  noApproval(): Promise<void>;
  /** Returns the maximum number of concurrent approval windows since the start, and their total number. */
  approvalCount(): { most: number; ever: number };
  close(): Promise<void>;
}

/** Starts a browser with the tests' timeout for its pages. */
export async function launchPatiently(options: LaunchOptions): Promise<Browser> {
  const browser = await launch({ timeout: PATIENCE_MS, ...options });
  watch(browser);
  const newPage = browser.newPage.bind(browser);
  browser.newPage = async (...args) => {
    for (let left = 2; ; left -= 1) {
      try {
        return patient(await newPage(...args));
      } catch (error) {
        // Firefox fails to create a tab whose first document is replaced before the tab is reported.
        if (left === 0 || !/browsingContext\.create\): no such frame/.test(String(error))) throw error;
      }
    }
  };
  return browser;
}

function patient(page: Page): Page {
  page.setDefaultTimeout(PATIENCE_MS);
  return page;
}

export async function pageOf(target: Target): Promise<Page> {
  const page = await target.page();
  if (!page) throw new Error(`${target.url()} is not a page`);
  return patient(page);
}

/** Waits until `left` finds no window. On a timeout, fails with the contents of the remaining window. */
export async function untilGone(browser: Browser, left: () => Target | undefined): Promise<void> {
  let look = () => {};
  const gone = new Promise<boolean>((resolve) => {
    look = () => void (left() ?? resolve(true));
    browser.on('targetdestroyed', look);
    look();
  });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(false), PATIENCE_MS)));
  const inTime = await Promise.race([gone, late]);
  clearTimeout(timer);
  browser.off('targetdestroyed', look);
  if (inTime) return;
  const page = await left()?.page();
  throw new Error(`a window did not close. It shows: ${await page?.evaluate(() => document.body.innerText)}`);
}

/** Starts a browser without the extension. */
export function launchPlain(args: readonly string[] = []): Promise<Browser> {
  const executablePath = findBrowser();
  if (!executablePath) throw new Error('no browser: run npm test, which installs one or explains how');
  return launchPatiently({
    executablePath,
    headless: true,
    pipe: true,
    args: [...ARGS, ...args],
    defaultViewport: { width: 900, height: 900 },
  });
}

/**
 * Starts the browser and waits for the extension's service worker. `userDataDir` is the data folder of an earlier run.
 * `enableExtensions` lists the extension's folder, by default dist/extension, and folders of other extensions, which
 * must not have a service worker. `before` runs before the extension is installed.
 */
export async function launchWallet({
  before,
  ...options
}: {
  userDataDir?: string;
  enableExtensions?: [folder: string, ...others: string[]];
  before?: (browser: Browser) => Promise<unknown>;
} = {}): Promise<WalletBrowser> {
  const executablePath = findBrowser();
  if (!executablePath) throw new Error('no browser: run npm test, which installs one or explains how');
  const browser = await launchPatiently({
    executablePath,
    headless: true,
    pipe: true,
    enableExtensions: before ? true : [BUILT_WALLET],
    args: ARGS,
    defaultViewport: { width: 900, height: 900 },
    ...options,
  });
  if (before) {
    await before(browser);
    await browser.installExtension(BUILT_WALLET);
  }
  const isWorker = (target: Target) =>
    target.type() === 'service_worker' && target.url().startsWith('chrome-extension://');
  const first = await browser.waitForTarget(isWorker, { timeout: PATIENCE_MS });
  const extensionId = new URL(first.url()).host;
  const root = `chrome-extension://${extensionId}/extension`;
  // When installed, the extension opens the onboarding in front of the test's pages.
  if (options.userDataDir === undefined)
    await browser.waitForTarget((target) => target.url() === `${root}/onboarding/index.html`, { timeout: PATIENCE_MS });
  const isApproval = (target: Target) => target.url().startsWith(`${root}/approval/`);
  const openApprovals = () => browser.targets().filter(isApproval);
  const seenApprovals = new Set<Target>();
  let most = 0;
  const count = () => {
    for (const target of openApprovals()) seenApprovals.add(target);
    most = Math.max(most, openApprovals().length);
  };
  browser.on('targetcreated', count);
  browser.on('targetchanged', count);
  /** The worker's DevTools session, if a test has requested one. */
  let attached: CDPSession | null = null;
  const worker = async () => {
    const target = await browser.waitForTarget(isWorker, { timeout: PATIENCE_MS });
    const found = await target.worker();
    if (!found) throw new Error('no service worker');
    attached = found.client;
    return found;
  };
  return {
    browser,
    extensionId,
    worker,
    async killWorker() {
      const target = await browser.waitForTarget(isWorker, { timeout: PATIENCE_MS });
      const gone = new Promise<void>((resolve) => {
        const listen = (destroyed: Target) => {
          if (destroyed !== target) return;
          browser.off('targetdestroyed', listen);
          resolve();
        };
        browser.on('targetdestroyed', listen);
      });
      // With a debugger, a worker keeps its target when it restarts, so its end couldn't be detected.
      await attached?.detach().catch(() => undefined); // The session may have ended with an earlier worker.
      attached = null;
      const session = await browser.target().createCDPSession();
      const { targetInfos } = await session.send('Target.getTargets');
      for (const { type, url, targetId } of targetInfos)
        if (type === 'service_worker' && url === target.url()) await session.send('Target.closeTarget', { targetId });
      await gone;
      await session.detach();
    },
    async open(name) {
      const page = await browser.newPage();
      await page.goto(`${root}/${name}/index.html`);
      return page;
    },
    async approval() {
      return pageOf(await browser.waitForTarget(isApproval, { timeout: PATIENCE_MS }));
    },
    approvals: () => Promise.all(openApprovals().map(pageOf)),
    noApproval: () => untilGone(browser, () => openApprovals()[0]),
    approvalCount: () => ({ most, ever: seenApprovals.size }),
    close: () => browser.close(),
  };
}
