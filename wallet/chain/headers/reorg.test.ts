/** Tests the effects of reorganizations on a wallet, and crashes during reorganizations. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Payment } from '../../../protocol/payments/payment.ts';
import { startForking } from '../../../testkit/network/forking.ts';
import { endAllWorkerRuns } from '../../../testkit/wallet/worker-run.ts';
import { ask, give, openWallet, pay, paymentWhere, stored, someone } from '../../../testkit/wallet/wallet.ts';
import { AMOUNT, choose, FUNDS, payFrom, settled, wallet } from './testing-reorg.ts';
import { wallet as current } from '../../../testkit/wallet/current.ts';

afterEach(endAllWorkerRuns);

describe('a reorganization', () => {
  test('a payment that moves to another block loses its confirmation until the new proof', async () => {
    const { network, workerRun, payment, unconfirmed, refresh, problem } = await wallet();
    expect(await unconfirmed()).toBe(0n);
    network.chain.cut(1);
    network.chain.grow(2);
    await refresh();
    expect(await problem()).toBeNull();
    const {
      payments: [taken],
      coins,
    } = await stored(workerRun);
    expect(taken).toMatchObject({ state: 'broadcast', height: null, unfinished: 1 });
    const change = coins.filter((coin) => coin.txid === payment.txid);
    for (const coin of change) expect(coin).toMatchObject({ status: 'available', height: null, depth: 1 });
    expect(await unconfirmed()).toBe(change.reduce((sum, coin) => sum + coin.satoshis, 0n));
    expect(await unconfirmed()).toBe((await workerRun.modules.store.balance(current)).satoshis);
    expect(await ask(workerRun, 'request-0-of-this-page', taken?.options as never)).toMatchObject({
      id: payment.id,
      status: 'RECEIVED',
    });
    network.mine(); // confirms the payment in block 33
    await paymentWhere(workerRun, payment.id, ({ height }) => height === 33);
    expect(await unconfirmed()).toBe(0n);
    for (const coin of (await stored(workerRun)).coins)
      expect(coin).toMatchObject({ height: coin.txid === payment.txid ? 33 : 30, depth: 0 });
    expect(network.broadcasts).toHaveLength(1); // not broadcast again, because the network still had it
  });

  test('a payment ends if the new branch gives its coin to another transaction', async () => {
    const { network, workerRun, payment, refresh } = await wallet();
    const [record] = (await stored(workerRun)).payments;
    network.chain.cut(1);
    network.forget(payment.txid);
    const double = network.spend(record?.signed?.inputs[0] as string);
    network.mine([double]);
    network.chain.grow(1);
    await refresh();
    expect(await paymentWhere(workerRun, payment.id, ({ state }) => state === 'failed')).toMatchObject({
      error: { code: 'payment-lost' },
    });
    expect((await workerRun.modules.store.balance(current)).satoshis).toBe(0n);
  });

  test('a payment is reinstated with its coins and its debit if the block that ended it is undone', async () => {
    const network = await startForking(30);
    const workerRun = await openWallet(network, [FUNDS]);
    network.mine();
    await workerRun.modules.poll.refresh(current);
    const key = await give(workerRun, { currency: 'BSV', limit: 40_000n });
    const allowance = async () => (await workerRun.modules.database.database(current)).get('allowances', key);
    const payment = (await ask(workerRun, 'request-of-this-page', pay(someone(), AMOUNT), {
      automatic: true,
    })) as Payment;
    const before = {
      ...(await stored(workerRun)),
      allowance: await allowance(),
      balance: await workerRun.modules.store.balance(current),
    };
    network.forget(payment.txid);
    const double = network.spend(before.payments[0]?.signed?.inputs[0] as string);
    network.mine([double]);
    await workerRun.modules.poll.refresh(current);
    await paymentWhere(
      workerRun,
      payment.id,
      ({ state, error }) => state === 'failed' && error?.code === 'network-rejected',
    );
    expect(await allowance()).toMatchObject({ spent: 0n, payments: 0 });
    expect((await workerRun.modules.store.balance(current)).satoshis).toBe(0n);
    network.chain.cut(1);
    network.forget(double);
    network.chain.grow(2);
    await workerRun.modules.poll.refresh(current);
    await paymentWhere(workerRun, payment.id, ({ state }) => state === 'broadcast');
    expect(await allowance()).toMatchObject({
      spent: before.allowance?.spent,
      totalSpent: before.allowance?.totalSpent,
      payments: 1,
    });
    expect((await workerRun.modules.store.balance(current)).satoshis).toBe(before.balance.satoshis);
    await vi.waitFor(() => expect(network.broadcasts.length).toBeGreaterThan(1), 10_000);
    // The payment's change is spendable again once the network has the payment.
    await vi.waitFor(
      async () => expect(await workerRun.modules.store.balance(current)).toEqual(before.balance),
      10_000,
    );
    expect(
      (await stored(workerRun)).coins.map(({ outpoint, status, paymentId }) => ({ outpoint, status, paymentId })),
    ).toEqual(before.coins.map(({ outpoint, status, paymentId }) => ({ outpoint, status, paymentId })));
    network.mine();
    await paymentWhere(workerRun, payment.id, ({ height }) => height === 33);
  });

  test('a payment counts as slow after hours without a block, by the blocks’ own times, until a block contains it', async () => {
    const { network, workerRun, refresh } = await wallet();
    const payment = await payFrom(workerRun, network);
    await paymentWhere(workerRun, payment.id, ({ seenAt }) => Boolean(seenAt));
    for (let i = 0; i < 7; i += 1) network.chain.mine([], { time: network.chain.tip.time + 1200 });
    await refresh();
    await paymentWhere(workerRun, payment.id, ({ trouble }) => trouble === 'slow');
    network.mine();
    await paymentWhere(workerRun, payment.id, ({ height, trouble }) => height !== null && !trouble);
  });

  test('received money of a dropped block is unconfirmed until a block contains it again', async () => {
    const { network, workerRun, unconfirmed, refresh } = await wallet();
    const receipt = async () => (await (await workerRun.modules.database.database(current)).getAll('receipts'))[0];
    expect(await receipt()).toMatchObject({ height: 30, unconfirmed: 0 });
    const before = (await workerRun.modules.store.balance(current)).satoshis;
    const txids = network.chain.cut(2);
    network.chain.grow(3);
    await refresh();
    expect(await receipt()).toMatchObject({ height: null, unconfirmed: 1 });
    expect(await unconfirmed()).toBe(before);
    network.mine(txids);
    await refresh();
    expect(await receipt()).toMatchObject({ height: 33, unconfirmed: 0 });
    await vi.waitFor(
      async () =>
        expect(await workerRun.modules.store.balance(current)).toMatchObject({ satoshis: before, unconfirmed: 0n }),
      10_000,
    );
  });

  test('records below the reorganization stay unchanged', async () => {
    const { network, workerRun, payment, refresh, unconfirmed } = await wallet();
    network.chain.grow(2);
    await refresh();
    const before = await stored(workerRun);
    network.chain.cut(2);
    network.chain.grow(3);
    await refresh();
    expect(await stored(workerRun)).toEqual(before);
    expect(await unconfirmed()).toBe(0n);
    expect(before.payments[0]).toMatchObject({ id: payment.id, height: 31 });
  });

  test('a branch with less work undoes nothing, shows a problem, and payments continue', async () => {
    const { network, workerRun, payment, refresh, problem, unconfirmed } = await wallet();
    network.chain.grow(2);
    await refresh();
    const own = [...network.chain.blocks];
    network.chain.cut(4);
    network.chain.grow(3);
    await refresh();
    expect(await problem()).toBe('invalid-proof');
    expect((await stored(workerRun)).payments[0]).toMatchObject({ id: payment.id, height: 31 });
    expect(await unconfirmed()).toBe(0n);
    // Coins are still found and spent. Only confirmations are delayed.
    await network.faucet((await workerRun.modules.overview.overview(current)).receiveAddress, 70_000);
    await refresh();
    expect(await unconfirmed()).toBe(70_000n);
    const second = await payFrom(workerRun, network);
    expect(network.broadcasts).toHaveLength(2);
    network.chain.blocks.splice(0, Infinity, ...own);
    network.mine();
    await refresh();
    await paymentWhere(workerRun, second.id, ({ height }) => height === 34);
    expect(await problem()).toBeNull();
  });

  test("a proof checked during a reorganization isn't stored if its block was replaced", async () => {
    const { network, workerRun, payment, refresh } = await wallet();
    const old = network.chain.tip;
    network.chain.cut(1);
    network.chain.grow(2);
    await refresh();
    await workerRun.modules.store.confirmTransaction(current, payment.txid, old);
    expect((await stored(workerRun)).coins.find((coin) => coin.txid === payment.txid)).toMatchObject({ height: null });
  });
});

describe('an index that lied', () => {
  /** Starts a wallet whose index has lied about heights. */
  async function liedTo() {
    const network = await startForking(30);
    const workerRun = await openWallet(network, []);
    const { receiveAddress } = await workerRun.modules.overview.overview(current);
    for (const { header } of network.chain.blocks.slice(-13))
      network.instead.set(`/block/${header.hash}/header`, { body: { ...header, height: header.height + 1e9 } });
    network.instead.set('/chain/info', {
      body: { chain: 'test', blocks: 1e9 + 29, bestblockhash: network.chain.tip.hash },
    });
    await workerRun.modules.poll.refresh(current);
    network.instead.clear();
    await network.faucet(receiveAddress, FUNDS);
    network.mine();
    await workerRun.modules.poll.refresh(current);
    expect((await workerRun.modules.overview.overview(current)).problem?.code).toBe('invalid-proof');
    return { network, workerRun };
  }

  test("a lie about heights, which no header can show, doesn't keep the wallet from an honest index chosen later", async () => {
    const { network, workerRun } = await liedTo();
    await choose(workerRun, network);
    await settled(workerRun);
    expect((await stored(workerRun)).coins).toMatchObject([{ height: 30 }]);
    network.chain.grow(2);
    await workerRun.modules.poll.refresh(current);
    await settled(workerRun);
    const held = await (await workerRun.modules.database.database(current)).getAllFromIndex('headers', 'height');
    expect(held.map(({ height }) => height).slice(-3)).toEqual([30, 31, 32]);
  });

  test.each(['before writing keyval+headers', 'after writing keyval+headers'])(
    'data from the previous index doesn’t remain with a chosen index if the worker is stopped %s',
    async (crashPoint) => {
      const { network, workerRun } = await liedTo();
      workerRun.dieAt(crashPoint);
      await workerRun.untilDeath(() => choose(workerRun, network));
      expect(workerRun.dead).toBe(true);
      const next = await workerRun.profile.start();
      const { wocUrl } = await next.modules.handlers.walletHandlers(current)['settings/read']({});
      // Otherwise, the settings page shows the previous index, and the user can choose again.
      if (wocUrl === null) await choose(next, network);
      network.chain.grow(2);
      for (let i = 0; i < 5; i += 1) await next.modules.poll.refresh(current);
      expect((await next.modules.overview.overview(current)).problem).toBeNull();
    },
  );
});
