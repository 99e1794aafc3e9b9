import { describe, expect, test, vi } from 'vitest';
import { Beef } from '@bsv/sdk';
import { toHex } from '../../../../protocol/bitcoin/bytes.ts';
import { txidOf } from '../../../../protocol/bitcoin/transaction.ts';
import { APP, appScript, call, called, output, permit } from '../../../../testkit/wallet/applications.ts';
import { approvals, decline, give, openWallet, paymentWhere, stored } from '../../../../testkit/wallet/wallet.ts';
import {
  network,
  lockedTo,
  payment,
  insertion,
  bringing,
  received,
  expectNothing,
} from './testing-internalize-action.ts';
import { wallet } from '../../../../testkit/wallet/current.ts';

/** Every nth crash point is tested. */
const STRIDE = 11;

describe('a payment by derived key', () => {
  test('a site without the identity permission can’t find out whether a payment belongs to this wallet', async () => {
    const { workerRun, arrived } = await received([[50_000, 'payment']]);
    for (const paid of [payment(0), payment(0, { derivationSuffix: 'b3RoZXI=' })]) {
      const by = { origin: 'https://evil.example', isPermitted: false, userActivation: 'new' } as const;
      const answer = call(workerRun, 'internalizeAction', bringing(arrived.tx, paid), by);
      const id = await vi.waitFor(() => approvals(workerRun).at(-1)!.id);
      expect(await workerRun.modules.decide.viewPrompt(wallet, id)).toMatchObject({ permission: { kind: 'identity' } });
      await decline(workerRun, id);
      expect(await answer).toMatchObject({ reason: 'permission-refused' });
      for (const { windowId } of approvals(workerRun)) workerRun.profile.browser.closeWindow(windowId);
    }
    await expectNothing(workerRun);
  });

  test("a payment that is another user's, out of range or listed twice is rejected, and nothing is stored", async () => {
    const { workerRun, arrived } = await received([
      [50_000, 'payment'],
      [50_000, 'thing'],
    ]);
    const refused = async (...outputs: object[]) =>
      call(workerRun, 'internalizeAction', bringing(arrived.tx, ...outputs));
    expect(await refused(payment(1))).toMatchObject({ parameter: 'paymentRemittance' });
    expect(await refused(payment(0, { derivationSuffix: 'b3RoZXI=' }))).toMatchObject({
      parameter: 'paymentRemittance',
    });
    expect(await refused(payment(0, { senderIdentityKey: `02${'ff'.repeat(32)}` }))).toMatchObject({
      parameter: 'paymentRemittance',
    });
    expect(await refused(payment(0), payment(1))).toMatchObject({ parameter: 'paymentRemittance' });
    expect(await refused(payment(99))).toMatchObject({ parameter: 'outputIndex' });
    expect(await refused(payment(0), payment(0))).toMatchObject({ parameter: 'outputs' });
    expect(await refused(insertion(1, 'default'))).toMatchObject({ reason: 'reserved-name' });
    await expectNothing(workerRun);
  });
});

describe('a forged BEEF', () => {
  test('a BEEF with a changed amount is rejected, because its signatures no longer match', async () => {
    const { workerRun, arrived } = await received([[50_000, 'payment']]);
    const rawTx = Beef.fromBinary(arrived.tx).findTxid(arrived.txid)!.rawTx!;
    const at = toHex(Uint8Array.from(rawTx)).indexOf(toHex(Uint8Array.from([0x50, 0xc3, 0, 0, 0, 0, 0, 0]))) / 2;
    const bytes = Uint8Array.from(rawTx);
    bytes[at + 1] = 0xc2; // The inputs cover the lower amount, but the signatures are for the original one.
    const beef = Beef.fromBinary(arrived.tx);
    beef.removeExistingTxid(arrived.txid);
    beef.mergeRawTx([...bytes]);
    const tx = beef.toBinaryAtomic(txidOf(bytes));
    expect(await call(workerRun, 'internalizeAction', bringing(tx, payment(0)))).toMatchObject({ parameter: 'tx' });
    await expectNothing(workerRun);
  });
});

test('a payment is internalized once if the worker is stopped once or twice at any crash point', async () => {
  // One payer pays one wallet per crash point. There are fewer than 90 crash points.
  const runs = Math.ceil(90 / STRIDE);
  const first = await openWallet(network, []);
  const script = await lockedTo(first);
  const payer = await openWallet(
    network,
    Array.from({ length: runs }, () => 100_000),
  );
  await give(payer, { origin: APP, currency: 'BSV', limit: 100_000_000n });
  const arrivals: number[][] = [];
  for (let i = 0; i < runs; i += 1) {
    const outputs = [output(50_000, script), output(600, appScript(0))];
    const options = { noSend: true, randomizeOutputs: false };
    arrivals.push((await called(payer, 'createAction', { description: 'pay by derived key', outputs, options })).tx!);
  }
  let workerRun = await first.profile.start();
  await permit(workerRun);
  let balance = 0n;
  for (let n = 1, run = 1, crashPoints = Number.POSITIVE_INFINITY; n <= crashPoints; n += STRIDE, run += 1) {
    const tx = arrivals.shift();
    if (!tx) throw new Error(`more crash points than ${n}`);
    workerRun.dieAt(n);
    let answer: unknown = null;
    for (let deaths = 0; answer === null;) {
      answer = await workerRun.untilDeath(() =>
        call(workerRun, 'internalizeAction', bringing(tx, payment(0), insertion(1)), { message: `m ${n}` }),
      );
      if (deaths === 0 && answer !== null) crashPoints = workerRun.crashPoints.length;
      deaths += 1;
      if (answer === null) workerRun = await workerRun.profile.start(deaths === 1 ? 4 : Number.POSITIVE_INFINITY);
    }
    if (workerRun.dead) workerRun = await workerRun.profile.start();
    const { payments } = await stored(workerRun);
    const sweep = payments.find(({ height }) => height === null);
    balance += 50_000n - (sweep?.signed?.feeSatoshis ?? 0n);
    const held = (await workerRun.modules.store.balance(wallet)).satoshis;
    const { totalOutputs } = await called(workerRun, 'listOutputs', { basket: 'things' });
    if (payments.length !== run || held !== balance || totalOutputs !== run)
      throw new Error(
        `crash point ${n}: ${payments.length} sweeps, ${held}, ${totalOutputs}, ${JSON.stringify(answer)}`,
      );
    await network.mine();
    await paymentWhere(workerRun, sweep!.id, ({ height }) => height !== null);
  }
}, 120_000);
