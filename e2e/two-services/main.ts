/** Starts both services and shops. With `--walk`, three wallets perform the steps in the example's README.md. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildAll } from '../../scripts/build.ts';
import { openBrowser } from '../../tooling/open-browser.ts';
import { needBrowser } from '../../tooling/system.ts';
import { startServices } from './services.ts';
import { openShop, type Learned } from '../../examples/two-services/shop.ts';
import { walk } from './walk.ts';

const walks = process.argv.includes('--walk');
if (walks) process.env.CHROME_PATH = needBrowser();
const places = [
  { host: 'localhost', port: 3001 },
  { host: '127.0.0.1', port: 3002 },
] as const;

console.log('Building the extension and the button …');
await buildAll(`http://${places[0].host}:${places[0].port}`);
const [one, two] = await startServices(...places, 5_000);
const profile = await mkdtemp(join(tmpdir(), 'two-services-'));
const shops = await Promise.all([
  openShop(one, 4001, (learned) => tell('One', learned)),
  openShop(two, 4002, (learned) => tell('Two', learned)),
]).catch(async (error: unknown) => {
  // A shop's port may be in use. The services have already started, so they are stopped.
  await Promise.all([one.stop(), two.stop()]);
  throw error;
});

/** Prints the data that a shop has received. Does nothing with `--walk`, which prints the data itself. */
function tell(shop: string, { by, payment }: Learned): void {
  if (walks) return;
  const payer = `user ID ${payment.userId ?? 'none'}, paymail ${payment.senderPaymail ?? 'none'}`;
  console.log(`The shop at ${shop}, by ${by}: ${payment.satoshis} satoshis, payer ${payer}, ${payment.txid}`);
}

async function end(): Promise<void> {
  await Promise.all(shops.map((shop) => shop.close()));
  await Promise.all([one.stop(), two.stop()]);
  await rm(profile, { recursive: true, force: true });
}

if (walks) {
  try {
    await walk(...shops, console.log);
  } finally {
    await end();
  }
} else {
  const stop = () => void end().then(() => process.exit(0));
  process.once('SIGINT', stop).once('SIGTERM', stop);
  console.log(`
  Two services run:  One at ${one.url}, Two at ${two.url}
  and their shops:   ${shops[0].url} and ${shops[1].url}

  Load the wallet from ${resolve('dist/extension')} into a browser profile of its own,
  choose a service for the account in its fourth step, or none, and swipe in both shops.
  What they learn appears here. Ctrl-C ends and deletes everything.
`);
  await openBrowser(shops[1].url, resolve('dist/extension'), profile);
}
