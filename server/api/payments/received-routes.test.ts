import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Session } from '../../../protocol/http/api.ts';
import { receivedResponse, userPaymailResponse } from '../../../protocol/http/received.ts';
import { openPostgres, type Database } from '../../database/connect.ts';
import { migrate } from '../../database/migrate.ts';
import { accessTokens } from '../../database/schema.ts';
import { createPostgresDatabase } from '../../database/testing.ts';
import { newToken } from '../../identity/tokens.ts';
import { bearer, createTestWallet, register, startTestApp, TEST_METRICS_TOKEN, type TestApp } from '../../testing.ts';
import { arrivals } from '../../received/arrivals.ts';
import { STREAMS_OF_ONE } from '../../received/event-streams.ts';
import { readInbox } from '../../received/inbox.ts';
import { createTestDelivery } from '../../received/testing-delivery.ts';
import { useService } from '../../testing-service.ts';

const RECEIVED = '/api/v2/me/received';
const ACKNOWLEDGEMENTS = `${RECEIVED}/acknowledgements`;

async function listen(app: TestApp, token: string) {
  const response = await fetch(`${app.url}${RECEIVED}/events`, { headers: { Authorization: `Bearer ${token}` } });
  const reader = (response.body as ReadableStream<Uint8Array>)
    .pipeThrough(new TextDecoderStream() as never)
    .getReader() as ReadableStreamDefaultReader<string>;
  let text = '';
  const until = async (is: () => boolean) => {
    while (!is()) {
      const { value, done } = await reader.read();
      if (done) return 'ended';
      text += value;
    }
    return text;
  };
  const events = () => text.split('event: received\ndata:\n\n').length - 1;
  return {
    response,
    events,
    connected: () => until(() => text.startsWith(': connected\n\n')),
    event: (count: number) => until(() => events() >= count),
    end: () => until(() => false),
    close: () => reader.cancel(),
  };
}

