/** Payments and the exchange rate: what two sources, one or none let through, asked and unasked. */
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { writeAddress } from '../../../protocol/address.ts';
import { openDevnet } from '../../../server/devnet/devnet.ts';
import type { PaymentOptions } from '../../../protocol/payment.ts';
import { endAllLives, type Life } from '../testing/life.ts';
import { startNetwork, type TestNetwork } from '../testing/network.ts';
import {
  approvalOf,
  approvals,
  approve,
  ask,
  decide,
  give,
  openWallet,
  pay,
  paymentView,
  stored,
} from '../testing/wallet.ts';

let network: TestNetwork;
beforeAll(async () => {
  network = await startNetwork(openDevnet);
});
afterAll(() => network.close());
afterEach(() => {
  network.reset();
  endAllLives();
});

const shop = () => writeAddress(crypto.getRandomValues(new Uint8Array(20)), 'devnet');
const AUTOMATIC = { automatic: true, userActivation: 'none' } as const;
const dollars = (amount: string): PaymentOptions => ({ outputs: [{ to: shop(), amount, currency: 'USD' }] });

/** What each case makes of the index's dollar, while the service says 50. */
const INDEX = {
  one: {},
  differ: { currency: 'USD', rate: 52.51 },
  agree: { currency: 'USD', rate: 52.5 },
};

/** A wallet that has heard nothing of rates yet but what the two say from now on. */
async function wallet(index: keyof typeof INDEX): Promise<Life> {
  const life = await openWallet(network, [1_000_000]);
  await hear(life, index);
  return life;
}

async function hear(life: Life, index: keyof typeof INDEX): Promise<void> {
  network.exchangeRate = INDEX[index];
  await life.modules.database.deleteKey('rates');
}

describe('two sources that agree within 5%', () => {
  test('let an allowance pay, at the service’s price', async () => {
    const life = await wallet('agree');
    await give(life);
    expect(await ask(life, 'request-1', dollars('0.10'), AUTOMATIC)).toMatchObject({
      status: 'RECEIVED',
      satoshis: '200000',
    });
    expect(life.profile.browser.windowsOpened).toBe(0);
  });
});

describe('one source alone', () => {
  test('lets a person pay, who is told', async () => {
    const life = await wallet('one');
    const answer = ask(life, 'request-1', dollars('0.10'));
    const id = await approvalOf(life);
    expect(await paymentView(life, id)).toMatchObject({
      problem: null,
      rate: { currency: 'USD', price: '50', sources: 1 },
    });
    await decide(life, id);
    expect(await answer).toMatchObject({ status: 'RECEIVED' });
  });

  test.each<[string, string, () => PaymentOptions]>([
    ['in a currency, of an amount in coins', 'USD', () => pay(shop(), 1000)],
    ['in coins, of an amount in a currency', 'BSV', () => dollars('0.10')],
    ['in a currency, of an amount in it', 'USD', () => dollars('0.10')],
  ])('lets no allowance %s pay: the user is asked', async (_, currency, options) => {
    const life = await wallet('one');
    const key = await give(life, { currency });
    const answer = ask(life, 'request-1', options(), AUTOMATIC);
    await decide(life, await approvalOf(life));
    expect(await answer).toMatchObject({ status: 'RECEIVED' });
    expect(await life.modules.allowances.readAllowance(key)).toMatchObject({ spent: 0n, payments: 0 });
  });

  test.each(['one', 'differ'] as const)(
    'from the decision on (%s), stops the payment before it is signed, and the user is asked',
    async (index) => {
      const life = await wallet('agree');
      const key = await give(life);
      const { id, currency } = (await life.modules.allowances.readAllowance(key)) ?? { id: '', currency: '' };
      const options = pay(shop(), 1000);
      // As it is after the decision, with the worker stopped there.
      const answered = ask(life, 'request-1', options, { userActivation: 'none' });
      await approvalOf(life);
      const [record] = (await stored(life)).payments;
      await life.modules.transition.transition(record?.id ?? '', 'requested', () => ({
        state: 'approved',
        approvedAt: Date.now(),
        allowance: { key, id, currency, debit: null, periodStart: null },
      }));
      await hear(life, index);
      await life.modules.drive.processPayment(record?.id ?? '');
      expect((await stored(life)).payments).toMatchObject([{ state: 'requested', allowance: null, signed: null }]);
      expect(network.broadcasts).toEqual([]);
      expect(await life.modules.allowances.readAllowance(key)).toMatchObject({ spent: 0n, payments: 0 });
      life.profile.browser.closeWindow(approvals(life)[0]?.windowId as number);
      expect(await answered).toBe('approval-closed');
    },
  );
});

describe('two sources that differ by more than 5%', () => {
  test('let nothing in a currency be paid, and leave nothing behind', async () => {
    const life = await wallet('differ');
    await give(life);
    expect(await ask(life, 'request-1', dollars('0.10'))).toBe('rates-differ');
    expect(await ask(life, 'request-2', dollars('0.10'), AUTOMATIC)).toBe('rates-differ');
    expect((await stored(life)).payments).toEqual([]);
    expect(life.profile.browser.windowsOpened).toBe(0);
    expect(await life.modules.overview.overview()).toMatchObject({ rate: null, rateProblem: 'rates-differ' });
  });

  test('do not touch coins: an allowance in BSV pays an amount in BSV', async () => {
    const life = await wallet('differ');
    const key = await give(life, { currency: 'BSV', limit: 10_000n });
    expect(await ask(life, 'request-1', pay(shop(), 1000), AUTOMATIC)).toMatchObject({ status: 'RECEIVED' });
    expect(life.profile.browser.windowsOpened).toBe(0);
    expect((await life.modules.allowances.readAllowance(key))?.spent).toBeGreaterThan(1000n);
  });

  test('show no money but coins in a window, which can be paid', async () => {
    const life = await wallet('differ');
    const answer = ask(life, 'request-1', pay(shop(), 1000));
    const id = await approvalOf(life);
    expect(await paymentView(life, id)).toMatchObject({
      problem: null,
      rate: null,
      allowanceRates: [{ currency: 'BSV' }],
    });
    await decide(life, id);
    expect(await answer).toMatchObject({ status: 'RECEIVED' });
  });
});

describe('a window that waits', () => {
  /** Sets the wallet's clock forward. */
  function later(ms: number): void {
    const then = Date.now() + ms;
    vi.mocked(Date.now).mockImplementation(() => then);
  }

  test('for more than ten minutes pays nothing that was worked out in a currency', async () => {
    const life = await wallet('agree');
    const answer = ask(life, 'request-1', dollars('0.10'));
    const id = await approvalOf(life);
    await paymentView(life, id);
    later(600_001);
    expect(await paymentView(life, id)).toMatchObject({
      problem: { code: 'rate-unavailable' },
      feeSatoshis: null,
    });
    await expect(approve(life, id)).rejects.toMatchObject({ code: 'rate-unavailable' });
    life.profile.browser.closeWindow(approvals(life)[0]?.windowId as number);
    expect(await answer).toBe('approval-closed');
    expect(network.broadcasts).toEqual([]);
  });

  test('pays coins, however long', async () => {
    const life = await wallet('agree');
    const answer = ask(life, 'request-1', pay(shop(), 1000));
    const id = await approvalOf(life);
    await paymentView(life, id);
    later(3600_000);
    await life.modules.vault.unlock('correct horse battery');
    await approve(life, id);
    expect(await answer).toMatchObject({ status: 'RECEIVED' });
  });
});
