import { describe, expect, test } from 'vitest';
import { codeOf } from '../../../../testing/code-of.ts';
import { fromHex } from '../../../../protocol/bitcoin/bytes.ts';
import { parseTransactionHex } from '../../../../protocol/bitcoin/transaction.ts';
import type { SendRecipient } from '../../../../protocol/messages/wallet-messages.ts';
import { transactionSize } from '../../../transaction/plan.ts';
import {
  approvalOf,
  ask,
  decide,
  give,
  openWallet,
  PASSWORD,
  pay,
  paymentWhere,
  stored,
} from '../../../../testkit/wallet/wallet.ts';
import { network, someone, bsv, quote, click, balanceOf } from './testing-send.ts';
import { wallet } from '../../../../testkit/wallet/current.ts';

const all = (to: string, currency = 'BSV'): SendRecipient => ({ to, amount: null, currency });

describe('sending', () => {
  test('recent recipients are offered, the latest first and each once, without recipients that pages requested', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    const [one, two] = [someone(), someone()];
    const recents = async () =>
      ((await workerRun.modules.handlers.walletHandlers(wallet)['send/recents']({})) as { recipients: string[] })
        .recipients;
    expect(await recents()).toEqual([]);
    for (const [n, to] of [one, two, one].entries())
      await click(workerRun, await quote(workerRun, bsv(to, 1000)), `request-number-${n}`);
    const asked = ask(workerRun, 'request-of-a-page', pay(someone(), 1000));
    await decide(workerRun, await approvalOf(workerRun));
    await asked;
    expect(await recents()).toEqual([one, two]);
    const db = await workerRun.modules.database.database(wallet);
    const [ofPage] = (await db.getAll('payments')).filter(({ origin }) => origin !== '');
    const later = Array.from({ length: 250 }, (_, n) => ({
      ...(ofPage as NonNullable<typeof ofPage>),
      id: `later-${n}`,
      requestId: `later-${n}`,
      createdAt: Date.now() + n,
    }));
    const tx = db.transaction('payments', 'readwrite');
    await Promise.all([...later.map((payment) => tx.store.put(payment)), tx.done]);
    expect(await recents(), 'however much pages had paid since').toEqual([one, two]);
  });

  test('the user’s note is stored in the wallet: in the activity, its search and the export', async () => {
    const workerRun = await openWallet(network, [1_000_000], { account: true });
    const { walletHandlers } = workerRun.modules.handlers;
    const { outputs, feeSatoshis, time } = await quote(workerRun, bsv(someone(), 1000));
    const note = '  For the concert  ';
    await walletHandlers(wallet)['send/pay']({
      requestId: 'request-noted',
      outputs,
      feeSatoshis: feeSatoshis ?? '0',
      time,
      note,
    });
    await click(workerRun, await quote(workerRun, bsv(someone(), 2000)));
    const rows = async (filter = {}) => (await walletHandlers(wallet)['activity/list']({ limit: 9, ...filter })).items;
    expect((await rows({ direction: 'sent' })).map((row) => row.note)).toEqual([null, 'For the concert']);
    expect(await rows({ search: 'concert' })).toHaveLength(1);
    expect((await walletHandlers(wallet)['activity/export']({ search: 'concert' })).items).toMatchObject([
      { note: 'For the concert' },
    ]);
    const [sent] = (await (await workerRun.modules.database.database(wallet)).getAll('payments')).filter(
      (one) => one.note,
    );
    expect(sent?.signed?.rawtx).not.toContain(Buffer.from('concert').toString('hex'));
    expect(JSON.stringify([...network.reports.values()])).not.toContain('concert');
  });

  test('[S-10] several recipients are paid the displayed amounts, for at most the displayed fee', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    const [one, two] = [someone(), someone()];
    const quoted = await quote(
      workerRun,
      { to: one, amount: '0.10', currency: 'USD' },
      { to: two, amount: '0.033', currency: 'USD' },
    );
    expect(quoted).toMatchObject({
      outputs: [
        { to: one, type: 'ADDRESS', amount: '0.10', currency: 'USD', satoshis: '200000' },
        { to: two, type: 'ADDRESS', amount: '0.033', currency: 'USD', satoshis: '66000' },
      ],
      satoshis: '266000',
      totalSatoshis: String(266_000 + Number(quoted.feeSatoshis)),
      balanceSatoshis: '1000000',
      rate: { currency: 'USD', price: '50' },
      problem: null,
      badRecipients: {},
    });
    // The amount shown is paid, even if the rate has changed since the quote.
    const { id, txid, taken } = await click(workerRun, {
      ...quoted,
      outputs: quoted.outputs.map((one) => ({ ...one, satoshis: String(Number(one.satoshis) + 7) })),
    });
    expect(taken).toBe(true);
    expect(await network.unspent(one)).toEqual([{ txid, satoshis: 200_007 }]);
    expect(await network.unspent(two)).toEqual([{ txid, satoshis: 66_007 }]);
    const record = await paymentWhere(workerRun, id, ({ state }) => state === 'settled');
    expect(record.signed?.feeSatoshis).toBeLessThanOrEqual(BigInt(quoted.feeSatoshis ?? 0));
    expect(await balanceOf(workerRun)).toBe(1_000_000n - 266_014n - (record.signed?.feeSatoshis ?? 0n));
    await network.mine();
    await paymentWhere(workerRun, id, ({ height, unfinished }) => height !== null && unfinished === 0);
  });

  test('a transfer is not reported to the service, or listed as a payment to a site', async () => {
    const workerRun = await openWallet(network, [1_000_000], { account: true });
    const { id } = await click(workerRun, await quote(workerRun, bsv(someone(), 50_000)));
    await network.mine();
    await paymentWhere(workerRun, id, ({ height }) => height !== null);
    await workerRun.modules.revive.reviveReports(wallet);
    await workerRun.modules.drive.processAll(wallet);
    expect(network.reports.has(id)).toBe(false);
    expect(await workerRun.modules.list.listSites(wallet)).toEqual([]);
    expect(workerRun.profile.browser.windowsOpened).toBe(0);
    const { items } = (await workerRun.modules.handlers.walletHandlers(wallet)['activity/list']({ limit: 10 })) as {
      items: { id: string; origin: string | null; status: string }[];
    };
    expect(items.find((item) => item.id === id)).toMatchObject({ origin: null, status: 'COMPLETED' });
  });

  test('sending everything empties the wallet to the last satoshi, with the exact fee and no change', async () => {
    const workerRun = await openWallet(network, [70_000, 30_000, 1000, 500_000]);
    const [one, rest] = [someone(), someone()];
    const quoted = await quote(workerRun, bsv(one, 100_000), all(rest));
    const given = Number(quoted.outputs[1]?.satoshis);
    expect(quoted.totalSatoshis).toBe('601000');
    const { id, txid } = await click(workerRun, quoted);
    expect(await network.unspent(rest)).toEqual([{ txid, satoshis: given }]);
    expect(await balanceOf(workerRun)).toBe(0n);
    const { signed } = await paymentWhere(workerRun, id, ({ state }) => state === 'settled');
    const { inputs, outputs } = parseTransactionHex(signed?.rawtx ?? '');
    expect([inputs.length, outputs.length]).toEqual([4, 2]);
    // The exact fee for the maximum size of the transaction at the network's rate (100 satoshis per 1,000 bytes).
    expect(signed?.feeSatoshis).toBe(BigInt(Math.ceil(transactionSize(4, outputs) / 10)));
    expect(fromHex(signed?.rawtx ?? '').length).toBeLessThanOrEqual(transactionSize(4, outputs));
  });

  test('the whole balance can be quoted in a currency', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    const { outputs } = await quote(workerRun, all(someone(), 'USD'));
    // 0.01 BSV minus a 20-satoshi fee, at $50 per BSV
    expect(outputs).toMatchObject([{ amount: '0.50', currency: 'USD' }]);
    const tiny = await openWallet(network, [100]);
    expect((await quote(tiny, all(someone(), 'USD'))).outputs[0]?.amount).toMatch(/^0\.0000\d+$/);
  });

  test('the whole balance can’t be sent if the fee would use it up', async () => {
    const workerRun = await openWallet(network, [20]);
    expect(await quote(workerRun, all(someone()))).toMatchObject({
      outputs: [],
      feeSatoshis: null,
      problem: { code: 'insufficient-funds' },
    });
    const other = await openWallet(network, [100_000]);
    expect((await quote(other, bsv(someone(), 99_999), all(someone()))).problem?.code).toBe('insufficient-funds');
  });

  test('one click is one payment, even if it arrives repeatedly', async () => {
    const workerRun = await openWallet(network, [300_000, 300_000]);
    const to = someone();
    const quoted = await quote(workerRun, bsv(to, 100_000));
    const answers = await Promise.all([click(workerRun, quoted), click(workerRun, quoted), click(workerRun, quoted)]);
    answers.push(await click(workerRun, { ...quoted, time: 0 })); // a late retry with an expired quote
    expect(new Set(answers.map(({ txid }) => txid)).size).toBe(1);
    expect(await network.unspent(to)).toHaveLength(1);
    expect(await codeOf(click(workerRun, await quote(workerRun, bsv(someone(), 100_000))))).toBe('request-id-reused');
  });

  test('a site that uses the same request ID gets no data about the payment', async () => {
    const workerRun = await openWallet(network, [300_000, 300_000]);
    const to = someone();
    const { id } = await click(workerRun, await quote(workerRun, bsv(to, 100_000)), 'the-very-same-id');
    const asked = ask(workerRun, 'the-very-same-id', pay(to, 100_000));
    await decide(workerRun, await approvalOf(workerRun));
    expect(await asked).toMatchObject({ id: expect.not.stringMatching(id) });
  });
});

