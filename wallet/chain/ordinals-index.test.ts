import { afterEach, describe, expect, test } from 'vitest';
import { codeOf } from '../../testing/code-of.ts';
import { answering, type FakeResponse, type RecordedRequest } from '../../testkit/network/answers.ts';
import { endAllWorkerRuns, Profile } from '../../testkit/wallet/worker-run.ts';
import { wallet } from '../../testkit/wallet/current.ts';

const [A, B, C] = ['aa', 'bb', 'cc'].map((byte) => byte.repeat(32)) as [string, string, string];
const ADDRESS = 'mfWxJ45yp2SFn7UciZyNpvDKrzbhyfKrY8';
const TOKEN = `${C}_0`;

/** Responses from 1sat-server (ordinals.gorillapool.io). */
const FORMER: Record<string, unknown> = {
  [`/api/txos/address/${ADDRESS}/unspent?bsv20=true&limit=100&offset=0`]: [
    { txid: A, vout: 1, satoshis: 1, height: 800_000, origin: { outpoint: `${A}_1` } },
  ],
  [`/api/txos/address/${ADDRESS}/unspent?bsv20=false&limit=100&offset=0`]: [
    { txid: B, vout: 0, satoshis: 1, height: null, origin: { outpoint: `${C}_2` } },
    { txid: B, vout: 1, satoshis: 5000, height: 1 },
  ],
  [`/api/bsv20/outpoint/${A}_1`]: { id: TOKEN, status: 1 },
  [`/api/bsv20/id/${TOKEN}`]: { id: TOKEN, sym: 'GOLD', dec: 2, amt: '1000', icon: `${B}_0` },
};
/** Responses from 1sat-stack (api.1sat.app/1sat), based on `pkg/owner`, `pkg/bsv21` and its API reference. */
const OWNED = `/owner/${ADDRESS}/txos?unspent=true&sats=true&block=true&tags=origin&limit=100`;
const STACK: Record<string, unknown> = {
  [OWNED]: [
    {
      outpoint: `${A}.1`,
      score: 800_000.5,
      satoshis: 1,
      blockHeight: 800_000,
      data: { origin: { outpoint: `${A}_1` } },
    },
    { outpoint: `${B}.0`, score: 9e15, satoshis: 1, data: { origin: { outpoint: `${C}_2` } } },
    { outpoint: `${B}.1`, score: 9e15, satoshis: 5000 },
  ],
  [`/bsv21/${TOKEN}/outputs/${A}_1`]: { outpoint: `${A}.1`, score: 800_000.5 },
  [`/bsv21/${TOKEN}`]: { token: { sym: 'GOLD', dec: 2, amt: '1000', icon: `${B}_0` }, status: {} },
};

const index = (answers: Record<string, unknown>, other: FakeResponse = { status: 404 }) =>
  answering(({ url }: RecordedRequest) => {
    const body = answers[url];
    return body === undefined ? other : { body };
  });
const client = async () => {
  await new Profile('http://localhost:1').start();
  return import('./ordinals-index.ts');
};
const ignore = () => undefined;

afterEach(endAllWorkerRuns);

