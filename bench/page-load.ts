/** Measures the extension's cost for an unrelated page: loads a static page alternately with and without it. */
import type { Page } from 'puppeteer-core';
import { launchPlain, launchWallet } from '../tooling/drive/browser.ts';
import { startSite } from '../e2e/drive/site.ts';
import { median, type Row } from './row.ts';

const LOADS = 40;
const WARM = 5;
/** The permitted delay (milliseconds), which is less than the difference between two loads of the same page. */
const MAX_DELAY_MS = 3;

/** Times at which the page's two load events had been handled (milliseconds since the navigation began). */
interface Load {
  ready: number;
  loaded: number;
}

export async function pageLoad(): Promise<Row[]> {
  const site = await startSite();
  site.page('/', article());
  const wallet = await launchWallet();
  const plain = await launchPlain();
  try {
    const pages = [await wallet.browser.newPage(), await plain.newPage()] as const;
    const loads: [Load[], Load[]] = [[], []];
    for (let i = 0; i < WARM + LOADS; i += 1) {
      // The order also alternates.
      for (const which of (i % 2 ? [0, 1] : [1, 0]) as (0 | 1)[]) {
        const load = await loadOnce(pages[which], `${site.origin}/`);
        if (i >= WARM) loads[which].push(load);
      }
    }
    return (['ready', 'loaded'] as const).map((event): Row => {
      const [installed, bare] = loads.map((all) => median(all.map((load) => load[event]))) as [number, number];
      const more = installed - bare;
      const name = event === 'ready' ? 'DOMContentLoaded' : 'load';
      return {
        what: `${name} of a static page, with the extension`,
        measured: `${installed.toFixed(1)} ms, without ${bare.toFixed(1)} ms: ${more >= 0 ? '+' : ''}${more.toFixed(1)} ms`,
        ratio: installed / bare,
        goal: `≤ ${MAX_DELAY_MS} ms more`,
        holds: more <= MAX_DELAY_MS,
      };
    });
  } finally {
    await Promise.all([wallet.close(), plain.close()]);
    await site.stop();
  }
}

async function loadOnce(page: Page, url: string): Promise<Load> {
  await page.bringToFront();
  await page.goto(url);
  return page.evaluate(() => {
    const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    return { ready: entry?.domContentLoadedEventEnd ?? 0, loaded: entry?.loadEventEnd ?? 0 };
  });
}

/**
 * Returns a page that resembles an article: about 60 kB of text in 1,000 elements, with an inline style sheet and
 * script.
 */
function article(): string {
  const paragraph = 'A page that people read, of ordinary length, without anything to pay for on it. '.repeat(3);
  const parts = Array.from(
    { length: 250 },
    (_, i) => `<section><h2>Part ${i}</h2><p>${paragraph}</p><a href="#${i}">More</a></section>`,
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>An article</title><style>body { max-width: 40em; margin: auto } h2 { color: teal }</style></head>
    <body>${parts.join('')}<script>document.title += ' of ' + document.querySelectorAll('section').length;</script></body></html>`;
}
