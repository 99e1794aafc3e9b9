import { describe, expect, test } from 'vitest';
import { Beef } from '@bsv/sdk';
import { txidOf } from '../../../../protocol/bitcoin/transaction.ts';
import { APP, call, called } from '../../../../testkit/wallet/applications.ts';
import { paymentWhere, stored } from '../../../../testkit/wallet/wallet.ts';
import type { WorkerRun } from '../../../../testkit/wallet/worker-run.ts';
import { network, payment, insertion, bringing, received, expectNothing } from './testing-internalize-action.ts';
import { wallet } from '../../../../testkit/wallet/current.ts';

describe('a payment by derived key', () => {
  test("a payment unknown to the network is broadcast, and moved to the wallet's own addresses", async () => {
    const { workerRun, arrived } = await received([[50_000, 'payment']]);
    expect(await called(workerRun, 'internalizeAction', bringing(arrived.tx, payment(0)))).toEqual({ accepted: true });
    const { payments } = await stored(workerRun);
    expect(payments).toMatchObject([{ sweep: true, signed: { inputs: [`${arrived.txid}:0`] } }]);
    const { signed, id } = payments[0]!;
    expect((await workerRun.modules.store.balance(wallet)).satoshis).toBe(50_000n - signed!.feeSatoshis);
    expect((await stored(workerRun)).coins).toMatchObject([{ chain: 'change', txid: signed!.txid }]);
    expect(await called(workerRun, 'listActions', { labels: ['inbox'], includeLabels: true })).toMatchObject({
      actions: [{ txid: arrived.txid, satoshis: 50_000, isOutgoing: false, status: 'unproven', labels: ['inbox'] }],
    });
    const db = await workerRun.modules.database.database(wallet);
    const entry = () => db.get('appLog', `${arrived.txid}:0 payment`);
    await paymentWhere(workerRun, id, ({ state }) => state !== 'signed');
    await network.mine();
    await paymentWhere(workerRun, id, ({ height }) => height !== null);
    await workerRun.modules.poll.refresh(wallet);
    expect(await db.getAll('receipts')).toMatchObject([
      { txid: arrived.txid, satoshis: 50_000n, height: expect.any(Number) as number, broughtBy: { origin: APP } },
    ]);
    // A reorganization can still undo the sweep, so a restore needs this entry.
    expect(await entry()).toMatchObject({ entry: { kind: 'wallet-payment' } });
  });

  test('a payment worth no more than the fee for moving it is rejected, and nothing is stored', async () => {
    const { workerRun, arrived } = await received([
      [15, 'payment'],
      [18, 'payment'],
    ]);
    for (const paid of [payment(0), payment(1)])
      expect(await call(workerRun, 'internalizeAction', bringing(arrived.tx, paid))).toMatchObject({
        reason: 'amount-too-small',
      });
    await expectNothing(workerRun);
  });

  test('the transaction that moves a payment is broadcast again after ARC has rejected it', async () => {
    const { workerRun, arrived } = await received([[50_000, 'payment']], { noSend: false });
    network.faults = [461];
    await called(workerRun, 'internalizeAction', bringing(arrived.tx, payment(0)));
    const [sweep] = (await stored(workerRun)).payments;
    await paymentWhere(workerRun, sweep!.id, ({ state }) => state === 'settled');
    expect(network.faults).toEqual([]);
  });

  test('a payment internalized again, or by another site, is stored once', async () => {
    const { workerRun, arrived } = await received([[50_000, 'payment']]);
    await called(workerRun, 'internalizeAction', bringing(arrived.tx, payment(0)));
    await called(workerRun, 'internalizeAction', bringing(arrived.tx, payment(0)));
    await called(workerRun, 'internalizeAction', bringing(arrived.tx, payment(0)), { origin: 'https://other.example' });
    expect((await stored(workerRun)).payments).toHaveLength(1);
    expect((await called(workerRun, 'listActions', { labels: [] })).totalActions).toBe(1);
  });

  test('one transaction moves all outputs of a payment', async () => {
    const { workerRun, arrived } = await received(
      [
        [3000, 'payment'],
        [5000, 'payment'],
        [600, 'thing'],
      ],
      { noSend: false },
    );
    await called(workerRun, 'internalizeAction', bringing(arrived.tx, payment(0), payment(1), insertion(2)));
    const { payments } = await stored(workerRun);
    expect(payments[0]!.signed!.inputs.toSorted()).toEqual([`${arrived.txid}:0`, `${arrived.txid}:1`]);
    expect((await called(workerRun, 'listOutputs', { basket: 'things' })).outputs).toMatchObject([
      { outpoint: `${arrived.txid}.2`, satoshis: 600 },
    ]);
    // A restored wallet shows the same data.
    expect(
      await (await workerRun.modules.database.database(wallet)).get('appLog', `${arrived.txid} action ${APP}`),
    ).toMatchObject({
      entry: { kind: 'action', incoming: { satoshis: '8000', isProven: false } },
    });
  });
});

