/**
 * Tests payments through a shop's button, and their refunds, while operators work, are down, are slow, are dishonest
 * or require a key.
 */
import { describe, expect, test } from 'vitest';
import type { PaymentReport } from '../../../protocol/http/api.ts';
import { answering, type RecordedRequest } from '../../../testkit/network/answers.ts';
import { acknowledging } from '../../../testkit/network/service.ts';
import { useNetwork } from '../../../testkit/network/network.ts';
import { useOperators, type Operator } from '../../../testkit/network/operators.ts';
import { approveAll, ask, openWallet, pay, paymentWhere, someone, stored } from '../../../testkit/wallet/wallet.ts';
import { wallet } from '../../../testkit/wallet/current.ts';

const network = useNetwork();
const { setFaults, face } = useOperators(network);

const FAULTS: [string, object[]][] = [
  ['works', []],
  ['is down', [{ name: 'down' }]],
  ['is slow', [{ name: 'slow', seconds: 3 }]],
  ['lies that it rejects everything', [{ name: 'rejected', reason: 'parent rejected: 00' }]],
  ['keeps everything to itself', [{ name: 'silence' }]],
  ['requires a key', [{ name: 'key-required', key: 'k' }]],
];

async function startShop() {
  const reports: PaymentReport[] = [];
  const { url } = await answering(({ method, body }: RecordedRequest) => {
    if (method !== 'POST') return { body: { network: 'devnet' } };
    reports.push(JSON.parse(body) as PaymentReport);
    return { status: 201, body: acknowledging(body) };
  });
  return { url, reports };
}

describe.each<[Operator, Operator]>([
  ['arc', 'arcade'],
  ['arcade', 'arc'],
])('a shop is paid through %s', (operator, other) => {
  test.each(FAULTS)('the wallet receives and spends a refund if the operator %s', async (_, faults) => {
    const [run, shop] = [await openWallet(network, [30_000], { account: true }), await startShop()];
    // Tests without faults use only one operator, because a second one could hide a misparsed response.
    await face(run, operator, faults.length > 0 ? other : operator);
    await setFaults(operator, faults);
    approveAll(run);

    const to = someone();
    await ask(run, 'request-1', pay(to, 20_000, { buttonId: 'invoice-7' }), { service: shop.url });
    const [first] = (await stored(run)).payments;
    const { id, signed } = await paymentWhere(
      run,
      first?.id ?? '',
      ({ state, serviceReport }) => state !== 'signed' && serviceReport?.state === 'done',
    );
    expect(shop.reports.at(-1)).toMatchObject({ id, rawtx: signed?.rawtx });
    expect(await network.unspent(to)).toEqual([{ txid: signed?.txid, satoshis: 20_000 }]);

    const db = await run.modules.database.database(wallet);
    const coin = await db.get('coins', signed?.inputs[0] ?? '');
    const { address } = (await db.get('addresses', coin?.script ?? ''))!;
    const txid = await network.faucet(address, 20_000);
    network.refunds = [{ paymentId: id, txid, satoshis: '20000' }];
    await network.mine();
    await run.modules.poll.refresh(wallet);
    const { receive } = await import('../../received/fetch.ts');
    await receive(wallet);
    const { refunds } = await run.modules.handlers.walletHandlers(wallet)['activity/read']({ id });
    expect(refunds).toMatchObject([{ txid, satoshis: '20000', isConfirmed: true }]);

    // Without the refund, the balance doesn't cover the next payment.
    const next = someone();
    await ask(run, 'request-2', pay(next, 25_000));
    const second = (await stored(run)).payments.find(({ requestId }) => requestId === 'request-2');
    await paymentWhere(run, second?.id ?? '', ({ state }) => state !== 'signed');
    expect(await network.unspent(next)).toMatchObject([{ satoshis: 25_000 }]);
  });
});
