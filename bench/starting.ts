/**
 * Compares the wallet's startup with that of an extension that does nothing: from a killed service worker to the first
 * response, and from opening the popup to its first paint.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page, Target } from 'puppeteer-core';
import { setScene } from '../e2e/drive/scene.ts';
import { median, type Row } from './row.ts';

const STARTS = 20;
const PAINTS = 20;

/** The extension for comparison: a worker that responds to every message immediately, and a popup of plain HTML. */
const BARE: Record<string, string> = {
  'manifest.json': JSON.stringify({
    manifest_version: 3,
    name: 'Bare',
    version: '1',
    background: { service_worker: 'worker.js' },
    action: { default_popup: 'popup.html' },
  }),
  'worker.js': 'chrome.runtime.onMessage.addListener((message, sender, answer) => { answer({ result: null }); });',
  'popup.html':
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>Bare</title><body><h1>Balance</h1><p>0.00</p></body></html>',
  'quiet.html': '<!doctype html><html lang="en"><meta charset="utf-8"><title>Quiet</title><body></body></html>',
};

export async function starting(): Promise<Row[]> {
  const scene = await setScene({ satoshis: 1_000_000 });
  const folder = await mkdtemp(join(tmpdir(), 'bare-extension-'));
  try {
    for (const [name, text] of Object.entries(BARE)) await writeFile(join(folder, name), text);
    const { browser, extensionId } = scene.wallet;
    const bareId = await browser.installExtension(folder);
    await scene.page.close();
    return [await coldStart(browser, extensionId, bareId), await firstPaint(browser, extensionId, bareId)];
  } finally {
    await scene.end();
    await rm(folder, { recursive: true, force: true });
  }
}

async function coldStart(browser: Browser, walletId: string, bareId: string): Promise<Row> {
  // A page in each extension that sends no messages after loading.
  const pages = [
    await openPage(browser, walletId, 'extension/onboarding/index.html'),
    await openPage(browser, bareId, 'quiet.html'),
  ] as const;
  const times: [number[], number[]] = [[], []];
  for (let i = 0; i < STARTS; i += 1) {
    for (const which of (i % 2 ? [0, 1] : [1, 0]) as (0 | 1)[]) {
      await killWorker(browser, which === 0 ? walletId : bareId);
      await pages[which].bringToFront();
      // The request that the popup needs before its first paint.
      times[which].push(
        await pages[which].evaluate(async () => {
          const start = performance.now();
          const reply = await chrome.runtime.sendMessage({ method: 'vault/status', params: {} });
          if (!('result' in reply)) throw new Error(JSON.stringify(reply));
          return performance.now() - start;
        }),
      );
    }
  }
  for (const page of pages) await page.close();
  return compare('restart of a killed service worker to its first response', times, 3, 'a bare worker');
}

async function firstPaint(browser: Browser, walletId: string, bareId: string): Promise<Row> {
  const urls = [
    `chrome-extension://${walletId}/extension/popup/index.html`,
    `chrome-extension://${bareId}/popup.html`,
  ] as const;
  const times: [number[], number[]] = [[], []];
  const filled: number[] = [];
  for (let i = 0; i < PAINTS; i += 1) {
    for (const which of (i % 2 ? [0, 1] : [1, 0]) as (0 | 1)[]) {
      const page = await browser.newPage();
      await page.goto(urls[which]);
      const painted = await page.waitForFunction(
        () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
      );
      times[which].push((await painted.jsonValue()) as number);
      if (which === 0)
        filled.push(
          (await (
            await page.waitForFunction(() => document.querySelector('.amount-large') && performance.now())
          ).jsonValue()) as number,
        );
      await page.close();
    }
  }
  return compare(
    'popup to its first paint',
    times,
    2,
    'a bare popup',
    `; the balance appears within ${median(filled).toFixed(0)} ms`,
  );
}

function compare(what: string, times: readonly [number[], number[]], most: number, other: string, more = ''): Row {
  const [ours, bare] = [median(times[0]), median(times[1])];
  return {
    what,
    measured: `${ours.toFixed(1)} ms, ${other} ${bare.toFixed(1)} ms${more}`,
    ratio: ours / bare,
    goal: `≤ ${most} times ${other}`,
    holds: ours / bare <= most,
  };
}

async function openPage(browser: Browser, id: string, path: string): Promise<Page> {
  const page = await browser.newPage();
  await page.goto(`chrome-extension://${id}/${path}`, { waitUntil: 'networkidle0' });
  return page;
}

async function killWorker(browser: Browser, id: string): Promise<void> {
  const isWorker = (target: Target) =>
    target.type() === 'service_worker' && target.url().startsWith(`chrome-extension://${id}/`);
  const running = browser.targets().find(isWorker);
  if (!running) return;
  const gone = new Promise<void>((resolve) => {
    const listen = (target: Target) => {
      if (target !== running) return;
      browser.off('targetdestroyed', listen);
      resolve();
    };
    browser.on('targetdestroyed', listen);
  });
  await (await running.worker())?.close();
  await gone;
}
