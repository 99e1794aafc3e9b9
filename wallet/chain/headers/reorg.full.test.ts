import { afterEach, describe, expect, test, vi } from 'vitest';
import type { IDBPDatabase } from 'idb';
import type { Payment } from '../../../protocol/payments/payment.ts';
import { counted, NOTHING, type Coin } from '../../coins/coin.ts';
import type { Receipt } from '../../coins/receipts/receipt.ts';
import type { PaymentRecord } from '../../payments/record.ts';
import { startForking } from '../../../testkit/network/forking.ts';
import { endAllWorkerRuns, Profile } from '../../../testkit/wallet/worker-run.ts';
import { startNetwork } from '../../../testkit/network/network.ts';
import { ask, give, openWallet, PASSWORD, pay, paymentWhere, stored, someone } from '../../../testkit/wallet/wallet.ts';
import type { Header } from '../whats-on-chain.ts';
import { choose, FUNDS, payFrom, settled, wallet } from './testing-reorg.ts';
import { wallet as current } from '../../../testkit/wallet/current.ts';

/** Every nth crash point of a reorganization is tested. Set to 1 to test all. */
const STRIDE = 12;

afterEach(endAllWorkerRuns);

/** Reads all block-related records from the database while no worker is running. */
async function onDisk(profile: Profile) {
  const db = (await profile.databases.openDB('service-button')) as IDBPDatabase;
  const [headers, coins, receipts, payments, totals] = await Promise.all(
    ['headers', 'coins', 'receipts', 'payments', 'totals'].map((store) => db.getAll(store)),
  );
  db.close();
  return { headers, coins, receipts, payments, totals: totals?.[0] } as {
    headers: Header[];
    coins: Coin[];
    receipts: Receipt[];
    payments: PaymentRecord[];
    totals: unknown;
  };
}

/** Checks consistency: confirmed records are in stored blocks, heights are unique, and the totals match the coins. */
function expectWhole(
  { headers, coins, receipts, payments, totals }: Awaited<ReturnType<typeof onDisk>>,
  txidsOf: ReadonlyMap<string, string[]>,
): void {
  expect(new Set(headers.map(({ height }) => height)).size).toBe(headers.length);
  const confirmed = [
    ...coins,
    ...receipts,
    ...payments.map(({ signed, height }) => ({ txid: signed?.txid ?? '', height })),
  ].filter(({ height }) => height !== null);
  for (const { txid, height } of confirmed) {
    expect(txidsOf.get(headers.find((header) => header.height === height)?.hash ?? ''), `block ${height}`).toContain(
      txid,
    );
  }
  for (const { height, unconfirmed } of receipts) expect(unconfirmed).toBe(height === null ? 1 : 0);
  for (const { height, unfinished } of payments) if (height === null) expect(unfinished).toBe(1);
  for (const coin of coins) expect(coin.depth === 0).toBe(coin.height !== null);
  expect(totals).toEqual(coins.reduce((sum, coin) => counted(sum, undefined, coin), NOTHING));
}

