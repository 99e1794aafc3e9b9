import { describe, expect, test } from 'vitest';
import { createBroadcaster, type BroadcasterPlatform, type HttpResponse, type Submission } from './broadcaster.ts';
import { createOperators, type FailureMemory } from './operators.ts';

const TXID = 'ab'.repeat(32);
const TRANSACTION: Submission = { txid: TXID, rawtx: '01', extended: '02', beef: '03' };
const POLICY = {
  policy: {
    maxscriptsizepolicy: 1,
    maxtxsizepolicy: 1,
    maxtxsigopscountspolicy: 1,
    miningFee: { satoshis: 100, bytes: 1000 },
  },
};
const HEALTH = { healthy: true, version: 'v0.8.0', status: 'ok' };
const seen = { txid: TXID, txStatus: 'SEEN_ON_NETWORK' };

interface Sent {
  url: string;
  json?: unknown;
  headers: Record<string, string>;
}
type Routes = Record<string, { status?: number; body?: unknown; retryAfter?: string } | 'gone'>;

const ARC: Routes = { '/v1/policy': { body: POLICY }, '/v1/tx': { body: seen }, [`/v1/tx/${TXID}`]: { body: seen } };
const ARCADE: Routes = {
  '/policy': { body: POLICY },
  '/v1/policy': { body: POLICY },
  '/health': { body: HEALTH },
  '/tx': { status: 202, body: seen },
  [`/tx/${TXID}`]: { body: seen },
};

function platformOf(operators: Record<string, Routes>, clock = { now: 0 }) {
  const sent: Sent[] = [];
  const platform: BroadcasterPlatform = {
    now: () => clock.now,
    send: (url, { json, headers }) => {
      sent.push({ url, headers, ...(json !== undefined && { json }) });
      const { origin, pathname } = new URL(url);
      const route = operators[origin]?.[pathname] ?? { status: 404, body: {} };
      if (route === 'gone') return Promise.reject(new Error('gone'));
      const { status = 200, body = {}, retryAfter = null } = route;
      return Promise.resolve<HttpResponse>({ status, text: JSON.stringify(body), retryAfter });
    },
  };
  return { platform, sent, paths: () => sent.map(({ url }) => new URL(url).pathname) };
}

const HOST = 'https://a.example';
const clientOf = (routes: Routes, key: string | null = null) => {
  const network = platformOf({ [HOST]: routes });
  return { ...network, client: createBroadcaster({ url: HOST, key }, network.platform) };
};

describe('the dialect', () => {
  test.each<[string, Routes, string]>([
    ['ARC', ARC, 'arc'],
    ['Arcade', ARCADE, 'arcade'],
    ['Arcade without the alias', { ...ARCADE, '/v1/policy': { status: 404 } }, 'arcade'],
    ['Arcade, even if its own path fails', { ...ARCADE, '/policy': { status: 500 } }, 'arcade'],
    [
      'ARC behind a page for every path',
      { ...ARC, '/policy': { body: '<html>' }, '/health': { body: '<html>' } },
      'arc',
    ],
    ['ARC that refuses other paths', { ...ARC, '/policy': { status: 403 }, '/health': { status: 403 } }, 'arc'],
  ])('the dialect of %s is detected by a query', async (_, routes, dialect) => {
    const { client, sent } = clientOf(routes);
    expect(await client.dialect()).toBe(dialect);
    const asked = sent.length;
    expect(await client.dialect()).toBe(dialect);
    expect(sent).toHaveLength(asked);
  });

  test('the dialect is unknown while the operator is down', async () => {
    const routes: Routes = { '/policy': 'gone', '/v1/policy': 'gone' };
    const { client } = clientOf(routes);
    await expect(client.dialect()).rejects.toThrow(expect.objectContaining({ code: 'network-unavailable' }) as Error);
    expect((await client.submit(TRANSACTION)).kind).toBe('unreachable');
    Object.assign(routes, ARCADE);
    expect(await client.dialect()).toBe('arcade');
  });

  test('the dialect is detected again when an operator changes from ARC to Arcade', async () => {
    const routes: Routes = { ...ARC };
    const { client } = clientOf(routes);
    expect((await client.submit(TRANSACTION)).kind).toBe('accepted');
    for (const path of Object.keys(routes)) delete routes[path];
    Object.assign(routes, ARCADE);
    expect((await client.submit(TRANSACTION)).kind).toBe('accepted');
    expect(await client.dialect()).toBe('arcade');
  });
});