describe('a wallet’s inbox', () => {
  const { app, database } = useService();
  let alice: Session;
  let bob: Session;
  const now = () => new Date(app.clock.ms);

  beforeAll(async () => {
    [alice, bob] = [await register(app, createTestWallet(), 'alice'), await register(app, createTestWallet(), 'bob')];
  });

  const pay = async ({ user }: Session, dataBytes = 0) => {
    const made = await createTestDelivery(database.db, Number(user.id), user.paymail, now(), { dataBytes });
    await made.deliver();
    return made.received;
  };
  const inbox = async (session: Session) => receivedResponse.parse((await app.get(RECEIVED, bearer(session))).body);
  const acknowledge = async (session: Session, ids: readonly string[]) =>
    (await app.post(ACKNOWLEDGEMENTS, { ids }, bearer(session))).body.acknowledged as number;
  const acknowledgeAll = async (session: Session) => {
    for (let { received } = await inbox(session); received.length > 0; { received } = await inbox(session))
      await acknowledge(
        session,
        received.map(({ id }) => id),
      );
  };

  beforeEach(() => acknowledgeAll(alice));

  it('[S-08] lists received transactions in order until the wallet acknowledges them; no one else can', async () => {
    const [first, second] = [await pay(alice), await pay(alice)];
    const { received, more } = await inbox(alice);
    expect([received.map(({ txid }) => txid), more]).toEqual([[first.txid, second.txid], false]);
    expect(received[0]).toMatchObject({
      rawtx: Buffer.from(first.rawtx).toString('hex'),
      satoshis: '500000',
      sender: 'payer@two.example',
      senderVerified: true,
      note: 'for lunch',
      createdAt: now().toISOString(),
    });
    expect(received[0]?.outputs.reduce((sum, { satoshis }) => sum + Number(satoshis), 0)).toBe(500_000);
    const [{ index = NaN } = {}] = received[0]?.outputs ?? [];
    expect(received[0]?.outputs.map((output) => output.index)).toEqual([index, index + 1]);
    const ids = received.map(({ id }) => id);
    expect((await inbox(bob)).received).toEqual([]);
    expect(await acknowledge(bob, ids)).toBe(0);
    expect(await acknowledge(alice, [randomUUID(), 'no id', ids[0]?.toUpperCase() ?? ''])).toBe(0);
    expect((await inbox(alice)).received).toHaveLength(2);
    expect(await acknowledge(alice, [ids[0] ?? '', ids[0] ?? ''])).toBe(1);
    expect(await acknowledge(alice, ids)).toBe(1);
    expect((await inbox(alice)).received).toEqual([]);
    for (const body of [
      {},
      { ids: [] },
      { ids: Array.from({ length: 101 }, () => randomUUID()) },
      { ids: ['a\0'] },
      { ids, more: 1 },
    ])
      expect((await app.post(ACKNOWLEDGEMENTS, body, bearer(alice))).status).toBe(400);
    for (const path of [RECEIVED, `${RECEIVED}/events`]) expect((await app.get(path)).status).toBe(401);
  });

  it('fills a response up to its size limit, with at least one transaction', async () => {
    const paid = [await pay(alice, 2_600), await pay(alice, 1_000), await pay(alice, 300), await pay(alice, 1_000)];
    const answers: string[][] = [];
    const next = (after?: string) => readInbox(database.db, Number(alice.user.id), { after, mostBytes: 2_500 });
    const all: string[] = [];
    for (let page = await next(); page.received.length > 0; page = await next(page.received.at(-1)?.id))
      all.push(...page.received.map(({ txid }) => txid));
    expect(all).toEqual(paid.map(({ txid }) => txid));
    for (let page = await next(); page.received.length > 0; page = await next()) {
      answers.push(page.received.map(({ txid }) => txid));
      expect(page.more).toBe(answers.flat().length < paid.length);
      await acknowledge(
        alice,
        page.received.map(({ id }) => id),
      );
    }
    for (const after of [randomUUID(), 'no-id']) expect(await next(after)).toEqual({ received: [], more: false });
    expect((await app.get(`${RECEIVED}?after=${'a'.repeat(101)}`, bearer(alice))).status).toBe(400);
    expect(answers).toEqual(
      [paid.slice(0, 1), paid.slice(1, 3), paid.slice(3)].map((part) => part.map(({ txid }) => txid)),
    );
  });

  it('metrics count its waiting transactions', async () => {
    await pay(alice);
    const figures = (await app.get('/metrics', { Authorization: `Bearer ${TEST_METRICS_TOKEN}` })).body as string;
    expect(figures).toMatch(/^received_waiting 1$/m);
  });

  it('server-sent events announce each transaction immediately and once, including those already waiting', async () => {
    const stream = await listen(app, alice.accessToken);
    expect([
      stream.response.status,
      stream.response.headers.get('content-type'),
      stream.response.headers.get('cache-control'),
    ]).toEqual([200, 'text/event-stream; charset=utf-8', 'no-store']);
    await stream.connected();
    await pay(bob);
    await pay(alice);
    await stream.event(1);
    const second = await listen(app, alice.accessToken);
    await second.event(1);
    await pay(alice);
    await Promise.all([stream.event(2), second.event(2)]);
    expect([stream.events(), second.events()]).toEqual([2, 2]);
    await Promise.all([stream.close(), second.close()]);
  });

  it('a user has only a few streams; the oldest ends when another starts', async () => {
    const streams = [];
    for (let i = 0; i <= STREAMS_OF_ONE; i += 1) {
      const stream = await listen(app, alice.accessToken);
      await stream.connected();
      streams.push(stream);
    }
    expect(await streams[0]?.end()).toBe('ended');
    await pay(alice);
    await Promise.all(
      streams.slice(1).map(async (stream) => {
        await stream.event(1);
        await stream.close();
      }),
    );
  });

  it('a stream that waits behind another one on its connection ends without a write after its end', async () => {
    const listening = vi.spyOn(arrivals(database.db), 'listen');
    const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
    const request = ({ accessToken }: Session) =>
      `GET ${RECEIVED}/events HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${accessToken}\r\n\r\n`;
    socket.write(request(alice) + request(bob));
    await vi.waitFor(() => expect(listening).toHaveBeenCalledTimes(2));
    listening.mockRestore();
    const streams = [];
    for (let i = 0; i < STREAMS_OF_ONE; i += 1) streams.push(await listen(app, bob.accessToken));
    await pay(bob);
    // A write after the end would throw an uncaught exception, which would crash the service and fail this run.
    await Promise.all(streams.map((stream) => stream.event(1)));
    socket.destroy();
    await Promise.all(streams.map((stream) => stream.close()));
  });

  it('streams end when their token expires, and at shutdown', async () => {
    const { token, row } = newToken('wallet', new Date(app.clock.ms - 3_599_800));
    await database.db.insert(accessTokens).values({ ...row, userId: Number(bob.user.id) });
    expect(await (await listen(app, token)).end()).toBe('ended');
    const stream = await listen(app, bob.accessToken);
    await stream.connected();
    app.lifecycle.stopping = true;
    expect(await stream.end()).toBe('ended');
    app.lifecycle.stopping = false;
    expect((await app.send('HEAD', `${RECEIVED}/events`, undefined, bearer(bob))).status).toBe(200);
  });

  it('[S-09] returns a user ID’s paymail to anyone, and 404 for an unknown ID', async () => {
    const { status, body, headers } = await app.get(`/api/v2/users/${alice.user.id}/paymail`);
    expect([status, userPaymailResponse.parse(body), headers.get('access-control-allow-origin')]).toEqual([
      200,
      { id: alice.user.id, paymail: alice.user.paymail, name: 'A Name' },
      '*',
    ]);
    for (const id of ['1', '999999', `0${alice.user.id}`, '9'.repeat(40), '-1', '1e3', 'alice', '%00']) {
      const { status: missing, body: problem } = await app.get(`/api/v2/users/${id}/paymail`);
      expect([missing, problem.error.code], id).toEqual([404, 'unknown-recipient']);
    }
  });
});

