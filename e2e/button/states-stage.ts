import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { Browser, Page } from 'puppeteer-core';
import { launchPlain } from '../../tooling/drive/browser.ts';
import { PAGE_WALLET } from '../drive/page-wallet.ts';
import { ADDRESS } from '../drive/scene.ts';
import { startSite, type Site } from '../drive/site.ts';
import { buttonIn } from '../../tooling/drive/wallet.ts';

export const PAYS = `data-to="${ADDRESS}" data-amount="0.10" data-label="Read on"`;
/** The button's attributes for each state, and whether a swipe is needed to reach the state. */
export const STATES = {
  'no-wallet': { attributes: PAYS, walletless: true, swiped: false },
  ready: { attributes: PAYS, walletless: false, swiped: false },
  disabled: { attributes: `${PAYS} data-disabled="true"`, walletless: false, swiped: false },
  working: { attributes: `${PAYS} data-button-id="stuck"`, walletless: false, swiped: true },
  done: { attributes: PAYS, walletless: false, swiped: true },
  error: { attributes: `${PAYS} data-button-id="refused"`, walletless: false, swiped: true },
  failed: { attributes: 'data-to="nobody" data-amount="1"', walletless: false, swiped: false },
} as const;
export type State = keyof typeof STATES;

let browser: Browser;
export let site: Site;
export let page: Page;

export async function visit(
  buttons: string,
  options: { html?: string; head?: string; walletless?: boolean } = {},
): Promise<void> {
  const { html = 'lang="en"', head = '', walletless = false } = options;
  site.page(
    '/',
    `<!doctype html><html ${html}><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>A page</title>
    ${walletless ? '' : PAGE_WALLET}${head}<script src="/button.js"></script></head><body>${buttons}</body></html>`,
  );
  await page.goto(`${site.origin}/`);
}

export const keyboard = async (...keys: ('Tab' | 'End' | 'Enter' | 'Escape' | 'ArrowRight' | 'ArrowLeft')[]) => {
  for (const key of keys) await page.keyboard.press(key);
};
/** Runs `read` in the page, on the first button's shadow root. */
export const inButton = async <T>(read: (root: ShadowRoot) => T): Promise<T> => {
  const root = await page.evaluateHandle(() => document.querySelector('.service-button')!.shadowRoot!);
  return (await root.evaluate(read as (root: ShadowRoot) => unknown)) as T;
};

/** Opens a page with a button and waits until the button is in the given state. */
export async function showState(state: State, html?: string): Promise<void> {
  const { attributes, walletless, swiped } = STATES[state];
  await visit(`<div class="service-button" ${attributes}></div>`, {
    walletless,
    ...(html === undefined ? {} : { html }),
  });
  if (swiped) {
    await buttonIn(page, 'ready');
    await keyboard('Tab', 'End');
  }
  await buttonIn(page, state);
}

export function useStates(): void {
  beforeAll(async () => {
    [browser, site] = [await launchPlain(), await startSite()];
  });
  afterAll(async () => {
    await browser?.close();
    await site?.stop();
  });
  beforeEach(async () => {
    page = await browser.newPage();
  });
  afterEach(() => page.close());
}
