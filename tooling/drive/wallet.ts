/** Performs a user's actions in the wallet: setting it up, getting coins, deciding on a payment. */
import type { ElementHandle, Page } from 'puppeteer-core';
import { GUARD_MS } from '../../extension/ui/window/click-guard.ts';
import type {
  WalletMethod,
  WalletParams,
  WalletReply,
  WalletResults,
} from '../../protocol/messages/wallet-messages.ts';
import { untilGone, type WalletBrowser } from './browser.ts';

/** The password of every test wallet. */
export const PASSWORD = 'violet-harbour-mango-42';

/** Sends a request to the wallet from one of its own pages, as that page's code does. */
export async function ask<M extends WalletMethod>(
  page: Page,
  method: M,
  params: WalletParams<M>,
): Promise<WalletResults[M]> {
  const reply = (await page.evaluate((message) => chrome.runtime.sendMessage(message), {
    method,
    params,
  })) as WalletReply<M>;
  if ('error' in reply) throw Object.assign(new Error(`${method}: ${reply.error.code}`), { code: reply.error.code });
  return reply.result;
}

export async function goTo(page: Page, name: 'popup' | 'popup/settings'): Promise<void> {
  await page.goto(page.url().replace(/\/extension\/.*/, `/extension/${name}/index.html`));
}

/** Creates a funded wallet by sending the windows' messages, which is faster than using the windows. */
export async function quickWallet(
  wallet: WalletBrowser,
  options: { serviceUrl: string; handle?: string; name?: string; satoshis?: number; words?: string },
): Promise<{ words: string; page: Page }> {
  const page = await wallet.open('onboarding');
  await ask(page, 'settings/change', { serviceUrl: options.serviceUrl });
  const words = options.words ?? (await ask(page, 'vault/generate-words', {})).words;
  await ask(page, 'vault/create', { words, password: PASSWORD, restored: options.words !== undefined });
  if (options.handle) await ask(page, 'account/register', { handle: options.handle, name: options.name ?? 'Test' });
  if (options.satoshis) await ask(page, 'wallet/faucet', { satoshis: options.satoshis });
  // Continues in the popup, which is allowed to call more methods.
  await page.goto(page.url().replace('onboarding', 'popup'));
  return { words, page };
}

export async function buttonIn(page: Page, state: string, nth = 0): Promise<ElementHandle<HTMLElement>> {
  const selector = '.service-button';
  try {
    await page.waitForFunction(
      (wanted, css, n) => document.querySelectorAll(css)[n]?.getAttribute('data-state') === wanted,
      { polling: 'mutation' },
      state,
      selector,
      nth,
    );
  } catch (cause) {
    const shown = await page.$$eval(selector, (hosts) =>
      hosts.map((host) => `${host.getAttribute('data-state')} ${host.shadowRoot?.textContent ?? ''}`),
    );
    throw new Error(`the button is not "${state}" but: ${shown.join(' | ')}`, { cause });
  }
  return (await page.$$(selector))[nth] as ElementHandle<HTMLElement>;
}

/** Drags the thumb of a button from one end to the other with pointer events. */
export async function swipe(page: Page, host: ElementHandle<HTMLElement>): Promise<void> {
  await host.scrollIntoView();
  const box = await host.evaluate((element) => {
    const { x, y, width, height } = (
      element.shadowRoot?.querySelector('[role=slider]') ?? element
    ).getBoundingClientRect();
    return { x, y, width, height };
  });
  const track = await host.evaluate((element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return { x, y, width, height };
  });
  const y = box.y + box.height / 2;
  await page.mouse.move(track.x + Math.min(24, box.width / 2 + 4), y);
  await page.mouse.down();
  await page.mouse.move(track.x + track.width - 4, y, { steps: 12 });
  await page.mouse.up();
}

type Yes = 'pay' | 'mint' | 'permit' | 'unlock';

/** Waits until an approval window shows a prompt that `yes` approves. */
export async function readyApproval(wallet: WalletBrowser, yes: Yes = 'pay'): Promise<Page> {
  for (;;) {
    try {
      const approval = await wallet.approval();
      await approval.waitForSelector(`button[data-action=${yes}]`);
      return approval;
    } catch (error) {
      // An earlier prompt's window may have closed in the meantime.
      if (!isOfClosedTarget(error)) throw error;
    }
  }
}

const isOfClosedTarget = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'TargetCloseError' || isOfClosedTarget(error.cause));

/** Approves as soon as the window accepts clicks, and waits until the window has closed. */
export async function approve(wallet: WalletBrowser, password?: string, yes: Yes = 'pay'): Promise<void> {
  const approval = await readyApproval(wallet, yes);
  if (password !== undefined) await approval.type('input', password);
  await pressWhenReady(approval, `button[data-action=${yes}]`);
  await decided(approval);
}

/** Clicks Refuse, and waits for the result. */
export async function refuse(wallet: WalletBrowser, yes: Yes = 'pay'): Promise<void> {
  const approval = await readyApproval(wallet, yes);
  await pressWhenReady(approval, '.approval-buttons button[type=button]');
  await decided(approval);
}

/** Clicks a button in an approval window as soon as the window accepts clicks. */
export async function pressWhenReady(page: Page, selector: string): Promise<void> {
  await untilGuardPasses(page);
  const disabled = await page.$eval(selector, (button) => (button as HTMLButtonElement).disabled && button.textContent);
  if (disabled !== false) throw new Error(`the button cannot be pressed: "${disabled}"`);
  await page.click(selector);
}

/**
 * Brings an approval window to the front, and waits out the half second during which it ignores clicks. Measures this
 * time as `extension/ui/window/click-guard.ts` does.
 */
export async function untilGuardPasses(page: Page): Promise<void> {
  await page.bringToFront();
  // Uses methods, because tsx (npm run demo) wraps named functions in a helper that the page lacks.
  await page.evaluate(
    (guardMs) =>
      new Promise<void>((resolve) => {
        let timer: number | undefined;
        let latest = 0;
        const guard = {
          again() {
            clearTimeout(timer);
            // Waits for one more frame than the guard does.
            guard.drawn((latest += 1), 3);
          },
          drawn(mine: number, frames: number) {
            if (mine !== latest) return;
            if (frames > 0) requestAnimationFrame(() => guard.drawn(mine, frames - 1));
            else timer = window.setTimeout(resolve, guardMs + 50);
          },
        };
        document.addEventListener('visibilitychange', guard.again);
        addEventListener('focus', guard.again);
        guard.again();
      }),
    GUARD_MS,
  );
}

/** Waits until a window shows its last page, and closes it immediately instead of waiting for it to close itself. */
async function decided(page: Page): Promise<void> {
  const browser = page.browser();
  // If the decision failed, the window stays open, and `untilGone` reports its text. The window may already be closed.
  const ends = await page.waitForSelector('.approval-end:not(:has(button))').catch(() => null);
  if (ends) await page.close().catch(() => undefined);
  await untilGone(browser, () => browser.targets().find((target) => target === page.target()));
}

/** Reads a store of the wallet's database from one of the wallet's pages. Satoshis are strings. */
export function stored<T = Record<string, unknown>>(page: Page, store: string): Promise<T[]> {
  return page.evaluate(async (name) => {
    const open = indexedDB.open('service-button');
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      open.onsuccess = () => resolve(open.result);
      open.onerror = () => reject(open.error);
    });
    const request = db.transaction(name).objectStore(name).getAll();
    const rows = await new Promise<unknown[]>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    db.close();
    return JSON.parse(
      JSON.stringify(rows, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)),
    );
  }, store) as Promise<T[]>;
}
