/** The slower tests of lists, for the full run. */
import { describe, expect, test } from 'vitest';
import { APP, call, called, output } from '../../testing/applications.ts';
import { approvalOf, decline } from '../../testing/wallet.ts';
import { holdTime } from '../../testing/clock.ts';
import { SOMEBODY, OTHER, allowed, options, things } from './testing-lists.ts';

describe('outputs', () => {
  /** Two transactions with six things: 1000 to 1005. */
  async function keeping() {
    const workerRun = await allowed();
    const make = (labels: string[], outputs: object[]) =>
      called(workerRun, 'createAction', { description: 'keep things', labels, outputs, options });
    const [first, second] = [
      await make(['red shop'], things(1000, ['a'], ['a', 'b'], ['b'])),
      await make(['Blue shop'], [...things(1003, [], ['c', 'a'], ['a', 'b', 'c']), output(500, SOMEBODY)]),
    ];
    return {
      workerRun,
      txids: [first.txid!, second.txid!] as const,
      async listed(args: object = {}, origin = APP) {
        const answer = await called(workerRun, 'listOutputs', { basket: 'things', ...args }, { origin });
        return [answer.totalOutputs, ...answer.outputs.map(({ satoshis }) => satoshis)];
      },
    };
  }

  test('come with their transactions only as often as the index may be asked for a site', async () => {
    const { workerRun } = await keeping();
    const whole = { basket: 'things', include: 'entire transactions' };
    holdTime(); // no turn comes back
    let answers = 0;
    while (answers < 300 && 'BEEF' in (await call(workerRun, 'listOutputs', whole))) answers += 1;
    expect(await call(workerRun, 'listOutputs', whole)).toMatchObject({ reason: 'too-many-requests' });
    expect((await called(workerRun, 'listOutputs', { basket: 'things' })).totalOutputs).toBe(6);
    expect((await called(workerRun, 'listOutputs', whole, OTHER)).totalOutputs).toBe(6);
  });
});

describe('actions', () => {
  async function acting() {
    const workerRun = await allowed();
    const make = (description: string, labels: string[], more: object = {}) =>
      called(workerRun, 'createAction', { description, labels, outputs: [output(700, SOMEBODY)], options, ...more });
    const { txid } = await make('the first', ['red', 'shop'], {
      outputs: things(1000, ['a']),
      version: 2,
      lockTime: 5,
    });
    await make('the second', ['Blue ', 'shop']);
    await make('the third', ['red']);
    await make('the fourth', []);
    return {
      workerRun,
      txid: txid!,
      async listed(args: object = {}, origin = APP) {
        const answer = await called(workerRun, 'listActions', { labels: [], ...args }, { origin });
        return [answer.totalActions, ...answer.actions.map(({ description }) => description.slice(4))];
      },
    };
  }

  test('are the site’s own alone, oldest first, with any or all of some labels, part by part', async () => {
    const { workerRun, listed } = await acting();
    expect(await listed()).toEqual([4, 'first', 'second', 'third', 'fourth']);
    expect(await listed({}, OTHER.origin)).toEqual([0]);
    expect(await listed({ limit: 2, offset: 1 })).toEqual([4, 'second', 'third']);
    expect(await listed({ offset: 4 })).toEqual([4]);
    expect(await listed({ labels: ['RED', 'blue'] })).toEqual([3, 'first', 'second', 'third']);
    expect(await listed({ labels: ['red', 'shop'], labelQueryMode: 'all' })).toEqual([1, 'first']);
    expect(await listed({ labels: ['red'], limit: 1, offset: 1 })).toEqual([2, 'third']);
    expect(await listed({ labels: ['green'] })).toEqual([0]);
    expect(await call(workerRun, 'listActions', { labels: [], offset: -1 })).toMatchObject({ parameter: 'offset' });
  });

  test('are shown once the wallet is unlocked', async () => {
    const { workerRun } = await acting();
    await workerRun.modules.vault.lock();
    const answer = call(workerRun, 'listActions', { labels: [] });
    await decline(workerRun, await approvalOf(workerRun));
    expect(await answer).toMatchObject({ reason: 'wallet-locked' });
  });
});