describe.each([
  ['the former form', FORMER],
  ['the form of 1sat-stack', STACK],
])('an index with the interface of %s', (_, answers) => {
  test('the index lists the outputs of one satoshi of an address', async () => {
    const { url } = await index(answers);
    const { oneSatOutputsOf } = await client();
    expect(await oneSatOutputsOf(wallet, url, ADDRESS, ignore)).toEqual([
      { txid: A, vout: 1, height: 800_000, origin: `${A}_1` },
      { txid: B, vout: 0, height: 0, origin: `${C}_2` },
    ]);
  });

  test('the index reports whether an output contains its token', async () => {
    const { url } = await index(answers);
    const { isCountedValid } = await client();
    expect(await isCountedValid(wallet, url, A, 1, TOKEN)).toBe(true);
    expect(await isCountedValid(wallet, url, B, 0, TOKEN)).toBeNull();
  });

  test('the index describes a token', async () => {
    const { url } = await index(answers);
    const { indexedToken } = await client();
    expect(await indexedToken(wallet, url, TOKEN)).toEqual({
      symbol: 'GOLD',
      decimals: 2,
      supply: 1000n,
      icon: `${B}_0`,
    });
    expect(await indexedToken(wallet, url, `${A}_7`)).toBeNull();
  });

  test('an error with status 200 doesn’t describe a token, whose amounts would then have no decimals', async () => {
    const answer = { error: 'busy' };
    const { url } = await index({ ...answers, [`/api/bsv20/id/${A}_7`]: answer, [`/bsv21/${A}_7`]: answer });
    const { oneSatOutputsOf, indexedToken } = await client();
    expect(await codeOf(indexedToken(wallet, url, `${A}_7`))).toBe('network-unavailable');
    await oneSatOutputsOf(wallet, url, ADDRESS, ignore); // detects the form
    expect(await codeOf(indexedToken(wallet, url, `${A}_7`))).toBe('network-unavailable');
  });

  test('the index gets requests only in its own form after its first response', async () => {
    const { url, asked } = await index(answers);
    const { oneSatOutputsOf, indexedToken } = await client();
    await oneSatOutputsOf(wallet, url, ADDRESS, ignore);
    asked.length = 0;
    await oneSatOutputsOf(wallet, url, ADDRESS, ignore);
    await indexedToken(wallet, url, `${A}_7`);
    expect(asked.every(({ url: path }) => path.startsWith('/api/') === (answers === FORMER))).toBe(true);
  });

  test.each<[string, FakeResponse]>([
    ['a page', { body: '<html>' }],
    ['an error', { status: 500 }],
    ['no method', { status: 405 }],
  ])('the form is detected if every other path responds with %s', async (_name, other) => {
    const { url } = await index(answers, other);
    const { oneSatOutputsOf } = await client();
    expect(await oneSatOutputsOf(wallet, url, ADDRESS, ignore)).toHaveLength(2);
  });
});

test('1sat-stack’s list may be a finite stream of events', async () => {
  const events = [
    'event: sync\ndata: {"phase":"fetch"}\n\n',
    `event: txo\ndata: ${JSON.stringify({ outpoint: `${A}_3`, satoshis: 1, height: 7 })}\n\n`,
    'event: done\ndata: {}\n\n',
  ];
  const { url } = await index({ [OWNED]: events.join('') });
  const { oneSatOutputsOf } = await client();
  expect(await oneSatOutputsOf(wallet, url, ADDRESS, ignore)).toEqual([{ txid: A, vout: 3, height: 7, origin: null }]);
});

test('repeated pages of 1sat-stack’s list end the request', async () => {
  const page = Array.from({ length: 100 }, (_, vout) => ({ outpoint: `${A}_${vout}`, score: 5, satoshis: 1 }));
  const { url, asked } = await answering(({ url: path }: RecordedRequest) =>
    path.startsWith('/owner/') ? { body: page } : { status: 404 },
  );
  const { oneSatOutputsOf } = await client();
  expect(await oneSatOutputsOf(wallet, url, ADDRESS, ignore)).toHaveLength(100);
  expect(asked.filter(({ url: path }) => path.startsWith('/owner/'))).toHaveLength(2);
});

test.each<[string, FakeResponse, string]>([
  ['is down', { status: 503 }, 'network-unavailable'],
  ['answers with pages', { body: '<html>' }, 'network-unavailable'],
  ['responds with outputs in another form', { body: [{ outpoint: 'x' }] }, 'network-unavailable'],
])('an index that %s is reported', async (_, answer, code) => {
  const { url } = await answering(answer);
  const { oneSatOutputsOf } = await client();
  expect(await codeOf(oneSatOutputsOf(wallet, url, ADDRESS, ignore))).toBe(code);
});
