/** Handing signed transactions in at recipients' hosts, while hosts, service and worker come and go. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import bsv from 'bsv';
import Message from 'bsv/message/index.js';
import { Transaction } from '@bsv/sdk';
import { p2pkhScript } from '../../../protocol/address.ts';
import { fromHex, toHex } from '../../../protocol/bytes.ts';
import type { PaymentReport } from '../../../protocol/api.ts';
import type { PaymentOptions } from '../../../protocol/payment.ts';
import { txidOf } from '../../../protocol/transaction.ts';
import type { Delivery, PaymentRecord } from './record.ts';
import { answering, type Answer, type Asked } from '../testing/answers.ts';
import { RECEIVE_PATHS } from '../testing/arrivals.ts';
import type { WorkerRun } from '../testing/worker-run.ts';
import { useNetwork } from '../testing/network.ts';
import { ask, give, openWallet, pay, paymentWhere, stored, someone } from '../testing/wallet.ts';
import type { PaidHost } from '../paymail/paid-host.ts';

/** Of the crash points of a run, every how many-th is tried. */
const STRIDE = 16;

const network = useNetwork();
afterEach(() => {
  vi.doUnmock('../paymail/destination.ts');
  vi.doUnmock('../chain/beef.ts');
});

const BOB = 'bob@two.example';
const CAROL = 'carol@localhost';
let references = 0;

/**
 * Destinations as the hosts of bob (elsewhere) and of carol (the wallet's own service) give them out: in two pieces.
 */
function destinations(more: Partial<PaidHost> = {}): void {
  const destination = async (paymail: string, satoshis: bigint) => {
    const isService = paymail === CAROL;
    const host: PaidHost = {
      paymail,
      origin: network.url,
      name: null,
      publicKey: null,
      keyChangedSince: null,
      known: false,
      isService,
      reference: `reference-${(references += 1)}`,
      receiveUrl: network.url + RECEIVE_PATHS[isService ? 'service' : 'host'],
      receiveBeefUrl: null,
      ...more,
    };
    const piece = (value: bigint) => ({
      script: toHex(p2pkhScript(crypto.getRandomValues(new Uint8Array(20)))),
      satoshis: value,
    });
    return { scripts: [piece(satoshis / 3n), piece(satoshis - satoshis / 3n)], host };
  };
  vi.doMock('../paymail/destination.ts', () => ({ paymailDestination: destination, userDestination: destination }));
}

const paying = (...recipients: string[]): PaymentOptions => ({
  outputs: recipients.map((to) => ({ to, amount: '0.00003', currency: 'BSV' })),
});

/** A wallet that pays without asking. */
async function wallet(account = true, host: Partial<PaidHost> = {}): Promise<WorkerRun> {
  destinations(host);
  const workerRun = await openWallet(network, [4_000_000], { account });
  await give(workerRun, { currency: 'BSV', limit: 100_000_000n });
  return workerRun;
}

let requests = 0;
/** The wallet pays by itself; the network has it. */
async function paid(workerRun: WorkerRun, options: PaymentOptions): Promise<PaymentRecord> {
  const answer = await ask(workerRun, `request-${(requests += 1)}`, options, { automatic: true });
  if (typeof answer === 'string') throw new Error(`the page was told: ${answer}`);
  return paymentWhere(workerRun, answer.id, ({ signed }) => signed !== null);
}

const hostThat = (answer: (asked: Asked) => Answer) => answering((asked: Asked) => answer(asked));
const txidIn = (body: string) => txidOf(fromHex(JSON.parse(body).hex));
const acknowledge = (body: string): Answer => ({ body: { txid: txidIn(body) } });

const settled = (workerRun: WorkerRun, { id }: PaymentRecord) =>
  paymentWhere(workerRun, id, ({ state }) => state === 'settled');
const until = (holds: () => void) => vi.waitFor(holds, { timeout: 10_000 });
const taken = () => network.arrivals.deliveries;

