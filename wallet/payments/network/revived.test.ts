/** Tests a payment that a block has ended, and that a reorganization reinstates. */
import { afterEach, describe, expect, test } from 'vitest';
import type { Payment } from '../../../protocol/payments/payment.ts';
import { answering, type RecordedRequest } from '../../../testkit/network/answers.ts';
import { startForking } from '../../../testkit/network/forking.ts';
import { wallet } from '../../../testkit/wallet/current.ts';
import {
  approveAll,
  ask,
  give,
  openWallet,
  pay,
  paymentWhere,
  someone,
  stored,
} from '../../../testkit/wallet/wallet.ts';
import { endAllWorkerRuns } from '../../../testkit/wallet/worker-run.ts';
import { AUTOMATIC, handlers } from './testing-contested.ts';

afterEach(endAllWorkerRuns);

/**
 * Opens a wallet with two coins, whose operator reports the first payment as contested until a block contains a
 * transaction that spends its coin.
 * @param limit limit of the site's allowance, in satoshis. Null if the user approves each payment
 */
async function endedPayment(limit: bigint | null = null) {
  const network = await startForking(30);
  const reports: RecordedRequest[] = [];
  const service = await answering((question: RecordedRequest) => {
    if (question.method === 'POST') reports.push(question);
    return { status: 422, body: { error: { code: 'not-accepted', message: '' } } };
  });
  const run = await openWallet(network, [60_000, 60_000]);
  const refresh = async (times = 1) => {
    for (let i = 0; i < times; i += 1) {
      await run.modules.poll.refresh(wallet, { all: true });
      await run.modules.drive.processAll(wallet);
    }
  };
  network.mine();
  await refresh();
  const key = limit === null ? null : await give(run, { currency: 'BSV', limit });
  if (!key) approveAll(run);
  const shop = someone();
  const asked = (requestId: string, to = shop) =>
    ask(run, requestId, pay(to, 50_000), { ...(key && AUTOMATIC), service: service.url });
  network.judge = () => ({ status: 467, body: { status: 467, title: 'conflict', detail: 'double spend' } });
  expect(await asked('request-1')).toBe('payment-contested');
  const { id, signed } = (await stored(run)).payments[0]!;
  const rival = network.spend(signed!.inputs[0]!);
  network.mine([rival]);
  await refresh();
  await paymentWhere(run, id, ({ state }) => state === 'failed');
  network.judge = () => null;
  return {
    ...{ network, run, refresh, asked, reports, id, txid: signed!.txid },
    /** Replaces the block with a longer branch that lacks the conflicting transaction. */
    async reinstate(mined: readonly string[] = []) {
      network.chain.cut(network.chain.blocks.length - 31);
      network.forget(rival);
      network.mine(mined);
      network.chain.grow(3);
      await refresh(3);
      await paymentWhere(run, id, ({ state }) => state === 'signed');
    },
    paid: async (requestId: string) => (await asked(requestId, key ? someone() : shop)) as Payment,
    now: async () => (await stored(run)).payments.find((one) => one.id === id)!,
  };
}

describe('a payment that failed and is valid again after a reorganization', () => {
  test('it isn’t broadcast if the user has paid again with another coin', async () => {
    const { network, refresh, paid, reinstate, now, txid } = await endedPayment();
    const { txid: again } = await paid('request-2');
    network.mine([again!]);
    await refresh();
    await reinstate([again!]);
    expect(await now()).toMatchObject({ state: 'signed', trouble: 'refused', ended: null, replacedBy: null });
    expect([...network.known.keys()].filter((one) => [txid, again].includes(one))).toEqual([again]);
  });

  test('it isn’t broadcast if its refunded debit has been spent again', async () => {
    const limit = 60_000n;
    const { network, run, refresh, paid, reinstate } = await endedPayment(limit);
    const { txid: again } = await paid('request-2');
    network.mine([again!]);
    await refresh();
    await reinstate([again!]);
    const sent = (await stored(run)).payments.filter(({ signed }) => network.known.has(signed?.txid ?? ''));
    expect(sent.map(({ signed }) => signed?.txid)).toEqual([again]);
    const cost = sent.reduce((sum, { quote, signed }) => sum + quote.satoshis + (signed?.feeSatoshis ?? 0n), 0n);
    expect(cost).toBeLessThanOrEqual(limit);
  });

  test('it isn’t reported to the button’s service, which could broadcast it', async () => {
    const { reports, reinstate, now } = await endedPayment();
    const before = reports.length;
    await reinstate();
    expect(await now()).toMatchObject({ state: 'signed' });
    expect([before, reports.length]).toEqual([1, 1]);
  });

  test('the next payment replaces it, and a block ends it', async () => {
    const { network, run, refresh, paid, reinstate, now, id } = await endedPayment();
    await reinstate();
    const { txid: again } = await paid('request-2');
    const next = (await stored(run)).payments.find(({ signed }) => signed?.txid === again)!;
    expect(next).toMatchObject({ replaces: id });
    expect(await now()).toMatchObject({ replacedBy: next.id });
    network.mine([again!]);
    await refresh(2);
    const ended = await paymentWhere(run, id, ({ state }) => state === 'failed');
    expect(ended.error?.code).toBe('network-rejected');
  });

  test('the user can cancel it, and its coin is returned', async () => {
    const { network, run, refresh, reinstate, id, txid } = await endedPayment();
    await reinstate();
    const { cancelFee } = await handlers(run)['activity/read']({ id });
    await handlers(run)['activity/cancel']({ id, feeSatoshis: cancelFee! });
    const cancellation = (await stored(run)).payments.find(({ cancel }) => cancel)!;
    await paymentWhere(run, cancellation.id, ({ state }) => state !== 'approved' && state !== 'signed');
    network.mine([cancellation.signed!.txid]);
    await refresh(2);
    const ended = await paymentWhere(run, id, ({ state }) => state === 'failed');
    expect(ended.error?.code).toBe('payment-cancelled');
    const { coins } = await stored(run);
    const free = coins.filter(({ status }) => status === 'available').reduce((sum, { satoshis }) => sum + satoshis, 0n);
    expect(free).toBe(120_000n - BigInt(cancelFee!));
    expect(network.known.has(txid)).toBe(false);
  });

  test('it is broadcast if its page repeats the request', async () => {
    const { network, asked, reinstate, now, txid } = await endedPayment();
    await reinstate();
    expect(network.known.has(txid)).toBe(false);
    expect(await asked('request-1')).toMatchObject({ status: 'RECEIVED', txid });
    expect(await now()).toMatchObject({ trouble: null });
  });

  test('it is recognized once a block contains it', async () => {
    const { network, run, refresh, reinstate, now, txid } = await endedPayment();
    await reinstate();
    const { signed } = await now();
    network.take(Uint8Array.from(Buffer.from(signed!.rawtx, 'hex')));
    network.mine([txid]);
    await refresh(3);
    await paymentWhere(run, (await now()).id, ({ height }) => height !== null);
    expect(await now()).toMatchObject({ trouble: null, takenLate: true });
    const { coins } = await stored(run);
    expect(coins.filter(({ outpoint }) => signed!.inputs.includes(outpoint))).toMatchObject([{ status: 'spent' }]);
  });
});
