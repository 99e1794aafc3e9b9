/** Applications' lists of outputs and actions: pagination, order and fields. */
import { Beef } from '@bsv/sdk';
import { describe, expect, test } from 'vitest';
import { fromHex } from '../../../protocol/bitcoin/bytes.ts';
import { parseTransaction } from '../../../protocol/bitcoin/transaction.ts';
import {
  appScript,
  call,
  called,
  output,
  signInput,
  transactionIn,
  UNLOCKING_BYTES,
} from '../../../testkit/wallet/applications.ts';
import { paymentWhere, stored } from '../../../testkit/wallet/wallet.ts';
import { network, SOMEBODY, OTHER, allowed, options, things } from './testing-lists.ts';
import { acting, keeping } from './testing-lists.ts';
import { wallet } from '../../../testkit/wallet/current.ts';

test('an empty basket returns an empty list, even if the wallet has never reached its service', async () => {
  const workerRun = await allowed();
  const { database } = workerRun.modules;
  const unreached = {
    ...(await database.readKey(wallet, 'settings')),
    serviceUrl: 'http://localhost:1',
    arcUrl: null,
    wocUrl: null,
  };
  await database.writeKey(wallet, 'settings', unreached);
  await database.deleteKey(wallet, 'network');
  for (const include of ['entire transactions', 'locking scripts']) {
    const answer = await called(workerRun, 'listOutputs', { basket: 'things', include });
    expect(answer).toMatchObject({ totalOutputs: 0, outputs: [] });
    if (answer.BEEF) expect(Beef.fromBinary(answer.BEEF).txs).toEqual([]);
  }
});

describe('outputs', () => {
  test('outputs are sorted oldest first, or newest first with a negative offset (-1 is the newest), ten by default', async () => {
    const { workerRun, listed } = await keeping();
    expect(await listed()).toEqual([6, 1000, 1001, 1002, 1003, 1004, 1005]);
    expect(await listed({ limit: 2 })).toEqual([6, 1000, 1001]);
    expect(await listed({ limit: 2, offset: 3 })).toEqual([6, 1003, 1004]);
    expect(await listed({ limit: 10_000, offset: 5 })).toEqual([6, 1005]);
    expect(await listed({ offset: 6 })).toEqual([6]);
    expect(await listed({ offset: -1 })).toEqual([6, 1005, 1004, 1003, 1002, 1001, 1000]);
    expect(await listed({ limit: 2, offset: -2 })).toEqual([6, 1004, 1003]);
    expect(await listed({ limit: 2, offset: -6 })).toEqual([6, 1000]);
    expect(await listed({ offset: -7 })).toEqual([6]);
    expect(await listed({ offset: -Number.MAX_SAFE_INTEGER })).toEqual([6]);
    await called(workerRun, 'createAction', {
      description: 'keep more',
      outputs: things(1006, ...Array.from({ length: 6 }, () => [])),
      options,
    });
    expect((await listed()).length).toBe(1 + 10);
    expect((await listed({ offset: 10 })).slice(1)).toEqual([1010, 1011]);
    for (const wrong of [{ limit: 0 }, { limit: 10_001 }, { limit: 1.5 }, { offset: 0.5 }, { offset: '1' }])
      expect(await call(workerRun, 'listOutputs', { basket: 'things', ...wrong })).toMatchObject({
        code: 6,
        parameter: Object.keys(wrong)[0],
      });
  });

  test('outputs can be filtered by any or all of several tags, which are trimmed and lowercased', async () => {
    const { listed } = await keeping();
    expect(await listed({ tags: ['a'] })).toEqual([4, 1000, 1001, 1004, 1005]);
    expect(await listed({ tags: [' B ', 'c'] })).toEqual([4, 1001, 1002, 1004, 1005]);
    expect(await listed({ tags: ['a', 'b', 'a'], tagQueryMode: 'all' })).toEqual([2, 1001, 1005]);
    expect(await listed({ tags: ['a', 'x'], tagQueryMode: 'all' })).toEqual([0]);
    expect(await listed({ tags: ['x'] })).toEqual([0]);
    expect(await listed({ tags: ['a'], limit: 2, offset: 1 })).toEqual([4, 1001, 1004]);
    expect(await listed({ tags: ['a'], limit: 2, offset: -2 })).toEqual([4, 1004, 1001]);
    expect(await listed({ tags: ['a'], offset: -5 })).toEqual([4]);
  });

  test('outputs contain only the requested fields, and only labels that the site itself set', async () => {
    const { workerRun, txids, listed } = await keeping();
    const one = { basket: 'things', limit: 1, offset: 4 };
    const plain = { outpoint: `${txids[1]}.1`, satoshis: 1004, spendable: true };
    expect((await called(workerRun, 'listOutputs', one)).outputs).toEqual([plain]);
    const everything = {
      include: 'locking scripts',
      includeCustomInstructions: true,
      includeTags: true,
      includeLabels: true,
    };
    const rich = { ...plain, lockingScript: appScript(0), customInstructions: 'key 1004', tags: ['c', 'a'] };
    expect((await called(workerRun, 'listOutputs', { ...one, ...everything })).outputs).toEqual([
      { ...rich, labels: ['blue shop'] },
    ]);
    // Baskets belong to the user: another site with permission sees the outputs, but not which site created them.
    expect((await called(workerRun, 'listOutputs', { ...one, ...everything }, OTHER)).outputs).toEqual([
      { ...rich, labels: [] },
    ]);
    expect(await listed({ basket: 'Things ' })).toEqual([6, 1000, 1001, 1002, 1003, 1004, 1005]);
    void call(workerRun, 'listOutputs', one, { origin: 'https://third.example', isPermitted: false });
    expect(
      await call(
        workerRun,
        'listOutputs',
        { ...one, seekPermission: false },
        { ...OTHER, origin: 'https://fourth.example', isPermitted: false },
      ),
    ).toMatchObject({ reason: 'permission-refused' });
  });

  test('outputs come with their transactions in one BEEF, down to proven ancestors', async () => {
    const { workerRun, txids } = await keeping();
    for (const mined of [false, true]) {
      if (mined) await network.mine();
      for (const { id } of mined ? (await stored(workerRun)).payments : [])
        await paymentWhere(workerRun, id, ({ height }) => height !== null);
      const { BEEF, outputs } = await called(workerRun, 'listOutputs', {
        basket: 'things',
        include: 'entire transactions',
      });
      const beef = Beef.fromBinary(BEEF!);
      expect(beef.isValid()).toBe(true);
      for (const txid of txids) expect(beef.findTxid(txid)?.bumpIndex === undefined).toBe(!mined);
      for (const { outpoint, satoshis, ...rest } of outputs) {
        const [txid = '', vout] = outpoint.split('.');
        expect(beef.findTxid(txid)!.tx!.outputs[Number(vout)]!.satoshis).toBe(satoshis);
        expect(rest).toEqual({ spendable: true });
      }
    }
    const { BEEF } = await called(workerRun, 'listOutputs', {
      basket: 'things',
      include: 'entire transactions',
      limit: 2,
    });
    expect(Beef.fromBinary(BEEF!).txs.map(({ txid }) => txid)).toEqual([txids[0]]);
    expect(
      await called(workerRun, 'listOutputs', { basket: 'things', include: 'entire transactions', tags: ['x'] }),
    ).toMatchObject({ totalOutputs: 0, outputs: [] });
  });

  test('an output that its application relinquishes leaves the list, and the other outputs stay', async () => {
    const { workerRun, txids, listed } = await keeping();
    const outpoint = `${txids[0]}.1`;
    expect(await called(workerRun, 'relinquishOutput', { basket: 'things', output: outpoint })).toEqual({
      relinquished: true,
    });
    expect(await listed()).toEqual([5, 1000, 1002, 1003, 1004, 1005]);
    for (const wrong of [outpoint, `${txids[0]}.9`, `${txids[1]}.3`])
      expect(await call(workerRun, 'relinquishOutput', { basket: 'things', output: wrong })).toMatchObject({
        code: 6,
        parameter: 'output',
      });
  });
});

