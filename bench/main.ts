/**
 * `npm run bench`: all figures are measured in the same run, and comparisons are ratios. No test asserts a figure.
 * - `npm run bench -- sizes service` measures only `sizes` and `service`.
 * - `npm run bench -- growth 10000` measures a wallet with 10,000 payments and a service with ten times as many;
 *   `growth-wallet` and `growth-service` measure only one of the two.
 * - `npm run bench -- service 400` puts load on the service for 400 rounds, which takes an hour. `--profile` prints the
 *   CPU time by function.
 * - `npm run bench -- swipe` makes 50 legitimate one-swipe payments, and more on busy pages.
 * - `npm run bench -- service-memory 60` puts a moderate load on the service for 60 minutes and prints its memory.
 */
import { buildAll } from '../scripts/build.ts';
import { needBrowser } from '../tooling/system.ts';
import { activity } from './activity.ts';
import { coins } from './coins.ts';
import { dashboard } from './dashboard.ts';
import { growth } from './growth.ts';
import { growthOfService } from './growth-service.ts';
import { growthOfWallet } from './growth-wallet.ts';
import { oneSwipe } from './one-swipe.ts';
import { pageLoad } from './page-load.ts';
import { rendering } from './rendering.ts';
import { requestCost } from './request-cost.ts';
import { service, serviceMemory } from './service.ts';
import { signing } from './signing.ts';
import { sizes } from './sizes.ts';
import { starting } from './starting.ts';
import { swiping } from './swiping.ts';
import type { Row } from './row.ts';

/** All measurements, with the line printed at their start. */
const FIGURES: Readonly<Record<string, readonly [says: string, measure: () => Row[] | Promise<Row[]>]>> = {
  sizes: ['Measuring the sizes of builds …', sizes],
  signing: ['Signing 1,000 inputs, both ways …', signing],
  coins: ['Choosing among 100,000 coins …', coins],
  rendering: ['Rendering 1,000 buttons …', rendering],
  loading: ['Loading a page with and without the extension …', pageLoad],
  starting: ['Starting the worker and the popup …', starting],
  swiping: ['Swiping in a real browser …', swiping],
  swipe: ['Swiping in the wallet’s own frame …', () => oneSwipe(size)],
  'request-cost': ['Measuring the charges for large calls …', requestCost],
  activity: ['Listing the activity of 100,000 payments …', activity],
  dashboard: ['Summing up 100,000 payments of a merchant …', dashboard],
  service: ['Sending requests to the service …', () => service({ rounds: size, profiles })],
  'service-memory': ['Sending requests to the service for minutes …', () => serviceMemory(size)],
  growth: ['Measuring a wallet and a service with many payments …', () => growth(size)],
  'growth-wallet': ['Measuring a wallet with many payments …', () => growthOfWallet(size ?? 100_000)],
  'growth-service': ['Measuring a service with many payments …', () => growthOfService(size ?? 1_000_000)],
};
/** Slow measurements, which run only if named. */
const NAMED = new Set(['swipe', 'service-memory', 'growth', 'growth-wallet', 'growth-service']);
const BUILT = new Set([
  'sizes',
  'rendering',
  'loading',
  'starting',
  'swiping',
  'swipe',
  'activity',
  'growth',
  'growth-wallet',
]);

const options = process.argv.slice(2);
const asked = options.filter((one) => !/^(?:\d+|--profile)$/.test(one));
const size = options.map(Number).find(Number.isInteger);
const profiles = options.includes('--profile');
const names = asked.length > 0 ? asked : Object.keys(FIGURES).filter((name) => !NAMED.has(name));
const unknown = names.find((name) => !Object.hasOwn(FIGURES, name));
if (unknown) {
  console.error(`Unknown measurement "${unknown}". Measurements: ${Object.keys(FIGURES).join(', ')}.`);
  process.exit(1);
}
process.env.CHROME_PATH = needBrowser();
if (names.some((name) => BUILT.has(name))) {
  console.log('Building …');
  await buildAll('http://localhost:3000');
}
const rows: Row[] = [];
for (const name of names) {
  const [says, measure] = FIGURES[name]!;
  console.log(says);
  rows.push(...(await measure()));
}

const width = Math.max(...rows.map(({ what }) => what.length));
console.log();
for (const { what, measured, ratio, goal, holds } of rows) {
  console.log(
    `${holds ? 'holds ' : 'MISSES'}  ${what.padEnd(width)}  ratio ${ratio.toFixed(2).padStart(6)}  (${goal})  ${measured}`,
  );
}
