/** Tests payments with exchange rates from two sources, one or none, with and without a prompt. */
import { describe, expect, test, vi } from 'vitest';
import type { PaymentOptions } from '../../../../protocol/payments/payment.ts';
import type { WorkerRun } from '../../../../testkit/wallet/worker-run.ts';
import { useNetwork } from '../../../../testkit/network/network.ts';
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
  someone,
} from '../../../../testkit/wallet/wallet.ts';
import { wallet as current } from '../../../../testkit/wallet/current.ts';

const network = useNetwork();

const AUTOMATIC = { automatic: true, userActivation: 'none' } as const;
const dollars = (amount: string): PaymentOptions => ({ outputs: [{ to: someone(), amount, currency: 'USD' }] });

/** The index's exchange rate in each case. The service reports $50. */
const INDEX = {
  one: {},
  differ: { currency: 'USD', rate: 52.51 },
  agree: { currency: 'USD', rate: 52.5 },
};

/** Opens a wallet without cached rates, which then fetches the rates for the given case. */
async function wallet(index: keyof typeof INDEX): Promise<WorkerRun> {
  const workerRun = await openWallet(network, [1_000_000]);
  await hear(workerRun, index);
  return workerRun;
}

async function hear(workerRun: WorkerRun, index: keyof typeof INDEX): Promise<void> {
  network.exchangeRate = INDEX[index];
  await workerRun.modules.database.deleteKey(current, 'rates');
}

describe('two sources that agree within 5%', () => {
  test('two sources that agree within 5% let an allowance pay, at the service’s price', async () => {
    const workerRun = await wallet('agree');
    await give(workerRun);
    expect(await ask(workerRun, 'request-1', dollars('0.10'), AUTOMATIC)).toMatchObject({
      status: 'RECEIVED',
      satoshis: '200000',
    });
    expect(workerRun.profile.browser.windowsOpened).toBe(0);
  });
});

describe('a single source', () => {
  test('a single source lets the user pay after a warning', async () => {
    const workerRun = await wallet('one');
    const answer = ask(workerRun, 'request-1', dollars('0.10'));
    const id = await approvalOf(workerRun);
    expect(await paymentView(workerRun, id)).toMatchObject({
      problem: null,
      rate: { currency: 'USD', price: '50', sources: 1 },
    });
    await decide(workerRun, id);
    expect(await answer).toMatchObject({ status: 'RECEIVED' });
  });

  test.each<[string, string, () => PaymentOptions]>([
    ['in a currency, of an amount in coins', 'USD', () => pay(someone(), 1000)],
    ['in coins, of an amount in a currency', 'BSV', () => dollars('0.10')],
    ['in a currency, of an amount in it', 'USD', () => dollars('0.10')],
  ])('no allowance pays with a single source (%s), and the user is prompted', async (_, currency, options) => {
    const workerRun = await wallet('one');
    const key = await give(workerRun, { currency });
    const answer = ask(workerRun, 'request-1', options(), AUTOMATIC);
    await decide(workerRun, await approvalOf(workerRun));
    expect(await answer).toMatchObject({ status: 'RECEIVED' });
    expect(await workerRun.modules.allowanceRecords.readAllowance(current, key)).toMatchObject({
      spent: 0n,
      payments: 0,
    });
  });
});

describe('two sources that differ by more than 5%', () => {
  test('sources that differ by more than 5% allow no payment in a currency, and nothing is stored', async () => {
    const workerRun = await wallet('differ');
    await give(workerRun);
    expect(await ask(workerRun, 'request-1', dollars('0.10'))).toBe('rates-differ');
    expect(await ask(workerRun, 'request-2', dollars('0.10'), AUTOMATIC)).toBe('rates-differ');
    expect(await stored(workerRun)).toMatchObject({ requests: [], payments: [] });
    expect(workerRun.profile.browser.windowsOpened).toBe(0);
    expect(await workerRun.modules.overview.overview(current)).toMatchObject({
      rate: null,
      rateProblem: 'rates-differ',
    });
  });

  test('an allowance in BSV pays an amount in BSV although the sources differ', async () => {
    const workerRun = await wallet('differ');
    const key = await give(workerRun, { currency: 'BSV', limit: 10_000n });
    expect(await ask(workerRun, 'request-1', pay(someone(), 1000), AUTOMATIC)).toMatchObject({ status: 'RECEIVED' });
    expect(workerRun.profile.browser.windowsOpened).toBe(0);
    expect((await workerRun.modules.allowanceRecords.readAllowance(current, key))?.spent).toBeGreaterThan(1000n);
  });

  test('a window shows amounts only in coins if the sources differ, and the payment can be approved', async () => {
    const workerRun = await wallet('differ');
    const answer = ask(workerRun, 'request-1', pay(someone(), 1000));
    const id = await approvalOf(workerRun);
    expect(await paymentView(workerRun, id)).toMatchObject({
      problem: null,
      rate: null,
      allowanceRates: [{ currency: 'BSV' }],
    });
    await decide(workerRun, id);
    expect(await answer).toMatchObject({ status: 'RECEIVED' });
  });
});

describe('a window that waits', () => {
  function later(ms: number): void {
    const then = Date.now() + ms;
    vi.mocked(Date.now).mockImplementation(() => then);
  }

  test('a window open for more than ten minutes does not pay an amount converted from a currency', async () => {
    const workerRun = await wallet('agree');
    const answer = ask(workerRun, 'request-1', dollars('0.10'));
    const id = await approvalOf(workerRun);
    await paymentView(workerRun, id);
    later(600_001);
    expect(await paymentView(workerRun, id)).toMatchObject({
      problem: { code: 'rate-unavailable' },
      feeSatoshis: null,
    });
    await expect(approve(workerRun, id)).rejects.toMatchObject({ code: 'rate-unavailable' });
    workerRun.profile.browser.closeWindow(approvals(workerRun)[0]?.windowId as number);
    expect(await answer).toBe('approval-closed');
    expect(network.broadcasts).toEqual([]);
  });

  test('a window of any age pays an amount in coins', async () => {
    const workerRun = await wallet('agree');
    const answer = ask(workerRun, 'request-1', pay(someone(), 1000));
    const id = await approvalOf(workerRun);
    await paymentView(workerRun, id);
    later(3600_000);
    await workerRun.modules.vault.unlock(current, 'correct horse battery');
    await approve(workerRun, id);
    expect(await answer).toMatchObject({ status: 'RECEIVED' });
  });
});