describe('a submission', () => {
  test('a submission to ARC contains the transaction’s ancestors (BEEF), and waits until a node has seen it', async () => {
    const { client, sent } = clientOf(ARC, 'secret');
    expect((await client.submit(TRANSACTION, { url: 'https://us.example', token: 't' })).kind).toBe('accepted');
    expect(sent.at(-1)).toEqual({
      url: `${HOST}/v1/tx`,
      json: { rawTx: '03' },
      headers: {
        authorization: 'Bearer secret',
        'x-waitfor': 'SEEN_ON_NETWORK',
        'x-maxtimeout': '5',
        'x-callbackurl': 'https://us.example',
        'x-callbacktoken': 't',
      },
    });
  });

  test('a submission to Arcade is in Extended Format', async () => {
    const { client, sent } = clientOf(ARCADE);
    expect((await client.submit(TRANSACTION)).kind).toBe('accepted');
    expect(sent.at(-1)).toEqual({ url: `${HOST}/tx`, json: { rawTx: '02' }, headers: {} });
  });

  test('a submission is raw if the spent outputs are unknown', async () => {
    const { client, sent } = clientOf(ARCADE);
    await client.submit({ txid: TXID, rawtx: '01', extended: null });
    expect(sent.at(-1)?.json).toEqual({ rawTx: '01' });
  });
});

test('a key that an operator quotes is removed from its texts, at any length, and from nothing else', async () => {
  const quoted = { status: 461, title: 'Bad', detail: `${'x'.repeat(290)} key-of-ours` };
  const { client } = clientOf({ ...ARC, '/v1/tx': { status: 461, body: quoted } }, 'key-of-ours');
  const outcome = await client.submit(TRANSACTION);
  expect(outcome).toMatchObject({ kind: 'refused' });
  expect(JSON.stringify(outcome)).not.toContain('key');
  const mined = { txid: TXID, txStatus: 'MINED', blockHash: 'ab'.repeat(32), extraInfo: 'kk' };
  const { client: short } = clientOf({ ...ARC, [`/v1/tx/${TXID}`]: { body: mined } }, 'k');
  expect(await short.status(TXID)).toMatchObject({ txStatus: 'MINED', blockHash: 'ab'.repeat(32), extraInfo: '……' });
});

