/** Tests payments from allowances end to end: which allowance pays, how much is debited, and that none is overspent. */
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { codeOf } from '../../testing/code-of.ts';
import type { Payment } from '../../protocol/payments/payment.ts';
import type { WithoutPrompt } from '../payments/plan/commit.ts';
import type { PaymentRecord } from '../payments/record.ts';
import { newPayment } from '../payments/start.ts';
import { endAllWorkerRuns, type WorkerRun } from '../../testkit/wallet/worker-run.ts';
import { useNetwork } from '../../testkit/network/network.ts';
import {
  PASSWORD,
  approvalOf,
  approvals,
  approve,
  ask,
  askFor,
  decide,
  decline,
  give,
  openWallet,
  pay,
  paymentView,
  paymentWhere,
  stored,
  someone,
} from '../../testkit/wallet/wallet.ts';
import { leftOf, type Allowance, type AllowanceKey } from './allowance.ts';
import type { Prompt } from '../prompts/prompt.ts';
import { wallet } from '../../testkit/wallet/current.ts';
import { timeToRead } from '../../testkit/wallet/clock.ts';

const network = useNetwork();

const ORIGIN = 'https://shop.example';
const AUTOMATIC = { automatic: true, userActivation: 'none' } as const;
const SWIPE = { userActivation: 'new' } as const;
/** Units per satoshi at 50 USD per BSV. */
const PRICE = 50n;
const RATE = { price: '50', dollar: '50' };

async function allowance(workerRun: WorkerRun, key: AllowanceKey): Promise<Allowance> {
  return (await workerRun.modules.allowanceRecords.readAllowance(wallet, key)) as Allowance;
}

/** Returns the cost of a signed payment in units, including its fee. */
const costOf = ({ quote, signed }: PaymentRecord) => (quote.satoshis + (signed?.feeSatoshis ?? 0n)) * PRICE;

/** Stores requested payments that an allowance can pay without a prompt. */
async function withheld(workerRun: WorkerRun, amounts: readonly number[]): Promise<PaymentRecord[]> {
  const records: PaymentRecord[] = [];
  for (const [i, satoshis] of amounts.entries()) {
    const to = someone();
    const { address, script } = { address: to, script: '51' };
    const record = newPayment(wallet, {
      id: `payment-${i}`,
      requestId: `request-${i}`,
      origin: ORIGIN,
      options: pay(to, satoshis),
      state: 'requested',
      automatic: true,
      quote: {
        amount: '1',
        currency: 'BSV',
        satoshis: BigInt(satoshis),
        outputs: [
          {
            type: 'ADDRESS',
            to,
            paymail: null,
            userId: null,
            address,
            script: null,
            amount: '1',
            currency: 'BSV',
            satoshis: String(satoshis),
            scripts: [{ script, satoshis: BigInt(satoshis) }],
          },
        ],
      },
    });
    await workerRun.modules.database.inTransaction(wallet, async (tx) => {
      await tx.objectStore('payments').put(record);
      await workerRun.modules.paymentPrompt.putPaymentPrompt(wallet, tx, record, 'withheld');
    });
    records.push(record);
  }
  return records;
}

async function decided(workerRun: WorkerRun, key: AllowanceKey, record: PaymentRecord): Promise<WithoutPrompt> {
  const { id, currency } = await allowance(workerRun, key);
  const first = await workerRun.modules.draftFromAllowance.draftFromAllowance(wallet, record, currency);
  return { from: { key, id, currency }, feeLimit: null, first };
}

async function refusedInAWindow(workerRun: WorkerRun, answer: Promise<Payment | string>): Promise<void> {
  await decide(workerRun, await approvalOf(workerRun), 'refuse');
  for (const { windowId } of approvals(workerRun)) workerRun.profile.browser.closeWindow(windowId);
  expect(await answer).toBe('refused');
}

