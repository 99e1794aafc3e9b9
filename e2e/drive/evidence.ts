/** What a browser showed when a test failed. */
import { mkdir } from 'node:fs/promises';
import type { Browser, Page } from 'puppeteer-core';

/** Enough to see what a page waits for. */
const MOST_TEXT = 1500;
/** A page that does not answer by then is stuck, which is evidence too (milliseconds). */
const ANSWER_MS = 5000;

/**
 * Keeps pictures of all pages in test-output/, and prints what they say: where only the output of a run is at hand, that
 * is all there is.
 */
export async function keepEvidence(browser: Browser, name: string): Promise<void> {
  await mkdir('test-output', { recursive: true });
  for (const [i, page] of (await browser.pages()).entries()) {
    const path = `test-output/${name.replaceAll(/\W+/g, '-').slice(0, 60)}-${i}.png` as const;
    console.error(`${name}: page ${i}, ${page.url()}\n${await inTime(textOf(page))}`);
    await inTime(page.bringToFront()); // one behind another is never drawn
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
    MOST_TEXT,
  );

const inTime = <T>(answer: Promise<T>): Promise<T | string> =>
  Promise.race([
    answer.catch(String),
    new Promise<string>((resolve) => setTimeout(() => resolve('does not answer'), ANSWER_MS)),
  ]);
