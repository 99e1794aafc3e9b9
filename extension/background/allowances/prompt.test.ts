/** A site asks for an allowance: the window, its decisions, and what becomes of it when page, window or worker go. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openDevnet } from '../../../server/devnet/devnet.ts';
import type { PageParams } from '../../../protocol/page-messages.ts';
import { endAllLives, type Life } from '../testing/life.ts';
import { startNetwork, type TestNetwork } from '../testing/network.ts';
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
} from '../testing/wallet.ts';
import type { Client } from '../prompts/ask.ts';
import type { Terms } from './allowance.ts';

let network: TestNetwork;
beforeAll(async () => {
  network = await startNetwork(openDevnet);
});
afterAll(() => network.close());
afterEach(() => {
  network.reset();
  endAllLives();
});

const ORIGIN = 'https://shop.example';
const TO = 'mpYYAhbqNUWWTmrsjcHKkGRUFyQ1FSezFb';
const TERMS: Terms = {
  currency: 'USD',
  limit: 2_00000000n,
  perPayment: null,
  period: 'week',
  ceiling: { limit: 6_000_000n, perPayment: null, price: '50', dollar: '50' },
};
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'none',
    (error: { code?: string }) => error.code ?? error,
  );

/** The page asks: the token, or the code of the error. */
function ask(life: Life, params: Partial<PageParams<'allowance/ask'>> = {}, by: Partial<Client> = {}): Promise<string> {
  return life.modules.asks
    .askForAllowance(
      { clientIdentifier: 'app', ...params },
      { origin: ORIGIN, message: 'message-1', client: {}, userActivation: 'new', ...by },
    )
    .then(
      ({ token }) => token,
      (error: { code: string }) => error.code,
    );
}

/** The user reads the window, takes the time that it asks for, and gives what `terms` say. */
async function grant(life: Life, approvalId: string, terms = TERMS): Promise<void> {
  await life.modules.decide.viewPrompt(approvalId);
  await new Promise((resolve) => setTimeout(resolve, 520));
  await approve(life, approvalId, { decision: 'grant', terms });
}

describe('a page that pays by itself and says what it would like an allowance to be', () => {
  const payment = (more: object) => ({
    id: 'request-1',
    options: pay(TO, 1000, { clientIdentifier: 'app' }),
    automatic: true,
    ...more,
  });
  const request = (life: Life, more: object) =>
    life.modules.pages.pageHandlers['payment/request'](payment(more), {
      origin: ORIGIN,
      client: {},
      message: crypto.randomUUID(),
      userActivation: 'new',
    });

  test('has it in the form beside its first payment', async () => {
    const life = await openWallet(network, [1_000_000]);
    void request(life, {
      suggestedAmount: { amount: '3', currency: 'EUR' },
      minimumAmount: { amount: '0', currency: 'USD' },
      permission: 'kept-of-old',
    }).catch(() => undefined);
    expect(await paymentView(life, await approvalOf(life))).toMatchObject({
      automatic: true,
      wanted: { suggested: { amount: '3', currency: 'EUR' }, minimum: null, hadOne: true },
      allowanceRates: [{ currency: 'USD' }, { currency: 'BSV' }, { currency: 'EUR' }],
    });
  });

  test('that makes no sense gets no window; where no rate is known, the payment goes on', async () => {
    const life = await openWallet(network, [1_000_000]);
    for (const [wrong, code] of [
      [{ minimumAmount: { amount: 'much', currency: 'USD' } }, 'invalid-amount'],
      [{ minimumAmount: { amount: '-1', currency: 'USD' } }, 'invalid-amount'],
      [{ minimumAmount: { amount: '0.000000001', currency: 'USD' } }, 'invalid-amount'],
      [{ minimumAmount: { amount: '1', currency: 'ABCDE' } }, 'invalid-currency'],
    ] as const)
      expect(await codeOf(request(life, wrong)), JSON.stringify(wrong)).toBe(code);
    expect(life.profile.browser.windowsOpened).toBe(0);
    await life.modules.database.writeKey('rates', {
      service: { prices: { USD: '50' }, time: 0 },
      index: null,
      askedAt: Date.now(),
    });
    void request(life, { minimumAmount: { amount: '1', currency: 'USD' } }).catch(() => undefined);
    expect(await paymentView(life, await approvalOf(life))).toMatchObject({
      wanted: { minimum: { amount: '1' } },
      allowanceRates: [{ currency: 'BSV' }],
      problem: null,
    });
  });
});

