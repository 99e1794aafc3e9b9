/** Compares the tests' in-memory database with Chromium's IndexedDB. */
import { fileURLToPath } from 'node:url';
import { build, type Rolldown } from 'vite';
import { expect, test } from 'vitest';
import { launchPlain } from '../tooling/drive/browser.ts';
import { startSite } from './drive/site.ts';

declare global {
  /** Defined by testkit/database/in-page.ts. */
  function differences(seed: number, numRuns: number): Promise<string[]>;
}

async function bundle(): Promise<string> {
  const built = (await build({
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    build: {
      write: false,
      minify: false,
      modulePreload: false,
      rollupOptions: {
        input: fileURLToPath(new URL('../testkit/database/in-page.ts', import.meta.url)),
        output: { format: 'iife' },
      },
    },
  })) as Rolldown.RolldownOutput;
  return built.output[0].code;
}

test('the tests’ memory database behaves like Chromium’s IndexedDB', async () => {
  const [site, browser, script] = await Promise.all([startSite(), launchPlain(), bundle()]);
  try {
    site.page('/', '<!doctype html><title>Databases</title>');
    const page = await browser.newPage();
    await page.goto(site.origin);
    await page.addScriptTag({ content: script });
    const seed = Math.floor(Math.random() * 2 ** 31);
    expect(await page.evaluate((one) => differences(one, 150), seed)).toEqual([]);
  } finally {
    await Promise.all([browser.close(), site.stop()]);
  }
});
