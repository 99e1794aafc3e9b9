/** Unbroadcast actions: their lock times, the limits on their number, and how they are aborted in each state. */
import { describe, expect, test, vi } from 'vitest';
import { p2pkhScript } from '../../../protocol/bitcoin/address.ts';
import { toHex } from '../../../protocol/bitcoin/bytes.ts';
import {
  APP,
  appScript,
  call,
  called,
  output,
  signInput,
  transactionIn,
  UNLOCKING_BYTES,
} from '../../../testkit/wallet/applications.ts';
import { useNetwork } from '../../../testkit/network/network.ts';
import { approvalOf, decline, give, openWallet, paymentWhere, stored } from '../../../testkit/wallet/wallet.ts';
import type { WorkerRun } from '../../../testkit/wallet/worker-run.ts';
import { wallet } from '../../../testkit/wallet/current.ts';

const network = useNetwork();
const SOMEBODY = toHex(p2pkhScript(new Uint8Array(20).fill(9)));
const FINAL = 0xffff_ffff;
const buy = (options: object = {}, more: object = {}) => ({
  description: 'buy a thing',
  outputs: [output(20_000, SOMEBODY)],
  options,
  ...more,
});

async function allowed(): Promise<WorkerRun> {
  const workerRun = await openWallet(network, [500_000, 500_000]);
  await give(workerRun, { origin: APP, currency: 'BSV', limit: 1_000_000n });
  return workerRun;
}
const onlyPayment = async (workerRun: WorkerRun) => (await stored(workerRun)).payments.at(-1)!;

describe('an action with a future lock time', () => {
  /** Starts a wallet with one of the application's outputs and creates an action that spends it. */
  async function withThing() {
    const workerRun = await allowed();
    const keep = { outputs: [output(5000, appScript(0), { basket: 'things' })] };
    const { txid } = await called(
      workerRun,
      'createAction',
      buy({ randomizeOutputs: false, acceptDelayedBroadcast: false }, keep),
    );
    const { height } = await called(workerRun, 'getHeight', {});
    const spending = (sequenceNumber: number, lockTime: number, options: object = {}) => ({
      ...buy(options, { outputs: [output(700, SOMEBODY)] }),
      inputs: [
        {
          outpoint: `${txid}.0`,
          inputDescription: 'the thing',
          unlockingScriptLength: UNLOCKING_BYTES,
          sequenceNumber,
        },
      ],
      lockTime,
    });
    /** Signs as the application, with the given sequence number. */
    const sign = ({ tx, reference }: { tx: number[]; reference: string }, sequenceNumber: number) => {
      const transaction = transactionIn(tx);
      transaction.inputs[0]!.sequence = sequenceNumber;
      const spend = { unlockingScript: signInput(transaction, 0, 5000), sequenceNumber };
      return call(workerRun, 'signAction', { reference, spends: { 0: spend } });
    };
    const sent = () => network.broadcasts.length;
    return { workerRun, height, spending, sign, sent };
  }

  test('an action with a future lock time (height or time) is rejected without noSend, even if only signing puts it into effect', async () => {
    const { workerRun, height, spending, sign, sent } = await withThing();
    const before = sent();
    const later = Math.floor(Date.now() / 1000) + 3600;
    for (const lockTime of [height + 1, later])
      expect(await call(workerRun, 'createAction', spending(0, lockTime))).toMatchObject({
        code: 6,
        parameter: 'lockTime',
      });
    // With a final sequence number, the lock time has no effect.
    const { signableTransaction } = await called(workerRun, 'createAction', spending(FINAL, height + 1));
    expect(await sign(signableTransaction!, 0)).toMatchObject({ code: 6, parameter: 'sequenceNumber' });
    expect(sent()).toBe(before);
    expect(await sign(signableTransaction!, FINAL)).toHaveProperty('txid');
  });

  test('a lock time in the past has no effect', async () => {
    const { workerRun, height, spending, sign, sent } = await withThing();
    const before = sent();
    const { signableTransaction } = await called(workerRun, 'createAction', spending(0, height));
    const { tx } = (await sign(signableTransaction!, 0)) as { tx: number[] };
    expect(transactionIn(tx)).toMatchObject({
      lockTime: height,
      inputs: expect.arrayContaining([expect.objectContaining({ sequence: 0 })]),
    });
    await paymentWhere(workerRun, (await onlyPayment(workerRun)).id, ({ state }) => state === 'settled');
    expect(sent()).toBe(before + 1);
  });

  test('a noSend action is sent no earlier than its lock time, by itself or with the action that spends its change', async () => {
    const { workerRun, height, spending, sign, sent } = await withThing();
    const { signableTransaction } = await called(workerRun, 'createAction', spending(0, height + 2, { noSend: true }));
    const kept = (await sign(signableTransaction!, 0)) as { txid: string; noSendChange: string[] };
    const before = sent();
    const send = { description: 'send it', options: { sendWith: [kept.txid], acceptDelayedBroadcast: false } };
    const child = { ...buy({ noSendChange: kept.noSendChange }), description: 'spend its change' };
    expect(await call(workerRun, 'createAction', send)).toMatchObject({ code: 6, parameter: 'sendWith' });
    expect(await call(workerRun, 'createAction', child)).toMatchObject({ code: 6, parameter: 'lockTime' });
    const waiting = await called(workerRun, 'createAction', {
      ...child,
      options: { noSendChange: kept.noSendChange, noSend: true, signAndProcess: false },
    });
    const { reference } = waiting.signableTransaction!;
    const grandchild = await called(workerRun, 'signAction', { reference, spends: {} });
    expect(
      await call(workerRun, 'createAction', { ...send, options: { ...send.options, sendWith: [grandchild.txid] } }),
    ).toMatchObject({ code: 6, parameter: 'sendWith' });
    expect(sent()).toBe(before);
    expect((await called(workerRun, 'listActions', { labels: [], offset: 1 })).actions[0]).toMatchObject({
      status: 'nosend',
      lockTime: height + 2,
    });
    await network.mine();
    await network.mine();
    await workerRun.modules.poll.refresh(wallet);
    expect(await called(workerRun, 'createAction', send)).toEqual({
      sendWithResults: [{ txid: kept.txid, status: 'unproven' }],
    });
  });
});

