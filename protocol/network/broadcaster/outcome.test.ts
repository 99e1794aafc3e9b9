import { describe, expect, test } from 'vitest';
import { ARC_STATUSES, ARCADE_STATUSES } from '../arc.ts';
import { outcomeOf, outcomeOfSubmission, retryAfterMs, transactionIn } from './outcome.ts';

const TXID = 'ab'.repeat(32);
const NOW = Date.UTC(2026, 10, 28);
const reported = (txStatus: string, more: object = {}) => ({ txid: TXID, txStatus, ...more });
const submitted = (status: number, body: unknown, retryAfter: string | null = null) =>
  outcomeOfSubmission({ status, body, retryAfter }, TXID, NOW);

/** ARC: metamorph_api, enum Status. Arcade: openapi/arcade.openapi.yaml, schema Status. */
const EXPECTED: Record<string, string> = {
  UNKNOWN: 'pending',
  QUEUED: 'pending',
  RECEIVED: 'pending',
  STORED: 'pending',
  ANNOUNCED_TO_NETWORK: 'pending',
  REQUESTED_BY_NETWORK: 'pending',
  SENT_TO_NETWORK: 'pending',
  PENDING_RETRY: 'pending',
  ACCEPTED_BY_NETWORK: 'accepted',
  SEEN_ON_NETWORK: 'accepted',
  SEEN_MULTIPLE_NODES: 'accepted',
  STUMP_PROCESSING: 'accepted',
  MINED_IN_STALE_BLOCK: 'accepted',
  MINED: 'accepted',
  IMMUTABLE: 'accepted',
  SEEN_IN_ORPHAN_MEMPOOL: 'contested',
  DOUBLE_SPEND_ATTEMPTED: 'contested',
  REJECTED: 'refused',
};

describe('the status of a submitted transaction', () => {
  test.each(Object.entries(EXPECTED))('%s means %s, whatever the code of the response', (txStatus, kind) => {
    for (const status of [200, 202, 400, 409]) expect(submitted(status, reported(txStatus)).kind).toBe(kind);
  });

  test('the statuses in this test are exactly those of ARC and Arcade', () => {
    expect(Object.keys(EXPECTED).toSorted()).toEqual(
      [...new Set<string>([...ARC_STATUSES, ...ARCADE_STATUSES])].toSorted(),
    );
  });

  test('an unknown status is pending', () => {
    expect(submitted(200, reported('SOMETHING_NEW')).kind).toBe('pending');
  });

  test('the status is pending if the operator has no verdict', () => {
    expect(outcomeOf(null).kind).toBe('pending');
  });

  test.each(['', null, 5])("a status isn't read from %j", (txStatus) => {
    expect(transactionIn({ txid: TXID, txStatus }, TXID)).toBeNull();
  });

  test("a status isn't taken from a response about another transaction", () => {
    expect(submitted(200, { ...reported('MINED'), txid: 'cd'.repeat(32) }).kind).toBe('unreachable');
  });
});

describe('a rejection', () => {
  test.each([
    ['too-long-mempool-chain', 'later', true],
    ['mempool full', 'later', true],
    ['bad-txns-nonfinal: transaction is non-final', 'later', true],
    ['txn-mempool-conflict', 'contested', undefined],
    [`double spend by ${'cd'.repeat(32)}`, 'contested', undefined],
    ['missing-inputs', 'contested', undefined],
    ['parent rejected: 00', 'refused', undefined],
    ['', 'refused', undefined],
  ])('a rejection because of "%s" is %s', (extraInfo, kind, untilBlock) => {
    const expected = untilBlock === undefined ? { kind } : { kind, untilBlock };
    expect(submitted(200, reported('REJECTED', { extraInfo }))).toMatchObject(expected);
    expect(submitted(400, { error: 'failed validation', reason: extraInfo, txid: TXID })).toMatchObject(expected);
  });

  test.each<[number, object]>([
    [476, { kind: 'later', untilBlock: true }],
    [466, { kind: 'contested' }],
    [462, { kind: 'contested' }],
    [409, { kind: 'contested' }],
    [460, { kind: 'refused', isDefinite: false, needsExtended: true }],
    [400, { kind: 'refused', isDefinite: false, needsExtended: false }],
    [467, { kind: 'refused', isDefinite: false, needsExtended: false }],
    ...[461, 463, 464, 465, 468, 469, 473, 474].map((code): [number, object] => [
      code,
      { kind: 'refused', isDefinite: true, needsExtended: false },
    ]),
  ])('a rejection with code %i has the same meaning from ARC and Arcade', (code, expected) => {
    expect(submitted(code, { status: code, title: 'no', detail: 'why' })).toMatchObject(expected);
    expect(submitted(code, 'garbage')).toMatchObject(expected);
    expect(submitted(400, { error: 'x', reason: 'x', txid: TXID, status: code })).toMatchObject(expected);
    expect(submitted(200, reported('REJECTED', { status: code, extraInfo: 'x' }))).toMatchObject(expected);
  });

  test('a rejection has a reason of at most 300 characters', () => {
    expect(submitted(461, { title: 'Malformed', detail: 'd'.repeat(1000), extraInfo: 5 })).toMatchObject({
      detail: expect.stringMatching(/^Malformed: d{289}$/) as string,
    });
  });
});

describe('an overloaded operator', () => {
  test.each([429, 503])('status %i of an operator means a retry with the same bytes', (status) => {
    expect(submitted(status, {}, '30')).toMatchObject({ kind: 'later', retryAfterMs: 30_000, untilBlock: false });
    expect(submitted(status, undefined)).toMatchObject({ kind: 'later', retryAfterMs: null });
  });

  test.each([
    ['30', 30_000],
    ['0', 0],
    ['999999999', 3_600_000],
    ['Sat, 28 Nov 2026 00:02:00 GMT', 120_000],
    ['Fri, 27 Nov 2026 00:00:00 GMT', 0],
    ['soon', null],
    ['', null],
    ['-5', null],
    [null, null],
  ])('Retry-After of an operator is parsed: %j', (header, expected) => {
    expect(retryAfterMs(header, NOW)).toBe(expected);
  });
});

test.each<[string, number, unknown]>([
  ['401', 401, {}],
  ['403', 403, {}],
  ['404', 404, { error: 'x' }],
  ['413', 413, undefined],
  ['422', 422, {}],
  ['500', 500, undefined],
  ['502', 502, undefined],
  ['nothing', 200, undefined],
  ['null', 200, null],
  ['a list', 200, []],
  ['no status', 200, { txid: TXID }],
])('a response of %s says nothing about the transaction', (_, status, body) => {
  expect(submitted(status, body).kind).toBe('unreachable');
});
