/** Tests payments with operators that are down, slow, overloaded or dishonest, or that require a key. */
import { describe, expect, test } from 'vitest';
import { useNetwork } from '../../../testkit/network/network.ts';
import { useOperators, type Operator } from '../../../testkit/network/operators.ts';
import { ask, pay, paymentWhere, someone, stored } from '../../../testkit/wallet/wallet.ts';

const network = useNetwork();
const { setFaults, walletAt, expectPaid } = useOperators(network);

describe.each<[Operator, Operator]>([
  ['arc', 'arcade'],
  ['arcade', 'arc'],
])('payments through %s', (operator, other) => {
  test.each<[string, object]>([
    ['is not final yet for the operator', { name: 'refused', times: 1, code: 476 }],
    ['is rejected for a reason that passes', { name: 'rejected', times: 1, reason: 'parent rejected: 00' }],
    ['meets an overloaded operator', { name: 'overloaded', times: 1, seconds: 1 }],
    ['meets an operator that forgets it', { name: 'silence', times: 1 }],
    ['meets an operator that calls it contested', { name: 'contested', times: 1 }],
    ['meets an operator that answers as the other kind does', { name: 'other-dialect' }],
  ])('a payment that %s succeeds with the same bytes', async (_, fault) => {
    const workerRun = await walletAt(operator);
    await setFaults(operator, [fault]);
    await expectPaid(workerRun);
  });

  test.each<[string, object]>([
    ['is down', { name: 'down' }],
    ['is slow', { name: 'slow', seconds: 3 }],
    ['requires a key', { name: 'key-required', key: 'k' }],
    ['is overloaded', { name: 'overloaded', seconds: 3600 }],
    ['refuses it, wrongly', { name: 'refused', code: 461 }],
    ['keeps it to itself', { name: 'silence' }],
    ['has it pending indefinitely', { name: 'received' }],
    ['rejects it each time', { name: 'rejected', reason: 'parent rejected: 00' }],
  ])('a payment whose first operator %s succeeds', async (_, fault) => {
    const workerRun = await walletAt(operator, other);
    await setFaults(operator, [fault]);
    await expectPaid(workerRun);
  });

  test('a payment with too many unconfirmed ancestors for the operator waits for a block, and then succeeds without the user', async () => {
    const workerRun = await walletAt(operator);
    await setFaults(operator, [{ name: 'too-long-chain', limit: 1 }]);
    const [first, second] = [someone(), someone()];
    expect(await ask(workerRun, 'request-1', pay(first, 20_000))).toMatchObject({ status: 'RECEIVED' });
    expect(await ask(workerRun, 'request-2', pay(second, 30_000))).toBe('payment-pending');
    const waiting = (await stored(workerRun)).payments.find(({ requestId }) => requestId === 'request-2');
    const tried = await paymentWhere(workerRun, waiting?.id as string, ({ broadcast }) => broadcast.attempts >= 6);
    expect(tried).toMatchObject({ state: 'signed', trouble: null, replacedBy: null });
    await network.mine();
    const paid = await paymentWhere(workerRun, waiting?.id as string, ({ state }) => state !== 'signed');
    expect(paid.signed?.rawtx).toBe(waiting?.signed?.rawtx);
    expect(await network.unspent(second)).toMatchObject([{ txid: paid.signed?.txid, satoshis: 30_000 }]);
  });
});