describe('a quote', () => {
  test('a quote reports the errors of each row', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    const good = { to: someone(), amount: '1', currency: 'USD' };
    const { outputs, badRecipients, feeSatoshis } = await quote(
      workerRun,
      good,
      { ...good, to: 'nobody at all' },
      { ...good, to: someone('mainnet') },
      { ...good, to: 'alice@example.com' },
      { ...good, amount: '1e3' },
      { ...good, amount: '0.0000001' },
      { ...good, to: '75101' },
    );
    expect([outputs, feeSatoshis]).toEqual([[], null]);
    // Errors that need no network request are reported first, for all rows.
    expect(badRecipients).toEqual({ 1: 'invalid-recipient', 4: 'invalid-amount', 5: 'amount-too-small' });
    expect(
      (
        await quote(
          workerRun,
          good,
          { ...good, to: someone('mainnet') },
          { ...good, to: 'alice@example.com' },
          { ...good, to: '75101' },
        )
      ).badRecipients,
    ).toEqual({ 1: 'invalid-recipient', 2: 'network-unavailable', 3: 'unknown-recipient' });
  });

  test('a quote reports insufficient funds and shows the balance', async () => {
    const workerRun = await openWallet(network, [1000]);
    expect(await quote(workerRun, bsv(someone(), 5000))).toMatchObject({
      satoshis: '5000',
      feeSatoshis: null,
      balanceSatoshis: '1000',
      problem: { code: 'insufficient-funds' },
    });
  });

  test('a quote in a currency needs its rate, and one in BSV does not', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    expect((await quote(workerRun, { to: someone(), amount: '1', currency: 'XXX' })).problem?.code).toBe(
      'invalid-currency',
    );
    await workerRun.modules.database.deleteKey(wallet, 'rates');
    network.down.add('service');
    expect((await quote(workerRun, { to: someone(), amount: '0.01', currency: 'EUR' })).problem?.code).toBe(
      'rate-unavailable',
    );
    expect(await quote(workerRun, bsv(someone(), 5000))).toMatchObject({ satoshis: '5000', problem: null });
  });

  test('a quote can’t mix currencies', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    expect(await codeOf(quote(workerRun, bsv(someone(), 5000), { to: someone(), amount: '1', currency: 'USD' }))).toBe(
      'mixed-currencies',
    );
  });
});

