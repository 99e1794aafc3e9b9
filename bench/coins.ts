/** Compares coin selection among 100,000 and 1,000 coins, with the wallet's code and database in a real Chromium. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { build, type Rollup } from 'vite';
import type { Browser, Page } from 'puppeteer-core';
import { launchPlain } from '../tooling/drive/browser.ts';
import type * as InPage from './coins-page.ts';
import type { Row } from './row.ts';

const FEW = 1000;
const MANY = 100_000;
const ROUNDS = 41;
/** Payment amounts in satoshis. Each coin has 1,000 to 100,000 satoshis. */
const PAYMENTS = [
  ['a payment that one coin covers', 20_000],
  ['a payment that takes thirty coins', 2_900_000],
] as const;
const median = (times: number[]) => times.sort((a, b) => a - b)[Math.floor(times.length / 2)] as number;

export async function coins(): Promise<Row[]> {
  const server = createServer((_, response) =>
    response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>bench</title>'),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const browser = await launchPlain();
  try {
    const code = await bundle();
    // Two origins have separate databases, so both can be measured alternately.
    const few = await pageWith(browser, `http://localhost:${port}`, code, FEW);
    const many = await pageWith(browser, `http://127.0.0.1:${port}`, code, MANY);
    const rows: Row[] = [];
    for (const [what, satoshis] of PAYMENTS) rows.push(await compare(what, satoshis, few, many));
    return rows;
  } finally {
    await browser.close();
    server.close();
  }
}

/** Bundles the page's code into one script that sets `coins`. */
async function bundle(): Promise<string> {
  const entry = path.join(import.meta.dirname, 'coins-page.ts');
  const result = await build({
    configFile: false,
    logLevel: 'warn',
    build: { write: false, target: 'esnext', lib: { entry, formats: ['iife'], name: 'coins' } },
  });
  return ([result].flat()[0] as Rollup.RollupOutput).output[0].code;
}

async function pageWith(browser: Browser, url: string, code: string, count: number): Promise<Page> {
  const page = await browser.newPage();
  await page.goto(url);
  await page.addScriptTag({ content: code });
  await page.evaluate((count) => (window as unknown as { coins: typeof InPage }).coins.fill(count), count);
  return page;
}

async function compare(what: string, satoshis: number, few: Page, many: Page): Promise<Row> {
  const times = { few: [] as number[], many: [] as number[] };
  const inputs = { few: 0, many: 0 };
  const choose = (page: Page) =>
    page.evaluate((satoshis) => (window as unknown as { coins: typeof InPage }).coins.choose(satoshis), satoshis);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, page] of [
      ['few', few],
      ['many', many],
    ] as const) {
      await page.bringToFront();
      const chosen = await choose(page);
      inputs[name] = chosen.inputs;
      if (round > 0) times[name].push(chosen.ms); // the first round warms up
    }
  }
  const [among, least] = [median(times.many), median(times.few)];
  return {
    what: `coins chosen among 100,000: ${what}`,
    measured: `${among.toFixed(1)} ms (${inputs.many} inputs), among 1,000 ${least.toFixed(1)} ms (${inputs.few})`,
    ratio: among / least,
    goal: '≤ 3 times among 1,000',
    holds: among / least <= 3,
  };
}
