/** Tests deliveries of signed transactions to recipients' hosts while hosts, the service or workers fail. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import bsv from 'bsv';
import Message from 'bsv/message/index.js';
import type { PaymentReport } from '../../../protocol/http/api.ts';
import type { Delivery, PaymentRecord } from '../record.ts';
import type { FakeResponse } from '../../../testkit/network/answers.ts';
import { RECEIVE_PATHS } from '../../../testkit/wallet/arrivals.ts';
import { setTime } from '../../../testkit/wallet/clock.ts';
import { ask, paymentWhere, pay, someone } from '../../../testkit/wallet/wallet.ts';
import {
  network,
  BOB,
  CAROL,
  destinations,
  paying,
  wallet,
  paid,
  hostThat,
  txidIn,
  settled,
  until,
  taken,
} from './testing-deliver.ts';
import { wallet as current } from '../../../testkit/wallet/current.ts';
import { Transaction } from '@bsv/sdk';

afterEach(() => {
  vi.doUnmock('../../paymail/destination.ts');
  vi.doUnmock('../../chain/beef.ts');
});

const acknowledge = (body: string): FakeResponse => ({ body: { txid: txidIn(body) } });

describe('a transaction that pays paymails', () => {
  test.each([
    ['fails with it raw', 500],
    ['has nothing for it raw', null],
  ] as const)(
    'a host that %s gets the transaction as BEEF, with its unmined ancestors and merkle paths for the mined ones',
    async (_, rawStatus) => {
      const host = await hostThat(({ url, body }) =>
        url === '/beef'
          ? { body: { txid: Transaction.fromHexBEEF(JSON.parse(body).beef).id('hex') } }
          : { status: rawStatus ?? 404 },
      );
      const workerRun = await wallet(true, {
        receiveUrl: rawStatus === null ? null : host.url,
        receiveBeefUrl: `${host.url}/beef`,
      });
      await network.mine();
      // The second payment spends unconfirmed change from the first.
      const parent = await paid(workerRun, pay(someone(), 3_900_000));
      const record = await settled(workerRun, await paid(workerRun, paying(BOB)));
      expect(record.deliveries).toMatchObject([{ state: 'done', attempts: 1, problem: null }]);
      const { beef, hex, reference } = JSON.parse(host.asked.at(-1)?.body ?? '');
      expect([hex, reference]).toEqual([undefined, record.quote.outputs[0]?.host?.reference]);
      const transaction = Transaction.fromHexBEEF(beef);
      expect([transaction.id('hex'), transaction.toHex()]).toEqual([record.signed?.txid, record.signed?.rawtx]);
      expect(await transaction.verify('scripts only')).toBe(true);
      const [input] = transaction.inputs;
      expect([input?.sourceTransaction?.id('hex'), input?.sourceTransaction?.merklePath]).toEqual([
        parent.signed?.txid,
        undefined,
      ]);
      const grandparent = input?.sourceTransaction?.inputs[0]?.sourceTransaction;
      const block = (await (
        await fetch(`${network.url}/devnet/woc/v1/bsv/test/block/${grandparent?.merklePath?.blockHeight}/header`)
      ).json()) as { merkleroot: string };
      expect(grandparent?.merklePath?.computeRoot(grandparent.id('hex'))).toBe(block.merkleroot);
    },
  );

  test.each<[string, (body: string) => FakeResponse, Delivery['state']]>([
    ['names the id in capitals', (body) => ({ body: { txid: txidIn(body).toUpperCase() } }), 'done'],
    ['has it by a conflict', () => ({ status: 409, body: { message: 'conflict' } }), 'done'],
    ['knows it already', () => ({ status: 400, body: { message: 'transaction already known' } }), 'done'],
    ['has a node with it', () => ({ status: 422, body: { error: '257: txn-already-in-mempool' } }), 'done'],
    ['has it in a block', () => ({ status: 400, body: { error: 'Transaction already in block chain' } }), 'done'],
    [
      'knows of no such reference',
      () => ({ status: 404, body: { code: 'unknown-reference', message: '' } }),
      'given-up',
    ],
    [
      'has been paid by another transaction',
      () => ({ status: 409, body: { code: 'payment-conflict', message: '' } }),
      'given-up',
    ],
    ['is overloaded', () => ({ status: 429 }), 'waiting'],
    ...[400, 409, 429].map((status): [string, () => FakeResponse, Delivery['state']] => [
      `is busy with another request (${status})`,
      () => ({ status, body: { message: 'Another request for this paymail is already in progress.' } }),
      'waiting',
    ]),
    ['is overloaded by duplicates', () => ({ status: 429, body: { error: 'duplicate transaction' } }), 'waiting'],
    [
      'is failing, regardless of its error code',
      () => ({ status: 503, body: { code: 'unknown-reference', message: '' } }),
      'waiting',
    ],
    ['names another transaction', () => ({ body: { txid: '00'.repeat(32) } }), 'waiting'],
  ])('a delivery to a host that %s ends only if the host’s response is final', async (_, answer, state) => {
    const host = await hostThat(({ body }) => answer(body));
    const workerRun = await wallet(true, { receiveUrl: host.url });
    const { id } = await paid(workerRun, paying(BOB));
    const record = await paymentWhere(workerRun, id, ({ deliveries = [] }) => (deliveries[0]?.attempts ?? 0) > 0);
    expect(record.deliveries?.[0]?.state).toBe(state);
  });

  test('[S-08] [R-33] the transaction is delivered to each recipient’s host, with a signature by the sender’s identity key', async () => {
    const workerRun = await wallet();
    const record = await settled(workerRun, await paid(workerRun, paying(BOB, CAROL, BOB)));
    expect(record).toMatchObject({
      report: { state: 'done' },
      deliveries: [0, 1, 2].map((output) => ({ output, state: 'done', attempts: 1, problem: null })),
    });
    const sent = record.quote.outputs.map(({ host }) => host?.reference);
    expect(
      taken()
        .map(({ reference }) => reference)
        .sort(),
    ).toEqual(sent?.sort());
    const { identity } = await (await import('../../vault/vault.ts')).publicKeys(current);
    for (const { hex, metadata } of taken()) {
      expect(hex).toBe(record.signed?.rawtx);
      expect(metadata).toEqual({ sender: 'alice@localhost', pubkey: identity, signature: expect.any(String) });
      const address = new bsv.PublicKey(identity).toAddress().toString();
      expect(new Message(Buffer.from(record.signed?.txid ?? '')).verify(address, metadata.signature)).toBe(true);
    }
    expect(
      (await workerRun.modules.handlers.walletHandlers(current)['activity/read']({ id: record.id })).deliveries,
    ).toEqual([BOB, CAROL, BOB].map((paymail) => ({ paymail, host: new URL(network.url).host, state: 'done' })));
  });

  test('the delivery is repeated without the signature if the host responds with 400', async () => {
    const host = await hostThat(({ body }) =>
      JSON.parse(body).metadata.signature === undefined
        ? acknowledge(body)
        : { status: 400, body: { message: 'bad signature' } },
    );
    const workerRun = await wallet(true, { receiveUrl: host.url });
    const record = await settled(workerRun, await paid(workerRun, paying(BOB)));
    expect(record.deliveries).toMatchObject([{ state: 'done', attempts: 1, problem: null }]);
    expect(host.asked.map(({ body }) => JSON.parse(body).metadata)).toEqual([
      { sender: 'alice@localhost', pubkey: expect.any(String), signature: expect.any(String) },
      { sender: 'alice@localhost' },
    ]);
  });

  test('the delivery is retried if the host rejects the BEEF as too large and fails only temporarily with the raw transaction', async () => {
    let isDown = true;
    const host = await hostThat(({ url, body }) =>
      url === '/beef' ? { status: 413 } : isDown ? { status: 502 } : acknowledge(body),
    );
    const workerRun = await wallet(true, { receiveUrl: host.url, receiveBeefUrl: `${host.url}/beef` });
    const { id } = await paid(workerRun, paying(BOB));
    const tried = await paymentWhere(workerRun, id, ({ deliveries = [] }) => (deliveries[0]?.attempts ?? 0) > 0);
    expect(host.asked.map(({ url }) => url)).toContain('/beef');
    expect(tried.deliveries).toMatchObject([{ state: 'waiting', problem: 'status 502' }]);
    isDown = false;
    expect((await settled(workerRun, tried)).deliveries).toMatchObject([{ state: 'done' }]);
  });

  test('the delivery is retried if the BEEF would be too large, because the recipient would otherwise never get the transaction', async () => {
    vi.doMock('../../chain/beef.ts', async () => {
      const { ServiceError } = await import('../../../protocol/errors/service-error.ts');
      return { beefOf: () => Promise.reject(new ServiceError('too-large')) };
    });
    const host = await hostThat(() => ({ status: 502 }));
    const workerRun = await wallet(true, { receiveUrl: host.url, receiveBeefUrl: `${host.url}/beef` });
    const { id } = await paid(workerRun, paying(BOB));
    const tried = await paymentWhere(workerRun, id, ({ deliveries = [] }) => (deliveries[0]?.attempts ?? 0) > 0);
    expect(tried.deliveries).toMatchObject([{ state: 'waiting', problem: 'too-large' }]);
  });

  test('a report to a service contains only the service’s own references, because those of other hosts could be misused', async () => {
    const host = await hostThat(({ body }) => acknowledge(body));
    const workerRun = await wallet(true, { origin: 'https://two.example', receiveUrl: host.url });
    const record = await settled(workerRun, await paid(workerRun, paying(BOB)));
    const reference = async (one: PaymentRecord) =>
      (network.reports.get(one.id) as PaymentReport).outputs[0]?.reference;
    expect([await reference(record), host.asked.length]).toEqual([null, 1]);
    destinations();
    const next = await workerRun.profile.start();
    const own = await settled(next, await paid(next, paying(CAROL)));
    expect(await reference(own)).toBe(own.quote.outputs[0]?.host?.reference);
  });

  test('the delivery has no sender’s name if there is no account', async () => {
    const workerRun = await wallet(false);
    const record = await paid(workerRun, paying(BOB, CAROL));
    await until(() => expect(taken().map(({ metadata }) => metadata)).toEqual([{}, {}]));
    expect(
      await paymentWhere(
        workerRun,
        record.id,
        ({ deliveries }) => deliveries?.every(({ state }) => state === 'done') === true,
      ),
    ).toMatchObject({ state: 'broadcast', report: { state: 'waiting' } });
  });

  test('nothing is signed for, or delivered to, hosts that accept no transactions', async () => {
    const workerRun = await wallet();
    vi.doUnmock('../../paymail/destination.ts');
    destinations({ reference: null, receiveUrl: null });
    const next = await workerRun.profile.start();
    const record = await settled(next, await paid(next, paying(BOB)));
    expect(record.deliveries).toEqual([]);
    expect(record.signed).not.toHaveProperty('senderProof');
    expect(taken()).toEqual([]);
  });

  test('the wallet’s own service gets the delivery only after the report, and other hosts get theirs while the service is down', async () => {
    const workerRun = await wallet();
    network.before = (url) => {
      if (url === '/api/v2/payments') throw new Error('down');
    };
    const record = await paid(workerRun, paying(CAROL, BOB));
    await until(() => expect(taken()).toMatchObject([{ path: RECEIVE_PATHS.host }]));
    await paymentWhere(workerRun, record.id, ({ report }) => report.attempts > 2);
    expect(taken()).toHaveLength(1);
    network.before = () => undefined;
    await settled(workerRun, record);
    expect(taken()).toMatchObject([{ path: RECEIVE_PATHS.host }, { path: RECEIVE_PATHS.service }]);
    expect(network.reports.has(record.id)).toBe(true);
  });
});

test('a payment that a conflicting mined transaction has ended is not delivered', async () => {
  const workerRun = await wallet();
  network.down.add('host');
  const { id } = await paid(workerRun, paying(BOB));
  const { markConflicted } = await import('../network/conflicts.ts');
  const db = await workerRun.modules.database.database(current);
  const record = await workerRun.modules.transition.readPayment(current, id);
  await markConflicted(current, id, record?.signed?.inputs[0] ?? '', 'ab'.repeat(32), (await db.getAll('headers'))[0]!);
  expect(await workerRun.modules.transition.readPayment(current, id)).toMatchObject({
    state: 'failed',
    unfinished: 0,
    deliveries: [{ state: 'given-up' }],
  });
  network.down.clear();
  await workerRun.modules.drive.processAll(current);
  expect(taken()).toEqual([]);
});

test('a payment that ended while its report was in progress is not delivered', async () => {
  const workerRun = await wallet();
  let isDown = true;
  network.before = async (url) => {
    if (url !== '/api/v2/payments') return;
    if (isDown) throw new Error('down');
    const { markConflicted } = await import('../network/conflicts.ts');
    const db = await workerRun.modules.database.database(current);
    const record = await workerRun.modules.transition.readPayment(current, id);
    await markConflicted(
      current,
      id,
      record?.signed?.inputs[0] ?? '',
      'ab'.repeat(32),
      (await db.getAll('headers'))[0]!,
    );
  };
  const { id } = await paid(workerRun, paying(CAROL));
  await paymentWhere(workerRun, id, ({ report }) => report.attempts > 0);
  isDown = false;
  await workerRun.modules.transition.transition(current, id, 'broadcast', ({ report, deliveries }) => ({
    report: { ...report, nextAt: 0 },
    deliveries: deliveries.map((one) => ({ ...one, nextAt: 0 })),
  }));
  await workerRun.modules.drive.processChanged(current, id);
  await paymentWhere(workerRun, id, ({ state }) => state === 'failed');
  await workerRun.modules.drive.processChanged(current, id);
  expect(taken()).toEqual([]);
});

test('a service gets the report before the transaction even while the wallet with an account there is locked', async () => {
  let reported: string[] = [];
  const host = await hostThat(({ body }) => {
    reported = [...network.reports.keys()];
    return acknowledge(body);
  });
  const workerRun = await wallet(true, { receiveUrl: host.url });
  network.down.add('service');
  const answer = await ask(workerRun, 'locked', paying(CAROL), { automatic: true, service: network.url });
  if (typeof answer === 'string') throw new Error(answer);
  await paymentWhere(workerRun, answer.id, ({ report }) => report.problem === 'service-unavailable');
  await workerRun.modules.vault.lock(current);
  network.down.clear();
  setTime(current.now() + 3600_000);
  await workerRun.modules.drive.processAll(current);
  await paymentWhere(workerRun, answer.id, ({ deliveries }) => deliveries[0]?.state === 'done');
  expect(reported).toContain(answer.id);
});