describe('two instances on one PostgreSQL', () => {
  it('notify a wallet of payments that the other instance received', async () => {
    const made = await createPostgresDatabase();
    const databases = [await openPostgres(made.url), await openPostgres(made.url)] as const;
    await migrate(databases[0]);
    const apps = [
      await startTestApp(databases[0], { baseUrl: 'https://pay.example' }),
      await startTestApp(databases[1], { baseUrl: 'https://pay.example' }),
    ] as const;
    try {
      const alice = await register(apps[0], createTestWallet(), 'alice');
      const stream = await listen(apps[1], alice.accessToken);
      await stream.connected();
      for (const count of [1, 2]) {
        await (
          await createTestDelivery(
            databases[0].db,
            Number(alice.user.id),
            alice.user.paymail,
            new Date(apps[0].clock.ms),
          )
        ).deliver();
        await stream.event(count);
      }
      await stream.close();
    } finally {
      await Promise.all(apps.map((app) => app.close()));
      await Promise.all(databases.map((database) => database.close()));
      await made.drop();
    }
  });
});

describe('polling for payments received by other instances', () => {
  afterEach(() => void vi.useRealTimers());

  it('queries once a second for all connected users, and never while no one is connected', async () => {
    vi.useFakeTimers();
    let looks = 0;
    const rows: { userId: number; newest: number }[] = [];
    const answer = { from: () => answer, where: () => answer, groupBy: async () => rows };
    const { listen: connect } = arrivals({ select: () => ((looks += 1), answer) } as unknown as Database);
    const told: string[] = [];
    const stops = [
      connect(1, () => told.push('first')),
      connect(1, () => told.push('again')),
      connect(2, () => told.push('second')),
    ];
    await vi.advanceTimersByTimeAsync(0);
    const atFirst = looks;
    rows.push({ userId: 1, newest: 7 });
    await vi.advanceTimersByTimeAsync(3_000);
    expect([looks - atFirst, told]).toEqual([3, ['first', 'again']]);
    for (const stop of stops) stop();
    expect(vi.getTimerCount()).toBe(0);
  });
});
