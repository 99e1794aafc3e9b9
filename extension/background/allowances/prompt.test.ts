/** A site asks for an allowance: the window, its decisions, and what becomes of it when page, window or worker go. */
import { describe, expect, test } from 'vitest';
import { codeOf } from '../../../testing/code-of.ts';
import type { PageParams } from '../../../protocol/page-messages.ts';
import type { WorkerRun } from '../testing/worker-run.ts';
import { useNetwork } from '../testing/network.ts';
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
import { holdTime } from '../testing/clock.ts';
import type { Client } from '../prompts/ask.ts';
import type { Terms } from './allowance.ts';

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

/** The page asks: the token, or the code of the error. */
function ask(
  workerRun: WorkerRun,
  params: Partial<PageParams<'allowance/ask'>> = {},
  by: Partial<Client> = {},
): Promise<string> {
  return workerRun.modules.asks
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
async function grant(workerRun: WorkerRun, approvalId: string, terms = TERMS): Promise<void> {
  await workerRun.modules.decide.viewPrompt(approvalId);
  await new Promise((resolve) => setTimeout(resolve, 520));
  await approve(workerRun, approvalId, { decision: 'grant', terms });
}

describe('a page that pays by itself and says what it would like an allowance to be', () => {
  const payment = (more: object) => ({
    id: 'request-1',
    options: pay(TO, 1000, { clientIdentifier: 'app' }),
    automatic: true,
    ...more,
  });
  const request = (workerRun: WorkerRun, more: object) =>
    workerRun.modules.pages.pageHandlers['payment/request'](payment(more), {
      origin: ORIGIN,
      client: {},
      message: crypto.randomUUID(),
      userActivation: 'new',
      isTop: true,
    });

  test('has it in the form beside its first payment', async () => {
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

  test('that is invalid gets no window; if no rate is known, the payment continues', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    for (const [wrong, code] of [
      [{ minimumAmount: { amount: 'much', currency: 'USD' } }, 'invalid-amount'],
      [{ minimumAmount: { amount: '-1', currency: 'USD' } }, 'invalid-amount'],
      [{ minimumAmount: { amount: '0.000000001', currency: 'USD' } }, 'invalid-amount'],
      [{ minimumAmount: { amount: '1', currency: 'ABCDE' } }, 'invalid-currency'],
    ] as const)
      expect(await codeOf(request(workerRun, wrong)), JSON.stringify(wrong)).toBe(code);
    expect(workerRun.profile.browser.windowsOpened).toBe(0);
    await workerRun.modules.database.writeKey('rates', {
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

describe('a site that asks for an allowance', () => {
  test('gets the token of what the user gives, and pays by it', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    const answer = ask(workerRun, {
      suggestedAmount: { amount: '3', currency: 'EUR' },
      minimumAmount: { amount: '1', currency: 'USD' },
    });
    const id = await approvalOf(workerRun);
    expect(await workerRun.modules.decide.viewPrompt(id)).toMatchObject({
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
    expect(await workerRun.modules.allowances.readAllowance([ORIGIN, 'app', 'automatic'])).toMatchObject({
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
  ])('with %j is refused before a window opens', async (params, code) => {
    const workerRun = await openWallet(network, []);
    expect(await ask(workerRun, params)).toBe(code);
    expect(workerRun.profile.browser.windowsOpened).toBe(0);
  });

  test('gets none by a yes that says nothing of its terms, and still awaits the answer', async () => {
    const workerRun = await openWallet(network, []);
    const answer = ask(workerRun);
    const id = await approvalOf(workerRun);
    await workerRun.modules.decide.viewPrompt(id);
    await new Promise((resolve) => setTimeout(resolve, 520));
    expect(await codeOf(approve(workerRun, id, { decision: 'grant' }))).toBe('invalid-request');
    expect(await workerRun.modules.allowances.readAllowance([ORIGIN, 'app', 'automatic'])).toBeNull();
    await workerRun.modules.decide.rejectPrompt(id);
    expect(await answer).toBe('allowance-refused');
  });

  test('again gets another token for the new one, which starts with nothing spent', async () => {
    const workerRun = await openWallet(network, []);
    const key = await give(workerRun, { clientIdentifier: 'app', spent: 100n, limit: 100n });
    const answer = ask(workerRun);
    const id = await approvalOf(workerRun);
    expect(await workerRun.modules.decide.viewPrompt(id)).toMatchObject({ current: { limit: '0.000001', left: '0' } });
    await grant(workerRun, id);
    const token = await answer;
    expect(token).not.toBe('token-0123456789');
    expect(await workerRun.modules.allowances.readAllowance(key)).toMatchObject({ id: token, spent: 0n });
  });
});

describe('a site that was refused', () => {
  const HOUR = 3600_000;

  test('may ask again at once with a person’s act in it, and without a new one has to wait', async () => {
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
    // The yes settles it.
    void askToPay(workerRun, 'request-3', pay(TO, 1000), { userActivation: 'none' });
    await approvalOf(workerRun);
    expect(workerRun.profile.browser.windowsOpened).toBe(3);
  });

  test('whose allowance is used up has to wait as well, and leaves nothing', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    await give(workerRun, { spent: 5_00000000n });
    await refusedNow(workerRun, 3);
    expect(await askToPay(workerRun, 'request-1', pay(TO, 1000), { automatic: true, userActivation: 'none' })).toBe(
      'too-many-requests',
    );
    expect(await (await workerRun.modules.database.database()).count('payments')).toBe(0);
    expect(workerRun.profile.browser.windowsOpened).toBe(0);
  });

  test('twice within a minute can be blocked in its next window, for that long', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    const goOn = await refusedNow(workerRun, 2);
    const answer = askToPay(workerRun, 'request-1', pay(TO, 1000), { userActivation: 'new' });
    const id = await approvalOf(workerRun);
    expect(await paymentView(workerRun, id)).toMatchObject({ mayBlock: true });
    await workerRun.modules.handlers.walletHandlers['approval/decide']({
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
    expect(await (await workerRun.modules.database.database()).count('payments')).toBe(1);
    const [site] = await workerRun.modules.list.listSites();
    const blockedUntil = Number(site?.blockedUntil);
    expect(blockedUntil - Date.now()).toBeGreaterThan(23 * HOUR);
    // Another site is not, and this one no more once the user takes it back.
    void askToPay(workerRun, 'request-1', pay(TO, 1000), { origin: 'https://other.example' });
    await approvalOf(workerRun);
    await workerRun.modules.sites.setBlock(ORIGIN, null);
    expect(
      await askToPay(workerRun, 'request-2', pay(TO, 1000), { automatic: true, userActivation: 'none' }),
    ).toMatchObject({
      status: 'RECEIVED',
    });
  });

  /** As if the user had refused this site so many times just now. @returns lets time go on, which stands still from here */
  async function refusedNow(workerRun: WorkerRun, times: number): Promise<() => void> {
    const goOn = holdTime();
    for (let i = 0; i < times; i += 1)
      await workerRun.modules.database.inTransaction((tx) =>
        workerRun.modules.sites.recordRejection(tx, ORIGIN, 'user'),
      );
    const db = await workerRun.modules.database.database();
    const site = await db.get('sites', ORIGIN);
    if (site) await db.put('sites', { ...site, dismissals: 7, endedAt: Date.now() });
    return goOn;
  }
});