describe('a payment from an allowance', () => {
  test.each([
    ['automatic', AUTOMATIC],
    ['swipe', SWIPE],
  ] as const)('a payment (%s) needs no window, and debits its cost with the fee', async (kind, how) => {
    const workerRun = await openWallet(network, [1_000_000]);
    const key = await give(workerRun, { kind });
    const to = someone();
    const answer = await askFor(workerRun, 'request-1', pay(to, 1000), how);
    expect(answer).toMatchObject({ payment: { status: 'RECEIVED', satoshis: '1000' }, token: null });
    expect(await network.unspent(to)).toMatchObject([{ satoshis: 1000 }]);
    expect(workerRun.profile.browser.windowsOpened).toBe(0);
    const {
      payments: [record],
    } = await stored(workerRun);
    const { spent, payments, usedAt } = await allowance(workerRun, key);
    expect([spent, payments]).toEqual([costOf(record as PaymentRecord), 1]);
    expect((await allowance(workerRun, key)).spentSatoshis).toBe(spent / PRICE);
    expect(spent).toBeGreaterThan(1000n * PRICE);
    expect(usedAt).not.toBeNull();
    // A repeated request returns the same payment, without another debit.
    await ask(workerRun, 'request-1', pay(to, 1000), how);
    expect((await allowance(workerRun, key)).spent).toBe(spent);
  });

  test('a payment in BSV counts satoshis', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    const key = await give(workerRun, { currency: 'BSV', limit: 10_000n });
    await ask(workerRun, 'request-1', pay(someone(), 1000), AUTOMATIC);
    const {
      payments: [record],
    } = await stored(workerRun);
    expect((await allowance(workerRun, key)).spent).toBe(1000n + (record?.signed?.feeSatoshis ?? 0n));
  });

  test('a payment with a fractional price is rounded up', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    network.rates = { USD: '33.333333' };
    network.exchangeRate = { currency: 'USD', rate: '33.4' };
    await workerRun.modules.database.deleteKey(wallet, 'rates');
    const key = await give(workerRun);
    await ask(workerRun, 'request-1', pay(someone(), 1000), AUTOMATIC);
    const {
      payments: [record],
    } = await stored(workerRun);
    const millionths = (1000n + (record?.signed?.feeSatoshis ?? 0n)) * 33_333_333n;
    expect((await allowance(workerRun, key)).spent).toBe((millionths + 999_999n) / 1_000_000n);
  });

  test.each<[string, Parameters<typeof give>[1], Parameters<typeof ask>[3]]>([
    ['for swipes, requested by the page itself', { kind: 'swipe' }, AUTOMATIC],
    ['for automatic payments, requested by a user gesture', { kind: 'automatic' }, SWIPE],
    ['requested without a user gesture', { kind: 'swipe' }, { userActivation: 'none' }],
    ['requested by a used-up user gesture', { kind: 'swipe' }, { userActivation: 'active' }],
    ['of the same host on another port', { origin: `${ORIGIN}:8443` }, AUTOMATIC],
    ['of the same host without encryption', { origin: 'http://shop.example' }, AUTOMATIC],
    ['of a host below', { origin: 'https://www.shop.example' }, AUTOMATIC],
    ['of another client', { clientIdentifier: 'other' }, AUTOMATIC],
    ['that is used up', { spent: 5_00000000n }, AUTOMATIC],
    ['that allows less at once', { perPayment: 1000n * PRICE }, AUTOMATIC],
  ])('the user is prompted despite an allowance %s', async (_, given, how) => {
    const workerRun = await openWallet(network, [1_000_000]);
    const key = await give(workerRun, given);
    const before = await allowance(workerRun, key);
    await refusedInAWindow(workerRun, ask(workerRun, 'request-1', pay(someone(), 1000), how));
    expect(await allowance(workerRun, key)).toEqual(before);
    expect(network.broadcasts).toEqual([]);
  });

  test.each([`${ORIGIN}:8443`, 'http://shop.example', 'https://www.shop.example', 'https://shop.example.evil.example'])(
    'an allowance is not used by %s',
    async (origin) => {
      const workerRun = await openWallet(network, [1_000_000]);
      const key = await give(workerRun);
      await refusedInAWindow(workerRun, ask(workerRun, 'request-1', pay(someone(), 1000), { ...AUTOMATIC, origin }));
      expect((await allowance(workerRun, key)).payments).toBe(0);
    },
  );

  test('an allowance is valid only for the client that it names', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    const key = await give(workerRun, { clientIdentifier: 'app' });
    expect(
      await ask(workerRun, 'request-1', pay(someone(), 1000, { clientIdentifier: 'app' }), AUTOMATIC),
    ).toMatchObject({
      status: 'RECEIVED',
    });
    await refusedInAWindow(workerRun, ask(workerRun, 'request-2', pay(someone(), 1000), AUTOMATIC));
    expect((await allowance(workerRun, key)).payments).toBe(1);
  });

  test('a used-up allowance opens a window that shows the remaining amount, and is not debited', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    const key = await give(workerRun, { limit: 1_00000000n, spent: 99_990_000n });
    const answer = ask(workerRun, 'request-1', pay(someone(), 1000), AUTOMATIC);
    const id = await approvalOf(workerRun);
    expect(await paymentView(workerRun, id)).toMatchObject({
      automatic: true,
      allowance: { left: '0.0001', limit: '1', short: 'used-up' },
    });
    await decide(workerRun, id);
    expect(await answer).toMatchObject({ status: 'RECEIVED' });
    expect((await allowance(workerRun, key)).spent).toBe(99_990_000n);
  });

  test('an allowance that covers only the fee is enough for a payment to the user, as only the fee leaves the wallet', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    await give(workerRun, { limit: 1_00000000n, spent: 99_970_000n });
    const { receiveAddress } = await workerRun.modules.overview.overview(wallet);
    void ask(workerRun, 'request-1', pay(receiveAddress, 1000), AUTOMATIC).catch(() => {});
    const view = await paymentView(workerRun, await approvalOf(workerRun));
    expect(view).toMatchObject({ outputs: [{ own: true }], allowance: { left: '0.0003', short: null } });
    expect(view.totalSatoshis).toBe(view.feeSatoshis);
  });

  test('an allowance has its whole limit again in a new period', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    const key = await give(workerRun, { spent: 5_00000000n, resetsAt: Date.now() - 1 });
    expect(await ask(workerRun, 'request-1', pay(someone(), 1000), AUTOMATIC)).toMatchObject({ status: 'RECEIVED' });
    const {
      payments: [record],
    } = await stored(workerRun);
    expect(await allowance(workerRun, key)).toMatchObject({ spent: costOf(record as PaymentRecord) });
    expect((await allowance(workerRun, key)).resetsAt).toBeGreaterThan(Date.now());
  });

  test('a payment waits in a window while the wallet is locked', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    const key = await give(workerRun);
    await workerRun.modules.vault.lock(wallet);
    const answer = ask(workerRun, 'request-1', pay(someone(), 1000), AUTOMATIC);
    const id = await approvalOf(workerRun);
    expect(await paymentView(workerRun, id)).toMatchObject({ locked: true });
    await workerRun.modules.vault.unlock(wallet, PASSWORD);
    await decide(workerRun, id);
    expect(await answer).toMatchObject({ status: 'RECEIVED' });
    expect((await allowance(workerRun, key)).spent).toBe(0n);
  });

  test('a payment without enough money prompts the user, who sees why', async () => {
    const workerRun = await openWallet(network, [500]);
    await give(workerRun);
    const answer = ask(workerRun, 'request-1', pay(someone(), 1000), AUTOMATIC);
    expect(await paymentView(workerRun, await approvalOf(workerRun))).toMatchObject({
      problem: { code: 'insufficient-funds' },
    });
    await refusedInAWindow(workerRun, answer);
  });

  test('the debit of a payment that can never be mined is refunded if the allowance is still the same', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    const key = await give(workerRun, { spent: 7n });
    const refusedAndCancelled = async (requestId: string) => {
      network.faults = [461];
      expect(await ask(workerRun, requestId, pay(someone(), 1000), AUTOMATIC)).toBe('payment-contested');
      const { payments } = await stored(workerRun);
      const { id } = payments.find((one) => one.requestId === requestId) ?? { id: '' };
      const taken = (await allowance(workerRun, key)).spent;
      const { 'activity/read': read, 'activity/cancel': cancel } = workerRun.modules.handlers.walletHandlers(wallet);
      await cancel({ id, feeSatoshis: (await read({ id })).cancelFee ?? '0' });
      return {
        taken,
        ended: async () => {
          await vi.waitFor(async () =>
            expect(
              (await stored(workerRun)).payments.filter(({ state }) => state === 'signed').map((one) => one.id),
            ).toEqual([id]),
          );
          await network.mine();
          await paymentWhere(workerRun, id, ({ state }) => state === 'failed');
        },
      };
    };
    const first = await refusedAndCancelled('request-1');
    expect(first.taken).toBeGreaterThan(7n);
    await first.ended();
    expect(await allowance(workerRun, key)).toMatchObject({ spent: 7n, totalSpent: 0n, payments: 0 });
    const second = await refusedAndCancelled('request-2');
    await give(workerRun, { spent: 300n, id: 'another-token-012345' });
    await second.ended();
    expect((await allowance(workerRun, key)).spent).toBe(300n);
  });

  test.each<[string, (workerRun: WorkerRun) => Promise<unknown>]>([
    ['taken back', (workerRun) => workerRun.modules.allowances.revokeAllowance(wallet, 'token-0123456789')],
    ['given anew', (workerRun) => give(workerRun, { id: 'another-token-012345' })],
    [
      'lowered',
      (workerRun) =>
        workerRun.modules.allowances.changeAllowance(wallet, 'token-0123456789', {
          amount: '0.0001',
          perPayment: null,
          period: 'week',
          rate: RATE,
        }),
    ],
  ])('a payment whose allowance is %s between decision and signature isn’t signed', async (_, happens) => {
    const workerRun = await openWallet(network, [1_000_000]);
    const key = await give(workerRun);
    const [record] = (await withheld(workerRun, [1000])) as [PaymentRecord];
    const unasked = await decided(workerRun, key, record);
    await happens(workerRun);
    expect(await codeOf(workerRun.modules.commit.commitPayment(wallet, record, unasked))).toBe('not-paid');
    expect((await stored(workerRun)).payments).toMatchObject([{ state: 'requested', allowance: null, signed: null }]);
    await workerRun.modules.allowances.revokeAllowance(wallet, (await allowance(workerRun, key))?.id ?? '');
    await refusedInAWindow(workerRun, ask(workerRun, 'request-0', record.options, AUTOMATIC));
    expect(network.broadcasts).toEqual([]);
  });

  test('a payment that was shown to the user or withdrawn between decision and signature isn’t signed', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    const key = await give(workerRun);
    const { commit, database, paymentPrompt, promptStore } = workerRun.modules;
    const [asked, gone] = (await withheld(workerRun, [1000, 1000])) as [PaymentRecord, PaymentRecord];
    const [first, second] = [await decided(workerRun, key, asked), await decided(workerRun, key, gone)];
    await database.inTransaction(wallet, async (tx) => {
      const prompt = await promptStore.promptIn(tx, paymentPrompt.promptKeyOf(asked));
      await promptStore.updatePrompt(tx, prompt as Prompt, { event: 'show' });
      await tx.objectStore('payments').delete(gone.id);
    });
    expect(await commit.commitPayment(wallet, asked, first)).toBeNull();
    expect(await commit.commitPayment(wallet, gone, second)).toBeNull();
    expect((await stored(workerRun)).payments).toMatchObject([{ state: 'requested', allowance: null, signed: null }]);
    expect((await allowance(workerRun, key)).payments).toBe(0);
  });

  test('a payment that needs a prompt after its page is gone opens no window', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    const [record] = await withheld(workerRun, [1000]);
    const client = {};
    const answer = ask(workerRun, 'request-0', (record as PaymentRecord).options, { ...AUTOMATIC, client });
    await workerRun.modules.prompts.withdrawClient(wallet, client);
    expect(await answer).toBe('page-gone');
    expect(workerRun.profile.browser.windowsOpened).toBe(0);
    expect((await stored(workerRun)).payments).toMatchObject([{ state: 'refused', signed: null }]);
  });

  test('a payment ends unsigned if its site is blocked between decision and signature', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    const key = await give(workerRun);
    const { inTransaction } = workerRun.modules.database;
    await workerRun.modules.sites.setBlock(wallet, ORIGIN, Date.now() + 3600_000);
    const from = { key, id: 'token-0123456789', currency: 'USD' };
    expect(
      await codeOf(
        inTransaction(wallet, (tx) =>
          workerRun.modules.spend.debit(wallet, tx, from, {
            site: ORIGIN,
            satoshis: 10n,
            rate: { currency: 'USD', time: 0, sources: 2, ...RATE },
          }),
        ),
      ),
    ).toBe('site-blocked');
    expect((await allowance(workerRun, key)).spent).toBe(0n);
  });
});

