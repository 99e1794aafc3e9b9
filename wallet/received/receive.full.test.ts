import { describe, expect, test, vi } from 'vitest';
import { writeInscription } from '../../protocol/assets/bsv21/inscription.ts';
import { fromHex, toHex } from '../../protocol/bitcoin/bytes.ts';
import type { ReceivedTransaction } from '../../protocol/http/received.ts';
import { parseTransactionHex, serializeTransaction, txidOf } from '../../protocol/bitcoin/transaction.ts';
import { Issuer, one } from '../../testkit/wallet/assets.ts';
import { openWallet, restoreWallet, stored, wordsOf } from '../../testkit/wallet/wallet.ts';
import {
  network,
  serviceScripts,
  hexOf,
  said,
  arrive,
  arriveHeld,
  receive,
  handlers,
  activity,
  satoshis,
  refreshed,
} from './testing-receive.ts';
import { wallet } from '../../testkit/wallet/current.ts';

describe('payments received by paymail', () => {
  test('payments have the price at that time if the service has just received them, and older ones have none', async () => {
    const workerRun = await openWallet(network, [], { account: true });
    await arrive([{ index: 0, satoshis: 600 }], { createdAt: new Date().toISOString() });
    await arrive([{ index: 1, satoshis: 700 }]);
    await receive();
    await refreshed(workerRun);
    const db = await workerRun.modules.database.database(wallet);
    expect(
      (await db.getAll('receipts')).map(({ satoshis, priceThen }) => [satoshis, priceThen?.price]).toSorted(),
    ).toEqual([
      [600n, '50'],
      [700n, undefined],
    ]);
  });

  test('a token that can’t be checked is shown as unchecked until the assets are opened', async () => {
    const workerRun = await openWallet(network, [], { account: true });
    const issuer = new Issuer(network);
    const { id, coin } = await issuer.mint(1000n);
    const { txid } = await arriveHeld(issuer, 0, [coin], { op: 'transfer', id, amt: 1000n });
    network.down.add('woc');
    const real = globalThis.fetch;
    const silent = vi
      .spyOn(globalThis, 'fetch')
      .mockImplementation(async (url, options) =>
        String(url).includes('/api/bsv20/') ? new Response('{}', { status: 404 }) : real(url, options),
      );
    await receive();
    expect(await activity(workerRun)).toMatchObject([{ tokenClaim: 'unchecked' }]);
    expect(workerRun.profile.browser.notifications.get(txid)?.title).toBe('Received a token');
    expect(network.arrivals.inbox).toEqual([]);
    network.down.delete('woc');
    silent.mockRestore();
    await handlers(workerRun)['assets/refresh']({});
    expect(await activity(workerRun)).toMatchObject([{ asset: { units: '1000' }, assetWord: 'chain' }]);
  });

  test('a payment with much data in several outputs is measured as a whole, and once', async () => {
    const workerRun = await openWallet(network, [], { account: true });
    const issuer = new Issuer(network, 200_000);
    const arriveLarge = async (indexes: number[]): Promise<ReceivedTransaction> => {
      const content = (script: string) => writeInscription('text/plain', new Uint8Array(390_000), fromHex(script));
      const [made] = await issuer.make(
        [],
        (await serviceScripts(...indexes)).map((script) => one(content(script))),
      );
      const txid = made?.txid ?? '';
      const outputs = indexes.map((index) => ({ index, satoshis: 1 }));
      const arrived = await said({ bytes: fromHex(await hexOf(txid)), txid }, outputs);
      network.arrivals.inbox.push(arrived);
      return arrived;
    };
    await arriveLarge([0, 1, 2]);
    const fits = await arriveLarge([3, 4]);
    network.arrivals.acknowledgementFaults.push(503);
    await receive();
    // On a busy machine, a request for this much data may time out. A later fetch repeats it.
    const acknowledged = () => receive(true).then(() => network.arrivals.acknowledged);
    await expect.poll(acknowledged).toEqual([fits.id]);
    expect((await stored(workerRun)).coins.map(({ txid }) => txid)).toEqual([fits.txid, fits.txid]);
  });

  test('[S-01] a payment is found from only the words, with the service gone', async () => {
    const workerRun = await openWallet(network, [], { account: true });
    for (const index of [3, 19, 22, 42]) await arrive([{ index, satoshis: 1000 + index }]);
    await receive();
    const all = await satoshis(workerRun);
    expect(all).toBe(4086n);
    const words = await wordsOf(workerRun);
    network.before = (url) => {
      if (url.startsWith('/api/v2/') && !url.startsWith('/api/v2/network')) throw new Error('gone');
    };
    const restored = await restoreWallet(network, words);
    await refreshed(restored);
    expect(await satoshis(restored)).toBe(all);
  });
});

describe('invalid responses of the service', () => {
  const other = '00'.repeat(20);
  const wrong: [string, (one: ReceivedTransaction, right: ReceivedTransaction) => object][] = [
    ['is of another id', (one, right) => ({ ...one, txid: right.txid })],
    ['has bytes behind it', (one) => ({ ...one, rawtx: `${one.rawtx}00` })],
    ['is cut short', (one) => ({ ...one, rawtx: one.rawtx.slice(0, -2) })],
    [
      'pays somebody else',
      (one) => ({ ...one, outputs: one.outputs.map((output) => ({ ...output, script: `76a914${other}88ac` })) }),
    ],
    [
      'pays an address of another index',
      (one) => ({ ...one, outputs: one.outputs.map((output) => ({ ...output, index: output.index + 1 })) }),
    ],
    [
      'pays less than it says',
      (one) => ({ ...one, outputs: one.outputs.map((output) => ({ ...output, satoshis: '3001' })) }),
    ],
    ['names one output twice', (one) => ({ ...one, outputs: [...one.outputs, ...one.outputs] })],
    ['names none', (one) => ({ ...one, outputs: [] })],
    ['lacks a field', ({ note, ...one }) => one],
    [
      'names no real index',
      (one) => ({ ...one, outputs: one.outputs.map((output) => ({ ...output, index: 2 ** 31 })) }),
    ],
    [
      'is refused by the network',
      (one) => {
        const transaction = parseTransactionHex(one.rawtx);
        const [input] = transaction.inputs as [(typeof transaction.inputs)[number]];
        const unsigned = serializeTransaction({
          ...transaction,
          inputs: [{ ...input, unlockingScript: new Uint8Array(0) }],
        });
        return { ...one, rawtx: toHex(unsigned), txid: txidOf(unsigned) };
      },
    ],
  ];

  test.each(wrong)('%s: the payment is not stored and not acknowledged, and delays no others', async (_, spoil) => {
    const workerRun = await openWallet(network, [], { account: true });
    const good = await arrive([{ index: 1, satoshis: 4000 }]);
    const bad = spoil(await arrive([{ index: 0, satoshis: 3000 }], {}, 'its way'), good) as ReceivedTransaction;
    network.arrivals.inbox = [{ nonsense: true } as never, bad, good];
    await receive();
    expect(await satoshis(workerRun)).toBe(4000n);
    expect((await activity(workerRun)).map(({ id }) => id)).toEqual([good.txid]);
    expect(workerRun.profile.browser.notified).toEqual([good.txid]);
    expect(network.arrivals.acknowledged).toEqual([good.id]);
  });
});
