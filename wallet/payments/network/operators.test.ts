/** Tests payments through ARC and Arcade. operators.full.test.ts tests failures. */
import { describe, expect, test } from 'vitest';
import type { Payment } from '../../../protocol/payments/payment.ts';
import { rawOf } from '../../../testkit/network/blocks.ts';
import { useNetwork } from '../../../testkit/network/network.ts';
import { useOperators, type Operator } from '../../../testkit/network/operators.ts';
import { approveAll, ask, pay, paymentWhere, someone, stored } from '../../../testkit/wallet/wallet.ts';
import { wallet } from '../../../testkit/wallet/current.ts';

const network = useNetwork();
const { setFaults, walletAt, expectPaid } = useOperators(network);

describe.each<Operator>(['arc', 'arcade'])('payments through %s', (operator) => {
  test('a payment reaches its recipient and is mined', async () => {
    const workerRun = await walletAt(operator);
    const to = someone();
    const payment = (await ask(workerRun, 'request-1', pay(to, 20_000))) as Payment;
    expect(payment).toMatchObject({ status: 'RECEIVED' });
    expect(await network.unspent(to)).toEqual([{ txid: payment.txid, satoshis: 20_000 }]);
    await network.mine();
    await paymentWhere(workerRun, payment.id, ({ height }) => height !== null);
  });

  test('a payment is submitted in Extended Format (BRC-30)', async () => {
    const workerRun = await walletAt(operator);
    const own = globalThis.fetch;
    const submitted: string[] = [];
    globalThis.fetch = async (input, init) => {
      if (typeof init?.body === 'string' && String(input).endsWith('/tx'))
        submitted.push((JSON.parse(init.body) as { rawTx: string }).rawTx);
      return own(input, init);
    };
    try {
      await ask(workerRun, 'request-1', pay(someone(), 20_000));
    } finally {
      globalThis.fetch = own;
    }
    const [payment] = (await stored(workerRun)).payments;
    expect(submitted.map((one) => one.slice(8, 20))).toEqual(['0000000000ef']);
    expect(submitted.map(rawOf)).toEqual([payment?.signed?.rawtx]);
  });

  test('a payment succeeds through an operator that requires an API key, and the wallet stores the key encrypted', async () => {
    const workerRun = await walletAt(operator);
    await setFaults(operator, [{ name: 'key-required', key: 'the-key-of-the-operator' }]);
    const { walletHandlers } = workerRun.modules.handlers;
    const { network: name, arcUrl, wocUrl } = await walletHandlers(wallet)['network/read']({});
    await walletHandlers(wallet)['network/choose']({
      network: name,
      arcUrl,
      wocUrl,
      arcKey: 'the-key-of-the-operator',
    });
    expect(await walletHandlers(wallet)['network/read']({})).toMatchObject({
      operators: [{ url: arcUrl, dialect: operator, hasKey: true, failure: null }],
    });
    const kept = await workerRun.modules.database.readKey(wallet, 'operatorKeys');
    expect(Object.keys(kept ?? {})).toEqual([arcUrl]);
    expect(new TextDecoder().decode(kept?.[arcUrl as string]?.ciphertext)).not.toContain('operator');
    await expectPaid(workerRun);
  });
});

test('an operator that requested a delay gets no requests from a worker that starts before the delay ends', async () => {
  const workerRun = await walletAt('arc', 'arcade');
  await setFaults('arc', [{ name: 'overloaded', seconds: 3600 }]);
  expect(await ask(workerRun, 'request-1', pay(someone(), 20_000))).toMatchObject({ status: 'RECEIVED' });
  const next = await workerRun.profile.start();
  approveAll(next);
  const own = globalThis.fetch;
  const asked: string[] = [];
  globalThis.fetch = async (input, init) => {
    asked.push(new URL(String(input)).pathname);
    return own(input, init);
  };
  try {
    expect(await ask(next, 'request-2', pay(someone(), 20_000))).toMatchObject({ status: 'RECEIVED' });
    const { operators } = await next.modules.handlers.walletHandlers(wallet)['network/read']({});
    expect(operators).toMatchObject([{ failure: { kind: 'wait' } }, { dialect: 'arcade', failure: null }]);
  } finally {
    globalThis.fetch = own;
  }
  expect(asked).toContain('/devnet/arcade/tx');
  expect(asked.filter((path) => path.startsWith('/devnet/arc/'))).toEqual([]);
});
