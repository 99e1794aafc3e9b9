/** Finds text that is cut off in a narrow window, in each of the wallet's languages. */
import { mkdir } from 'node:fs/promises';
import type { Page } from 'puppeteer-core';
import type { WindowTexts } from '../../extension/ui/texts/texts.ts';
import { overlayTexts } from '../../protocol/catalog.ts';
import type { Settings } from '../../protocol/messages/wallet-messages.ts';
import { translatedTexts } from '../../tooling/translations.ts';
import { ask } from '../../tooling/drive/wallet.ts';

const windows = (await translatedTexts()).filter(({ file }) => file.startsWith('extension/ui/'));

/** The wallet's languages, each with the UI strings of the wallet's windows. */
export const LANGUAGES = [{ code: 'en', english: windows[0]!.english, translation: {} }, ...windows].map(
  ({ code, english, translation }) => {
    const texts = structuredClone(english);
    overlayTexts(texts, translation);
    return [code as Settings['language'], texts as WindowTexts] as const;
  },
);

/** Sets the wallet's language through a page, and reloads `other`, by default the same page. */
export async function speakIn(page: Page, language: Settings['language'], other = page): Promise<void> {
  await ask(page, 'settings/change', { language });
  await page.evaluate((setting) => localStorage.setItem('language', setting), language);
  await other.reload();
}

/** Widths of the popup and of the narrowest screen (CSS pixels). */
const WIDTHS = [360, 320];

/** Names of users and hosts can have any length, and are truncated intentionally. */
const MAY_BE_CUT = '.top-bar-paymail, .activity-note, .visually-hidden';

/**
 * Lists text that overflows its button, its box or the window, badly broken words, and values that don't fit into their
 * field. The window stays narrow until {@link ownWidth} is called. If the environment variable `NARROW_PICTURES` names
 * a folder, screenshots are saved there.
 */
export async function cutOff(page: Page, name: string): Promise<string[]> {
  const pictures = process.env.NARROW_PICTURES;
  const found: string[] = [];
  const last = page.viewport()?.width;
  for (const width of last === WIDTHS.at(-1) ? WIDTHS.toReversed() : WIDTHS) {
    if (page.viewport()?.width !== width) await page.setViewport({ width, height: 640 });
    // The browser applies the new width with a delay.
    await page.waitForFunction((wanted) => innerWidth === wanted, { polling: 10 }, width);
    for (const line of await page.evaluate(findCutOff, MAY_BE_CUT)) found.push(`${name}, ${width} px: ${line}`);
    if (!pictures) continue;
    await mkdir(pictures, { recursive: true });
    await page.screenshot({ path: `${pictures}/${name.replaceAll(' ', '-')}-${width}.png` });
  }
  return found;
}

/** Restores the window's original width. */
export async function ownWidth(page: Page): Promise<void> {
  await page.setViewport(null);
  await page.waitForFunction((narrow) => !narrow.includes(innerWidth), { polling: 10 }, WIDTHS);
}

function findCutOff(mayBeCut: string): string[] {
  const found = new Set<string>();
  if (document.documentElement.scrollWidth > innerWidth) {
    found.add(`the page is ${document.documentElement.scrollWidth} px wide`);
  }
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const around = text.parentElement as Element;
    if (text.textContent?.trim() === '' || around.closest(`${mayBeCut}, option, script, style`)) continue;
    if (!around.checkVisibility({ visibilityProperty: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const inline = getComputedStyle(around).display === 'inline';
    for (const line of range.getClientRects()) {
      if (line.left < -1 || line.right > innerWidth + 1) found.add(`out of the window: ${text.textContent}`);
      for (let box: Element | null = around; box && box !== document.body; box = box.parentElement) {
        const { overflowX, overflowY } = getComputedStyle(box);
        const { left, right, top, bottom } = box.getBoundingClientRect();
        const holds = overflowX !== 'visible' || (box === around && !inline) || box.matches('button, .button, .badge');
        if (holds && (line.left < left - 1 || line.right > right + 1)) found.add(`out of its box: ${text.textContent}`);
        const cuts = /hidden|clip/.test(overflowY);
        if (cuts && (line.top < top - 3 || line.bottom > bottom + 3)) found.add(`below its box: ${text.textContent}`);
      }
    }
    if (!around.closest('button, .button, h1, h2, label')) continue;
    // A word can break at a soft hyphen.
    for (const { index, 0: word } of text.textContent?.matchAll(
      /(?<![\p{L}\u00AD])\p{Script=Latin}+(?![\p{L}\u00AD])/gu,
    ) ?? []) {
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      if (range.getClientRects().length > 1) found.add(`broken inside a word: ${text.textContent}`);
    }
  }
  const measure = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D;
  for (const field of document.querySelectorAll<HTMLInputElement | HTMLSelectElement>('input, select')) {
    const says = 'placeholder' in field ? field.placeholder : (field.selectedOptions[0]?.text ?? '');
    if (says === '' || !field.checkVisibility()) continue;
    const style = getComputedStyle(field);
    measure.font = style.font;
    const arrow = field.matches('select') ? 18 : 0;
    const room = field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - arrow;
    if (measure.measureText(says).width > room + 1) found.add(`not in its field: ${says}`);
  }
  return [...found];
}
