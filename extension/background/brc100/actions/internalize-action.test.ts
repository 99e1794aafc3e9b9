import { describe, expect, test, vi } from 'vitest';
import { Beef, PrivateKey, ProtoWallet, PublicKey } from '@bsv/sdk';
import { p2pkhScript } from '../../../../protocol/address.ts';
import { fromHex, toHex } from '../../../../protocol/bytes.ts';
import { PAYMENT_PROTOCOL_ID } from '../../../../protocol/permission.ts';
import { txidOf } from '../../../../protocol/transaction.ts';
import { hash160 } from '../../vault/keys.ts';
import { APP, appScript, call, called, output, permit } from '../../testing/applications.ts';
import { useNetwork } from '../../testing/network.ts';
import { approvals, decline, give, openWallet, paymentWhere, stored } from '../../testing/wallet.ts';
import type { WorkerRun } from '../../testing/worker-run.ts';

const network = useNetwork();
/** Of the crash points of a run, every how many-th is tried. */
const STRIDE = 11;

const SENDER = new PrivateKey(12_345);
const REMITTANCE = {
  derivationPrefix: 'cHJlZml4',
  derivationSuffix: 'c3VmZml4',
  senderIdentityKey: SENDER.toPublicKey().toString(),
};

/** What a payer locks a payment to this wallet with: worked out by the reference code. */
async function lockedTo(workerRun: WorkerRun, remittance = REMITTANCE): Promise<string> {
  const { identity } = await workerRun.modules.vault.publicKeys();
  const { publicKey } = await new ProtoWallet(SENDER).getPublicKey({
    protocolID: [...PAYMENT_PROTOCOL_ID],
    keyID: `${remittance.derivationPrefix} ${remittance.derivationSuffix}`,
    counterparty: PublicKey.fromString(identity).toString(),
  });
  return toHex(p2pkhScript(hash160(fromHex(publicKey))));
}

interface Arrived {
  tx: number[];
  txid: string;
  vouts: number[];
}

/** Transactions from outside: of another wallet in another browser, kept from the network or not. */
async function arrive(scripts: [number, string][], { noSend = true } = {}): Promise<Arrived> {
  const payer = await openWallet(network, [1_000_000, 1_000_000]);
  await network.mine();
  await payer.modules.poll.refresh();
  await give(payer, { origin: APP, currency: 'BSV', limit: 1_000_000n });
  const outputs = scripts.map(([satoshis, script]) => output(satoshis, script));
  const { tx, txid } = await called(payer, 'createAction', {
    description: 'pay by derived key',
    outputs,
    options: { noSend, randomizeOutputs: false, acceptDelayedBroadcast: false },
  });
  return { tx: tx!, txid: txid!, vouts: scripts.map((_, i) => i) };
}

const payment = (outputIndex: number, more: object = {}) => ({
  outputIndex,
  protocol: 'wallet payment',
  paymentRemittance: { ...REMITTANCE, ...more },
});
const insertion = (outputIndex: number, basket = 'things', more: object = {}) => ({
  outputIndex,
  protocol: 'basket insertion',
  insertionRemittance: { basket, tags: ['red'], customInstructions: 'key 7', ...more },
});
const bringing = (tx: readonly number[], ...outputs: object[]) => ({
  tx,
  outputs,
  description: 'what was sent',
  labels: ['inbox'],
});

/** The wallet, with what arrives for it. */
async function received(satoshis: [number, 'payment' | 'thing'][], options: { noSend?: boolean } = {}) {
  const first = await openWallet(network, []);
  const script = await lockedTo(first);
  const arrived = await arrive(
    satoshis.map(([value, kind]) => [value, kind === 'payment' ? script : appScript(0)]),
    options,
  );
  return { workerRun: await first.profile.start(), arrived };
}

/** Nothing of it is stored. */
async function expectNothing(workerRun: WorkerRun): Promise<void> {
  const db = await workerRun.modules.database.database();
  for (const store of ['payments', 'receipts', 'coins', 'appOutputs', 'appActions', 'appLog'] as const)
    expect(await db.getAll(store), store).toEqual([]);
}