describe('many payments concurrently', () => {
  test('concurrent payments never overspend when committed together, and skip none that fits', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 200, max: 5000 }), { minLength: 2, maxLength: 12 }),
        fc.integer({ min: 1, max: 30_000 }),
        fc.option(fc.integer({ min: 300, max: 5000 })),
        async (amounts, limit, perPayment) => {
          const workerRun = await openWallet(
            network,
            amounts.map(() => 20_000),
          );
          const key = await give(workerRun, {
            currency: 'BSV',
            limit: BigInt(limit),
            perPayment: perPayment === null ? null : BigInt(perPayment),
          });
          const records = await withheld(workerRun, amounts);
          const decisions = await Promise.all(records.map((record) => decided(workerRun, key, record)));
          const results = await Promise.allSettled(
            records.map((record, i) => workerRun.modules.commit.commitPayment(wallet, record, decisions[i])),
          );
          const signed = (await stored(workerRun)).payments.filter((one) => one.signed !== null);
          expect(signed.length).toBe(results.filter(({ status }) => status === 'fulfilled').length);
          const cost = (record: PaymentRecord) => record.quote.satoshis + (record.signed?.feeSatoshis ?? 0n);
          const sum = signed.reduce((total, one) => total + cost(one), 0n);
          const after = await allowance(workerRun, key);
          expect(after.spent).toBe(sum);
          expect(after.payments).toBe(signed.length);
          expect(sum <= BigInt(limit)).toBe(true);
          for (const one of signed) {
            expect(one.allowance?.debit).toBe(cost(one));
            expect(perPayment === null || cost(one) <= BigInt(perPayment)).toBe(true);
          }
          // The remaining allowance is too small for any of the unpaid payments, with fees of about 30 satoshis each.
          for (const one of (await stored(workerRun)).payments) {
            if (one.signed === null && perPayment === null) expect(one.quote.satoshis + 30n > leftOf(after)).toBe(true);
          }
          endAllWorkerRuns();
        },
      ),
      { numRuns: 4 },
    );
  });

  test('a page’s concurrent requests are paid from one coin while the allowance covers them, then one opens a window, and the others fail as busy', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    const key = await give(workerRun, { currency: 'BSV', limit: 5200n });
    const answers = Array.from({ length: 12 }, (_, i) =>
      ask(workerRun, `request-${i}`, pay(someone(), 1000), AUTOMATIC),
    );
    const open = await approvalOf(workerRun);
    const codes: string[] = [];
    for (const answer of answers) void answer.then((one) => codes.push(typeof one === 'string' ? one : 'paid'));
    await vi.waitFor(() => expect(codes).toHaveLength(11));
    expect(codes.sort()).toEqual([
      ...Array.from({ length: 6 }, () => 'busy'),
      ...Array.from({ length: 5 }, () => 'paid'),
    ]);
    await decide(workerRun, open, 'refuse');
    await Promise.all(answers);
    expect((await allowance(workerRun, key)).payments).toBe(5);
    expect(workerRun.profile.browser.windowsOpened).toBe(1);
    // The requests that failed with `busy` left no record, so their IDs can be used again.
    expect((await stored(workerRun)).payments.map(({ state }) => state).sort()).toEqual([
      ...Array.from({ length: 5 }, () => 'broadcast'),
      'refused',
    ]);
  });

  test('payments of several sites each use their own allowance', async () => {
    const workerRun = await openWallet(network, [100_000, 100_000, 100_000, 100_000]);
    const origins = Array.from({ length: 6 }, (_, i) => `https://${i}.example`);
    const keys = [];
    for (const origin of origins) keys.push(await give(workerRun, { origin, id: `token-of-${origin}` }));
    const answers = await Promise.all(
      origins.map((origin) => ask(workerRun, 'request-1', pay(someone(), 1000), { ...AUTOMATIC, origin })),
    );
    expect(answers.map((one) => (one as Payment).status)).toEqual(origins.map(() => 'RECEIVED'));
    for (const key of keys) expect((await allowance(workerRun, key)).payments).toBe(1);
    expect(workerRun.profile.browser.windowsOpened).toBe(0);
  });
});

