import { describe, expect, it } from 'vitest';
import { ARC_STATUSES, type NetworkStatus, type NetworkTransaction } from '../../protocol/network/arc.ts';
import type { ServiceError } from '../../protocol/errors/service-error.ts';
import { assertAccepted, finalStatus, isDecided } from './acceptance.ts';

const saying = (txStatus: NetworkStatus): NetworkTransaction => ({ txid: 'ab'.repeat(32), txStatus });

describe('ARC statuses', () => {
  const refusal = (found: NetworkTransaction | null) => {
    try {
      assertAccepted(found);
      return 'accepted';
    } catch (error) {
      return error as ServiceError;
    }
  };
  const codes = (found: NetworkTransaction | null) => {
    const refused = refusal(found);
    return refused === 'accepted' ? refused : refused.code;
  };

  it('accepts only transactions that nodes have accepted, and requests a retry while one is propagating', () => {
    expect(Object.fromEntries(ARC_STATUSES.map((status) => [status, codes(saying(status))]))).toEqual({
      UNKNOWN: 'network-unavailable',
      QUEUED: 'network-unavailable',
      RECEIVED: 'network-unavailable',
      STORED: 'network-unavailable',
      ANNOUNCED_TO_NETWORK: 'network-unavailable',
      REQUESTED_BY_NETWORK: 'network-unavailable',
      SENT_TO_NETWORK: 'network-unavailable',
      ACCEPTED_BY_NETWORK: 'accepted',
      SEEN_IN_ORPHAN_MEMPOOL: 'not-accepted',
      SEEN_ON_NETWORK: 'accepted',
      DOUBLE_SPEND_ATTEMPTED: 'not-accepted',
      REJECTED: 'not-accepted',
      MINED_IN_STALE_BLOCK: 'accepted',
      MINED: 'accepted',
    });
    expect(codes(null)).toBe('not-accepted');
  });

  it.each([
    ['SEEN_MULTIPLE_NODES', 'accepted', null],
    ['STUMP_PROCESSING', 'accepted', null],
    ['IMMUTABLE', 'accepted', 'COMPLETED'],
    ['PENDING_RETRY', 'network-unavailable', null],
  ] as const)('reads Arcade’s %s as %s', (status, code, final) => {
    expect([codes(saying(status)), finalStatus(saying(status))?.status ?? null]).toEqual([code, final]);
  });

  it.each(['too-long-mempool-chain', 'txn-mempool-conflict'])('doesn’t reject permanently for %s', (extraInfo) => {
    expect(finalStatus({ ...saying('REJECTED'), extraInfo })).toBeNull();
  });

  it('explains the status in the log and instructs early reporters to retry', () => {
    expect(refusal(saying('STORED'))).toMatchObject({
      message: 'The network has not accepted this transaction yet. Report it again in a moment.',
      detail: 'the network’s status is STORED',
    });
    expect(refusal(saying('REJECTED'))).toMatchObject({ detail: 'the network’s status is REJECTED' });
    expect(refusal(null)).toMatchObject({ detail: 'the network’s status is unknown' });
  });

  it('stops waiting once a status shows more than forwarding', () => {
    const early = ARC_STATUSES.filter((status) => codes(saying(status)) === 'network-unavailable');
    expect(ARC_STATUSES.filter((status) => !isDecided(saying(status)))).toEqual(early);
    expect(isDecided(null)).toBe(false);
  });

  it('ends a payment only if its transaction was mined or rejected', () => {
    const ends = ARC_STATUSES.map((status) => finalStatus(saying(status))).filter((end) => end !== null);
    expect(ends).toEqual([
      { status: 'FAILED', description: 'The network rejected the transaction.' },
      { status: 'COMPLETED', description: null },
    ]);
    expect([finalStatus(saying('REJECTED'))?.status, finalStatus(saying('MINED'))?.status]).toEqual([
      'FAILED',
      'COMPLETED',
    ]);
    expect(finalStatus(null)).toBeNull();
  });
});
