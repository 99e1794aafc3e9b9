/**
 * Wallets in Node, on devnet: Alice pays Bob from her wallet and on a page, and restores her wallet from its recovery
 * words.
 */
import { deepStrictEqual } from 'node:assert';
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { nextAnnouncement } from '../../wallet/events.ts';
import { pageHandlers } from '../../wallet/page-handlers.ts';
import { createWallet, type Wallet } from '../../wallet/platform.ts';
import { start } from '../../wallet/start.ts';
import { walletHandlers } from '../../wallet/wallet-handlers.ts';
import { nodePlatform } from './platform.ts';

const SERVICE_URL = process.env.SERVICE_URL || 'http://localhost:3000';

/**
 * Sets up a new wallet, or restores a wallet from its recovery words. `own` contains the methods that the wallet's
 * windows call.
 */
async function open(given?: string) {
  const wallet = createWallet(nodePlatform(SERVICE_URL, (url) => void approve(wallet, url)));
  start(wallet);
  const own = walletHandlers(wallet);
  const words = given ?? (await own['vault/generate-words']({})).words;
  await own['vault/create']({ words, password: 'correct horse battery', restored: given !== undefined });
  return { wallet, words, own, page: pageHandlers(wallet) };
}

/**
 * Approves a payment on the user's behalf. Waits first, because the wallet rejects approvals in the first half second.
 */
async function approve(wallet: Wallet, url: URL): Promise<void> {
  const [own, approvalId] = [walletHandlers(wallet), url.searchParams.get('id') ?? ''];
  const view = await own['approval/read']({ approvalId });
  if (view.kind !== 'payment' || view.feeSatoshis === null) throw new Error(`can't approve ${JSON.stringify(view)}`);
  await setTimeout(600);
  await own['approval/decide']({ approvalId, decision: 'pay', feeSatoshis: view.feeSatoshis });
}

/** Waits until a condition is true. Checks the condition after each change to the wallet. */
async function until(wallet: Wallet, isTrue: () => Promise<boolean>): Promise<void> {
  for (let change = nextAnnouncement(wallet); !(await isTrue()); change = nextAnnouncement(wallet)) await change;
}

const [alice, bob] = [await open(), await open()];
await alice.own['wallet/faucet']({ satoshis: 1_000_000 });
const account = await bob.own['account/register']({ handle: `bob${Date.now()}`, name: 'Bob' });
await bob.own['wallet/listen']({});

const to = account?.paymail ?? '';
const quote = await alice.own['send/quote']({ recipients: [{ to, amount: '0.002', currency: 'BSV' }] });
const { outputs, feeSatoshis, time } = quote;
const sent = await alice.own['send/pay']({ requestId: randomUUID(), outputs, feeSatoshis: feeSatoshis ?? '', time });
console.log('sent:', sent.txid);

const shop = { origin: 'https://shop.example', client: {}, message: '1', userActivation: 'new', isTop: true } as const;
const options = { outputs: [{ to, amount: '0.001', currency: 'BSV' }] };
const { payment } = await alice.page['payment/request']({ id: randomUUID(), options }, shop);
console.log('paid on a page:', payment?.txid);

const overview = ({ own }: typeof bob) => own['wallet/overview']({});
await until(bob.wallet, async () => (await overview(bob)).satoshis === '300000');
console.log('received:', (await overview(bob)).satoshis);

const restored = await open(alice.words);
await until(restored.wallet, async () => {
  const { scan, historyLeft } = await overview(restored);
  return scan === null && historyLeft === null;
});
const all = async (of: typeof bob) => ({
  balance: (await overview(of)).satoshis,
  history: (await of.own['activity/list']({ limit: 10 })).items.map((one) => `${one.satoshis} ${one.txid}`).sort(),
});
deepStrictEqual(await all(restored), await all(alice));
console.log('restored:', (await all(restored)).balance);
process.exit(); // Otherwise, the wallets would keep the process running.