describe('an allowance granted with a payment', () => {
  const terms = {
    currency: 'USD',
    limit: 2_00000000n,
    perPayment: null,
    period: 'month',
    ceiling: { limit: 6_000_000n, perPayment: null, ...RATE },
  } as const;

  test('the grant returns a token, applies from then on, and the next payment needs no window', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    const options = pay(someone(), 1000, { clientIdentifier: 'app' });
    const answer = askFor(workerRun, 'request-1', options, AUTOMATIC);
    const id = await approvalOf(workerRun);
    await paymentView(workerRun, id);
    await timeToRead();
    await approve(workerRun, id, { terms });
    const { token } = (await answer) as { token: string };
    expect(await allowance(workerRun, [ORIGIN, 'app', 'automatic'])).toMatchObject({ ...terms, id: token, spent: 0n });
    expect(token).toMatch(/^[0-9a-f]{32}$/);
    for (const { windowId } of approvals(workerRun)) workerRun.profile.browser.closeWindow(windowId);
    expect(
      await ask(workerRun, 'request-2', pay(someone(), 1000, { clientIdentifier: 'app' }), AUTOMATIC),
    ).toMatchObject({
      status: 'RECEIVED',
    });
    expect(workerRun.profile.browser.windowsOpened).toBe(1);
    // Repeating the first request returns the same token.
    expect(await askFor(workerRun, 'request-1', options, AUTOMATIC)).toMatchObject({ token });
  });

  test('a failed payment grants no allowance', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    const answer = ask(workerRun, 'request-1', pay(someone(), 1000), SWIPE);
    const id = await approvalOf(workerRun);
    await paymentView(workerRun, id);
    await timeToRead();
    // Marks the coin as spent before the payment is signed.
    const db = await workerRun.modules.database.database(wallet);
    const transition = approve(workerRun, id, { terms });
    for (const coin of await db.getAll('coins')) await db.put('coins', { ...coin, status: 'spent' });
    expect(await codeOf(transition)).toBe('insufficient-funds');
    await decline(workerRun, id).catch(() => undefined);
    await answer;
    expect(await workerRun.modules.allowanceRecords.readAllowance(wallet, [ORIGIN, '', 'swipe'])).toBeNull();
  });

  test.each([
    [{ amount: '0' }, 'invalid-amount'],
    [{ amount: '-1' }, 'invalid-amount'],
    [{ amount: '0.000000001' }, 'invalid-amount'],
    [{ perPayment: 'x' }, 'invalid-amount'],
    [{ currency: 'ZZZ' }, 'invalid-currency'],
  ])('terms with %j are rejected', async (wrong, code) => {
    const workerRun = await openWallet(network, [1_000_000]);
    await workerRun.modules.overview.overview(wallet);
    expect(
      await codeOf(
        workerRun.modules.allowances.checkedTerms(wallet, {
          amount: '1',
          currency: 'USD',
          period: 'day',
          perPayment: null,
          rate: RATE,
          ...wrong,
        }),
      ),
    ).toBe(code);
  });
});

