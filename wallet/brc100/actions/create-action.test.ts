import { describe, expect, test } from 'vitest';
import { Transaction as SdkTransaction } from '@bsv/sdk';
import { toHex } from '../../../protocol/bitcoin/bytes.ts';
import type { ApprovalView } from '../../../protocol/messages/wallet-messages.ts';
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
import {
  approvalOf,
  approvals,
  approve as approveWindow,
  decide,
  give,
  openWallet,
  paymentView,
  paymentWhere,
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

/** Waits until the network has an action. On a busy machine, the response may precede the broadcast. */
async function accepted(workerRun: WorkerRun, txid: string): Promise<void> {
  const id = (await stored(workerRun)).payments.find(({ signed }) => signed?.txid === txid)!.id;
  await paymentWhere(workerRun, id, ({ state }) => state !== 'signed');
}

describe('an application’s action', () => {
  test.each([
    [1, undefined],
    [2, true],
  ])(
    'the window shows whether third parties can change the ID of an action (version %i)',
    async (version, hasChangeableId) => {
      const workerRun = await openWallet(network, [1_000_000]);
      const answer = called(workerRun, 'createAction', action({ outputs: [output(20_000, SOMEBODY)], version }));
      const id = await approvalOf(workerRun);
      expect((await paymentView(workerRun, id)).hasChangeableId).toBe(hasChangeableId);
      await decide(workerRun, id);
      await answer;
    },
  );

  test('an approved action is shown as a payment with its site, description, scripts, total and fee', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    const data = '006a0568656c6c6f';
    const answer = called(workerRun, 'createAction', action({ outputs: [output(20_000, SOMEBODY), output(0, data)] }));
    const id = await approvalOf(workerRun);
    const view: ApprovalView = await paymentView(workerRun, id);
    expect(view).toMatchObject({
      kind: 'payment',
      origin: APP,
      automatic: true,
      said: { label: 'buy a thing' },
      satoshis: '20000',
      brought: '0',
      totalSatoshis: String(20_000 + Number(view.feeSatoshis)),
      outputs: [{ type: 'ADDRESS' }, { type: 'SCRIPT', scripts: [{ kind: 'nobody', data: [{ text: 'hello' }] }] }],
    });
    await decide(workerRun, id);
    const { txid, tx } = await answer;
    expect(SdkTransaction.fromAtomicBEEF(tx!).id('hex')).toBe(txid);
    const { id: payment } = await onlyPayment(workerRun);
    await network.mine();
    const done = await paymentWhere(workerRun, payment, ({ height }) => height !== null);
    expect(done).toMatchObject({ state: 'settled', report: { state: 'none' }, signed: { txid } });
    expect(await balance(workerRun)).toBe(980_000n - (done.signed?.feeSatoshis ?? 0n));
  });

  test('an allowance pays without a window, and is debited with the amount that leaves the wallet', async () => {
    const workerRun = await allowed();
    const { txid } = await called(workerRun, 'createAction', action());
    const { signed } = await onlyPayment(workerRun);
    expect(signed?.txid).toBe(txid);
    expect((await allowanceOf(workerRun))?.spentSatoshis).toBe(20_000n + (signed?.feeSatoshis ?? 0n));
    expect(workerRun.profile.browser.windowsOpened).toBe(0);
  });

  test('a rejected action leaves the coins as they were', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    const answer = call(workerRun, 'createAction', action());
    await decide(workerRun, await approvalOf(workerRun), 'refuse');
    expect(await answer).toMatchObject({ name: 'WERR_UNAUTHORIZED', reason: 'refused' });
    expect(await balance(workerRun)).toBe(1_000_000n);
  });

  test('actions of one site open one window at a time, and one window each', async () => {
    const workerRun = await openWallet(network, [1_000_000, 1_000_000, 1_000_000]);
    const permission = call(
      workerRun,
      'getPublicKey',
      { protocolID: [1, 'notes of mine'], keyID: '1' },
      { userActivation: 'new' },
    );
    const first = await approvalOf(workerRun);
    const answers = [1, 2, 3].map((n) => called(workerRun, 'createAction', action({ description: `thing ${n}` })));
    await workerRun.modules.decide.viewPrompt(wallet, first);
    await timeToRead();
    await approveWindow(workerRun, first, { decision: 'permit' });
    expect(await permission).toMatchObject({ publicKey: expect.any(String) });
    const said: unknown[] = [];
    const seen = [first];
    for (let n = 1; n <= 3; n += 1) {
      await until(() => expect(approvals(workerRun).every((one) => seen.includes(one.id))).toBe(false));
      const [id = '', second] = approvals(workerRun).flatMap((one) => (seen.includes(one.id) ? [] : one.id));
      expect(second).toBeUndefined();
      seen.push(id);
      said.push((await paymentView(workerRun, id)).said.label);
      await decide(workerRun, id);
    }
    expect(said.toSorted()).toEqual(['thing 1', 'thing 2', 'thing 3']);
    expect(new Set((await Promise.all(answers)).map(({ txid }) => txid)).size).toBe(3);
    expect(workerRun.profile.browser.windowsOpened).toBe(4);
  });

  test('an action ends without its own window if the user rejects the prompt it waits for', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    const answers = [1, 2, 3].map((n) => call(workerRun, 'createAction', action({ description: `thing ${n}` })));
    const id = await approvalOf(workerRun);
    holdTime(); // stops the request limit's refill, so a rejected site must wait
    await decide(workerRun, id, 'refuse');
    const reasons = (await Promise.all(answers)).map((answer) => (answer as { reason?: string }).reason);
    expect(reasons.sort()).toEqual(['refused', 'too-many-requests', 'too-many-requests']);
    expect(workerRun.profile.browser.windowsOpened).toBe(1);
  });

  test('an action waits at most ten minutes for its window, and fails if its page is closed', async () => {
    const workerRun = await openWallet(network, [1_000_000, 1_000_000]);
    const [stays, goes] = [{}, {}];
    const first = called(workerRun, 'createAction', action(), { client: stays });
    const id = await approvalOf(workerRun);
    const gone = call(workerRun, 'createAction', action({ description: 'of a page that goes' }), { client: goes });
    const more = action({ description: 'too late' });
    const { now } = Date;
    // This call starts 601 seconds in the past, so it has waited too long.
    Date.now = () => now() - 601_000;
    const late = call(workerRun, 'createAction', more, { client: stays, isPermitted: false });
    Date.now = now;
    await workerRun.modules.prompts.withdrawClient(wallet, goes);
    await decide(workerRun, id);
    expect(await gone).toMatchObject({ reason: 'page-gone' });
    expect(await late).toMatchObject({ reason: 'busy' });
    await first;
    expect(workerRun.profile.browser.windowsOpened).toBe(1);
  });

  test('an action fails with busy if other sites use all windows', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    for (let n = 0; n < 4; n += 1) {
      void call(workerRun, 'createAction', action(), { origin: `https://other${n}.example` });
      await approvalOf(workerRun, n + 1);
    }
    expect(await call(workerRun, 'createAction', action())).toMatchObject({ reason: 'busy' });
  });

  test('the order of outputs is kept only on request', async () => {
    const workerRun = await allowed();
    const outputs = Array.from({ length: 12 }, (_, i) => output(5000 - i, SOMEBODY));
    const kept = await called(workerRun, 'createAction', action({ outputs, options: { randomizeOutputs: false } }));
    const values = outputs.map(({ satoshis }) => BigInt(satoshis));
    expect(
      transactionIn(kept.tx)
        .outputs.slice(0, 12)
        .map((one) => one.satoshis),
    ).toEqual(values);
    const mixed = await called(workerRun, 'createAction', action({ outputs }));
    expect(
      transactionIn(mixed.tx)
        .outputs.slice(0, 12)
        .map((one) => one.satoshis),
    ).not.toEqual(values);
  });

  test('an output is added to a basket with its tags, labels and instructions, but never to a reserved basket', async () => {
    const workerRun = await allowed();
    for (const basket of ['default', 'admin x', 'p x', '1sat'])
      expect(
        await call(
          workerRun,
          'createAction',
          action({ outputs: [output(1, SOMEBODY, { basket: 'things' }), output(1, SOMEBODY, { basket })] }),
        ),
      ).toMatchObject({ reason: 'reserved-name' });
    expect(workerRun.profile.browser.windowsOpened).toBe(0);
    const { txid } = await called(
      workerRun,
      'createAction',
      action({
        labels: ['shop'],
        outputs: [
          output(1, SOMEBODY, { basket: 'things', tags: ['red'], customInstructions: 'key 7' }),
          output(900, SOMEBODY),
        ],
        options: { randomizeOutputs: false },
      }),
    );
    await accepted(workerRun, txid!);
    expect(
      await called(workerRun, 'listOutputs', {
        basket: 'things',
        include: 'locking scripts',
        includeTags: true,
        includeLabels: true,
        includeCustomInstructions: true,
      }),
    ).toEqual({
      totalOutputs: 1,
      outputs: [
        {
          outpoint: `${txid}.0`,
          satoshis: 1,
          spendable: true,
          lockingScript: SOMEBODY,
          tags: ['red'],
          labels: ['shop'],
          customInstructions: 'key 7',
        },
      ],
    });
  });
});