describe('a reorganization', () => {
  test.each([null, 'MINED', 'MINED_IN_STALE_BLOCK', 'REJECTED'])(
    'a dropped payment is broadcast again with the same bytes if ARC reports %j',
    async (said) => {
      const { network, workerRun, payment, refresh } = await wallet();
      network.chain.cut(1);
      network.forget(payment.txid);
      if (said !== null) network.arcSays.set(payment.txid, said);
      network.chain.grow(2);
      await refresh();
      await vi.waitFor(() => expect(network.broadcasts.length).toBeGreaterThan(1), 10_000);
      expect(new Set(network.broadcasts).size).toBe(1);
      network.arcSays.clear();
      network.mine();
      await paymentWhere(workerRun, payment.id, ({ height }) => height === 33);
      expect((await stored(workerRun)).payments).toHaveLength(1);
    },
  );

  test.each([
    ['forgets', true],
    ['keeps the bytes of', false],
  ])(
    'undoing a double spend of received money reinstates a payment that had spent it and that the index %s',
    async (_, forgotten) => {
      const network = await startForking(30);
      const workerRun = await openWallet(network, []);
      const { receiveAddress } = await workerRun.modules.overview.overview(current);
      await network.faucet(receiveAddress, 9_000);
      network.mine();
      const parent = await network.faucet(receiveAddress, FUNDS);
      await workerRun.modules.poll.refresh(current);
      const key = await give(workerRun, { currency: 'BSV', limit: 100_000n });
      const allowance = async () => (await workerRun.modules.database.database(current)).get('allowances', key);
      const receipt = async () => (await workerRun.modules.database.database(current)).get('receipts', parent);
      const spent = await network.faucet(receiveAddress, FUNDS);
      await workerRun.modules.poll.refresh(current);
      const payment = (await ask(workerRun, 'request-of-this-page', pay(someone(), 85_000), {
        automatic: true,
      })) as Payment; // spends both coins
      const before = {
        ...(await stored(workerRun)),
        allowance: await allowance(),
        balance: await workerRun.modules.store.balance(current),
      };
      expect(before.payments[0]?.signed?.inputs).toEqual(
        expect.arrayContaining([expect.stringContaining(parent), expect.stringContaining(spent)]),
      );
      for (const txid of forgotten ? [parent, payment.txid] : [parent]) network.forget(txid);
      network.arcSays.set(payment.txid, 'REJECTED');
      const double = network.spend((await receipt())?.spends?.[0] as string);
      network.mine([double]);
      await workerRun.modules.poll.refresh(current);
      expect(await receipt()).toMatchObject({ failed: 'double-spent', lostTo: { txid: double, height: 31 } });
      await paymentWhere(
        workerRun,
        payment.id,
        ({ state, error, ended }) => state === 'failed' && error?.code === 'network-rejected' && ended?.txid === double,
      );
      expect(await allowance()).toMatchObject({ spent: 0n, payments: 0 });
      // The coins must already be updated so that the wallet can't spend the lost money before its next check.
      const coins = async () =>
        Object.fromEntries((await stored(workerRun)).coins.map(({ txid, status }) => [txid, status]));
      expect(await coins()).toMatchObject({ [parent]: 'gone', [spent]: 'available' });
      expect((await workerRun.modules.store.balance(current)).satoshis).toBe(9_000n + BigInt(FUNDS));

      network.chain.cut(1);
      network.forget(double);
      network.arcSays.clear();
      network.chain.grow(2);
      await workerRun.modules.poll.refresh(current);
      await paymentWhere(workerRun, payment.id, ({ state }) => state === 'broadcast');
      expect(await receipt()).not.toHaveProperty('failed');
      expect(await allowance()).toMatchObject({ spent: before.allowance?.spent, payments: 1 });
      expect(await coins()).toMatchObject({ [parent]: 'spent', [spent]: 'spent' });
      expect((await workerRun.modules.store.balance(current)).satoshis).toBe(before.balance.satoshis);
      // The payment's change is spendable again once the network has the payment.
      await vi.waitFor(
        async () => expect(await workerRun.modules.store.balance(current)).toEqual(before.balance),
        10_000,
      );
    },
  );

  test('an unmined payment that ARC reports as seen is checked with the index after six blocks, and rebroadcast with a notice if it is missing', async () => {
    const { network, workerRun, problem, refresh } = await wallet();
    const payment = await payFrom(workerRun, network);
    const trouble = async () =>
      (await workerRun.modules.handlers.walletHandlers(current)['activity/read']({ id: payment.id })).item.trouble;
    network.arcSays.set(payment.txid, 'SEEN_ON_NETWORK');
    network.forget(payment.txid);
    await paymentWhere(workerRun, payment.id, ({ seenAt }) => Boolean(seenAt));
    const offered = network.broadcasts.length;
    network.lies = 'keeps nothing';
    network.chain.grow(5);
    await refresh();
    await workerRun.modules.drive.processChanged(current, payment.id);
    expect(await trouble()).toBeNull();
    network.chain.grow(1);
    await refresh();
    await workerRun.modules.drive.processChanged(current, payment.id);
    await paymentWhere(workerRun, payment.id, (p) => p.trouble === 'unseen');
    expect(await trouble()).toBe('unseen');
    expect(network.broadcasts.length).toBeGreaterThan(offered);
    network.lies = null;
    await paymentWhere(workerRun, payment.id, (p) => !p.trouble);
    expect(await problem()).toBeNull();
  });
});

test('an invalid proof of a payment is shown as a problem, and changes nothing', async () => {
  const { network, workerRun, refresh, problem } = await wallet();
  const payment = await payFrom(workerRun, network);
  const proof = network.chain.proof(network.chain.blocks[31]?.txids[1] ?? '');
  network.instead.set(`/tx/${payment.txid}/proof/tsc`, { body: [{ ...proof, txOrId: payment.txid }] });
  network.mine();
  await vi.waitFor(async () => expect(await problem()).toBe('invalid-proof'), 10_000);
  expect(await workerRun.modules.transition.readPayment(current, payment.id)).toMatchObject({
    height: null,
    unfinished: 1,
  });
  network.instead.clear();
  await paymentWhere(workerRun, payment.id, ({ height }) => height === 32);
  await refresh();
  expect(await problem()).toBeNull();
});

