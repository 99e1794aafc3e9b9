/** `npm run bench`: every figure is measured in this run; comparisons are ratios. No test asserts them. */
import { buildAll } from '../scripts/build.ts';
import { needBrowser } from '../scripts/system.ts';
import { activity } from './activity.ts';
import { coins } from './coins.ts';
import { dashboard } from './dashboard.ts';
import { pageLoad } from './page-load.ts';
import { rendering } from './rendering.ts';
import { service } from './service.ts';
import { signing } from './signing.ts';
import { sizes } from './sizes.ts';
import { starting } from './starting.ts';
import { swiping } from './swiping.ts';
import type { Row } from './row.ts';

process.env.CHROME_PATH = needBrowser();
console.log('Building …');
await buildAll('http://localhost:3000');
const rows: Row[] = sizes();
console.log('Signing 1,000 inputs, both ways …');
rows.push(...(await signing()));
console.log('Choosing among 100,000 coins …');
rows.push(...(await coins()));
console.log('Drawing 1,000 buttons …');
rows.push(...(await rendering()));
console.log('Loading a page with and without the extension …');
rows.push(...(await pageLoad()));
console.log('Starting the worker and the popup …');
rows.push(...(await starting()));
console.log('Swiping in a real browser …');
rows.push(...(await swiping()));
console.log('Reading the activity of 100,000 payments …');
rows.push(...(await activity()));
console.log('Adding up 100,000 payments for a merchant …');
rows.push(...(await dashboard()));
console.log('Asking the service …');
rows.push(...(await service()));

const width = Math.max(...rows.map(({ what }) => what.length));
console.log();
for (const { what, measured, ratio, goal, holds } of rows) {
  console.log(
    `${holds ? 'holds ' : 'MISSES'}  ${what.padEnd(width)}  ratio ${ratio.toFixed(2).padStart(6)}  (${goal})  ${measured}`,
  );
}