describe('the inputs of an action', () => {
  /** Creates one of the application's outputs in a basket. */
  async function withThing(workerRun: WorkerRun, satoshis: number): Promise<string> {
    const outputs = [output(satoshis, appScript(0), { basket: 'things' })];
    const { txid, tx } = await called(workerRun, 'createAction', action({ outputs }));
    await accepted(workerRun, txid!);
    const vout = transactionIn(tx).outputs.findIndex((one) => toHex(one.lockingScript) === appScript(0));
    return `${txid}.${vout}`;
  }
  const spending = (outpoint: string, more: object = {}) => ({
    description: 'move a thing',
    inputs: [{ outpoint, inputDescription: 'the thing', unlockingScriptLength: UNLOCKING_BYTES }],
    ...more,
  });
  /** Signs the application's only input and lets the wallet sign the rest. */
  async function finish(workerRun: WorkerRun, answer: { tx: number[]; reference: string }, satoshis: number) {
    const unlockingScript = signInput(transactionIn(answer.tx), 0, satoshis);
    return called(workerRun, 'signAction', { reference: answer.reference, spends: { 0: { unlockingScript } } });
  }

  test('an action’s inputs count toward its outputs, and the user pays only the difference', async () => {
    const workerRun = await allowed();
    const outpoint = await withThing(workerRun, 50_000);
    const before = (await allowanceOf(workerRun))!.spentSatoshis;
    const { signableTransaction } = await called(
      workerRun,
      'createAction',
      spending(outpoint, { outputs: [output(60_000, SOMEBODY)] }),
    );
    const { txid } = await finish(workerRun, signableTransaction!, 50_000);
    const { payments } = await stored(workerRun);
    const { signed } = payments.find((one) => one.signed?.txid === txid)!;
    expect((await allowanceOf(workerRun))!.spentSatoshis - before).toBe(10_000n + signed!.feeSatoshis);
    await network.mine();
    expect(await called(workerRun, 'listOutputs', { basket: 'things' })).toEqual({ totalOutputs: 0, outputs: [] });
  });

  test('surplus money from the inputs is paid to the wallet, and the allowance is debited only with the fee', async () => {
    const workerRun = await allowed();
    const outpoint = await withThing(workerRun, 50_000);
    const [spent, had] = [(await allowanceOf(workerRun))!.spentSatoshis, await balance(workerRun)];
    const { signableTransaction } = await called(
      workerRun,
      'createAction',
      spending(outpoint, { outputs: [output(10_000, SOMEBODY)] }),
    );
    const { txid } = await finish(workerRun, signableTransaction!, 50_000);
    const { signed } = (await stored(workerRun)).payments.find((one) => one.signed?.txid === txid)!;
    expect((await allowanceOf(workerRun))!.spentSatoshis - spent).toBe(signed!.feeSatoshis);
    expect(workerRun.profile.browser.windowsOpened).toBe(0);
    // The balance includes the change as soon as the action is broadcast.
    await until(async () => expect((await balance(workerRun)) - had).toBeGreaterThan(39_000n));
    expect((await balance(workerRun)) - had).toBeLessThan(40_000n);
  });

  test('an unknown or duplicate input is rejected', async () => {
    const workerRun = await allowed();
    const outputs = [output(500, SOMEBODY)];
    expect(await call(workerRun, 'createAction', spending(`${'ab'.repeat(32)}.0`, { outputs }))).toMatchObject({
      parameter: 'inputBEEF',
    });
    expect(
      await call(
        workerRun,
        'createAction',
        spending(`${'ab'.repeat(32)}.0`, { outputs, inputBEEF: [1, 0, 0xbe, 0xef] }),
      ),
    ).toMatchObject({ code: 6, parameter: 'inputBEEF' });
    const thing = await withThing(workerRun, 5000);
    expect(
      await call(workerRun, 'createAction', {
        ...spending(thing),
        inputs: [...spending(thing).inputs, ...spending(thing).inputs],
        outputs,
      }),
    ).toMatchObject({ parameter: 'inputs' });
    expect(await call(workerRun, 'createAction', spending(thing.replace(/\.\d+$/, '.77'), { outputs }))).toMatchObject({
      parameter: 'outpoint',
    });
  });

  test('an input that the application relinquishes while the window is open is still spent, and leaves its basket', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    await give(workerRun, { origin: APP, currency: 'BSV', limit: 60_000n });
    const thing = await withThing(workerRun, 50_000);
    const more = { outputs: [output(80_000, SOMEBODY)] };
    const asked = called(workerRun, 'createAction', spending(thing, more), { userActivation: 'new' });
    const id = await approvalOf(workerRun);
    const relinquish = () => call(workerRun, 'relinquishOutput', { basket: 'things', output: thing });
    expect(await relinquish()).toEqual({ relinquished: true });
    await decide(workerRun, id);
    const { signableTransaction } = await asked;
    expect(await relinquish()).toMatchObject({ parameter: 'output' });
    const { txid } = await finish(workerRun, signableTransaction!, 50_000);
    expect(transactionIn(signableTransaction!.tx).inputs[0]).toMatchObject({ txid: thing.slice(0, 64) });
    expect(txid).toBeDefined();
    expect(await (await workerRun.modules.database.database(wallet)).getAll('appOutputs')).toEqual([]);
    expect((await called(workerRun, 'listOutputs', { basket: 'things' })).totalOutputs).toBe(0);
  });

  test("an input in a basket that the site may not use is treated like a third party's output", async () => {
    const workerRun = await allowed();
    const thing = await withThing(workerRun, 5000);
    const evil = { origin: 'https://evil.example', isPermitted: false };
    await give(workerRun, { origin: evil.origin, currency: 'BSV', limit: 60_000n });
    const wanted = { outputs: [output(500, SOMEBODY)] };
    const waiting = await called(workerRun, 'createAction', spending(thing, wanted), evil);
    expect(waiting).toHaveProperty('signableTransaction');
    // The other site can't provide the signature, so its action reserves none of the application's outputs.
    await called(workerRun, 'createAction', spending(thing, wanted));
  });

  test('no other action can use the inputs of an action that waits for its signatures', async () => {
    const workerRun = await allowed();
    const thing = await withThing(workerRun, 50_000);
    const more = { outputs: [output(60_000, SOMEBODY)] };
    const { signableTransaction } = await called(workerRun, 'createAction', spending(thing, more));
    expect(await call(workerRun, 'createAction', spending(thing, { ...more, description: 'again' }))).toMatchObject({
      parameter: 'outpoint',
    });
    await called(workerRun, 'abortAction', { reference: signableTransaction!.reference });
    await called(workerRun, 'createAction', spending(thing, { ...more, description: 'again' }));
  });

  test('unlocking scripts provided later must be valid and no longer than announced, and can’t change what was approved', async () => {
    const workerRun = await allowed();
    const thing = await withThing(workerRun, 50_000);
    const { signableTransaction } = await called(
      workerRun,
      'createAction',
      spending(thing, { outputs: [output(60_000, SOMEBODY)] }),
    );
    const { tx, reference } = signableTransaction!;
    const agreed = transactionIn(tx);
    const good = signInput(agreed, 0, 50_000);
    const sign = (spends: object) => call(workerRun, 'signAction', { reference, spends });
    expect(await sign({})).toMatchObject({ parameter: 'spends' });
    expect(await sign({ 0: { unlockingScript: good }, 1: { unlockingScript: good } })).toMatchObject({
      parameter: 'spends',
    });
    expect(await sign({ 0: { unlockingScript: signInput(agreed, 0, 49_999) } })).toMatchObject({
      parameter: 'unlockingScript',
    });
    expect(await sign({ 0: { unlockingScript: `${good}00` } })).toMatchObject({ parameter: 'unlockingScript' });
    const done = await sign({ 0: { unlockingScript: good } });
    expect(transactionIn((done as { tx: number[] }).tx).outputs).toEqual(agreed.outputs);
    expect(await sign({ 0: { unlockingScript: good } })).toMatchObject({ txid: (done as { txid: string }).txid });
    expect(await sign({ 0: { unlockingScript: '51' } })).toMatchObject({ parameter: 'reference' });
  });
});