describe('the remaining amount of an allowance', () => {
  test('the remaining amount is returned in its currency and in satoshis, rounded down, even while locked, and zero without an allowance', async () => {
    const workerRun = await openWallet(network, [1000]);
    const { allowances, vault } = workerRun.modules;
    expect(await allowances.allowanceLeft(wallet, ORIGIN, 'app')).toEqual({
      amount: '0',
      currency: 'USD',
      satoshis: '0',
    });
    await give(workerRun, { clientIdentifier: 'app', limit: 1_00000000n, spent: 99_999_930n });
    await vault.lock(wallet);
    expect(await allowances.allowanceLeft(wallet, ORIGIN, 'app')).toEqual({
      amount: '0.0000007',
      currency: 'USD',
      satoshis: '1',
    });
    await give(workerRun, { clientIdentifier: 'app', ceiling: { limit: 1234n, perPayment: null, ...RATE } });
    expect(await allowances.allowanceLeft(wallet, ORIGIN, 'app')).toEqual({
      amount: '5',
      currency: 'USD',
      satoshis: '1234',
    });
    expect((await allowances.allowanceLeft(wallet, `${ORIGIN}:444`, 'app')).amount).toBe('0');
    expect((await allowances.allowanceLeft(wallet, ORIGIN, 'other')).amount).toBe('0');
  });

  test('the remaining amount excludes allowances for swipes, and needs a wallet', async () => {
    const workerRun = await openWallet(network, []);
    await give(workerRun, { clientIdentifier: 'app', kind: 'swipe' });
    expect((await workerRun.modules.allowances.allowanceLeft(wallet, ORIGIN, 'app')).amount).toBe('0');
    await workerRun.modules.database.deleteKey(wallet, 'vault');
    expect(await codeOf(workerRun.modules.allowances.allowanceLeft(wallet, ORIGIN, 'app'))).toBe('wallet-not-set-up');
  });
});

