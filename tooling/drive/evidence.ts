import { mkdir } from 'node:fs/promises';
import type { Browser, Page } from 'puppeteer-core';
import { pictureName, PICTURES } from '../../testing/pictures.ts';

/** Maximum number of characters logged from a page's text. */
const MAX_TEXT_CHARS = 1500;
/** A page that doesn't respond within this time is considered stuck (milliseconds). */
const ANSWER_MS = 5000;

/** This process's open browsers. Global, because Vitest loads this module twice: for its runner and for the tests. */
const open = ((globalThis as { openBrowsers?: Set<Browser> }).openBrowsers ??= new Set());

/** Includes a browser in the saved evidence until it closes. */
export function watch(browser: Browser): void {
  open.add(browser);
  browser.once('disconnected', () => open.delete(browser));
}

/** Saves screenshots of all open pages in test-output/, and logs their URLs and text. */
export async function keepEvidence(name: string): Promise<void> {
  await mkdir(PICTURES, { recursive: true });
  const file = pictureName(name);
  const pages = (await Promise.all([...open].map((browser) => browser.pages().catch(() => [])))).flat();
  for (const [i, page] of pages.entries()) {
    const path = `${PICTURES}/${file}-${i}.png` as const;
    console.error(`${name}: ${path}, ${page.url()}\n${await inTime(textOf(page))}`);
    await inTime(page.bringToFront()); // background tabs aren't drawn
    await inTime(page.screenshot({ path, captureBeyondViewport: false }));
  }
}

const textOf = (page: Page): Promise<string> =>
  page.evaluate(
    (most) =>
      [
        document.body.innerText.slice(0, most),
        ...[...document.querySelectorAll<HTMLElement>('[data-state]')].map(
          ({ id, className, dataset }) => `${id || className}: ${dataset.state}`,
        ),
      ].join('\n'),
    MAX_TEXT_CHARS,
  );

const inTime = <T>(answer: Promise<T>): Promise<T | string> =>
  Promise.race([
    answer.catch(String),
    new Promise<string>((resolve) => setTimeout(() => resolve('does not answer'), ANSWER_MS)),
  ]);
