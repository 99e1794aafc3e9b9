import { expect, test, vi } from 'vitest';
import { codeOf } from '../../../../testing/code-of.ts';
import { parseTransactionHex } from '../../../../protocol/bitcoin/transaction.ts';
import type { SendQuote, SendRecipient, SendResult } from '../../../../protocol/messages/wallet-messages.ts';
import { HOST_KEY, startHost, startNames, type TestHost } from '../../../../testkit/network/hosts.ts';
import type { WorkerRun } from '../../../../testkit/wallet/worker-run.ts';
import { useNetwork } from '../../../../testkit/network/network.ts';
import { openWallet, PASSWORD, paymentWhere, stored, someone } from '../../../../testkit/wallet/wallet.ts';
import { transactionSize } from '../../../transaction/plan.ts';
import { wallet } from '../../../../testkit/wallet/current.ts';

const network = useNetwork();

const BOB = 'bob@pay.example';
const bsv = (to: string, satoshis: number): SendRecipient => ({
  to,
  amount: (satoshis / 1e8).toFixed(8),
  currency: 'BSV',
});
const all = (to: string): SendRecipient => ({ to, amount: null, currency: 'BSV' });
const p2p = (host: TestHost) => host.asked.filter(({ url }) => url.startsWith('/p2p/'));

async function open(satoshis: readonly number[]): Promise<{ workerRun: WorkerRun; host: TestHost }> {
  const workerRun = await openWallet(network, satoshis);
  await startNames(workerRun.profile);
  const host = await startHost(workerRun.profile);
  host.instead.set('receive', { status: 503 });
  return { workerRun, host };
}

function quote(workerRun: WorkerRun, ...recipients: SendRecipient[]): Promise<SendQuote> {
  return workerRun.modules.handlers.walletHandlers(wallet)['send/quote']({ recipients }) as Promise<SendQuote>;
}

function click(
  workerRun: WorkerRun,
  { outputs, feeSatoshis, time }: SendQuote,
  requestId = 'request-of-the-window',
): Promise<SendResult> {
  return workerRun.modules.handlers.walletHandlers(wallet)['send/pay']({
    requestId,
    outputs,
    feeSatoshis: feeSatoshis ?? '0',
    time,
  }) as Promise<SendResult>;
}

test('[S-08] the destination from the quote is paid, and each payment has a separate destination', async () => {
  const { workerRun, host } = await open([1_000_000, 1_000_000, 1_000_000]);
  host.split = (satoshis) => [satoshis - 1000, 1000];
  const quoted = await quote(workerRun, bsv(BOB, 50_000));
  expect(quoted.outputs).toMatchObject([
    {
      type: 'PAYMAIL',
      to: BOB,
      satoshis: '50000',
      host: { paymail: BOB, host: 'pay.example', name: 'BOB', known: false, keyChangedSince: null },
    },
  ]);
  // Returning to an earlier amount doesn't query the host again.
  await quote(workerRun, bsv(BOB, 60_000));
  for (let i = 0; i < 3; i += 1) await quote(workerRun, bsv(BOB, 50_000));
  expect(p2p(host)).toHaveLength(2);
  const { id } = await click(workerRun, quoted, 'click-one');
  expect(p2p(host)).toHaveLength(2);
  const record = await paymentWhere(workerRun, id, ({ signed }) => signed !== null);
  expect(record.quote.outputs[0]?.host).toMatchObject({ reference: 'reference-2' });
  const { outputs } = parseTransactionHex(record.signed?.rawtx ?? '');
  for (const satoshis of [49_000n, 1000n])
    expect(outputs.filter((output) => output.satoshis === satoshis)).toHaveLength(1);
  // Every transfer gets its own destination, and so does every output to the same recipient.
  await click(workerRun, await quote(workerRun, bsv(BOB, 50_000)), 'click-two');
  await click(workerRun, await quote(workerRun, bsv(BOB, 50_000), bsv(BOB, 50_000)), 'click-three');
  const references = (await stored(workerRun)).payments.flatMap(({ quote: paid }) =>
    paid?.outputs.map((output) => output.host?.reference),
  );
  expect(references).toHaveLength(4);
  expect(new Set(references).size).toBe(4);
});

test('a quoted destination is reused after a failed payment, but only for five minutes', async () => {
  const { workerRun, host } = await open([1_000_000]);
  const quoted = await quote(workerRun, bsv(BOB, 50_000));
  expect(await codeOf(click(workerRun, { ...quoted, feeSatoshis: '3' }))).toBe('fee-changed');
  await quote(workerRun, bsv(BOB, 50_000));
  expect(p2p(host)).toHaveLength(1);
  const now = Date.now();
  vi.spyOn(Date, 'now').mockReturnValue(now + 300_001);
  await quote(workerRun, bsv(BOB, 50_000));
  expect(p2p(host)).toHaveLength(2);
});

test('a quoted destination is reused for at most five minutes, even if the form requests quotes continuously', async () => {
  const { workerRun, host } = await open([1_000_000]);
  await workerRun.modules.database.inTransaction(wallet, (tx) =>
    tx.objectStore('paymails').put({ paymail: BOB, publicKey: HOST_KEY, since: 1_700_000_000_000 }),
  );
  await quote(workerRun, bsv(BOB, 50_000));
  host.key = `03${HOST_KEY.slice(2)}`;
  const start = Date.now();
  const clock = vi.spyOn(Date, 'now');
  for (let minutes = 4; minutes <= 60; minutes += 4) {
    clock.mockReturnValue(start + minutes * 60_000);
    await quote(workerRun, bsv(BOB, 50_000));
  }
  const last = await quote(workerRun, bsv(BOB, 50_000));
  expect(p2p(host).length).toBeGreaterThan(1);
  expect(last.outputs[0]?.host?.keyChangedSince).toBe(1_700_000_000_000);
});

