/**
 * Performs the example's steps with three wallets in separate headless browsers: Ann has an account at One, Ben has an
 * account at Two, and Cay has no account.
 */
import type { Page } from 'puppeteer-core';
import { launchWallet, type WalletBrowser } from '../../tooling/drive/browser.ts';
import { until } from '../../testing/patience.ts';
import {
  approve,
  ask,
  buttonIn,
  pressWhenReady,
  quickWallet,
  readyApproval,
  swipe,
} from '../../tooling/drive/wallet.ts';
import type { Account } from '../../protocol/messages/wallet-messages.ts';
import { refundAddressOf, type Learned, type Shop, type ShopService } from '../../examples/two-services/shop.ts';

interface Walker {
  name: string;
  wallet: WalletBrowser;
  page: Page;
  words: string;
  account: Account | null;
}

/** A purchase, with the data that the shop and the payer have about it. */
export interface Bought {
  window: string;
  /** The data from the shop's own request to its service. */
  verified: Learned;
  /** The data from the webhook. */
  received: Learned;
  records: string[];
}

export interface Walk {
  ann: Bought;
  ben: Bought;
  cay: Bought;
  annAtOne: Bought;
  /** Cay's balance before the wallet was deleted (satoshis). */
  before: string;
  /** Cay's balance after the wallet was restored (satoshis). */
  restored: string;
}

const COINS = 2_000_000;
const TO_ANN = '0.10';

/**
 * Performs the steps.
 * @param one the shop at Ann's service
 * @param two the shop at Ben's service
 * @param say receives a line for each event
 */
export async function walk(one: Shop, two: Shop, say: (line: string) => void): Promise<Walk> {
  const open: WalletBrowser[] = [];
  const arrive = async (name: string, service: ShopService, withAccount: boolean): Promise<Walker> => {
    const wallet = await launchWallet();
    open.push(wallet);
    const handle = withAccount ? { handle: name.toLowerCase(), name } : {};
    const { words, page } = await quickWallet(wallet, { serviceUrl: service.url, satoshis: COINS, ...handle });
    const { account } = await ask(page, 'wallet/overview', {});
    say(
      `${name} has ${account ? `the account ${account.paymail}` : 'no account'}, and ${COINS} satoshis of the faucet.`,
    );
    return { name, wallet, page, words, account };
  };
  try {
    const ann = await arrive('Ann', one.service, true);
    const ben = await arrive('Ben', two.service, true);
    const cay = await arrive('Cay', one.service, false);

    const { keeper } = one.service;
    say(
      `\nUser ${keeper.id} is ${keeper.paymail} at One; user ${two.service.keeper.id} is ${two.service.keeper.paymail} at Two.`,
    );
    const annAtOne = await buy(ann, one, say);
    const atTwo = { ann: await buy(ann, two, say), ben: await buy(ben, two, say), cay: await buy(cay, two, say) };

    const { txid } = await refund(ben, two, atTwo.cay.verified);
    await receives(cay, txid);
    say(`\nThe shop at Two gives Cay the money back, to the address that it came from. It arrives.`);

    const sent = await sendTo(cay, ann.account?.paymail ?? '');
    await receives(ann, sent);
    say(`Cay sends ${TO_ANN} USD to ${ann.account?.paymail}. It arrives.`);

    await ask(cay.page, 'wallet/refresh', {});
    const { satoshis: before } = await ask(cay.page, 'wallet/overview', {});
    await cay.wallet.close();
    const restored = await restore(cay, one.service, before, open);
    say(`Cay's browser is lost. From the twelve words another one has all ${restored} satoshis again.`);
    return { annAtOne, ...atTwo, before, restored };
  } finally {
    await Promise.all(open.map((wallet) => wallet.close()));
  }
}

