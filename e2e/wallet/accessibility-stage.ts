import { afterEach } from 'vitest';
import type { Page } from 'puppeteer-core';
import { axe } from '../drive/axe.ts';
import { setScene, type Scene } from '../drive/scene.ts';
import { onStage } from '../drive/stage.ts';
import { invalidHtml } from '../drive/valid-html.ts';

export let scene: Scene;
export const pages: Page[] = [];

/** Minimum window width (WCAG 2.2, 1.4.10), in CSS pixels. */
const WIDTH = 320;

/**
 * Returns a function that checks a page with Axe (in light and dark mode) and html-validate, and finds content that is
 * wider than the narrowest window.
 */
export async function looker(page: Page) {
  await page.setViewport({ width: WIDTH, height: 2 * WIDTH });
  const found: Record<string, string[]> = {};
  return {
    found,
    async look(name: string): Promise<void> {
      for (const theme of ['light', 'dark']) {
        await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
        const problems = await axe(page);
        if (problems.length > 0) found[`${name}, ${theme}`] = problems;
      }
      await page.emulateMediaFeatures([]);
      const invalid = await invalidHtml(page);
      if (invalid.length > 0) found[`${name}, HTML`] = invalid;
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      if (wide > WIDTH) found[`${name}, ${WIDTH} pixels`] = [`${wide} pixels wide`];
    },
  };
}

export function useAccessibilityScene(): void {
  onStage(
    async () => {
      scene = await setScene({ satoshis: 3_000_000, handle: 'screen.reader' });
    },
    () => scene?.end(),
  );
  afterEach(async () => {
    for (const page of pages.splice(0)) if (!page.isClosed()) await page.close();
  });
}
