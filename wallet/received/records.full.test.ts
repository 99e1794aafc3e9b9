import { describe, expect, test } from 'vitest';
import type { SentRecord } from '../../protocol/http/records.ts';
import { network, said, arrived, restored, rows, rowOf, askService, received } from './testing-records.ts';
import { PASSWORD } from '../../testkit/wallet/wallet.ts';
import { wallet } from '../../testkit/wallet/current.ts';

/** Only every `STRIDE`th crash point is tested. */
const STRIDE = 3;

test('a payment’s value is as reported by the service, if the service knew it', async () => {
  network.records = { sent: [{ ...said, serviceAmount: '0.0110', currency: 'USD' }], received: [] };
  const run = await restored();
  await askService();
  expect(await rowOf(run, said.txid)).toMatchObject({ worthThen: { amount: '0.0110', currency: 'USD' } });
  expect((await rowOf(run, arrived.txid))?.worthThen).toBeUndefined();
});

test('a name replaces an address, but amounts stay those of the transaction', async () => {
  const [output] = said.outputs as [SentRecord['outputs'][number]];
  network.records = {
    sent: [{ ...said, outputs: [{ ...output, type: 'PAYMAIL', to: 'till@shop.example' }] }],
    received: [],
  };
  const run = await restored();
  await askService();
  expect(await rowOf(run, said.txid)).toMatchObject({ counterparty: 'till@shop.example', satoshis: '20000' });
  expect(await rowOf(run, arrived.txid)).toMatchObject({ sender: null, note: null });
});

describe('nothing changes if the service', () => {
  test.each<[string, () => unknown]>([
    [
      'names a different amount',
      () => ({
        ...said,
        outputs: said.outputs.map((one) => ({ ...one, scripts: [{ ...one.scripts[0], satoshis: '20001' }] })),
      }),
    ],
    ['names no recipient', () => ({ ...said, outputs: [] })],
    ['names a worth that is no amount', () => ({ ...said, serviceAmount: '=1+1', currency: 'USD' })],
    ['returns an overlong label', () => ({ ...said, label: 'a'.repeat(201) })],
    ['answers nonsense', () => 7],
  ])('%s', async (_, wrong) => {
    const run = await restored();
    const shown = await rows(run);
    expect(shown).toContainEqual(expect.objectContaining({ txid: said.txid, satoshis: '20000' }));
    network.records = { sent: [wrong()], received: [] };
    await askService();
    expect(network.recordsAsked).not.toEqual([]);
    expect(await rows(run)).toEqual(shown);
  });
});

test('a worker that was interrupted continues, and loses nothing', async () => {
  network.records = { sent: [said], received: [received()] };
  for (let dieAt = 1, isWhole = false; !isWhole; dieAt += STRIDE) {
    const first = await restored();
    const { profile } = first;
    const doomed = await profile.start(dieAt);
    await doomed.untilDeath(() => doomed.modules.vault.unlock(wallet, PASSWORD).then(askService));
    isWhole = !doomed.dead;
    const next = await profile.start();
    await next.modules.vault.unlock(wallet, PASSWORD);
    await askService();
    expect(await rowOf(next, said.txid), `crash point ${dieAt}`).toMatchObject({ label: 'A book', satoshis: '20000' });
    expect(await rowOf(next, arrived.txid)).toMatchObject({ note: 'For the concert' });
  }
});
