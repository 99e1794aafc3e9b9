/**
 * Tests a site's allowance requests: the window, the user's decisions, and what happens if the page, window or worker
 * disappears.
 */
import { describe, expect, test } from 'vitest';
import { codeOf } from '../../testing/code-of.ts';
import type { PageParams } from '../../protocol/messages/page-messages.ts';
import type { WorkerRun } from '../../testkit/wallet/worker-run.ts';
import { useNetwork } from '../../testkit/network/network.ts';
import {
  approvalOf,
  approvals,
  approve,
  ask as askToPay,
  decide,
  give,
  openWallet,
  pay,
  paymentView,
} from '../../testkit/wallet/wallet.ts';
import { holdTime, timeToRead } from '../../testkit/wallet/clock.ts';
import type { Client } from '../prompts/request.ts';
import type { Terms } from './allowance.ts';
import { wallet } from '../../testkit/wallet/current.ts';

const network = useNetwork();

const ORIGIN = 'https://shop.example';
const TO = 'mpYYAhbqNUWWTmrsjcHKkGRUFyQ1FSezFb';
const TERMS: Terms = {
  currency: 'USD',
  limit: 2_00000000n,
  perPayment: null,
  period: 'week',
  ceiling: { limit: 6_000_000n, perPayment: null, price: '50', dollar: '50' },
};

function ask(
  workerRun: WorkerRun,
  params: Partial<PageParams<'allowance/ask'>> = {},
  by: Partial<Client> = {},
): Promise<string> {
  return workerRun.modules.asks
    .promptForAllowance(
      wallet,
      { clientIdentifier: 'app', ...params },
      { origin: ORIGIN, message: 'message-1', client: {}, userActivation: 'new', ...by },
    )
    .then(
      ({ token }) => token,
      (error: { code: string }) => error.code,
    );
}

/** Opens the window, waits for the minimum reading time, and grants `terms`. */
async function grant(workerRun: WorkerRun, approvalId: string, terms = TERMS): Promise<void> {
  await workerRun.modules.decide.viewPrompt(wallet, approvalId);
  await timeToRead();
  await approve(workerRun, approvalId, { decision: 'grant', terms });
}

describe('a page that pays automatically and suggests an allowance', () => {
  const payment = (more: object) => ({
    id: 'request-1',
    options: pay(TO, 1000, { clientIdentifier: 'app' }),
    automatic: true,
    ...more,
  });
  const request = (workerRun: WorkerRun, more: object) =>
    workerRun.modules.pages.pageHandlers(wallet)['payment/request'](payment(more), {
      origin: ORIGIN,
      client: {},
      message: crypto.randomUUID(),
      userActivation: 'new',
      isTop: true,
    });

  test('the form of the first payment contains the suggestion', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    void request(workerRun, {
      suggestedAmount: { amount: '3', currency: 'EUR' },
      minimumAmount: { amount: '0', currency: 'USD' },
      permission: 'kept-of-old',
    }).catch(() => undefined);
    expect(await paymentView(workerRun, await approvalOf(workerRun))).toMatchObject({
      automatic: true,
      wanted: { suggested: { amount: '3', currency: 'EUR' }, minimum: null, hadOne: true },
      allowanceRates: [{ currency: 'USD' }, { currency: 'BSV' }, { currency: 'EUR' }],
    });
  });

  test('an invalid suggestion opens no window, and without a known rate the payment continues', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    for (const [wrong, code] of [
      [{ minimumAmount: { amount: 'much', currency: 'USD' } }, 'invalid-amount'],
      [{ minimumAmount: { amount: '-1', currency: 'USD' } }, 'invalid-amount'],
      [{ minimumAmount: { amount: '0.000000001', currency: 'USD' } }, 'invalid-amount'],
      [{ minimumAmount: { amount: '1', currency: 'ABCDE' } }, 'invalid-currency'],
    ] as const)
      expect(await codeOf(request(workerRun, wrong)), JSON.stringify(wrong)).toBe(code);
    expect(workerRun.profile.browser.windowsOpened).toBe(0);
    await workerRun.modules.database.writeKey(wallet, 'rates', {
      service: { prices: { USD: '50' }, time: 0 },
      index: null,
      askedAt: Date.now(),
    });
    void request(workerRun, { minimumAmount: { amount: '1', currency: 'USD' } }).catch(() => undefined);
    expect(await paymentView(workerRun, await approvalOf(workerRun))).toMatchObject({
      wanted: { minimum: { amount: '1' } },
      allowanceRates: [{ currency: 'BSV' }],
      problem: null,
    });
  });
});