describe('a click', () => {
  test('a click on a quote older than ten minutes pays nothing', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    const quoted = await quote(workerRun, bsv(someone(), 5000));
    expect(await codeOf(click(workerRun, { ...quoted, time: Date.now() - 600_001 }))).toBe('approval-expired');
    expect((await stored(workerRun)).payments).toEqual([]);
  });

  test('a quote in a currency is as old as its exchange rate', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    const dollars = { to: someone(), amount: '0.01', currency: 'USD' };
    await quote(workerRun, dollars);
    const old = Date.now() - 500_000;
    network.down.add('service').add('woc');
    await workerRun.modules.database.writeKey(wallet, 'rates', {
      service: { prices: { USD: '50' }, time: old },
      index: { price: '50', time: old },
      askedAt: old,
    });
    expect((await quote(workerRun, dollars)).time).toBe(old);
    expect((await quote(workerRun, bsv(someone(), 5000))).time).toBeGreaterThan(old);
  });

  test('a click while the wallet is locked pays nothing, and a quote is still possible', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    await workerRun.modules.vault.lock(wallet);
    const quoted = await quote(workerRun, bsv(someone(), 5000));
    expect(quoted.feeSatoshis).not.toBeNull();
    expect(await codeOf(click(workerRun, quoted))).toBe('wallet-locked');
    await workerRun.modules.vault.unlock(wallet, PASSWORD);
    expect((await click(workerRun, quoted)).taken).toBe(true);
  });

  test('a click pays at most the displayed fee', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    const to = someone();
    const quoted = await quote(workerRun, bsv(to, 5000));
    expect(await codeOf(click(workerRun, { ...quoted, feeSatoshis: '3' }))).toBe('fee-changed');
    expect(await network.unspent(to)).toEqual([]);
    expect((await stored(workerRun)).payments).toEqual([]);
  });

  test('a click that sends everything fails after another payment, and succeeds with a new quote', async () => {
    const workerRun = await openWallet(network, [200_000, 100_000]);
    const to = someone();
    const quoted = await quote(workerRun, all(to));
    await click(workerRun, await quote(workerRun, bsv(someone(), 50_000)), 'something-else');
    expect(await codeOf(click(workerRun, quoted))).toBe('insufficient-funds');
    await click(workerRun, await quote(workerRun, all(to)), 'another-click');
    expect(await balanceOf(workerRun)).toBe(0n);
  });

  test('two concurrent clicks for the whole balance make one payment', async () => {
    const workerRun = await openWallet(network, [200_000, 100_000]);
    const [one, two] = [someone(), someone()];
    const [first, second] = [await quote(workerRun, all(one)), await quote(workerRun, all(two))];
    const codes = await Promise.all([
      codeOf(click(workerRun, first, 'click-one')),
      codeOf(click(workerRun, second, 'click-two')),
    ]);
    expect(codes.sort()).toEqual(['insufficient-funds', 'none']);
    expect([...(await network.unspent(one)), ...(await network.unspent(two))]).toHaveLength(1);
  });

  test('a click is rejected if it changes the displayed kind of recipient', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    const quoted = await quote(workerRun, bsv(someone(), 5000));
    expect(
      await codeOf(
        click(workerRun, { ...quoted, outputs: quoted.outputs.map((one) => ({ ...one, type: 'SCRIPT' as const })) }),
      ),
    ).toBe('invalid-recipient');
  });

  test('a click gets a response although the network is unreachable, and the payment is sent later', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    const to = someone();
    const quoted = await quote(workerRun, bsv(to, 5000));
    network.faults = ['refused'];
    const { id, txid, taken } = await click(workerRun, quoted);
    expect(taken).toBe(false);
    await paymentWhere(workerRun, id, ({ state }) => state === 'settled');
    expect(await network.unspent(to)).toEqual([{ txid, satoshis: 5000 }]);
    expect(await click(workerRun, quoted)).toEqual({ id, txid, taken: true });
  });

  test('a quote reports that only unaccepted change is missing, until the network accepts the earlier payment', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    const quoted = await quote(workerRun, bsv(someone(), 5000));
    network.down.add('arc');
    const { id } = await click(workerRun, quoted);
    const short = { feeSatoshis: null, problem: { code: 'insufficient-funds' } };
    const waiting = { ...short, awaitsChange: true };
    expect(await quote(workerRun, bsv(someone(), 6000))).toMatchObject(waiting);
    expect(await quote(workerRun, all(someone()))).toMatchObject(waiting);
    const tooMuch = await quote(workerRun, bsv(someone(), 1_000_000));
    expect(tooMuch).toMatchObject(short);
    expect(tooMuch).not.toHaveProperty('awaitsChange');
    network.down.delete('arc');
    await paymentWhere(workerRun, id, ({ state }) => state === 'settled');
    expect((await quote(workerRun, bsv(someone(), 6000))).problem).toBeNull();
  });

  test('a rejected payment is shown as such, is broadcast again on another click, and keeps its coins reserved', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    const quoted = await quote(workerRun, bsv(someone(), 5000));
    network.faults = [461];
    expect(await codeOf(click(workerRun, quoted))).toBe('payment-contested');
    expect(await balanceOf(workerRun)).toBeLessThan(1_000_000n - 5000n);
    expect(await click(workerRun, quoted)).toMatchObject({ taken: true });
  });

  test('a click does not affect the prompts and allowances of sites', async () => {
    const workerRun = await openWallet(network, [300_000, 300_000]);
    const key = await give(workerRun, { currency: 'BSV', limit: 100_000n });
    const asked = ask(workerRun, 'request-of-a-page', pay(someone(), 10_000));
    const window = await approvalOf(workerRun);
    await click(workerRun, await quote(workerRun, bsv(someone(), 50_000)));
    expect(await (await workerRun.modules.database.database(wallet)).get('allowances', key)).toMatchObject({
      spent: 0n,
      payments: 0,
    });
    await workerRun.modules.prompts.withdrawAbandoned(wallet, Date.now());
    await decide(workerRun, window);
    expect(await asked).toMatchObject({ status: 'RECEIVED' });
  });
});