describe('a forged BEEF', () => {
  /** Modifies a BEEF that hasn't been broadcast. */
  async function forged(
    change: (beef: Beef, txid: string) => number[],
  ): Promise<{ workerRun: WorkerRun; tx: number[] }> {
    const { workerRun, arrived } = await received([[50_000, 'payment']]);
    return { workerRun, tx: change(Beef.fromBinary(arrived.tx), arrived.txid) };
  }

  test('a BEEF with a wrong merkle path is rejected, even if the network has the transaction', async () => {
    const { workerRun, tx } = await forged((beef, txid) => {
      for (const bump of beef.bumps) bump.blockHeight -= 1;
      return beef.toBinaryAtomic(txid);
    });
    expect(await call(workerRun, 'internalizeAction', bringing(tx, payment(0)))).toMatchObject({ parameter: 'tx' });
    await expectNothing(workerRun);
  });

  test('a BEEF that is truncated or has trailing bytes is rejected, and one without ancestors is accepted if the network knows them', async () => {
    const { workerRun, arrived } = await received([[50_000, 'payment']]);
    const alone = new Beef();
    alone.mergeRawTx(Beef.fromBinary(arrived.tx).findTxid(arrived.txid)!.rawTx!);
    for (const tx of [arrived.tx.slice(0, -1), [...arrived.tx, 0], [1, 2, 3]])
      expect(await call(workerRun, 'internalizeAction', bringing(tx, payment(0)))).toMatchObject({ parameter: 'tx' });
    // The index has the missing parents, so the network accepts the transaction.
    expect(
      await call(workerRun, 'internalizeAction', bringing(alone.toBinaryAtomic(arrived.txid), payment(0))),
    ).toEqual({
      accepted: true,
    });
  });

  test('a transaction with unknown parents is rejected', async () => {
    const { workerRun, arrived } = await received([[50_000, 'payment']]);
    const raw = Uint8Array.from(Beef.fromBinary(arrived.tx).findTxid(arrived.txid)!.rawTx!);
    raw.set(new Uint8Array(32).fill(7), 5); // replaces the txid of the first input
    const alone = new Beef();
    alone.mergeRawTx([...raw]);
    expect(
      await call(workerRun, 'internalizeAction', bringing(alone.toBinaryAtomic(txidOf(raw)), payment(0))),
    ).toMatchObject({ parameter: 'tx' });
    await expectNothing(workerRun);
  });
});

test.each(['blocks the site', 'revokes its permission'])(
  'nothing is put into a basket if the user %s while the network is queried',
  async (what) => {
    const { workerRun, arrived } = await received([[600, 'thing']]);
    let isDone = false;
    network.before = async () => {
      if (isDone) return;
      isDone = true;
      if (what === 'blocks the site') await workerRun.modules.sites.setBlock(wallet, APP, Number.MAX_SAFE_INTEGER);
      else await workerRun.modules.handlers.walletHandlers(wallet)['sites/forbid']({ origin: APP, name: null });
    };
    expect(await call(workerRun, 'internalizeAction', bringing(arrived.tx, insertion(0)))).toMatchObject({
      reason: what === 'blocks the site' ? 'site-blocked' : 'permission-refused',
    });
    expect(isDone).toBe(true);
    await expectNothing(workerRun);
  },
);