describe('a site that requests an allowance', () => {
  test('the site gets the token of the user’s grant, and pays with it', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    const answer = ask(workerRun, {
      suggestedAmount: { amount: '3', currency: 'EUR' },
      minimumAmount: { amount: '1', currency: 'USD' },
    });
    const id = await approvalOf(workerRun);
    expect(await workerRun.modules.decide.viewPrompt(wallet, id)).toMatchObject({
      kind: 'allowance',
      origin: ORIGIN,
      clientIdentifier: 'app',
      suggested: { amount: '3', currency: 'EUR' },
      minimum: { amount: '1', currency: 'USD' },
      current: null,
      allowanceRates: [
        { currency: 'USD', price: '50', dollar: '50' },
        { currency: 'BSV', price: '1' },
        { currency: 'EUR', price: '45', dollar: '50' },
      ],
      locked: false,
      mayBlock: false,
    });
    await grant(workerRun, id);
    const token = await answer;
    expect(await workerRun.modules.allowanceRecords.readAllowance(wallet, [ORIGIN, 'app', 'automatic'])).toMatchObject({
      id: token,
      ...TERMS,
      spent: 0n,
    });
    for (const { windowId } of approvals(workerRun)) workerRun.profile.browser.closeWindow(windowId);
    expect(
      await askToPay(workerRun, 'request-1', pay(TO, 1000, { clientIdentifier: 'app' }), {
        automatic: true,
        userActivation: 'none',
      }),
    ).toMatchObject({ status: 'RECEIVED' });
    expect(workerRun.profile.browser.windowsOpened).toBe(1);
  });

  test.each([
    [{ suggestedAmount: { amount: '-1', currency: 'USD' } }, 'invalid-amount'],
    [{ minimumAmount: { amount: '1e9', currency: 'USD' } }, 'invalid-amount'],
    [{ suggestedAmount: { amount: '1', currency: 'ZZZ' } }, 'invalid-currency'],
  ])('a request with %j is rejected before a window opens', async (params, code) => {
    const workerRun = await openWallet(network, []);
    expect(await ask(workerRun, params)).toBe(code);
    expect(workerRun.profile.browser.windowsOpened).toBe(0);
  });

  test('an approval without terms grants nothing, and the site keeps waiting', async () => {
    const workerRun = await openWallet(network, []);
    const answer = ask(workerRun);
    const id = await approvalOf(workerRun);
    await workerRun.modules.decide.viewPrompt(wallet, id);
    await timeToRead();
    expect(await codeOf(approve(workerRun, id, { decision: 'grant' }))).toBe('invalid-request');
    expect(await workerRun.modules.allowanceRecords.readAllowance(wallet, [ORIGIN, 'app', 'automatic'])).toBeNull();
    await workerRun.modules.decide.rejectPrompt(wallet, id);
    expect(await answer).toBe('allowance-refused');
  });

  test('a new grant has a new token and starts with nothing spent', async () => {
    const workerRun = await openWallet(network, []);
    const key = await give(workerRun, { clientIdentifier: 'app', spent: 100n, limit: 100n });
    const answer = ask(workerRun);
    const id = await approvalOf(workerRun);
    expect(await workerRun.modules.decide.viewPrompt(wallet, id)).toMatchObject({
      current: { limit: '0.000001', left: '0' },
    });
    await grant(workerRun, id);
    const token = await answer;
    expect(token).not.toBe('token-0123456789');
    expect(await workerRun.modules.allowanceRecords.readAllowance(wallet, key)).toMatchObject({ id: token, spent: 0n });
  });
});