describe('an action that waits for its application', () => {
  const waiting = action({ options: { signAndProcess: false } });

  test('an unsigned action reserves its coins and its debit, and releases both when it is aborted', async () => {
    const workerRun = await allowed([40_000, 500_000]);
    const before = await stored(workerRun);
    const db = await workerRun.modules.database.database(wallet);
    const addresses = await db.getAll('addresses');
    const { signableTransaction } = await called(workerRun, 'createAction', waiting);
    const { signed, action: part } = await onlyPayment(workerRun);
    expect(signed).toBeNull();
    expect((await allowanceOf(workerRun))!.spentSatoshis).toBe(20_000n + part!.unsigned!.feeSatoshis);
    expect((await stored(workerRun)).coins.filter(({ status }) => status === 'reserved')).not.toEqual([]);
    expect((await called(workerRun, 'listActions', { labels: [] })).actions).toMatchObject([{ status: 'unsigned' }]);
    expect(await called(workerRun, 'abortAction', { reference: signableTransaction!.reference })).toEqual({
      aborted: true,
    });
    expect((await stored(workerRun)).coins).toEqual(before.coins);
    expect(await db.getAll('addresses')).toEqual(addresses);
    expect(await allowanceOf(workerRun)).toMatchObject({ spentSatoshis: 0n, payments: 0 });
    expect(await called(workerRun, 'listActions', { labels: [] })).toEqual({ totalActions: 0, actions: [] });
    expect(
      await call(workerRun, 'signAction', { reference: signableTransaction!.reference, spends: {} }),
    ).toMatchObject({
      parameter: 'reference',
    });
  });

  test('an unsigned action expires and releases everything, even after a restart of the worker', async () => {
    let workerRun = await allowed();
    await called(workerRun, 'createAction', waiting);
    const { id, action: part } = await onlyPayment(workerRun);
    workerRun = await workerRun.profile.start();
    expect((await onlyPayment(workerRun)).state).toBe('signable');
    await until(() => expect(workerRun.profile.browser.alarms.get('payments')).toBeDefined());
    await (
      await workerRun.modules.database.database(wallet)
    ).put('payments', {
      ...(await onlyPayment(workerRun)),
      action: { ...part!, expiresAt: Date.now() },
    });
    await workerRun.modules.drive.processAll(wallet);
    expect(await onlyPayment(workerRun)).toMatchObject({
      id,
      state: 'failed',
      error: { code: 'action-expired' },
      unfinished: 0,
    });
    expect(await balance(workerRun)).toBe(2_000_000n);
    expect((await allowanceOf(workerRun))!.spentSatoshis).toBe(0n);
  });

  test("other sites can't sign an action, abort it or see it", async () => {
    const workerRun = await allowed();
    const { signableTransaction } = await called(workerRun, 'createAction', waiting);
    const { reference } = signableTransaction!;
    const other = { origin: 'https://evil.example' };
    expect(atob(reference)).toHaveLength(32);
    expect(await call(workerRun, 'signAction', { reference, spends: {} }, other)).toMatchObject({
      parameter: 'reference',
    });
    expect(await call(workerRun, 'abortAction', { reference }, other)).toMatchObject({ parameter: 'reference' });
    expect(await called(workerRun, 'listActions', { labels: [] }, other)).toEqual({ totalActions: 0, actions: [] });
    expect(await called(workerRun, 'signAction', { reference, spends: {} })).toHaveProperty('txid');
    expect(await call(workerRun, 'abortAction', { reference })).toMatchObject({ parameter: 'reference' });
  });
});

