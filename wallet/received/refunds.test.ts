/** Money received at an address from which a payment was made, and the service's reports about it. */
import { beforeEach, describe, expect, test } from 'vitest';
import { p2pkhScript, writeAddress } from '../../protocol/bitcoin/address.ts';
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import type { ActivityItem } from '../../protocol/messages/wallet-messages.ts';
import { useNetwork } from '../../testkit/network/network.ts';
import { approveAll, ask, openWallet, pay, someone } from '../../testkit/wallet/wallet.ts';
import type { WorkerRun } from '../../testkit/wallet/worker-run.ts';
import { publicKeyHashes } from '../keys/keys.ts';
import { wallet } from '../../testkit/wallet/current.ts';

const network = useNetwork();
const OTHER = '2f0e1f6a-64a5-4a8e-9c0d-0a8c2b7c1d11';

let workerRun: WorkerRun;
/** A payment, and a transaction received at its address. */
let given: { paymentId: string; txid: string };
beforeEach(async () => {
  workerRun = await openWallet(network, [1_000_000], { account: true });
  approveAll(workerRun);
  const { id } = (await ask(workerRun, 'request-1', pay(someone(), 20_000))) as { id: string };
  const db = await workerRun.modules.database.database(wallet);
  const { signed } = (await db.get('payments', id))!;
  const coin = (await db.get('coins', signed!.inputs[0]!))!;
  const { address } = (await db.get('addresses', coin.script))!;
  given = { paymentId: id, txid: await network.faucet(address, 5_000) };
  await workerRun.modules.poll.refresh(wallet);
});

const row = async () =>
  (
    (await workerRun.modules.handlers.walletHandlers(wallet)['activity/list']({ limit: 10 })) as {
      items: ActivityItem[];
    }
  ).items.find(({ txid }) => txid === given.txid)!;

test('a refund known to the service is marked as a refund, and the wallet queries the service once there may be a refund', async () => {
  expect((await row()).refundOf).toEqual({ id: given.paymentId, origin: expect.any(String), to: expect.any(String) });
  network.refunds = [{ ...given, satoshis: '5000' }];
  const { receive } = await import('./fetch.ts');
  await receive(wallet);
  expect((await row()).refundOf).toMatchObject({ id: given.paymentId, isConfirmed: true });
  const details = await workerRun.modules.handlers.walletHandlers(wallet)['activity/read']({ id: given.paymentId });
  expect(details).toMatchObject({ refunds: [{ txid: given.txid, isConfirmed: true }] });
});

test.each<[string, () => void]>([
  ['knows no refund', () => (network.refunds = [])],
  [
    'names a payment that this wallet did not make',
    () => (network.refunds = [{ ...given, paymentId: OTHER, satoshis: '5' }]),
  ],
  ['names another transaction', () => (network.refunds = [{ ...given, txid: 'ab'.repeat(32), satoshis: '5' }])],
  ['answers nonsense', () => (network.refunds = [{ ...given, satoshis: '-5' }])],
  ['is down', () => void network.down.add('service')],
])('received money stays a possible refund if the service %s', async (_, set) => {
  set();
  const { receive } = await import('./fetch.ts');
  await receive(wallet);
  const { refundOf } = await row();
  expect(refundOf).toMatchObject({ id: given.paymentId });
  expect(refundOf).not.toHaveProperty('isConfirmed');
});

describe('money received by paymail', () => {
  /** Receives a payment through the service's paymail host, at an address from which no payment was made. */
  async function arrive(sender: string | null = 'till@shop.example', createdAt = new Date()) {
    const { publicKeys } = await import('../vault/vault.ts');
    const [hash] = publicKeyHashes(await publicKeys(wallet), 'service', [0]) as [Uint8Array];
    const script = toHex(p2pkhScript(hash));
    const txid = await network.faucet(writeAddress(hash, 'devnet'), 7_000);
    const rawtx = await (await fetch(`${network.url}/devnet/woc/v1/bsv/test/tx/${txid}/hex`)).text();
    network.arrivals.inbox.push({
      id: crypto.randomUUID(),
      txid,
      rawtx,
      satoshis: '7000',
      outputs: [{ script, satoshis: '7000', index: 0 }],
      paymentId: crypto.randomUUID(),
      sender,
      senderVerified: true,
      note: null,
      createdAt: createdAt.toISOString(),
    });
    given = { ...given, txid };
    const { receive } = await import('./fetch.ts');
    await receive(wallet);
  }

  test.each([
    ['a refund', 'till@shop.example', new Date()],
    ['a refund without a sender', null, new Date()],
    ['a refund that waited for a wallet long unopened', 'till@shop.example', new Date('2026-01-02T12:00:00.000Z')],
  ])(
    'money counts as a refund if the service reports it, and the payment includes it: %s',
    async (_, sender, createdAt) => {
      network.before = async (url) => {
        // The service receives the refund's report before the wallet's query.
        if (url.endsWith('/acknowledgements')) network.refunds = [{ ...given, satoshis: '20000' }];
      };
      await arrive(sender, createdAt);
      expect((await row()).refundOf).toMatchObject({ id: given.paymentId, isConfirmed: true });
      const read = workerRun.modules.handlers.walletHandlers(wallet)['activity/read'];
      // The amount is computed by the wallet, not reported by the service. The service hasn't confirmed the money
      // received at the address as a refund.
      expect((await read({ id: given.paymentId })).refunds).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ txid: given.txid, satoshis: '7000', isConfirmed: true }),
          expect.not.objectContaining({ isConfirmed: true }),
        ]),
      );
      expect((await read({ id: given.paymentId })).refunds).toHaveLength(2);
    },
  );

  test('a payment is money like any other if the service knows of no refund', async () => {
    await arrive();
    expect(await row()).toMatchObject({ refundOf: null, sender: { paymail: 'till@shop.example' } });
  });
});

test('the service can’t turn money into a refund if it arrived neither by paymail nor at a payment’s own address', async () => {
  const addresses = await (await workerRun.modules.database.database(wallet)).getAll('addresses');
  const { address } = addresses.find(({ chain, used }) => chain === 'receive' && !used)!;
  const guessed = given.txid;
  given = { ...given, txid: await network.faucet(address, 7_000) };
  await workerRun.modules.poll.refresh(wallet);
  network.refunds = [{ ...given, satoshis: '7000' }];
  const { receive } = await import('./fetch.ts');
  await receive(wallet);
  expect((await row()).refundOf).toBeNull();
  given = { ...given, txid: guessed };
  expect((await row()).refundOf).not.toHaveProperty('isConfirmed');
});