describe('a payment by derived key', () => {
  test('tells a site whose wallet this is only where it may know the identity key', async () => {
    const { workerRun, arrived } = await received([[50_000, 'payment']]);
    for (const paid of [payment(0), payment(0, { derivationSuffix: 'b3RoZXI=' })]) {
      const by = { origin: 'https://evil.example', isPermitted: false, userActivation: 'new' } as const;
      const answer = call(workerRun, 'internalizeAction', bringing(arrived.tx, paid), by);
      const id = await vi.waitFor(() => approvals(workerRun).at(-1)!.id);
      expect(await workerRun.modules.decide.viewPrompt(id)).toMatchObject({ permission: { kind: 'identity' } });
      await decline(workerRun, id);
      expect(await answer).toMatchObject({ reason: 'permission-refused' });
      for (const { windowId } of approvals(workerRun)) workerRun.profile.browser.closeWindow(windowId);
    }
    await expectNothing(workerRun);
  });

  test('that the network has not seen is given to it, and moved to the wallet’s own addresses', async () => {
    const { workerRun, arrived } = await received([[50_000, 'payment']]);
    expect(await called(workerRun, 'internalizeAction', bringing(arrived.tx, payment(0)))).toEqual({ accepted: true });
    const { payments } = await stored(workerRun);
    expect(payments).toMatchObject([{ sweep: true, signed: { inputs: [`${arrived.txid}:0`] } }]);
    const { signed, id } = payments[0]!;
    expect((await workerRun.modules.store.balance()).satoshis).toBe(50_000n - signed!.feeSatoshis);
    expect((await stored(workerRun)).coins).toMatchObject([{ chain: 'change', txid: signed!.txid }]);
    expect(await called(workerRun, 'listActions', { labels: ['inbox'], includeLabels: true })).toMatchObject({
      actions: [{ txid: arrived.txid, satoshis: 50_000, isOutgoing: false, status: 'unproven', labels: ['inbox'] }],
    });
    const db = await workerRun.modules.database.database();
    await network.mine();
    await paymentWhere(workerRun, id, ({ height }) => height !== null);
    await workerRun.modules.poll.refresh();
    expect(await db.getAll('receipts')).toMatchObject([
      { txid: arrived.txid, satoshis: 50_000n, height: expect.any(Number) as number, broughtBy: { origin: APP } },
    ]);
    // What restoring takes: nothing any more, now that the network has moved it.
    expect(await db.get('appLog', `${arrived.txid}:0 payment`)).toMatchObject({ entry: { kind: 'payment-gone' } });
  });

  test('is offered again after ARC has rejected the transaction that moves it', async () => {
    const { workerRun, arrived } = await received([[50_000, 'payment']], { noSend: false });
    network.faults = [461];
    await called(workerRun, 'internalizeAction', bringing(arrived.tx, payment(0)));
    const [sweep] = (await stored(workerRun)).payments;
    await paymentWhere(workerRun, sweep!.id, ({ state }) => state === 'settled');
    expect(network.faults).toEqual([]);
  });

  test('brought again, or by another site, is taken in once', async () => {
    const { workerRun, arrived } = await received([[50_000, 'payment']]);
    await called(workerRun, 'internalizeAction', bringing(arrived.tx, payment(0)));
    await called(workerRun, 'internalizeAction', bringing(arrived.tx, payment(0)));
    await called(workerRun, 'internalizeAction', bringing(arrived.tx, payment(0)), { origin: 'https://other.example' });
    expect((await stored(workerRun)).payments).toHaveLength(1);
    expect((await called(workerRun, 'listActions', { labels: [] })).totalActions).toBe(1);
  });

  test('of several outputs is moved by one transaction', async () => {
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
    // A wallet that is restored says the same of it.
    expect(
      await (await workerRun.modules.database.database()).get('appLog', `${arrived.txid} action ${APP}`),
    ).toMatchObject({
      entry: { kind: 'action', incoming: { satoshis: '8000', isProven: false } },
    });
  });

  test('that is somebody else’s, out of range, named twice, or not worth its move is refused, and nothing is stored', async () => {
    const { workerRun, arrived } = await received([
      [50_000, 'payment'],
      [50_000, 'thing'],
      [15, 'payment'],
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
    expect(await refused(payment(2))).toMatchObject({ reason: 'amount-too-small' });
    expect(await refused(insertion(1, 'default'))).toMatchObject({ reason: 'reserved-name' });
    await expectNothing(workerRun);
  });
});

describe('a forged BEEF', () => {
  /** Changes one that the network has not seen. */
  async function forged(
    change: (beef: Beef, txid: string) => number[],
  ): Promise<{ workerRun: WorkerRun; tx: number[] }> {
    const { workerRun, arrived } = await received([[50_000, 'payment']]);
    return { workerRun, tx: change(Beef.fromBinary(arrived.tx), arrived.txid) };
  }

  test('with another amount, whose signatures are then of something else, is refused', async () => {
    const { workerRun, arrived } = await received([[50_000, 'payment']]);
    const rawTx = Beef.fromBinary(arrived.tx).findTxid(arrived.txid)!.rawTx!;
    const at = toHex(Uint8Array.from(rawTx)).indexOf(toHex(Uint8Array.from([0x50, 0xc3, 0, 0, 0, 0, 0, 0]))) / 2;
    const bytes = Uint8Array.from(rawTx);
    bytes[at + 1] = 0xc2; // less than it was: the parents have it, and it is another transaction
    const beef = Beef.fromBinary(arrived.tx);
    beef.removeExistingTxid(arrived.txid);
    beef.mergeRawTx([...bytes]);
    const tx = beef.toBinaryAtomic(txidOf(bytes));
    expect(await call(workerRun, 'internalizeAction', bringing(tx, payment(0)))).toMatchObject({ parameter: 'tx' });
    await expectNothing(workerRun);
  });

  test('with a merkle path that leads elsewhere is refused, also where the network has the transaction', async () => {
    const { workerRun, tx } = await forged((beef, txid) => {
      for (const bump of beef.bumps) bump.blockHeight -= 1;
      return beef.toBinaryAtomic(txid);
    });
    expect(await call(workerRun, 'internalizeAction', bringing(tx, payment(0)))).toMatchObject({ parameter: 'tx' });
    await expectNothing(workerRun);
  });

  test('without its ancestors, cut off, or with something behind it is refused', async () => {
    const { workerRun, arrived } = await received([[50_000, 'payment']]);
    const alone = new Beef();
    alone.mergeRawTx(Beef.fromBinary(arrived.tx).findTxid(arrived.txid)!.rawTx!);
    for (const tx of [arrived.tx.slice(0, -1), [...arrived.tx, 0], [1, 2, 3]])
      expect(await call(workerRun, 'internalizeAction', bringing(tx, payment(0)))).toMatchObject({ parameter: 'tx' });
    // The index has the parents of this one: the network takes it.
    expect(
      await call(workerRun, 'internalizeAction', bringing(alone.toBinaryAtomic(arrived.txid), payment(0))),
    ).toEqual({
      accepted: true,
    });
  });

  test('of a transaction whose parents nobody knows is refused', async () => {
    const { workerRun, arrived } = await received([[50_000, 'payment']]);
    const raw = Uint8Array.from(Beef.fromBinary(arrived.tx).findTxid(arrived.txid)!.rawTx!);
    raw.set(new Uint8Array(32).fill(7), 5); // the id of what its first input spends
    const alone = new Beef();
    alone.mergeRawTx([...raw]);
    expect(
      await call(workerRun, 'internalizeAction', bringing(alone.toBinaryAtomic(txidOf(raw)), payment(0))),
    ).toMatchObject({ parameter: 'tx' });
    await expectNothing(workerRun);
  });
});

test('is whole after a death at any crash point, once and again', async () => {
  // One wallet, to which one payer pays for each crash point; there are fewer than so many.
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
    const held = (await workerRun.modules.store.balance()).satoshis;
    const { totalOutputs } = await called(workerRun, 'listOutputs', { basket: 'things' });
    if (payments.length !== run || held !== balance || totalOutputs !== run)
      throw new Error(
        `crash point ${n}: ${payments.length} sweeps, ${held}, ${totalOutputs}, ${JSON.stringify(answer)}`,
      );
    await network.mine();
    await paymentWhere(workerRun, sweep!.id, ({ height }) => height !== null);
  }
}, 120_000);