describe('a transaction that pays paymails', () => {
  test('[S-08] [R-33] is delivered to each recipient’s host, signed with the sender’s identity key, and is settled then', async () => {
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
    const { identity } = await (await import('../vault/vault.ts')).publicKeys();
    for (const { hex, metadata } of taken()) {
      expect(hex).toBe(record.signed?.rawtx);
      expect(metadata).toEqual({ sender: 'alice@localhost', pubkey: identity, signature: expect.any(String) });
      const address = new bsv.PublicKey(identity).toAddress().toString();
      expect(new Message(Buffer.from(record.signed?.txid ?? '')).verify(address, metadata.signature)).toBe(true);
    }
    expect((await workerRun.modules.handlers.walletHandlers['activity/read']({ id: record.id })).deliveries).toEqual(
      [BOB, CAROL, BOB].map((paymail) => ({ paymail, host: new URL(network.url).host, state: 'done' })),
    );
  });

  test('is delivered once more without the signature if the host answers 400 to it', async () => {
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

  test.each([
    ['fails with it raw', 500],
    ['has nothing for it raw', null],
  ] as const)(
    'is handed in as BEEF where the host %s, with the ancestors that no block holds and a path of those that one does',
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
      // Change of the first payment, which no block holds, is spent by the second.
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

  test.each<[string, (body: string) => Answer, Delivery['state']]>([
    ['names the id in capitals', (body) => ({ body: { txid: txidIn(body).toUpperCase() } }), 'done'],
    ['has it by a conflict', () => ({ status: 409, body: { message: 'conflict' } }), 'done'],
    ['knows it already', () => ({ status: 400, body: { message: 'transaction already known' } }), 'done'],
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
    [
      'is ailing, whatever code it answers with',
      () => ({ status: 503, body: { code: 'unknown-reference', message: '' } }),
      'waiting',
    ],
    ['names another transaction', () => ({ body: { txid: '00'.repeat(32) } }), 'waiting'],
  ])('ends, or does not, where the host %s', async (_, answer, state) => {
    const host = await hostThat(({ body }) => answer(body));
    const workerRun = await wallet(true, { receiveUrl: host.url });
    const { id } = await paid(workerRun, paying(BOB));
    const record = await paymentWhere(workerRun, id, ({ deliveries = [] }) => (deliveries[0]?.attempts ?? 0) > 0);
    expect(record.deliveries?.[0]?.state).toBe(state);
  });

  test('is not given up where the host takes no BEEF of that size, and only fails with the raw form for now', async () => {
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

  test('is not given up if the index lists more ancestors than a BEEF holds: the recipient would never learn of it', async () => {
    vi.doMock('../chain/beef.ts', async () => {
      const { ServiceError } = await import('../../../protocol/errors.ts');
      return { beefOf: () => Promise.reject(new ServiceError('too-large')) };
    });
    const host = await hostThat(() => ({ status: 502 }));
    const workerRun = await wallet(true, { receiveUrl: host.url, receiveBeefUrl: `${host.url}/beef` });
    const { id } = await paid(workerRun, paying(BOB));
    const tried = await paymentWhere(workerRun, id, ({ deliveries = [] }) => (deliveries[0]?.attempts ?? 0) > 0);
    expect(tried.deliveries).toMatchObject([{ state: 'waiting', problem: 'too-large' }]);
  });

  test('is reported to a service with the reference that it gave out itself and no other host’s, which could be used to deliver it under another name', async () => {
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

  test('names no sender if there is no account, and is delivered all the same', async () => {
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

  test('is not delivered to hosts that do not accept transactions, and nothing is signed for them', async () => {
    const workerRun = await wallet();
    vi.doUnmock('../paymail/destination.ts');
    destinations({ reference: null, receiveUrl: null });
    const next = await workerRun.profile.start();
    const record = await settled(next, await paid(next, paying(BOB)));
    expect(record.deliveries).toEqual([]);
    expect(record.signed).not.toHaveProperty('senderProof');
    expect(taken()).toEqual([]);
  });

  test('goes to the wallet’s own service only after the report; to another host also while the service is down', async () => {
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

describe('a host', () => {
  test.each([
    ['refused', 1],
    ['answer-lost', 2],
    ['other-txid', 2],
    [500, 1],
    [404, 1],
  ] as const)('that first answers by "%s" is asked again until it acknowledges', async (fault, times) => {
    const workerRun = await wallet();
    network.arrivals.deliveryFaults = [fault, fault === 'answer-lost' ? 'refused' : fault];
    const record = await settled(workerRun, await paid(workerRun, paying(BOB)));
    expect(record.deliveries).toMatchObject([{ state: 'done', attempts: 3, problem: null }]);
    expect(taken().length).toBeGreaterThanOrEqual(times);
    expect(new Set(taken().map(({ hex, reference }) => hex + reference)).size).toBe(1);
  });

  test('that is down delays nothing else: the page gets its payment, the other host its transaction, and a block confirms it', async () => {
    const workerRun = await wallet();
    network.down.add('host');
    const record = await paid(workerRun, paying(BOB, CAROL));
    await until(() => expect(taken()).toMatchObject([{ path: RECEIVE_PATHS.service }]));
    await network.mine();
    const confirmed = await paymentWhere(
      workerRun,
      record.id,
      ({ height, deliveries }) => height !== null && (deliveries?.[0]?.attempts ?? 0) > 0,
    );
    expect(confirmed).toMatchObject({
      state: 'broadcast',
      report: { state: 'done' },
      unfinished: 1,
      deliveries: [{ state: 'waiting', problem: 'paymail-unavailable' }, { state: 'done' }],
    });
    await until(() => expect(workerRun.profile.browser.alarms.get('payments')).toBeDefined());
    // Asked for again it is answered at once, and no removal of the wallet has to fear for it: the money has moved.
    expect(await ask(workerRun, record.requestId, record.options, { automatic: true })).toMatchObject({
      id: record.id,
      status: 'COMPLETED',
    });
    expect(await (await import('./unsent.ts')).countUnsent()).toBe(0);
    network.down.delete('host');
    expect(await settled(workerRun, record)).toMatchObject({
      unfinished: 0,
      deliveries: [{ state: 'done' }, { state: 'done' }],
    });
    await until(() => expect(workerRun.profile.browser.alarms.get('payments')).toBeUndefined());
  });

  test('that is down is asked less and less often, once a day in the end, and given up after a month', async () => {
    const workerRun = await wallet();
    network.down.add('host');
    const { id } = await paid(workerRun, paying(BOB));
    const tried = await paymentWhere(workerRun, id, ({ deliveries }) => deliveries?.[0]?.attempts === 1);
    const db = await workerRun.modules.database.database();
    const { deliver } = await import('./deliver.ts');
    const delay = async (attempts: number, age = 0) => {
      const waiting = (nextAt: number): PaymentRecord => ({
        ...tried,
        state: 'broadcast',
        approvedAt: Date.now() - age,
        deliveries: [{ output: 0, state: 'waiting', attempts, nextAt, problem: null }],
      });
      await db.put('payments', waiting(Number.MAX_SAFE_INTEGER)); // not due for the worker's own timer
      const now = Date.now();
      await deliver(waiting(0), () => true);
      const after = await db.get('payments', id);
      return {
        state: after?.state,
        delivery: after?.deliveries?.[0],
        days: ((after?.deliveries?.[0]?.nextAt ?? 0) - now) / 86_400_000,
      };
    };
    expect(await delay(30)).toMatchObject({ state: 'broadcast', delivery: { state: 'waiting', attempts: 31 } });
    expect((await delay(30)).days).toBeCloseTo(1, 1);
    expect((await delay(3)).days).toBeLessThan(0.01);
    // A clock that is ahead by a year ends nothing.
    expect(await delay(3, 366 * 86_400_000)).toMatchObject({ delivery: { state: 'waiting' } });
    expect(await delay(45, 31 * 86_400_000)).toMatchObject({
      state: 'settled',
      delivery: { state: 'given-up', problem: 'paymail-unavailable' },
    });
  });
});

test('what the network drops for good is not delivered any more', async () => {
  const workerRun = await wallet();
  network.down.add('host');
  const { id } = await paid(workerRun, paying(BOB));
  const { noteDead } = await import('./conflicts.ts');
  const db = await workerRun.modules.database.database();
  const record = await workerRun.modules.transition.readPayment(id);
  await noteDead(id, record?.signed?.inputs[0] ?? '', 'ab'.repeat(32), (await db.getAll('headers'))[0]!);
  expect(await workerRun.modules.transition.readPayment(id)).toMatchObject({
    state: 'failed',
    unfinished: 0,
    deliveries: [{ state: 'given-up' }],
  });
  network.down.clear();
  await workerRun.modules.drive.processAll();
  expect(taken()).toEqual([]);
});

/** Lives that die at the given crash points, each begun where the one before was cut off, until the payment is settled. */
async function throughDeaths(
  workerRun: WorkerRun,
  record: PaymentRecord,
  deaths: readonly number[],
): Promise<{ workerRun: WorkerRun; crashPoints: number }> {
  let now = workerRun;
  let crashPoints = 0;
  for (const dieAt of [...deaths, Number.POSITIVE_INFINITY]) {
    now = await now.profile.start(dieAt);
    await now.untilDeath(() =>
      paymentWhere(now, record.id, ({ state, height }) => state === 'settled' && height !== null),
    );
    crashPoints ||= now.crashPoints.length;
  }
  return { workerRun: now, crashPoints };
}

describe('every host has the transaction in the end, and every reference one alone, where the worker is stopped', () => {
  test.each<['once' | 'twice', ('answer-lost' | 500)[]]>([
    ['once', []],
    ['twice', ['answer-lost', 500]],
  ])(
    '%s at any crash point after the network has it, with hosts and service down before and answers %j',
    async (often, faults) => {
      let workerRun = await wallet();
      for (let n = 1, crashPoints = Number.POSITIVE_INFINITY; n <= crashPoints; n += STRIDE) {
        network.reset();
        network.down = new Set(['host', 'service'] as const);
        const record = await paid(workerRun, paying(BOB, CAROL));
        workerRun.end();
        network.down.clear();
        await network.mine();
        network.arrivals.deliveryFaults = [...faults];
        const run = await throughDeaths(workerRun, record, often === 'twice' ? [n, (n % 7) + 2] : [n]);
        workerRun = run.workerRun;
        if (run.crashPoints < n) crashPoints = 0;
        const last = (await stored(workerRun)).payments.find(({ id }) => id === record.id);
        expect(last, `crash point ${n}`).toMatchObject({
          unfinished: 0,
          report: { state: 'done' },
          deliveries: [{ state: 'done' }, { state: 'done' }],
        });
        const wanted = record.quote.outputs.map(({ host }) => host?.reference);
        expect([...new Set(taken().map(({ reference }) => reference))].sort(), `crash point ${n}`).toEqual(
          wanted?.sort(),
        );
        expect(new Set(taken().map(({ hex }) => hex))).toEqual(new Set([record.signed?.rawtx]));
      }
    },
  );
});