describe('actions', () => {
  test('actions contain only the requested labels, inputs, outputs and scripts', async () => {
    const { workerRun, txid } = await acting();
    const { signableTransaction } = await called(workerRun, 'createAction', {
      description: 'the fifth',
      inputs: [
        {
          outpoint: `${txid}.0`,
          inputDescription: 'a thing',
          unlockingScriptLength: UNLOCKING_BYTES,
          sequenceNumber: 7,
        },
      ],
      outputs: [output(600, SOMEBODY)],
      options,
    });
    const { tx, reference } = signableTransaction!;
    const unlockingScript = signInput(transactionIn(tx), 0, 1000);
    const fifth = await called(workerRun, 'signAction', { reference, spends: { 0: { unlockingScript } } });
    const { payments } = await stored(workerRun);
    const feeOf = (id: string) => Number(payments.find(({ signed }) => signed?.txid === id)!.signed!.feeSatoshis);

    const plain = await called(workerRun, 'listActions', { labels: ['red'], limit: 1 });
    const made = { txid, isOutgoing: true, status: 'unproven', description: 'the first', version: 2, lockTime: 5 };
    expect(plain.actions).toEqual([{ ...made, satoshis: -1000 - feeOf(txid) }]);

    const everything = {
      includeLabels: true,
      includeInputs: true,
      includeInputSourceLockingScripts: true,
      includeInputUnlockingScripts: true,
      includeOutputs: true,
      includeOutputLockingScripts: true,
    };
    const all = await called(workerRun, 'listActions', { labels: [], ...everything });
    expect(all.actions[0]).toEqual({
      ...made,
      satoshis: -1000 - feeOf(txid),
      labels: ['red', 'shop'],
      inputs: [],
      outputs: [
        {
          satoshis: 1000,
          lockingScript: appScript(0),
          spendable: false,
          customInstructions: 'key 1000',
          tags: ['a'],
          outputIndex: 0,
          outputDescription: 'a thing of the application',
          basket: 'things',
        },
      ],
    });
    expect(all.actions[4]).toMatchObject({
      txid: fifth.txid,
      satoshis: 1000 - 600 - feeOf(fifth.txid!),
      inputs: [
        {
          sourceOutpoint: `${txid}.0`,
          sourceSatoshis: 1000,
          sourceLockingScript: appScript(0),
          unlockingScript,
          inputDescription: 'a thing',
          sequenceNumber: 7,
        },
      ],
      outputs: [{ satoshis: 600, lockingScript: SOMEBODY, spendable: false, basket: '', tags: [] }],
    });
    const scripts = await called(workerRun, 'listActions', { labels: [], includeInputs: true, includeOutputs: true });
    expect(JSON.stringify(scripts)).not.toContain('cript"');
    const raw = parseTransaction(fromHex(payments.find(({ signed }) => signed?.txid === txid)!.signed!.rawtx));
    expect([raw.version, raw.lockTime]).toEqual([2, 5]);
  });
});
