import { afterEach, beforeEach, expect, vi } from 'vitest';
import type { Page } from 'puppeteer-core';
import { ADDRESS, setScene, type Scene } from '../drive/scene.ts';
import { onStage } from '../drive/stage.ts';
import { allowSwipesOnAnySite, type TrackBounds } from '../../tooling/drive/trusted-swipe.ts';
import { makeVisits } from '../drive/visits.ts';

export let scene: Scene;
export let page: Page;
export const visits = makeVisits(() => scene);

export const button = (amount = '0.10') =>
  `<div class="service-button" data-to="${ADDRESS}" data-amount="${amount}" data-currency="USD" data-label="Buy"></div>`;

export async function show(body: string, { html = 'lang="en"', head = '' } = {}): Promise<void> {
  scene.site.page(
    '/tracks',
    `<!doctype html><html ${html}><head><meta charset="utf-8"><title>A shop</title>${head}
    <script src="${scene.publicUrl}/button.js" defer></script></head><body>${body}</body></html>`,
  );
  await page.goto(`${scene.site.origin}/tracks`);
}

interface Standing {
  /** The rectangles of the visible frames' host elements, in document order. */
  hosts: TrackBounds[];
  /** The rectangles of the buttons' tracks, in document order. */
  tracks: TrackBounds[];
  height: number;
}

/** Returns the positions of all hosts and tracks, in whole pixels. */
export const standing = (): Promise<Standing> =>
  page.evaluate(() => {
    const places = (elements: Element[]) =>
      elements.map((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        return { x: Math.round(x), y: Math.round(y), width: Math.round(width), height: Math.round(height) };
      });
    const { scrollHeight, children } = document.documentElement;
    return {
      hosts: places(
        [...children].filter((one) => one.matches(':popover-open') && getComputedStyle(one).opacity === '1'),
      ),
      tracks: places([...document.querySelectorAll('.service-button')]),
      height: scrollHeight,
    };
  });

/** Waits until frames cover these buttons and no others. */
export const covers = (...numbers: number[]) =>
  vi.waitFor(async () => {
    const { hosts, tracks } = await standing();
    expect(hosts).toHaveLength(numbers.length);
    expect(hosts).toEqual(expect.arrayContaining(numbers.map((number) => tracks[number])));
  });

export function useTrustedSwipeScene(): void {
  onStage(
    async () => {
      scene = await setScene({ satoshis: 5_000_000 });
      await allowSwipesOnAnySite(scene.page);
    },
    () => scene?.end(),
  );
  beforeEach(async () => {
    page = await scene.wallet.browser.newPage();
    visits.closeLater(page);
  });
  afterEach(async () => {
    await visits.end();
  });
}