describe('the user', () => {
  test('the user changes an allowance only while the wallet is unlocked, and revokes it at any time', async () => {
    const workerRun = await openWallet(network, []);
    const key = await give(workerRun, { spent: 100n });
    const { allowances, vault } = workerRun.modules;
    const wanted = { amount: '7', perPayment: '1', period: 'week', rate: { price: '100', dollar: '100' } } as const;
    await allowances.changeAllowance(wallet, 'token-0123456789', wanted);
    expect(await allowance(workerRun, key)).toMatchObject({
      limit: 7_00000000n,
      perPayment: 1_00000000n,
      spent: 100n,
      ceiling: { limit: 10_500_000n, perPayment: 1_500_000n, price: '100', dollar: '100' },
    });
    expect(await codeOf(allowances.changeAllowance(wallet, 'token-0123456789', { ...wanted, rate: null }))).toBe(
      'rate-unavailable',
    );
    expect(await codeOf(allowances.changeAllowance(wallet, 'no-such-token-0123', wanted))).toBe('not-found');
    await vault.lock(wallet);
    expect(await codeOf(allowances.changeAllowance(wallet, 'token-0123456789', wanted))).toBe('wallet-locked');
    await allowances.revokeAllowance(wallet, 'token-0123456789');
    await allowances.revokeAllowance(wallet, 'token-0123456789');
    expect(await workerRun.modules.allowanceRecords.readAllowance(wallet, key)).toBeNull();
  });

  test('the user sees each site with its spent and remaining amount, today’s sites first', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    await give(workerRun, { origin: 'https://old.example', id: 'old-token-0123456789' });
    await give(workerRun);
    await ask(workerRun, 'request-1', pay(someone(), 1000), AUTOMATIC);
    await workerRun.modules.sites.setBlock(wallet, 'https://bad.example', Date.now() + 3600_000);
    const sites = await workerRun.modules.list.listSites(wallet);
    expect(sites.map(({ origin }) => origin)).toEqual([ORIGIN, 'https://old.example', 'https://bad.example']);
    const [shown] = sites[0]?.allowances ?? [];
    expect(shown).toMatchObject({
      token: 'token-0123456789',
      automatic: true,
      limit: '5',
      payments: 1,
      period: 'week',
    });
    expect(Number(shown?.spent) + Number(shown?.left)).toBeCloseTo(5, 8);
    expect(sites[2]).toMatchObject({ allowances: [], blockedUntil: expect.any(Number), refusedAt: null });
  });
});