describe('a site', () => {
  /** Duplicates a site's payment until it has `count` payments. */
  async function multiply(workerRun: WorkerRun, count: number): Promise<void> {
    const [record] = (await stored(workerRun)).payments;
    const db = await workerRun.modules.database.database(wallet);
    const tx = db.transaction('payments', 'readwrite');
    for (let i = 1; i < count; i += 1) {
      const { signed, ...rest } = record!;
      await tx.store.add({
        ...rest,
        signed: signed && { ...signed, txid: i.toString(16).padStart(64, '0'), inputs: [], ownOutputs: [] },
        action: { ...record!.action!, reference: `reference ${i}` },
        id: `copy ${i}`,
        requestId: `copy ${i}`,
        unfinished: 0,
      });
    }
    await tx.done;
  }

  test('a site can have at most a hundred unsigned actions, and the error explains what to do', async () => {
    const workerRun = await allowed();
    const { signableTransaction } = await called(workerRun, 'createAction', buy({ signAndProcess: false }));
    await multiply(workerRun, 100);
    const again = { ...buy({ signAndProcess: false }), description: 'another one' };
    expect(await call(workerRun, 'createAction', again)).toMatchObject({
      reason: 'too-many-requests',
      description: 'At most 100 actions can wait for signAction. Finish or abort some.',
    });
    await give(workerRun, { origin: 'https://other.example', currency: 'BSV', limit: 1_000_000n });
    await called(workerRun, 'createAction', again, { origin: 'https://other.example' });
    await called(workerRun, 'abortAction', { reference: signableTransaction!.reference });
    await called(workerRun, 'createAction', again);
  });

  test('a site can have at most a thousand actions that wait for the network', async () => {
    const workerRun = await allowed();
    const { txid } = await called(workerRun, 'createAction', buy({ noSend: true }));
    await multiply(workerRun, 1000);
    expect(await call(workerRun, 'createAction', { ...buy(), description: 'another one' })).toMatchObject({
      reason: 'too-many-requests',
      description: 'At most 1,000 actions can wait for the network. Send some.',
    });
    const send = { description: 'send it', options: { sendWith: [txid], acceptDelayedBroadcast: false } };
    await called(workerRun, 'createAction', send);
    await called(workerRun, 'createAction', { ...buy(), description: 'another one' });
  });
});