test('the next worker completes a reorganization in which the worker died at any point', async () => {
  const failures: string[] = [];
  let tried = 0;
  for (let n = 1, crashPoints = Number.POSITIVE_INFINITY; n <= crashPoints && failures.length < 5; n += STRIDE) {
    const { network, workerRun, payment } = await wallet();
    const txidsOf = new Map(network.chain.blocks.map(({ header, txids }) => [header.hash, txids]));
    const [funding, paying] = [network.chain.blocks[30]?.txids[1], payment.txid] as [string, string];
    network.chain.cut(2);
    network.chain.mine([funding]);
    network.chain.grow(1);
    network.chain.mine([paying]);
    for (const { header, txids } of network.chain.blocks) txidsOf.set(header.hash, txids);
    workerRun.dieAt(n);
    await workerRun.untilDeath(async () => {
      await workerRun.modules.poll.refresh(current);
      await paymentWhere(workerRun, payment.id, ({ height }) => height === 32);
    });
    if (!workerRun.dead) crashPoints = workerRun.crashPoints.length;
    const where = workerRun.crashPoints.at(-1);
    workerRun.end();
    try {
      expectWhole(await onDisk(workerRun.profile), txidsOf);
      const next = await workerRun.profile.start();
      await next.modules.poll.refresh(current);
      await paymentWhere(next, payment.id, ({ height }) => height === 32);
      next.end();
      const last = await onDisk(workerRun.profile);
      expectWhole(last, txidsOf);
      expect(last.headers.find(({ height }) => height === 32)).toEqual(network.chain.tip);
      expect(last.receipts).toMatchObject([{ height: 30, unconfirmed: 0 }]);
      expect(last.totals).toMatchObject({ unconfirmed: 0n });
    } catch (error) {
      failures.push(`crash point ${n} (${where}): ${(error as Error).message}`);
    }
    tried += 1;
    endAllWorkerRuns();
  }
  expect(failures).toEqual([]);
  expect(tried).toBeGreaterThan(15 / STRIDE);
});

describe('an index that lied', () => {
  test('a lie about used addresses hides no coin from an honest index chosen later', async () => {
    const network = await startForking(30);
    const before = await openWallet(network, []);
    const words = await before.modules.vault.showWords(current, PASSWORD);
    const address = (await import('../../coins/addresses/addresses.ts')).chainAddresses;
    await network.faucet((await address(current, 'receive'))[15]?.address as string, 700);
    network.mine();
    await before.modules.poll.refresh(current);
    await network.faucet((await address(current, 'receive'))[30]?.address as string, FUNDS);
    network.mine();
    network.spend(`${(await stored(before)).coins[0]?.outpoint}`);
    endAllWorkerRuns();
    network.lies = 'hides';
    const workerRun = await new Profile(network.url).start();
    await workerRun.modules.handlers
      .walletHandlers(current)
      ['vault/create']({ words, password: PASSWORD, restored: true });
    await settled(workerRun);
    network.lies = null;
    await workerRun.modules.poll.refresh(current);
    expect((await workerRun.modules.store.balance(current)).satoshis).toBe(0n);
    await choose(workerRun, network);
    await settled(workerRun);
    expect((await workerRun.modules.store.balance(current)).satoshis).toBe(BigInt(FUNDS));
  });

  test('an index that reports every address as used is replaced during the search', async () => {
    const network = await startForking(30);
    const words = (await openWallet(network, [])).modules.words.freshWords();
    endAllWorkerRuns();
    const liar = await startForking(30);
    liar.lies = 'uses all';
    const workerRun = await new Profile(liar.url).start();
    void workerRun.modules.handlers
      .walletHandlers(current)
      ['vault/create']({ words, password: PASSWORD, restored: true });
    await vi.waitFor(
      async () => expect((await workerRun.modules.overview.overview(current)).scan?.addresses).toBeGreaterThan(100),
      { interval: 10 },
    );
    await choose(workerRun, network);
    await settled(workerRun);
    const asked = liar.asked.length;
    await workerRun.modules.poll.refresh(current);
    expect(liar.asked.slice(asked).filter(({ url }) => url.startsWith('/woc'))).toEqual([]);
  });
});

test('the embedded ledger is followed like other networks', async () => {
  const network = await startNetwork();
  try {
    const workerRun = await openWallet(network, [FUNDS]);
    const held = async () => (await workerRun.modules.database.database(current)).getAllFromIndex('headers', 'height');
    const last = async () => (await held()).at(-1)?.hash;
    const tip = async () => {
      const [first] = (await (await fetch(`${network.url}/devnet/woc/v1/bsv/test/block/headers`)).json()) as [
        { hash: string },
      ];
      return first.hash;
    };
    expect(await held()).toHaveLength(13);
    for (const blocks of [1, 5, 100]) {
      await network.mine(blocks);
      await workerRun.modules.poll.refresh(current);
      expect((await workerRun.modules.overview.overview(current)).problem).toBeNull();
      expect(await last()).toBe(await tip());
    }
    expect((await workerRun.modules.store.balance(current)).unconfirmed).toBe(0n);
  } finally {
    endAllWorkerRuns();
    await network.close();
  }
});
