import { describe, expect, test } from 'vitest';
import { call, called } from '../../../testkit/wallet/applications.ts';
import { approvalOf, decline } from '../../../testkit/wallet/wallet.ts';
import { holdTime } from '../../../testkit/wallet/clock.ts';
import { OTHER } from './testing-lists.ts';
import { acting, keeping } from './testing-lists.ts';
import { wallet } from '../../../testkit/wallet/current.ts';

describe('outputs', () => {
  test('a site gets outputs with transactions only as often as its limit of index requests allows', async () => {
    const { workerRun } = await keeping();
    const whole = { basket: 'things', include: 'entire transactions' };
    holdTime(); // pauses the refill of the request limit
    let answers = 0;
    while (answers < 300 && 'BEEF' in (await call(workerRun, 'listOutputs', whole))) answers += 1;
    expect(await call(workerRun, 'listOutputs', whole)).toMatchObject({ reason: 'too-many-requests' });
    expect((await called(workerRun, 'listOutputs', { basket: 'things' })).totalOutputs).toBe(6);
    expect((await called(workerRun, 'listOutputs', whole, OTHER)).totalOutputs).toBe(6);
  });
});

describe('actions', () => {
  test('a site gets only its own actions, oldest first and in pages, and can filter them by any or all of several labels', async () => {
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

  test('a site gets no actions if the wallet stays locked', async () => {
    const { workerRun } = await acting();
    await workerRun.modules.vault.lock(wallet);
    const answer = call(workerRun, 'listActions', { labels: [] });
    await decline(workerRun, await approvalOf(workerRun));
    expect(await answer).toMatchObject({ reason: 'wallet-locked' });
  });
});