test('a click after the worker stopped queries the host again, and shows the new destination before it is paid', async () => {
  const { workerRun, host } = await open([1_000_000]);
  await workerRun.modules.database.inTransaction(wallet, (tx) =>
    tx.objectStore('paymails').put({ paymail: BOB, publicKey: HOST_KEY, since: 1_700_000_000_000 }),
  );
  const quoted = await quote(workerRun, bsv(BOB, 50_000));
  expect(quoted.outputs[0]?.host?.keyChangedSince).toBeNull();
  const next = await workerRun.profile.start();
  host.key = `03${HOST_KEY.slice(2)}`;
  expect(await codeOf(click(next, quoted))).toBe('approval-expired');
  expect((await stored(next)).payments).toEqual([]);
  const again = await quote(next, bsv(BOB, 50_000));
  expect(again.outputs[0]?.host?.keyChangedSince).toBe(1_700_000_000_000);
  expect((await click(next, again)).taken).toBe(true);
  expect(p2p(host)).toHaveLength(2);
});

test('a destination quoted for one wallet is not paid from the next one', async () => {
  const { workerRun, host } = await open([1_000_000]);
  await quote(workerRun, bsv(BOB, 50_000));
  await workerRun.modules.handlers.walletHandlers(wallet)['vault/remove']({ password: PASSWORD, leaving: 0 });
  await workerRun.modules.vault.createVault(wallet, workerRun.modules.words.freshWords(), PASSWORD, false);
  await quote(workerRun, bsv(BOB, 50_000));
  expect(p2p(host)).toHaveLength(2);
});

test.each<[string, (satoshis: number) => number[]]>([
  ['one output', (satoshis) => [satoshis]],
  ['three outputs', (satoshis) => [satoshis - 2000, 1000, 1000]],
])('[S-08] the whole balance is sent to a paymail with %s, to the last satoshi', async (_, split) => {
  const { workerRun, host } = await open([70_000, 30_000, 500_000]);
  host.split = split;
  const quoted = await quote(workerRun, bsv(someone(), 100_000), all(BOB));
  expect(quoted).toMatchObject({ problem: null, badRecipients: {}, totalSatoshis: '600000' });
  const { id } = await click(workerRun, quoted);
  const { signed } = await paymentWhere(workerRun, id, (record) => record.signed !== null);
  const { inputs, outputs } = parseTransactionHex(signed?.rawtx ?? '');
  expect([inputs.length, outputs.length]).toEqual([3, 1 + split(5000).length]);
  expect(signed?.feeSatoshis).toBe(BigInt(Math.ceil(transactionSize(3, outputs) / 10)));
  expect((await workerRun.modules.store.balance(wallet)).satoshis).toBe(0n);
  expect(p2p(host).length).toBeLessThanOrEqual(2);
});

test('sending everything succeeds if slightly more money requires one more output', async () => {
  const { workerRun, host } = await open([100_000]);
  const one = Number((await quote(workerRun, all(BOB))).outputs[0]?.satoshis);
  host.asked.length = 0;
  // For the exact amount, the host issues two outputs instead of one. The higher fee for two outputs leaves too little.
  host.split = (satoshis) => (satoshis >= one ? [satoshis - 1000, 1000] : [satoshis]);
  const fresh = await workerRun.profile.start();
  const quoted = await quote(fresh, all(BOB));
  expect(quoted.totalSatoshis).toBe('100000');
  expect(p2p(host)).toHaveLength(2);
  const { id } = await click(fresh, quoted);
  const { signed } = await paymentWhere(fresh, id, (record) => record.signed !== null);
  expect(signed?.feeSatoshis).toBe(BigInt(quoted.feeSatoshis ?? 0));
  expect((await fresh.modules.store.balance(wallet)).satoshis).toBe(0n);
});

test('sending everything to a host with inconsistent responses fails after a few requests', async () => {
  const { workerRun, host } = await open([100_000]);
  let outputs = 1;
  host.split = (satoshis) => {
    outputs += 1;
    return [satoshis - 1000 * outputs, ...Array.from({ length: outputs }, () => 1000)];
  };
  expect(await quote(workerRun, all(BOB))).toMatchObject({
    outputs: [],
    feeSatoshis: null,
    problem: { code: 'paymail-mismatch' },
  });
  expect(p2p(host)).toHaveLength(6);
});

test('an unknown recipient is reported at its row, even when everything is sent', async () => {
  const { workerRun, host } = await open([100_000]);
  expect((await quote(workerRun, bsv(someone(), 1000), bsv('nobody@pay.example', 1000))).badRecipients).toEqual({
    1: 'unknown-recipient',
  });
  expect(await quote(workerRun, bsv(someone(), 1000), all('nobody@pay.example'))).toMatchObject({
    badRecipients: { 1: 'unknown-recipient' },
    problem: null,
  });
  const before = p2p(host).length;
  expect((await quote(workerRun, bsv(someone(), 200_000), all(BOB))).problem?.code).toBe('insufficient-funds');
  expect(p2p(host)).toHaveLength(before);
});