describe('a site that asks for an allowance', () => {
  test('gets the token of what the user gives, and pays by it', async () => {
    const life = await openWallet(network, [1_000_000]);
    const answer = ask(life, {
      suggestedAmount: { amount: '3', currency: 'EUR' },
      minimumAmount: { amount: '1', currency: 'USD' },
    });
    const id = await approvalOf(life);
    expect(await life.modules.decide.viewPrompt(id)).toMatchObject({
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
    await grant(life, id);
    const token = await answer;
    expect(await life.modules.allowances.readAllowance([ORIGIN, 'app', 'automatic'])).toMatchObject({
      id: token,
      ...TERMS,
      spent: 0n,
    });
    for (const { windowId } of approvals(life)) life.profile.browser.closeWindow(windowId);
    expect(
      await askToPay(life, 'request-1', pay(TO, 1000, { clientIdentifier: 'app' }), {
        automatic: true,
        userActivation: 'none',
      }),
    ).toMatchObject({ status: 'RECEIVED' });
    expect(life.profile.browser.windowsOpened).toBe(1);
  });

  test.each([
    [{ suggestedAmount: { amount: '-1', currency: 'USD' } }, 'invalid-amount'],
    [{ minimumAmount: { amount: '1e9', currency: 'USD' } }, 'invalid-amount'],
    [{ suggestedAmount: { amount: '1', currency: 'ZZZ' } }, 'invalid-currency'],
  ])('with %j is refused before a window opens', async (params, code) => {
    const life = await openWallet(network, []);
    expect(await ask(life, params)).toBe(code);
    expect(life.profile.browser.windowsOpened).toBe(0);
  });

  test('again gets another token for the new one, which starts with nothing spent', async () => {
    const life = await openWallet(network, []);
    const key = await give(life, { clientIdentifier: 'app', spent: 100n, limit: 100n });
    const answer = ask(life);
    const id = await approvalOf(life);
    expect(await life.modules.decide.viewPrompt(id)).toMatchObject({ current: { limit: '0.000001', left: '0' } });
    await grant(life, id);
    const token = await answer;
    expect(token).not.toBe('token-0123456789');
    expect(await life.modules.allowances.readAllowance(key)).toMatchObject({ id: token, spent: 0n });
  });
});

describe('a site that was refused', () => {
  const HOUR = 3600_000;

  test('may ask again at once with a person’s act in it, and without a new one has to wait', async () => {
    const life = await openWallet(network, [1_000_000]);
    const first = askToPay(life, 'request-1', pay(TO, 1000));
    await decide(life, await approvalOf(life), 'refuse');
    expect(await first).toBe('refused');
    for (const { windowId } of approvals(life)) life.profile.browser.closeWindow(windowId);
    // Its clock runs fast: make the no one of this moment.
    await refusedNow(life, 3);
    for (const userActivation of ['none', 'active'] as const) {
      expect(await askToPay(life, 'request-2', pay(TO, 1000), { userActivation })).toBe('too-many-requests');
      expect(await ask(life, {}, { userActivation })).toBe('too-many-requests');
      expect(await askToPay(life, 'request-2', pay(TO, 1000), { automatic: true, userActivation })).toBe(
        'too-many-requests',
      );
    }
    expect(life.profile.browser.windowsOpened).toBe(1);
    const again = askToPay(life, 'request-2', pay(TO, 1000), { userActivation: 'new' });
    await decide(life, await approvalOf(life));
    expect(await again).toMatchObject({ status: 'RECEIVED' });
    for (const { windowId } of approvals(life)) life.profile.browser.closeWindow(windowId);
    // The yes settles it.
    void askToPay(life, 'request-3', pay(TO, 1000), { userActivation: 'none' });
    await approvalOf(life);
    expect(life.profile.browser.windowsOpened).toBe(3);
  });

  test('whose allowance is used up has to wait as well, and leaves nothing', async () => {
    const life = await openWallet(network, [1_000_000]);
    await give(life, { spent: 5_00000000n });
    await refusedNow(life, 3);
    expect(await askToPay(life, 'request-1', pay(TO, 1000), { automatic: true, userActivation: 'none' })).toBe(
      'too-many-requests',
    );
    expect(await (await life.modules.database.database()).count('payments')).toBe(0);
    expect(life.profile.browser.windowsOpened).toBe(0);
  });

  test('twice within a minute can be blocked in its next window, for that long', async () => {
    const life = await openWallet(network, [1_000_000]);
    await refusedNow(life, 2);
    const answer = askToPay(life, 'request-1', pay(TO, 1000), { userActivation: 'new' });
    const id = await approvalOf(life);
    expect(await paymentView(life, id)).toMatchObject({ mayBlock: true });
    await life.modules.handlers.walletHandlers['approval/decide']({
      approvalId: id,
      decision: 'refuse',
      blockHours: 24,
    });
    expect(await answer).toBe('refused');
    for (const { windowId } of approvals(life)) life.profile.browser.closeWindow(windowId);
    for (const userActivation of ['none', 'new'] as const) {
      expect(await askToPay(life, 'request-2', pay(TO, 1000), { userActivation })).toBe('site-blocked');
      expect(await ask(life, {}, { userActivation })).toBe('site-blocked');
    }
    await give(life);
    expect(await askToPay(life, 'request-2', pay(TO, 1000), { automatic: true })).toBe('site-blocked');
    expect(life.profile.browser.windowsOpened).toBe(1);
    expect(await (await life.modules.database.database()).count('payments')).toBe(1);
    const [site] = await life.modules.list.listSites();
    const blockedUntil = Number(site?.blockedUntil);
    expect(blockedUntil - Date.now()).toBeGreaterThan(23 * HOUR);
    // Another site is not, and this one no more once the user takes it back.
    void askToPay(life, 'request-1', pay(TO, 1000), { origin: 'https://other.example' });
    await approvalOf(life);
    await life.modules.sites.setBlock(ORIGIN, null);
    expect(await askToPay(life, 'request-2', pay(TO, 1000), { automatic: true, userActivation: 'none' })).toMatchObject(
      {
        status: 'RECEIVED',
      },
    );
  });

  /** As if the user had refused this site so many times just now. */
  async function refusedNow(life: Life, times: number): Promise<void> {
    for (let i = 0; i < times; i += 1)
      await life.modules.database.inTransaction((tx) => life.modules.sites.recordRejection(tx, ORIGIN, 'user'));
    const db = await life.modules.database.database();
    const site = await db.get('sites', ORIGIN);
    if (site) await db.put('sites', { ...site, dismissals: 7, endedAt: Date.now() });
  }
});
