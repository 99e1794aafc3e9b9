import { afterEach, describe, expect, test, vi } from 'vitest';
import { writeAddress } from '../../protocol/bitcoin/address.ts';
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import { parseTransactionHex } from '../../protocol/bitcoin/transaction.ts';
import { allow } from '../drive/allow.ts';
import { launchWallet } from '../../tooling/drive/browser.ts';
import { setScene, type Scene } from '../drive/scene.ts';
import { postJson } from '../../tooling/drive/service.ts';
import { onStage } from '../drive/stage.ts';
import { makeVisits } from '../drive/visits.ts';
import { hostileCalls } from '../hostile/brc100-calls.ts';
import type { Page } from 'puppeteer-core';
import { ACTION, call, KEY } from '../drive/applications.ts';
import {
  approve,
  ask,
  buttonIn,
  PASSWORD,
  pressWhenReady,
  quickWallet,
  readyApproval,
  refuse,
  swipe,
} from '../../tooling/drive/wallet.ts';

let scene: Scene;

const visits = makeVisits(() => scene);

onStage(
  async () => {
    scene = await setScene({ satoshis: 5_000_000 });
  },
  () => scene?.end(),
);

afterEach(() => visits.end());

const { openSite } = visits;

const windows = () => scene.wallet.approvalCount().ever;

const part = (approval: Page, name: string) => approval.$eval(`[data-part=${name}]`, (one) => one.textContent);

describe('hostile pages', () => hostileCalls(() => scene, visits));

describe('the user is asked', () => {
  test('spending is prompted after the site’s other requests, one window at a time, and only an approval pays', async () => {
    const { site, page } = await openSite();
    const before = windows();
    const permission = call(page, 'getPublicKey', { identityKey: true });
    await readyApproval(scene.wallet, 'permit');
    const paying = call(page, 'createAction', ACTION);
    const last = call(page, 'createAction', { ...ACTION, description: 'Take another coin' });
    await approve(scene.wallet, undefined, 'permit');
    expect((await permission).result).toMatchObject({ publicKey: expect.any(String) as string });
    const approval = await readyApproval(scene.wallet);
    expect(await part(approval, 'origin')).toBe(site.origin);
    expect(await approval.evaluate(() => document.body.innerText)).toContain('Take a coin');
    await approve(scene.wallet);
    expect((await paying).result).toMatchObject({ txid: expect.stringMatching(/^[0-9a-f]{64}$/) as string });
    await refuse(scene.wallet);
    expect((await last).error).toMatchObject({ reason: 'refused' });
    expect(windows()).toBe(before + 3);
    const { actions } = (await call(page, 'listActions', { labels: [], limit: 10 })).result as { actions: object[] };
    expect(actions).toMatchObject([{ description: 'Take a coin' }]);
  });

  test('the password of a locked wallet is requested in one window for all calls', async () => {
    const { page } = await openSite();
    expect((await call(page, 'isAuthenticated')).result).toEqual({ authenticated: false });
    const connected = call(page, 'waitForAuthentication');
    await approve(scene.wallet, undefined, 'permit');
    expect((await connected).result).toEqual({ authenticated: true });
    expect((await call(page, 'isAuthenticated')).result).toEqual({ authenticated: true });
    const popup = await scene.wallet.open('popup');
    visits.closeLater(popup);
    await ask(popup, 'vault/lock', {});
    const before = windows();
    const silent = { ...KEY, protocolID: [0, 'sealed notes'], data: [1] };
    const many = [
      ...Array.from({ length: 10 }, () => call(page, 'createHmac', silent)),
      ...Array.from({ length: 10 }, () => call(page, 'waitForAuthentication')),
      call(page, 'listActions', { labels: [] }),
    ];
    expect((await call(page, 'isAuthenticated')).result).toEqual({ authenticated: false });
    await approve(scene.wallet, PASSWORD, 'unlock');
    for (const { result } of await Promise.all(many)) expect(result).toBeDefined();
    expect(windows()).toBe(before + 1);
  });
});

async function fundedOutpoint(satoshis: number): Promise<string> {
  const hash = new Uint8Array(20).fill(7);
  const { txid } = (await postJson(`${scene.service.url}/devnet/faucet`, {
    address: writeAddress(hash, 'devnet'),
    satoshis,
  })) as { txid: string };
  const hex = await (await fetch(`${scene.service.url}/devnet/woc/v1/bsv/test/tx/${txid}/hex`)).text();
  const vout = parseTransactionHex(hex).outputs.findIndex((one) => toHex(one.lockingScript).includes(toHex(hash)));
  return `${txid}.${vout}`;
}

test('five actions that a permitted site prepares hide no money from a restored wallet', async () => {
  const { page } = await visits.openSite();
  const first = call(page, 'createAction', ACTION);
  await pressWhenReady(await allow(scene.wallet, '1'), 'button[data-action=pay]');
  expect((await first).result?.txid).toMatch(/^[0-9a-f]{64}$/);
  const inputs = [
    { outpoint: await fundedOutpoint(5000), inputDescription: 'a coin of mine', unlockingScriptLength: 108 },
  ];
  const before = scene.wallet.approvalCount().ever;
  for (let n = 0; n < 5; n += 1)
    expect((await call(page, 'createAction', { ...ACTION, inputs })).result).toHaveProperty('signableTransaction');
  expect(scene.wallet.approvalCount().ever).toBe(before);

  const shop = await scene.shop();
  visits.closeLater(shop);
  await swipe(shop, await buttonIn(shop, 'ready'));
  await approve(scene.wallet);
  await buttonIn(shop, 'done');
  await scene.mine();
  await ask(scene.page, 'wallet/refresh', { all: true });
  const { satoshis } = await ask(scene.page, 'wallet/overview', {});
  expect(Number(satoshis)).toBeGreaterThan(4_000_000);

  const other = await launchWallet();
  try {
    const restored = await quickWallet(other, { serviceUrl: scene.publicUrl, words: scene.words });
    await vi.waitFor(async () => expect((await ask(restored.page, 'wallet/overview', {})).satoshis).toBe(satoshis), {
      interval: 100,
    });
    const shown = (popup: typeof restored.page) =>
      popup.waitForSelector('.balance-switch').then((balance) => balance?.evaluate(({ textContent }) => textContent));
    await vi.waitFor(async () => expect(await shown(restored.page)).toBe(await shown(scene.page)), { interval: 100 });
  } finally {
    await other.close();
  }
});