/** Buys an item, and collects the data that the shop, the payer and the services have about the purchase. */
async function buy({ name, wallet, page, account }: Walker, shop: Shop, say: (line: string) => void): Promise<Bought> {
  const tab = await wallet.browser.newPage();
  await tab.goto(shop.url);
  const window = await pay(wallet, tab);
  const { id } = await latest(page);
  const [verified, received] = await until(`the shop at ${shop.service.name} knows of the payment`, async () => {
    const [asked, hooked] = (['verifyPayment', 'payment.received'] as const).map((by) =>
      shop.learned.find((one) => one.by === by && one.payment.id === id),
    );
    return asked && hooked ? ([asked, hooked] as const) : null;
  });
  const { report, serviceReport } = await until('both services have the payment', async () => {
    const details = await ask(page, 'activity/read', { id });
    // If the wallet has no account, the report to its own service waits until the wallet has one.
    const isReported = details.report !== 'waiting' || !account;
    return isReported && details.serviceReport?.state !== 'waiting' ? details : null;
  });
  const records = [
    ...(report === 'done' ? ["the service of the wallet's account"] : []),
    ...(serviceReport?.state === 'done' ? ['the service of the button'] : []),
  ];
  const { satoshis, userId, senderPaymail } = received.payment;
  say(`\n${name} buys at the shop of ${shop.service.name}: ${satoshis} satoshis.
  The payer at ${shop.service.name}: user ID ${userId ?? 'none'}, paymail ${senderPaymail ?? 'none'}, refund address ${refundAddressOf(received.payment.rawtx)}.
  Reported to ${records.join(' and ')}; webhook received, payment verified.`);
  await tab.close();
  return { window, verified, received, records };
}

async function pay(wallet: WalletBrowser, tab: Page): Promise<string> {
  await swipe(tab, await buttonIn(tab, 'ready'));
  const approval = await readyApproval(wallet);
  const window = await approval.evaluate(() => document.body.innerText);
  await approve(wallet);
  await buttonIn(tab, 'done');
  await wallet.noApproval();
  return window;
}

async function refund({ wallet, page }: Walker, shop: Shop, { payment }: Learned): Promise<{ txid: string }> {
  const tab = await wallet.browser.newPage();
  await tab.goto(`${shop.url}/orders/${payment.buttonId}/refund`);
  await pay(wallet, tab);
  await tab.close();
  return latest(page);
}

/** Sends money with the popup's send form. @returns the transaction's ID */
async function sendTo({ page }: Walker, paymail: string): Promise<string> {
  await page.bringToFront();
  await (await page.waitForSelector('.home-actions > button'))?.click();
  await (await page.waitForSelector('.send-to'))?.type(paymail);
  await page.type('.send-amount', TO_ANN);
  await page.click('[data-action=review]');
  await page.waitForSelector('[data-action=send]');
  await pressWhenReady(page, '[data-action=send]');
  await page.waitForSelector('[data-part=sent]');
  return (await latest(page)).txid;
}

async function latest(page: Page): Promise<{ id: string; txid: string }> {
  const { items } = await ask(page, 'activity/list', { limit: 20 });
  const item = items.find(({ direction }) => direction === 'sent');
  if (!item?.txid) throw new Error('no payment in the activity');
  return { id: item.id, txid: item.txid };
}

async function receives({ name, page }: Walker, txid: string): Promise<void> {
  await until(`${name} has transaction ${txid}`, async () => {
    await ask(page, 'wallet/refresh', {});
    const { items } = await ask(page, 'activity/list', { limit: 20 });
    return items.some((item) => item.direction === 'received' && item.txid === txid);
  });
}

/**
 * Restores a wallet in a new browser from only its recovery words.
 * @returns the balance, after waiting until it equals the previous one
 */
async function restore(
  { name, words }: Walker,
  service: ShopService,
  before: string,
  open: WalletBrowser[],
): Promise<string> {
  const wallet = await launchWallet();
  open.push(wallet);
  const { page } = await quickWallet(wallet, { serviceUrl: service.url, words });
  return until(`${name}'s wallet is restored`, async () => {
    const { satoshis, scan } = await ask(page, 'wallet/overview', {});
    return scan === null && satoshis === before ? satoshis : null;
  });
}
