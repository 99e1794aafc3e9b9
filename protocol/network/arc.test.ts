import { describe, expect, test } from 'vitest';
import type * as z from 'zod/mini';
import { arcError, arcPolicy, arcTransaction } from './arc.ts';
import { readAnswer } from '../http/testing-members.ts';

const transaction = {
  txid: 't',
  txStatus: 'MINED',
  blockHash: 'b',
  blockHeight: 800_000,
  merklePath: 'fe00',
  extraInfo: '',
  competingTxs: ['c'],
  timestamp: 't',
};
const MAYBE = ['blockHash', 'blockHeight', 'merklePath', 'extraInfo', 'competingTxs', 'timestamp'];

test.each<[string, z.ZodMiniType, object, string[]]>([
  ['a transaction', arcTransaction, transaction, MAYBE],
  [
    'its policy',
    arcPolicy,
    {
      policy: {
        maxscriptsizepolicy: 1,
        maxtxsizepolicy: 1,
        maxtxsigopscountspolicy: 1,
        miningFee: { satoshis: 1, bytes: 1000 },
      },
    },
    [],
  ],
  [
    'an error',
    arcError,
    { status: 461, title: 'Malformed', detail: 'd', extraInfo: 'e', txid: 't' },
    ['detail', 'extraInfo', 'txid'],
  ],
])('ARC’s response to %s is parsed, with any additional members', (_, schema, whole, optional) => {
  expect(readAnswer(schema, whole)).toEqual({ read: whole, optional });
});

describe('a transaction', () => {
  test('members of a transaction that ARC doesn’t know may be null', () => {
    const unknown = { ...transaction, ...Object.fromEntries(MAYBE.map((name) => [name, null])) };
    expect(arcTransaction.parse(unknown)).toEqual(unknown);
  });

  // https://github.com/bitcoin-sv/arc: metamorph_api, enum Status.
  test.each([
    'UNKNOWN',
    'QUEUED',
    'RECEIVED',
    'STORED',
    'ANNOUNCED_TO_NETWORK',
    'REQUESTED_BY_NETWORK',
    'SENT_TO_NETWORK',
    'ACCEPTED_BY_NETWORK',
    'SEEN_IN_ORPHAN_MEMPOOL',
    'SEEN_ON_NETWORK',
    'DOUBLE_SPEND_ATTEMPTED',
    'REJECTED',
    'MINED_IN_STALE_BLOCK',
    'MINED',
  ])('a transaction may have the status %s', (txStatus) => {
    expect(arcTransaction.safeParse({ ...transaction, txStatus }).success).toBe(true);
  });

  test.each(['', 'mined', 'SEEN', null])('a transaction can’t have the status %j', (txStatus) => {
    expect(arcTransaction.safeParse({ ...transaction, txStatus }).success).toBe(false);
  });
});
