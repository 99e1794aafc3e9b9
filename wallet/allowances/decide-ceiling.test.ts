/**
 * Tests how much of an allowance a service can take if it reports the right dollar rate but a false rate for a
 * different currency.
 */
import { describe, expect, test } from 'vitest';
import { codeOf } from '../../testing/code-of.ts';
import type { WorkerRun } from '../../testkit/wallet/worker-run.ts';
import { useNetwork } from '../../testkit/network/network.ts';
import {
  approvalOf,
  approvals,
  approve,
  ask,
  decide,
  openWallet,
  pay,
  paymentView,
  stored,
  someone,
} from '../../testkit/wallet/wallet.ts';
import { wallet } from '../../testkit/wallet/current.ts';
import { timeToRead } from '../../testkit/wallet/clock.ts';

const network = useNetwork();

const ORIGIN = 'https://shop.example';
const AUTOMATIC = { automatic: true, userActivation: 'none' } as const;
const MONEY = 100_000_000;
/** 5 euros in satoshis at 45 euros per BSV, plus 50%. */
const CEILING = 16_666_666n;

async function told(workerRun: WorkerRun, rates: Record<string, string>): Promise<void> {
  network.rates = rates;
  network.exchangeRate = { currency: 'USD', rate: Number(rates.USD) };
  await workerRun.modules.database.deleteKey(wallet, 'rates');
}

/** Opens a wallet in which the user grants the site an allowance in euros along with the first payment. */
async function withEuros(): Promise<WorkerRun> {
  const workerRun = await openWallet(network, [MONEY]);
  await told(workerRun, { USD: '50', EUR: '45' });
  const answer = ask(workerRun, 'request-0', pay(someone(), 1000), AUTOMATIC);
  const id = await approvalOf(workerRun);
  await workerRun.modules.handlers.walletHandlers(wallet)['settings/change']({ currency: 'EUR' });
  const {
    allowanceRates: [euro],
  } = await paymentView(workerRun, id);
  await timeToRead();
  const rate = { price: euro?.price ?? '', dollar: euro?.dollar ?? '' };
  const terms = await workerRun.modules.allowances.checkedTerms(wallet, {
    amount: '5',
    currency: 'EUR',
    period: 'week',
    perPayment: null,
    rate,
  });
  await approve(workerRun, id, { terms });
  await answer;
  for (const { windowId } of approvals(workerRun)) workerRun.profile.browser.closeWindow(windowId);
  return workerRun;
}

const left = (workerRun: WorkerRun) => workerRun.modules.allowances.allowanceLeft(wallet, ORIGIN, '');

describe('an allowance in euros', () => {
  test('an allowance pays as long as the euro’s value has changed little', async () => {
    const workerRun = await withEuros();
    await told(workerRun, { USD: '60', EUR: '50' });
    expect(
      await ask(workerRun, 'request-1', { outputs: [{ to: someone(), amount: '2', currency: 'EUR' }] }, AUTOMATIC),
    ).toMatchObject({ status: 'RECEIVED', satoshis: '4000000' });
    expect(workerRun.profile.browser.windowsOpened).toBe(1);
    expect(await workerRun.modules.allowanceRecords.readAllowance(wallet, [ORIGIN, '', 'automatic'])).toMatchObject({
      ceiling: { limit: CEILING, price: '45', dollar: '50' },
    });
  });

  test.each(['0.001', '37', '55'])(
    'an allowance pays nothing without a prompt when the service reports %s for a BSV',
    async (price) => {
      const workerRun = await withEuros();
      await told(workerRun, { USD: '50', EUR: price });
      const answer = ask(workerRun, 'request-1', pay(someone(), MONEY * 0.99), AUTOMATIC);
      const id = await approvalOf(workerRun);
      expect(await paymentView(workerRun, id)).toMatchObject({
        allowance: { short: 'rate-moved', ceiling: { satoshis: String(CEILING) } },
      });
      expect((await stored(workerRun)).payments.filter(({ signed }) => signed !== null)).toHaveLength(1);
      await decide(workerRun, id, 'refuse');
      expect(await answer).toBe('refused');
    },
  );

  test('an allowance pays up to its ceiling in total when every price falls, and the user is prompted for the rest', async () => {
    const workerRun = await withEuros();
    await told(workerRun, { USD: '5', EUR: '4.5' });
    const most = BigInt((await left(workerRun)).satoshis);
    expect(most).toBe(CEILING);
    expect(await ask(workerRun, 'request-1', pay(someone(), Number(most) - 1000), AUTOMATIC)).toMatchObject({
      status: 'RECEIVED',
    });
    const answer = ask(workerRun, 'request-2', pay(someone(), 5000), AUTOMATIC);
    const id = await approvalOf(workerRun);
    expect(await paymentView(workerRun, id)).toMatchObject({ allowance: { short: 'above-ceiling' } });
    await decide(workerRun, id, 'refuse');
    await answer;
    const { spentSatoshis = 0n } =
      (await workerRun.modules.allowanceRecords.readAllowance(wallet, [ORIGIN, '', 'automatic'])) ?? {};
    const { payments } = await stored(workerRun);
    expect(
      payments
        .filter(({ allowance }) => allowance !== null)
        .map(({ quote, signed }) => quote.satoshis + (signed?.feeSatoshis ?? 0n)),
    ).toEqual([spentSatoshis]);
    expect(spentSatoshis <= CEILING).toBe(true);
  });

  test('a changed allowance gets a new ceiling at the current rate, and pays again', async () => {
    const workerRun = await withEuros();
    await told(workerRun, { USD: '50', EUR: '60' });
    const { allowanceRecords, allowances } = workerRun.modules;
    const { id = '' } = (await allowanceRecords.readAllowance(wallet, [ORIGIN, '', 'automatic'])) ?? {};
    await allowances.changeAllowance(wallet, id, {
      amount: '6',
      perPayment: '3',
      period: 'week',
      rate: { price: '60', dollar: '50' },
    });
    expect(await ask(workerRun, 'request-1', pay(someone(), 1000), AUTOMATIC)).toMatchObject({ status: 'RECEIVED' });
    expect((await workerRun.modules.list.listSites(wallet))[0]?.allowances).toMatchObject([
      { limit: '6', ceiling: { satoshis: '15000000', perPayment: '7500000' } },
    ]);
  });

  test('no allowance is granted without a rate to bind it to', async () => {
    const workerRun = await openWallet(network, []);
    const terms = { amount: '5', currency: 'EUR', period: 'week', perPayment: null } as const;
    expect(await codeOf(workerRun.modules.allowances.checkedTerms(wallet, { ...terms, rate: null }))).toBe(
      'rate-unavailable',
    );
    expect(
      await codeOf(workerRun.modules.allowances.checkedTerms(wallet, { ...terms, rate: { price: '0', dollar: '50' } })),
    ).toBe('rate-unavailable');
    expect(
      await codeOf(workerRun.modules.allowances.checkedTerms(wallet, { ...terms, currency: 'BSV', rate: null })),
    ).toBe('none');
  });
});
