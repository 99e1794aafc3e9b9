/** More attempts of hostile pages with the BSV wallet interface (BRC-100), which only the full run makes. */
import { afterEach, describe, expect, test } from 'vitest';
import { setScene, type Scene } from './drive/scene.ts';
import { onStage } from './drive/stage.ts';
import { makeVisits } from './drive/visits.ts';
import { hostileCalls } from './hostile/brc100.ts';
import type { Page } from 'puppeteer-core';
import { ACTION, call, KEY } from './drive/applications.ts';
import { approve, ask, PASSWORD, readyApproval, refuse } from './drive/wallet.ts';

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

afterEach(async () => {
  await visits.end();
});

const windows = () => scene.wallet.approvalCount().ever;

const part = (approval: Page, name: string) => approval.$eval(`[data-part=${name}]`, (one) => one.textContent);

describe('hostile pages', () => hostileCalls(() => scene, visits));

describe('the user is asked', () => {
  test('to spend, after what else the site asks: a window each, one at a time; yes pays, no pays nothing', async () => {
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

  test('for the password of a locked wallet, in one window for all calls', async () => {
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
