import { describe, expect, test } from 'vitest';
import { Transaction as SdkTransaction } from '@bsv/sdk';
import { toHex } from '../../../protocol/bitcoin/bytes.ts';
import { keyOf } from '../../allowances/allowance.ts';
import {
  APP,
  appScript,
  call,
  called,
  output,
  transactionIn,
  UNLOCKING_BYTES,
} from '../../../testkit/wallet/applications.ts';
import {
  approvalOf,
  approvals,
  approve as approveWindow,
  decline,
  openWallet,
  paymentView,
  stored,
} from '../../../testkit/wallet/wallet.ts';
import { holdTime, timeToRead } from '../../../testkit/wallet/clock.ts';
import type { WorkerRun } from '../../../testkit/wallet/worker-run.ts';
import {
  network,
  until,
  SOMEBODY,
  action,
  allowed,
  allowanceOf,
  balance,
  onlyPayment,
} from './testing-create-action.ts';
import { wallet } from '../../../testkit/wallet/current.ts';

describe('an application’s action', () => {
  test.each(['the yes', 'the leaving'])(
    'an action whose page is closed during the approval is made once or never (first: %s)',
    async (first) => {
      const workerRun = await openWallet(network, [1_000_000]);
      const client = {};
      const answer = call(workerRun, 'createAction', action(), { client });
      const id = await approvalOf(workerRun);
      const { feeSatoshis } = await paymentView(workerRun, id);
      await timeToRead();
      const yes = () => approveWindow(workerRun, id, { fee: BigInt(feeSatoshis!) });
      const leave = () => workerRun.modules.prompts.withdrawClient(wallet, client);
      const both = first === 'the yes' ? [yes(), leave()] : [leave(), yes()];
      const decided = (await Promise.allSettled(both))[first === 'the yes' ? 0 : 1];
      const { signed, state } = await onlyPayment(workerRun);
      const said = await answer;
      if (decided?.status === 'fulfilled') expect(said).toMatchObject({ txid: signed?.txid });
      else {
        expect([said, state, signed]).toEqual([expect.objectContaining({ reason: 'page-gone' }), 'refused', null]);
        expect(await balance(workerRun)).toBe(1_000_000n);
      }
      expect((await (await workerRun.modules.database.database(wallet)).getAll('prompts')).length).toBe(0);
    },
  );

  test('a repeated call returns the same action, and is rejected if its arguments differ', async () => {
    const workerRun = await allowed();
    const first = await called(workerRun, 'createAction', action(), { message: 'm' });
    expect(await called(workerRun, 'createAction', action(), { message: 'm' })).toEqual(first);
    expect(
      await call(workerRun, 'createAction', action({ outputs: [output(30_000, SOMEBODY)] }), { message: 'm' }),
    ).toMatchObject({ reason: 'request-id-reused' });
    await onlyPayment(workerRun);
  });

  test('an action returns only its ID on request, and has the requested version and lock time', async () => {
    const workerRun = await allowed();
    const answer = await called(
      workerRun,
      'createAction',
      action({ options: { returnTXIDOnly: true }, version: 7, lockTime: 3 }),
    );
    expect(Object.keys(answer)).toEqual(['txid']);
    const { signed } = await onlyPayment(workerRun);
    expect(SdkTransaction.fromHex(signed!.rawtx)).toMatchObject({ version: 7, lockTime: 3 });
  });
});

