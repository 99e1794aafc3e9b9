/** A restored wallet gets its history from the account's service, and detects a lying service. */
import { describe, expect, test } from 'vitest';
import { PASSWORD, restoreWallet } from '../../testkit/wallet/wallet.ts';
import { network, words, said, to, arrived, restored, rows, rowOf, askService, received } from './testing-records.ts';
import { wallet } from '../../testkit/wallet/current.ts';

test('site, button and recipients of payments and the senders of received money are restored once', async () => {
  network.records = { sent: [said], received: [received()] };
  const run = await restored();
  const { satoshis } = await run.modules.store.balance(wallet);
  await askService();
  const asked = network.recordsAsked.length;
  expect(asked).toBeGreaterThan(0);
  expect(await rowOf(run, said.txid)).toMatchObject({
    direction: 'sent',
    origin: said.origin,
    label: 'A book',
    counterparty: to,
    satoshis: '20000',
    isFromChain: true,
    isFromService: true,
  });
  expect(await run.modules.handlers.walletHandlers(wallet)['activity/read']({ id: said.txid })).toMatchObject({
    label: 'A book',
    buttonId: 'order-7',
    outputs: [{ type: 'ADDRESS', to, address: to, satoshis: '20000', amount: '0.0002', currency: 'BSV' }],
  });
  expect(await rowOf(run, arrived.txid)).toMatchObject({
    direction: 'received',
    satoshis: '7000',
    sender: { paymail: 'bob@two.example', verified: true },
    note: 'For the concert',
  });
  expect(run.profile.browser.notified).toEqual([]);
  for (const search of ['book', 'order-7', 'bob@two', 'concert'])
    expect(
      (
        (await run.modules.handlers.walletHandlers(wallet)['activity/list']({ limit: 9, search })) as {
          items: unknown[];
        }
      ).items,
    ).toHaveLength(1);
  await askService();
  expect(network.recordsAsked).toHaveLength(asked);
  expect((await run.modules.store.balance(wallet)).satoshis).toBe(satoshis);
});

describe('nothing changes if the service', () => {
  test.each<[string, () => object]>([
    ['names a different amount as received', () => ({ scripts: [{ script: arrived.script, satoshis: '7001' }] })],
    ['returns an overlong note', () => ({ note: 'a'.repeat(501) })],
  ])('%s', async (_, wrong) => {
    const run = await restored();
    const shown = await rows(run);
    network.records = { sent: [], received: [{ ...received(), ...wrong() }] };
    await askService();
    expect(await rows(run)).toEqual(shown);
  });
});

test('no query is made without an account, and a failed query is repeated later', async () => {
  network.records = { sent: [said], received: [] };
  const run = await restoreWallet(network, words);
  await run.modules.poll.refresh(wallet);
  await askService();
  expect(network.recordsAsked).toEqual([]);
  await run.modules.client.signInToAccount(wallet);
  network.down.add('service');
  await askService();
  expect(await rowOf(run, said.txid)).toMatchObject({ origin: null, label: null });
  network.down.clear();
  const next = await run.profile.start();
  await next.modules.vault.unlock(wallet, PASSWORD);
  await askService();
  expect(await rowOf(next, said.txid)).toMatchObject({ label: 'A book' });
});