describe('several operators', () => {
  const A = 'https://a.example';
  const B = 'https://b.example';
  function pool(operators: Record<string, Routes>) {
    const clock = { now: 1_000_000 };
    const network = platformOf(operators, clock);
    const memory: FailureMemory = new Map();
    const all = Object.keys(operators).map((url) => createBroadcaster({ url, key: null }, network.platform));
    return {
      clock,
      ...network,
      memory,
      operators: createOperators(all, memory, { now: () => clock.now, pause: () => Promise.resolve() }),
    };
  }
  const rejecting = (more: object): Routes => ({
    ...ARCADE,
    '/tx': { status: 400, body: { error: 'x', ...more } },
    [`/tx/${TXID}`]: { status: 404 },
  });

  test.each<[string, Routes]>([
    ['is down', Object.fromEntries(Object.keys(ARCADE).map((path) => [path, 'gone' as const]))],
    ['requires a key', { ...ARCADE, '/tx': { status: 401 } }],
    ['is overloaded', { ...ARCADE, '/tx': { status: 503, retryAfter: '30' } }],
    ['refuses it', rejecting({ status: 461 })],
    ['is full', rejecting({ reason: 'too-long-mempool-chain' })],
  ])(
    'several operators are tried in turn: the second accepts a transaction that the first, which %s, does not',
    async (_, first) => {
      const { operators } = pool({ [A]: first, [B]: ARC });
      expect((await operators.submit(TRANSACTION)).kind).toBe('accepted');
    },
  );

  test.each<[string, Routes, boolean]>([
    ['required for submissions', { ...ARCADE, '/tx': { status: 401 }, [`/tx/${TXID}`]: { status: 404 } }, true],
    ['required for queries', { ...ARCADE, [`/tx/${TXID}`]: { status: 403 } }, true],
    ['required for everything', { '/v1/policy': { status: 401 } }, true],
    ['not required by one that is down', { '/v1/policy': 'gone' }, false],
  ])('a failure records whether the key is the reason: %s', async (_, first, needsKey) => {
    const { operators, memory } = pool({ [A]: first, [B]: ARC });
    await operators.submit(TRANSACTION);
    await operators.status(TXID);
    expect(memory.get(A)).toMatchObject({ needsKey });
  });

  test('an operator that reports a transaction as pending is queried again', async () => {
    const received = { status: 202, body: { ...seen, txStatus: 'RECEIVED' } };
    expect((await pool({ [A]: { ...ARCADE, '/tx': received } }).operators.submit(TRANSACTION)).kind).toBe('accepted');
  });

  test('further operators get no transaction that is pending at one, unless requested', async () => {
    const received = { ...seen, txStatus: 'RECEIVED' };
    const silent = { ...ARCADE, '/tx': { status: 202, body: received }, [`/tx/${TXID}`]: { body: received } };
    const elsewhere = { ...ARC, [`/v1/tx/${TXID}`]: { status: 404 } };
    const routes = { [A]: silent, [B]: elsewhere };
    const one = pool(routes);
    expect((await one.operators.submit(TRANSACTION)).kind).toBe('pending');
    expect(one.paths()).not.toContain('/v1/tx');
    expect((await pool(routes).operators.submit(TRANSACTION, { everywhere: true })).kind).toBe('accepted');
  });

  test('several operators reject a transaction permanently only if all do', async () => {
    const both = pool({ [A]: rejecting({ status: 461 }), [B]: rejecting({ status: 461 }) });
    expect(await both.operators.submit(TRANSACTION)).toMatchObject({ kind: 'refused', isDefinite: true });
    const one = pool({
      [A]: rejecting({ status: 461 }),
      [B]: { ...ARCADE, '/tx': { status: 401 }, [`/tx/${TXID}`]: 'gone' },
    });
    expect(await one.operators.submit(TRANSACTION)).toMatchObject({ kind: 'refused', isDefinite: false });
  });

  test('an operator is tried last for some time after a failure', async () => {
    const routes: Record<string, Routes> = { [A]: { '/policy': 'gone' }, [B]: ARC };
    const { operators, sent, clock } = pool(routes);
    expect(await operators.policy()).toEqual({ satoshis: 100, bytes: 1000 });
    routes[A] = ARCADE;
    sent.length = 0;
    await operators.policy();
    expect(sent.map(({ url }) => new URL(url).origin)).toEqual([B]);
    clock.now += 30_000;
    sent.length = 0;
    await operators.policy();
    expect(sent.map(({ url }) => new URL(url).origin)).not.toContain(B);
  });

  test('an operator isn’t used until the time in Retry-After', async () => {
    const routes: Record<string, Routes> = { [A]: { ...ARCADE, '/tx': { status: 503, retryAfter: '30' } } };
    const { operators, sent, clock } = pool(routes);
    expect(await operators.submit(TRANSACTION)).toMatchObject({ kind: 'later', retryAfterMs: 30_000 });
    routes[A] = ARCADE;
    sent.length = 0;
    clock.now += 10_000;
    expect(await operators.submit(TRANSACTION)).toMatchObject({ kind: 'later', retryAfterMs: 20_000 });
    expect(sent).toEqual([]);
    clock.now += 20_000;
    expect((await operators.submit(TRANSACTION)).kind).toBe('accepted');
  });

  test('an operator’s status counts if the response to the submission was lost', async () => {
    const { operators } = pool({ [A]: { ...ARCADE, '/tx': 'gone' } });
    expect((await operators.submit(TRANSACTION)).kind).toBe('accepted');
  });

  test('the most favorable status of several operators is reported', async () => {
    const rejected = { ...ARCADE, [`/tx/${TXID}`]: { body: { ...seen, txStatus: 'REJECTED' } } };
    expect(await pool({ [A]: rejected, [B]: ARC }).operators.status(TXID)).toMatchObject({
      txStatus: 'SEEN_ON_NETWORK',
    });
    const silent = { ...ARCADE, [`/tx/${TXID}`]: { status: 404 } };
    expect(await pool({ [A]: silent, [B]: rejected }).operators.status(TXID)).toMatchObject({ txStatus: 'REJECTED' });
    expect(await pool({ [A]: silent, [B]: silent }).operators.status(TXID)).toBeNull();
  });
});