describe('a rejected site', () => {
  const HOUR = 3600_000;

  test('a rejected site may prompt again immediately after a new user gesture, and otherwise has to wait', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    const first = askToPay(workerRun, 'request-1', pay(TO, 1000));
    await decide(workerRun, await approvalOf(workerRun), 'refuse');
    expect(await first).toBe('refused');
    for (const { windowId } of approvals(workerRun)) workerRun.profile.browser.closeWindow(windowId);
    const goOn = await refusedNow(workerRun, 3);
    for (const userActivation of ['none', 'active'] as const) {
      expect(await askToPay(workerRun, 'request-2', pay(TO, 1000), { userActivation })).toBe('too-many-requests');
      expect(await ask(workerRun, {}, { userActivation })).toBe('too-many-requests');
      expect(await askToPay(workerRun, 'request-2', pay(TO, 1000), { automatic: true, userActivation })).toBe(
        'too-many-requests',
      );
    }
    expect(workerRun.profile.browser.windowsOpened).toBe(1);
    goOn();
    const again = askToPay(workerRun, 'request-2', pay(TO, 1000), { userActivation: 'new' });
    await decide(workerRun, await approvalOf(workerRun));
    expect(await again).toMatchObject({ status: 'RECEIVED' });
    for (const { windowId } of approvals(workerRun)) workerRun.profile.browser.closeWindow(windowId);
    void askToPay(workerRun, 'request-3', pay(TO, 1000), { userActivation: 'none' });
    await approvalOf(workerRun);
    expect(workerRun.profile.browser.windowsOpened).toBe(3);
  });

  test('a site whose allowance is used up has to wait as well, and stores nothing', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    await give(workerRun, { spent: 5_00000000n });
    await refusedNow(workerRun, 3);
    expect(await askToPay(workerRun, 'request-1', pay(TO, 1000), { automatic: true, userActivation: 'none' })).toBe(
      'too-many-requests',
    );
    expect(await (await workerRun.modules.database.database(wallet)).count('payments')).toBe(0);
    expect(workerRun.profile.browser.windowsOpened).toBe(0);
  });

  test('the user can block a site in the next window after two rejections within a minute', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    const goOn = await refusedNow(workerRun, 2);
    const answer = askToPay(workerRun, 'request-1', pay(TO, 1000), { userActivation: 'new' });
    const id = await approvalOf(workerRun);
    expect(await paymentView(workerRun, id)).toMatchObject({ mayBlock: true });
    await workerRun.modules.handlers.walletHandlers(wallet)['approval/decide']({
      approvalId: id,
      decision: 'refuse',
      blockHours: 24,
    });
    expect(await answer).toBe('refused');
    goOn();
    for (const { windowId } of approvals(workerRun)) workerRun.profile.browser.closeWindow(windowId);
    for (const userActivation of ['none', 'new'] as const) {
      expect(await askToPay(workerRun, 'request-2', pay(TO, 1000), { userActivation })).toBe('site-blocked');
      expect(await ask(workerRun, {}, { userActivation })).toBe('site-blocked');
    }
    await give(workerRun);
    expect(await askToPay(workerRun, 'request-2', pay(TO, 1000), { automatic: true })).toBe('site-blocked');
    expect(workerRun.profile.browser.windowsOpened).toBe(1);
    expect(await (await workerRun.modules.database.database(wallet)).count('payments')).toBe(1);
    const [site] = await workerRun.modules.list.listSites(wallet);
    const blockedUntil = Number(site?.blockedUntil);
    expect(blockedUntil - Date.now()).toBeGreaterThan(23 * HOUR);
    // Other sites aren't blocked.
    void askToPay(workerRun, 'request-1', pay(TO, 1000), { origin: 'https://other.example' });
    await approvalOf(workerRun);
    await workerRun.modules.sites.setBlock(wallet, ORIGIN, null);
    expect(
      await askToPay(workerRun, 'request-2', pay(TO, 1000), { automatic: true, userActivation: 'none' }),
    ).toMatchObject({
      status: 'RECEIVED',
    });
  });

  /**
   * Simulates recent rejections of the site's requests, with the clock stopped.
   * @returns a function that restarts the clock
   */
  async function refusedNow(workerRun: WorkerRun, times: number): Promise<() => void> {
    const goOn = holdTime();
    for (let i = 0; i < times; i += 1)
      await workerRun.modules.database.inTransaction(wallet, (tx) =>
        workerRun.modules.sites.recordRejection(wallet, tx, ORIGIN, 'user'),
      );
    const db = await workerRun.modules.database.database(wallet);
    const site = await db.get('sites', ORIGIN);
    if (site) await db.put('sites', { ...site, dismissals: 7, endedAt: Date.now() });
    return goOn;
  }
});
