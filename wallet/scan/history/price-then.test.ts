/** The exchange rate when money arrives, stored only if the wallet saw it arrive. */
import { expect, test } from 'vitest';
import type { ActivityItem } from '../../../protocol/messages/wallet-messages.ts';
import { useNetwork } from '../../../testkit/network/network.ts';
import { approveAll, ask, openWallet, pay, someone } from '../../../testkit/wallet/wallet.ts';
import type { WorkerRun } from '../../../testkit/wallet/worker-run.ts';
import { wallet } from '../../../testkit/wallet/current.ts';

const network = useNetwork();

/** Pays the wallet. Returns a function that reads the payment's current row. */
async function receive(run: WorkerRun, { inBlock = false } = {}): Promise<() => Promise<ActivityItem>> {
  const { modules } = run;
  const txid = await network.faucet((await modules.overview.overview(wallet)).receiveAddress, 4321);
  if (inBlock) await network.mine();
  await modules.poll.refresh(wallet);
  return async () => {
    const { items } = (await modules.handlers.walletHandlers(wallet)['activity/list']({ limit: 100 })) as {
      items: ActivityItem[];
    };
    return items.find((item) => item.txid === txid) as ActivityItem;
  };
}

test('money that is seen arriving keeps the price at that time, even after the price changes and a block contains it', async () => {
  const run = await openWallet(network, []);
  const row = await receive(run);
  expect((await row()).priceThen).toEqual({ currency: 'USD', price: '50' });
  network.rates = { USD: '70', EUR: '60' };
  network.exchangeRate = { currency: 'USD', rate: 70 };
  await network.mine();
  await run.modules.poll.refresh(wallet);
  expect(await row()).toMatchObject({ status: 'COMPLETED', priceThen: { currency: 'USD', price: '50' } });
});

test('a payment in BSV keeps the price at which it was signed', async () => {
  const run = await openWallet(network, [1_000_000]);
  approveAll(run);
  await run.modules.overview.overview(wallet); // displays the balance, for which the exchange rate is requested
  await ask(run, 'request-1', pay(someone(), 20_000));
  network.rates = { USD: '70', EUR: '60' };
  const exported = (await run.modules.handlers.walletHandlers(wallet)['activity/export']({ direction: 'sent' })) as {
    items: ActivityItem[];
  };
  expect(exported.items).toMatchObject([{ satoshis: '20000', priceThen: { currency: 'USD', price: '50' } }]);
});

test('money that is first seen in a block has no price, because it may be old', async () => {
  const row = await receive(await openWallet(network, []), { inBlock: true });
  expect(await row()).toMatchObject({ status: 'COMPLETED', satoshis: '4321' });
  expect((await row()).priceThen).toBeUndefined();
});

test('no price is stored without a reliable rate', async () => {
  network.rates = { USD: '80', EUR: '70' };
  const row = await receive(await openWallet(network, []));
  expect((await row()).satoshis).toBe('4321');
  expect((await row()).priceThen).toBeUndefined();
});

test('the price is removed if a block contained the money long before the index reported it as new', async () => {
  const run = await openWallet(network, []);
  const row = await receive(run);
  const { txid } = await row();
  const db = await run.modules.database.database(wallet);
  const receipt = await db.get('receipts', txid as string);
  if (!receipt?.priceThen) throw new Error('no price');
  const time = receipt.priceThen.time + 3 * 3600_000;
  await db.put('receipts', { ...receipt, priceThen: { ...receipt.priceThen, time } });
  await network.mine();
  await run.modules.poll.refresh(wallet);
  expect(await row()).toMatchObject({ status: 'COMPLETED' });
  expect((await row()).priceThen).toBeUndefined();
});