describe('the inputs of an action', () => {
  /** Creates one of the application's outputs in a basket. */
  async function withThing(workerRun: WorkerRun, satoshis: number): Promise<string> {
    const outputs = [output(satoshis, appScript(0), { basket: 'things' })];
    const { txid, tx } = await called(workerRun, 'createAction', action({ outputs }));
    // On a busy machine, the response may precede the broadcast. Other sites can use the output only after the
    // broadcast.
    await until(async () => {
      const { payments } = await stored(workerRun);
      expect(payments.find(({ signed }) => signed?.txid === txid)?.state).not.toBe('signed');
    });
    const vout = transactionIn(tx).outputs.findIndex((one) => toHex(one.lockingScript) === appScript(0));
    return `${txid}.${vout}`;
  }
  const spending = (outpoint: string, more: object = {}) => ({
    description: 'move a thing',
    inputs: [{ outpoint, inputDescription: 'the thing', unlockingScriptLength: UNLOCKING_BYTES }],
    ...more,
  });

  test.each<[string, bigint | null]>([
    ['no allowance', null],
    ['an allowance that does not cover its fee', 3n],
  ])('inputs that exceed the outputs open a window for a site with %s', async (_, left) => {
    const workerRun = await allowed();
    const outpoint = await withThing(workerRun, 50_000);
    const db = await workerRun.modules.database.database(wallet);
    for (const one of await db.getAll('allowances'))
      if (left === null) await db.delete('allowances', keyOf(one));
      else await db.put('allowances', { ...one, limit: one.spent + left });
    const before = await db.getAll('allowances');
    const answer = call(workerRun, 'createAction', spending(outpoint, { outputs: [output(10_000, SOMEBODY)] }));
    const early = answer.then((given) => Promise.reject(new Error(`no window, but ${JSON.stringify(given)}`)));
    const id = await Promise.race([approvalOf(workerRun), early]);
    expect(await paymentView(workerRun, id)).toMatchObject({ origin: APP, brought: '50000' });
    await decline(workerRun, id);
    expect(await answer).toMatchObject({ reason: 'refused' });
    expect(await db.getAll('allowances')).toEqual(before);
  });

  test("a site's inputs are requested from the network only as often as its limit allows", async () => {
    const workerRun = await openWallet(network, []);
    holdTime(); // pauses the refill of the request limit
    let asked = 0;
    network.before = (url) => void (/\/tx\/(?:hash\/)?[0-9a-f]{64}/.test(url) && (asked += 1));
    const answers = await Promise.all(
      Array.from({ length: 500 }, (_, n) =>
        call(workerRun, 'createAction', spending(`${n.toString(16).padStart(64, '0')}.0`)),
      ),
    );
    expect(asked).toBeLessThan(400);
    expect(answers).toContainEqual(expect.objectContaining({ parameter: 'inputBEEF' }));
    expect(answers).toContainEqual(expect.objectContaining({ reason: 'too-many-requests' }));
    expect(workerRun.profile.browser.windowsOpened).toBe(0);
  });
});

describe('concurrent actions', () => {
  test('an allowance pays for as many of 200 concurrent actions as it covers, and the rest wait for the user or are rejected', async () => {
    const workerRun = await allowed([3_000_000, 2_000_000, 1_000_000], 500_000n);
    const answers: unknown[] = [];
    for (let i = 0; i < 200; i += 1)
      void call(
        workerRun,
        'createAction',
        action({ description: `thing ${i}`, options: { returnTXIDOnly: true } }),
      ).then((answer) => answers.push(answer));
    // One hundred calls wait for the open window. The rest exceed the queue's limit.
    await until(() => expect(answers.length).toBeGreaterThan(90));
    const paid = (await stored(workerRun)).payments.filter(({ signed }) => signed !== null);
    const cost = paid.reduce((sum, { signed }) => sum + 20_000n + signed!.feeSatoshis, 0n);
    const allowance = (await allowanceOf(workerRun))!;
    expect(allowance.spentSatoshis).toBe(cost);
    expect(cost).toBeLessThanOrEqual(500_000n);
    expect(cost + 20_100n).toBeGreaterThan(500_000n);
    await until(() => expect(answers).toHaveLength(200 - 1 - 100));
    expect(answers.filter((one) => 'txid' in (one as object))).toHaveLength(paid.length);
    expect(answers.filter((one) => !('txid' in (one as object)))).toEqual(
      Array.from({ length: 99 - paid.length }, () => expect.objectContaining({ reason: 'too-many-requests' })),
    );
    expect(approvals(workerRun)).toHaveLength(1);
  }, 60_000);
});