describe('a transaction with noSend', () => {
  const held = (more: object = {}) => action({ options: { noSend: true, ...more } });

  test('a noSend transaction waits for sendWith, and the next noSend transaction can spend its change', async () => {
    const workerRun = await allowed();
    const first = await called(workerRun, 'createAction', held());
    expect(network.broadcasts).toEqual([]);
    expect((await onlyPayment(workerRun)).trouble).toBe('held');
    const second = await called(workerRun, 'createAction', held({ noSendChange: first.noSendChange }));
    expect(transactionIn(second.tx).inputs.map(({ txid }) => txid)).toContain(first.txid);
    expect(network.broadcasts).toEqual([]);
    expect((await called(workerRun, 'listActions', { labels: [] })).actions.map(({ status }) => status)).toEqual([
      'nosend',
      'nosend',
    ]);
    const sent = await called(workerRun, 'createAction', {
      description: 'send them',
      options: { sendWith: [second.txid], acceptDelayedBroadcast: false },
    });
    expect(sent).toEqual({ sendWithResults: [{ txid: second.txid, status: 'unproven' }] });
    const { payments } = await stored(workerRun);
    expect(payments.map(({ trouble, signed }) => [trouble, signed === null])).toEqual([
      [null, false],
      [null, false],
    ]);
    await network.mine();
    for (const { id } of payments) await paymentWhere(workerRun, id, ({ height }) => height !== null);
  });

  test('a noSend transaction is sent together with the first transaction that spends its change without noSend', async () => {
    const workerRun = await allowed();
    const first = await called(workerRun, 'createAction', held());
    const second = await called(
      workerRun,
      'createAction',
      action({ description: 'the last', options: { noSendChange: first.noSendChange, acceptDelayedBroadcast: false } }),
    );
    expect(transactionIn(second.tx).inputs.map(({ txid }) => txid)).toContain(first.txid);
    const states = (await stored(workerRun)).payments.map(({ state, trouble }) => [state, trouble]);
    expect(states).toEqual([
      ['settled', null],
      ['settled', null],
    ]);
  });

  test('all noSend transactions whose change an action spends are sent before the action, so its first broadcast succeeds', async () => {
    const workerRun = await openWallet(network, [50_000, 50_000]);
    await give(workerRun, { origin: APP, currency: 'BSV', limit: 500_000n });
    const makers = [await called(workerRun, 'createAction', held()), await called(workerRun, 'createAction', held())];
    const { tx } = await called(workerRun, 'createAction', {
      description: 'the last',
      outputs: [output(50_000, SOMEBODY)],
      options: { noSendChange: makers.flatMap(({ noSendChange }) => noSendChange), acceptDelayedBroadcast: false },
    });
    const inputs = transactionIn(tx).inputs.map(({ txid }) => txid);
    expect(inputs).toEqual(expect.arrayContaining(makers.map(({ txid }) => txid)));
    const { payments } = await stored(workerRun);
    const sent = ['settled', 0, null];
    expect(payments.map(({ state, broadcast: { attempts, problem } }) => [state, attempts, problem])).toEqual(
      payments.map(() => sent),
    );
  });

  test("other sites can't spend the change of a noSend transaction, or send it", async () => {
    const workerRun = await allowed();
    const { txid, noSendChange } = await called(workerRun, 'createAction', held());
    const other = { origin: 'https://evil.example' };
    expect(await call(workerRun, 'createAction', held({ noSendChange }), other)).toMatchObject({
      parameter: 'noSendChange',
    });
    expect(
      await call(workerRun, 'createAction', { description: 'send it', options: { sendWith: [txid] } }, other),
    ).toMatchObject({
      parameter: 'sendWith',
    });
    expect(await call(workerRun, 'abortAction', { reference: txid }, other)).toMatchObject({ parameter: 'reference' });
  });

  test('transactions in sendWith must belong to the site, and this is checked before anything is paid', async () => {
    const workerRun = await allowed();
    const sendWith = ['ab'.repeat(32)];
    expect(await call(workerRun, 'createAction', action({ options: { sendWith } }))).toMatchObject({
      parameter: 'sendWith',
    });
    expect((await stored(workerRun)).payments).toEqual([]);
    expect((await allowanceOf(workerRun))!.spentSatoshis).toBe(0n);
    const { signableTransaction } = await called(
      workerRun,
      'createAction',
      action({ options: { signAndProcess: false } }),
    );
    const { reference } = signableTransaction!;
    expect(await call(workerRun, 'signAction', { reference, spends: {}, options: { sendWith } })).toMatchObject({
      parameter: 'sendWith',
    });
    expect((await onlyPayment(workerRun)).state).toBe('signable');
  });

  test('an aborted noSend transaction keeps its coin until another transaction spends the coin, because it could still be mined', async () => {
    const workerRun = await allowed([25_000, 100_000], 30_000n);
    const { txid } = await called(workerRun, 'createAction', held());
    await called(workerRun, 'abortAction', { reference: txid });
    expect((await allowanceOf(workerRun))!.spentSatoshis).toBeGreaterThan(20_000n);
    expect(
      await call(workerRun, 'createAction', { description: 'send it', options: { sendWith: [txid] } }),
    ).toMatchObject({
      parameter: 'sendWith',
    });
    // The allowance is debited only for the next payment, because it and the aborted transaction can't both be mined.
    const next = await called(workerRun, 'createAction', action({ options: { acceptDelayedBroadcast: false } }));
    const { payments } = await stored(workerRun);
    const [old, taken] = [txid, next.txid].map((id) => payments.find((one) => one.signed?.txid === id)!);
    expect(taken!.signed!.inputs).toEqual(old!.signed!.inputs);
    await network.mine();
    await paymentWhere(workerRun, old!.id, ({ state }) => state === 'failed');
    expect((await allowanceOf(workerRun))!.spentSatoshis).toBe(20_000n + taken!.signed!.feeSatoshis);
  });

  test('an action fails if the transaction whose change it spends is aborted while its window is open', async () => {
    const workerRun = await allowed();
    const first = await called(workerRun, 'createAction', held());
    const db = await workerRun.modules.database.database(wallet);
    for (const key of await db.getAllKeys('allowances')) await db.delete('allowances', key);
    const spends = held({ noSendChange: first.noSendChange });
    const answer = call(workerRun, 'createAction', spends);
    const id = await approvalOf(workerRun);
    const { feeSatoshis } = await paymentView(workerRun, id);
    const waits = call(workerRun, 'createAction', { ...spends, description: 'wait for its turn' });
    await timeToRead();
    await called(workerRun, 'abortAction', { reference: first.txid });
    await expect(approveWindow(workerRun, id, { fee: BigInt(feeSatoshis!) })).rejects.toMatchObject({
      code: 'unusable-input',
    });
    expect((await paymentView(workerRun, id)).problem).toMatchObject({ code: 'unusable-input' });
    const before = workerRun.profile.browser.windowsOpened;
    const asking = (await stored(workerRun)).payments.find(({ signed }) => signed === null)!;
    await workerRun.modules.prompts.withdraw(wallet, { origin: APP, message: asking.id });
    expect(await answer).toMatchObject({ reason: 'page-gone' });
    expect(await waits).toMatchObject({ code: expect.any(Number) as number });
    expect(workerRun.profile.browser.windowsOpened).toBe(before);
    const { payments, coins } = await stored(workerRun);
    expect(payments.filter(({ signed }) => signed !== null)).toHaveLength(1);
    expect(coins.filter(({ status }) => status === 'pending')).not.toEqual([]);
  });

  test("a noSend transaction can't be aborted while a later one spends its change", async () => {
    const workerRun = await allowed();
    const first = await called(workerRun, 'createAction', held());
    await called(workerRun, 'createAction', held({ noSendChange: first.noSendChange }));
    expect(await call(workerRun, 'abortAction', { reference: first.txid })).toMatchObject({ parameter: 'reference' });
  });
});

describe('a rejection by the network', () => {
  test('an application that waits for the broadcast gets the network’s rejection, with the transaction’s ID', async () => {
    const workerRun = await allowed();
    network.faults = [461];
    const answer = await call(workerRun, 'createAction', action({ options: { acceptDelayedBroadcast: false } }));
    expect(answer).toMatchObject({
      code: 5,
      name: 'WERR_REVIEW_ACTIONS',
      reviewActionResults: [{ status: 'invalidTx' }],
      txid: expect.any(String) as string,
    });
  });
});