test('an action is aborted and its coins are released if fetching its ancestors exceeds the limit of index requests', async () => {
  const workerRun = await allowed();
  const before = await stored(workerRun);
  const { countHostRequests } = await import('../../request-limits/rate-limit.ts');
  const now = Date.now();
  vi.spyOn(Date, 'now').mockImplementation(() => now);
  for (let left = true; left;)
    try {
      countHostRequests(wallet, APP, 1);
    } catch {
      left = false;
    }
  let asked = 0;
  network.before = (url) => void (/\/tx\/(?:hash\/)?[0-9a-f]{64}/.test(url) && (asked += 1));
  const waiting = buy({ signAndProcess: false });
  expect(await call(workerRun, 'createAction', waiting)).toMatchObject({ reason: 'too-many-requests' });
  expect(asked).toBe(0);
  expect((await stored(workerRun)).coins).toEqual(before.coins);
  expect((await called(workerRun, 'listActions', { labels: [] })).totalActions).toBe(0);
  const [allowance] = await (await workerRun.modules.database.database(wallet)).getAll('allowances');
  expect(allowance!.spentSatoshis).toBe(0n);
  vi.mocked(Date.now).mockImplementation(() => now + 60_000);
  expect(await call(workerRun, 'createAction', waiting)).toHaveProperty('signableTransaction');
  vi.restoreAllMocks();
});

describe('an aborted action', () => {
  const states: [string, object, 'reference' | 'txid'][] = [
    ['before its application has signed', { signAndProcess: false }, 'reference'],
    ['while it is kept', { noSend: true }, 'txid'],
  ];
  test.each(states)(
    '%s: an action can be aborted twice, and other calls of the site no longer find it',
    async (_, options, by) => {
      const workerRun = await allowed();
      const { signableTransaction, txid } = await called(workerRun, 'createAction', buy(options));
      const reference = by === 'txid' ? txid! : signableTransaction!.reference;
      expect(await called(workerRun, 'abortAction', { reference })).toEqual({ aborted: true });
      expect(await called(workerRun, 'abortAction', { reference })).toEqual({ aborted: true });
      const { actions } = await called(workerRun, 'listActions', { labels: [] });
      expect(actions.map(({ status }) => status)).toEqual(by === 'txid' ? ['failed'] : []);
      if (signableTransaction)
        expect(await call(workerRun, 'signAction', { reference, spends: {} })).toMatchObject({
          parameter: 'reference',
        });
      else
        expect(
          await call(workerRun, 'createAction', { description: 'send it', options: { sendWith: [txid] } }),
        ).toMatchObject({ parameter: 'sendWith' });
      expect(network.broadcasts).toEqual([]);
    },
  );

  test("an action can't be aborted while its window is open, or once the network or a block has it", async () => {
    const workerRun = await openWallet(network, [500_000]);
    const answer = call(workerRun, 'createAction', buy());
    const window = await approvalOf(workerRun);
    const { action } = await onlyPayment(workerRun);
    const abort = (reference: string) => call(workerRun, 'abortAction', { reference });
    expect(await abort(action!.reference)).toMatchObject({ code: 6, parameter: 'reference' });
    await decline(workerRun, window);
    expect(await answer).toMatchObject({ reason: 'refused' });
    expect(await abort(action!.reference)).toMatchObject({ code: 6, parameter: 'reference' });
    await give(workerRun, { origin: APP, currency: 'BSV', limit: 1_000_000n });
    const { txid } = await called(workerRun, 'createAction', buy({ acceptDelayedBroadcast: false }), {
      userActivation: 'new',
    });
    expect(await abort(txid!)).toMatchObject({ code: 6, parameter: 'reference' });
    await network.mine();
    await paymentWhere(
      workerRun,
      (await stored(workerRun)).payments.find(({ signed }) => signed?.txid === txid)!.id,
      ({ height }) => height !== null,
    );
    expect(await abort(txid!)).toMatchObject({ code: 6, parameter: 'reference' });
  });
});
