/** Tests which paymail payments are fetched and acknowledged, in which order, and when they are checked again. */
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ErrorCode } from '../../protocol/errors/service-error.ts';
import type * as Judge from '../assets/judge.ts';
import type { Outcome } from '../../protocol/network/broadcaster/outcome.ts';
import type * as Operators from '../chain/operators.ts';
import type * as Network from '../chain/network.ts';
import type * as Rates from '../chain/rates.ts';
import type * as WhatsOnChain from '../chain/whats-on-chain.ts';
import type * as Addresses from '../coins/addresses/addresses.ts';
import type * as Events from '../events.ts';
import type * as Client from '../service/client.ts';
import { setTime } from '../../testkit/wallet/clock.ts';
import { useDatabase } from '../../testkit/wallet/database.ts';
import type * as Vault from '../vault/vault.ts';
import type { ReceivedPayment } from './check.ts';
import type * as Check from './check.ts';
import type * as Notify from './notify.ts';
import type * as Records from './records.ts';
import type * as Refunds from './refunds.ts';
import type * as Store from './store.ts';
import { wallet as current } from '../../testkit/wallet/current.ts';

const NOW = Date.UTC(2026, 0, 1);
const SERVICE = 'https://service.example';
const PRICE = { currency: 'USD', price: '50', time: NOW };

const wallet = useDatabase(async () => ({
  ...(await import('./fetch.ts')),
  ...(await import('../../protocol/errors/service-error.ts')),
}));

interface Said {
  id: string;
  wrong?: ErrorCode;
  indexes?: number[];
  createdAt?: number;
}

/** Responses from the service and the network, and all events in order. */
const world = {
  service: SERVICE,
  pages: [] as { received: unknown[]; more: boolean }[],
  arc: new Map<string, string>(),
  broadcast: { kind: 'accepted' } as Outcome,
  index: new Set<string>(),
  unreadable: new Set<string>(),
  isDown: false,
  failing: '',
  events: [] as string[],
};
const note = (event: string) => void world.events.push(event);
const idsOf = (all: Iterable<string>) => [...all].join(' ');
const fail = (code: ErrorCode) => {
  throw new wallet.ServiceError(code);
};

// Other tests cover the replaced modules.
beforeAll(() => {
  vi.doMock('../vault/vault.ts', () => ({ publicKeys: async () => 'keys' as never }) satisfies Partial<typeof Vault>);
  vi.doMock('../chain/network.ts', () => ({
    networkInfo: (async () => ({
      network: 'devnet',
      serviceUrl: world.service,
      arcUrl: '',
      wocUrl: '',
    })) satisfies typeof Network.networkInfo,
  }));
  vi.doMock('../chain/operators.ts', () => ({
    transactionStatus: (async (_wallet: unknown, _, txid) => {
      note(`status ${txid}`);
      const txStatus = world.arc.get(txid);
      return txStatus === undefined ? null : ({ txid, txStatus } as never);
    }) satisfies typeof Operators.transactionStatus,
    submit: (async (_wallet: unknown, _, { rawtx, txid }) => {
      note(`broadcast ${rawtx} ${txid}`);
      return world.broadcast;
    }) satisfies typeof Operators.submit,
  }));
  vi.doMock('../chain/whats-on-chain.ts', () => ({
    transactionHex: (async (_wallet: unknown, _, txid) => {
      if (world.unreadable.has(txid)) fail('network-unavailable');
      return world.index.has(txid) ? '00' : null;
    }) satisfies typeof WhatsOnChain.transactionHex,
  }));
  vi.doMock('../chain/rates.ts', () => ({
    priceNow: (async () => PRICE) satisfies typeof Rates.priceNow,
    isRecent: ((_wallet: unknown, time) => time === NOW) satisfies typeof Rates.isRecent,
  }));
  vi.doMock('../coins/addresses/addresses.ts', () => ({
    extendChain: (async (_wallet: unknown, _, __, chain, upTo) =>
      note(`derive ${chain} ${upTo}`)) satisfies typeof Addresses.extendChain,
    extendAddresses: (async () => note('derive beyond')) satisfies typeof Addresses.extendAddresses,
  }));
  vi.doMock('../service/client.ts', () => ({
    fetchReceived: (async (_wallet: unknown, from, after) => {
      note(`fetch ${from} ${after}`);
      if (world.isDown) fail('service-unavailable');
      return (world.pages.shift() ?? { received: [], more: false }) as never;
    }) satisfies typeof Client.fetchReceived,
    acknowledgeReceived: (async (_wallet: unknown, from, ids) =>
      note(`acknowledge ${from} ${ids.join(' ')}`)) satisfies typeof Client.acknowledgeReceived,
  }));
  vi.doMock('./check.ts', () => ({
    checkReceived: (async (_wallet: unknown, given) => {
      const { id, wrong, indexes = [0], createdAt = NOW } = given as Said;
      note(`check ${id}`);
      if (wrong) fail(wrong);
      return {
        txid: `tx-${id}`,
        rawtx: `raw-${id}`,
        outputs: indexes.map((index) => ({ index })),
        createdAt,
      } as ReceivedPayment;
    }) satisfies typeof Check.checkReceived,
  }));
  vi.doMock('./store.ts', () => ({
    storeArrival: (async (_wallet: unknown, { txid }, price) =>
      note(`store ${txid} ${price?.price ?? 'without price'}`)) satisfies typeof Store.storeArrival,
  }));
  vi.doMock('../assets/judge.ts', () => ({
    verifyArrived: (async (_wallet: unknown, txids) =>
      note(`judge ${idsOf(txids)}`)) satisfies typeof Judge.verifyArrived,
  }));
  vi.doMock('./notify.ts', () => ({
    notifyUser: (async (_wallet: unknown, txids) => note(`notify ${idsOf(txids)}`)) satisfies typeof Notify.notifyUser,
  }));
  vi.doMock('./records.ts', () => ({
    readRecords: (async () => {
      note('records');
      if (world.failing === 'records') fail('wallet-unreadable');
    }) satisfies typeof Records.readRecords,
  }));
  vi.doMock('./refunds.ts', () => ({
    confirmRefunds: (async (_wallet: unknown, isNew) => {
      note(`refunds ${isNew}`);
      if (world.failing === 'refunds') fail('disk-full');
    }) satisfies typeof Refunds.confirmRefunds,
  }));
  vi.doMock('../events.ts', () => ({ announceChange: () => note('change') }) satisfies Partial<typeof Events>);
});

beforeEach(async () => {
  setTime(NOW);
  Object.assign(world, {
    service: SERVICE,
    pages: [],
    arc: new Map(),
    broadcast: { kind: 'accepted' },
    index: new Set(),
    unreadable: new Set(),
    isDown: false,
    failing: '',
    events: [],
  });
  await wallet.db.put(
    'keyval',
    { id: 'u', handle: 'alice', paymail: 'alice@service.example', name: 'Alice' },
    'account',
  );
});

async function receive(pages: unknown[][], options?: { again: boolean }): Promise<string[]> {
  world.pages = pages.map((received, i) => ({ received, more: i < pages.length - 1 }));
  world.events = [];
  await wallet.receive(current, options);
  return world.events;
}
const of = (events: string[], ...kinds: string[]) => events.filter((one) => kinds.some((kind) => one.startsWith(kind)));
const LAST = ['records', 'refunds false'];

describe('received payments', () => {
  test('a payment is checked, seen on the network, stored, announced, and acknowledged last', async () => {
    world.arc.set('tx-a', 'SEEN_ON_NETWORK');
    expect(await receive([[{ id: 'a', indexes: [3, 9, 4] }]])).toEqual([
      `fetch ${SERVICE} null`,
      'check a',
      'status tx-a',
      'derive service 9',
      'store tx-a 50',
      'change',
      'derive beyond',
      'judge tx-a',
      'change',
      'notify tx-a',
      `acknowledge ${SERVICE} a`,
      'records',
      'refunds true',
    ]);
  });

  test('nothing is fetched without an account', async () => {
    await wallet.db.delete('keyval', 'account');
    expect(await receive([[{ id: 'a' }]])).toEqual(LAST);
  });

  test('an empty response is valid', async () => {
    expect(await receive([[]])).toEqual([`fetch ${SERVICE} null`, 'judge ', 'notify ', ...LAST]);
  });

  test('a payment has the current price only if it has just arrived', async () => {
    expect(of(await receive([[{ id: 'a', createdAt: NOW - 1 }]]), 'store')).toEqual(['store tx-a without price']);
  });

  test('the payments of each response are acknowledged before the next response is fetched', async () => {
    const events = await receive([[{ id: 'a' }, { id: 'b' }], [{ id: 'c' }]]);
    expect(of(events, 'fetch', 'acknowledge', 'notify')).toEqual([
      `fetch ${SERVICE} null`,
      'notify tx-a tx-b',
      `acknowledge ${SERVICE} a b`,
      `fetch ${SERVICE} b`,
      'notify tx-c',
      `acknowledge ${SERVICE} c`,
    ]);
  });

  test.each(['records', 'refunds'])('payments are fetched after %s once couldn’t be stored', async (step) => {
    world.failing = step;
    await receive([[]]);
    world.failing = '';
    expect(of(await receive([[{ id: 'a' }]]), 'acknowledge')).toEqual([`acknowledge ${SERVICE} a`]);
  });

  test('at most a hundred responses are fetched, regardless of the service', async () => {
    const pages = Array.from({ length: 150 }, (_, i) => [{ id: `${i}` }]);
    expect(of(await receive(pages), 'fetch')).toHaveLength(100);
  });

  test.each<[string, unknown]>([
    ['no id', {}],
    ['an id that is no text', { id: 7 }],
    ['an empty id', { id: '' }],
    ['an overlong ID', { id: 'a'.repeat(101) }],
    ['nothing', null],
    ['no record', 'a'],
  ])('a payment with %s is skipped, and a response that ends with it is the last', async (_, one) => {
    const events = await receive([[one, { id: 'b'.repeat(100) }], [{ id: 'c' }, one], [{ id: 'd' }]]);
    expect(of(events, 'check')).toEqual([`check ${'b'.repeat(100)}`, 'check c']);
  });

  test('payments are acknowledged a hundred at a time', async () => {
    const ids = Array.from({ length: 230 }, (_, i) => `${i}`);
    const events = of(await receive([ids.map((id) => ({ id }))]), 'acknowledge');
    expect(events.map((one) => one.split(' ').length - 2)).toEqual([100, 100, 30]);
    expect(events.flatMap((one) => one.split(' ').slice(2))).toEqual(ids);
  });
});

describe('a transaction', () => {
  const accepted = async (status: string | null, outcome: Outcome['kind'] = 'unreachable', isKnown = false) => {
    if (status) world.arc.set('tx-a', status);
    world.broadcast = { kind: outcome, detail: '' } as Outcome;
    if (isKnown) world.index.add('tx-a');
    return of(await receive([[{ id: 'a' }]]), 'broadcast', 'store', 'acknowledge').map((one) => one.split(' ')[0]);
  };

  test('a transaction that the network has is not submitted to it', async () => {
    expect(await accepted('MINED')).toEqual(['store', 'acknowledge']);
  });

  test('a transaction that ARC lacks, or hasn’t accepted, is submitted to it', async () => {
    expect(await accepted(null, 'accepted')).toEqual(['broadcast', 'store', 'acknowledge']);
    expect(world.events).toContain('broadcast raw-a tx-a');
    expect(await accepted('REJECTED', 'accepted')).toEqual(['broadcast', 'store', 'acknowledge']);
  });

  test.each(['contested', 'refused', 'unreachable'] as const)(
    'a transaction that the index has exists, even if ARC calls it %s',
    async (kind) => {
      expect(await accepted(null, kind, true)).toEqual(['broadcast', 'store', 'acknowledge']);
    },
  );

  test('a transaction that can’t be submitted now is not stored, and is fetched again', async () => {
    expect(await accepted(null, 'unreachable')).toEqual(['broadcast']);
    expect(world.events.at(-1)).toBe('refunds false');
    expect(await accepted(null, 'accepted')).toEqual(['broadcast', 'store', 'acknowledge']);
  });

  test.each(['contested', 'refused'] as const)(
    'a transaction that is %s is not stored, and not checked again',
    async (kind) => {
      expect(await accepted(null, kind)).toEqual(['broadcast']);
      expect(await accepted(null, 'accepted')).toEqual([]);
    },
  );
});

describe('an index that fails', () => {
  const numbered = (count: number) => Array.from({ length: count }, (_, i) => ({ id: `${i}` }));
  beforeEach(() => (world.broadcast = { kind: 'contested', detail: '' }));

  test('a payment that can’t be checked delays no others, and is checked again at the next fetch', async () => {
    world.unreadable.add('tx-0');
    world.index.add('tx-0').add('tx-1').add('tx-2');
    const pages = [numbered(2), [{ id: '2' }]];
    expect(of(await receive(pages), 'store', 'acknowledge')).toEqual([
      'store tx-1 50',
      `acknowledge ${SERVICE} 1`,
      'store tx-2 50',
      `acknowledge ${SERVICE} 2`,
    ]);
    world.unreadable.clear();
    expect(of(await receive([[{ id: '0' }]]), 'acknowledge')).toEqual([`acknowledge ${SERVICE} 0`]);
  });

  test('five payments that can’t be checked delay others only until the next fetch', async () => {
    for (let i = 0; i < 5; i += 1) world.unreadable.add(`tx-${i}`);
    world.index.add('tx-5');
    expect(of(await receive([numbered(6)]), 'acknowledge')).toEqual([]);
    expect(of(await receive([numbered(6)]), 'acknowledge')).toEqual([`acknowledge ${SERVICE} 5`]);
  });

  test('a fetch ends after five consecutive payments that can’t be checked, and acknowledges earlier ones', async () => {
    for (let i = 1; i < 10; i += 1) world.unreadable.add(`tx-${i}`);
    world.index.add('tx-0').add('tx-10');
    const events = await receive([numbered(7), [{ id: '10' }]]);
    expect(of(events, 'check', 'fetch', 'acknowledge')).toEqual([
      `fetch ${SERVICE} null`,
      ...[0, 1, 2, 3, 4, 5].map((i) => `check ${i}`),
      `acknowledge ${SERVICE} 0`,
    ]);
  });
});

describe('invalid payments', () => {
  test('an invalid payment is never acknowledged, delays no others, and isn’t checked again at every fetch', async () => {
    const said = [[{ id: 'a', wrong: 'payment-mismatch' }, { id: 'b' }], [{ id: 'c' }]];
    expect(of(await receive(said), 'check', 'acknowledge')).toEqual([
      'check a',
      'check b',
      `acknowledge ${SERVICE} b`,
      'check c',
      `acknowledge ${SERVICE} c`,
    ]);
    expect(of(await receive([[{ id: 'a' }]]), 'check')).toEqual([]);
    expect(of(await receive([[{ id: 'a' }]], { again: true }), 'check')).toEqual(['check a']);
    expect(of(await receive([[{ id: 'a', wrong: 'payment-mismatch' }]]), 'check')).toEqual(['check a']);
    expect(of(await receive([[{ id: 'a' }]]), 'check')).toEqual([]);
  });

  test('a payment that is invalid at one service is checked again at another', async () => {
    await receive([[{ id: 'a', wrong: 'invalid-transaction' }]]);
    world.service = 'https://other.example';
    expect(of(await receive([[{ id: 'a' }]]), 'check', 'acknowledge')).toEqual([
      'check a',
      'acknowledge https://other.example a',
    ]);
  });

  test('at most a thousand invalid payments are remembered', async () => {
    const wrong = (from: number, count: number) =>
      Array.from({ length: count }, (_, i) => ({ id: `${from + i}`, wrong: 'payment-mismatch' }));
    await receive([wrong(0, 1000)]);
    expect(of(await receive([[{ id: '0' }]]), 'check')).toEqual([]);
    await receive([wrong(1000, 1)]);
    expect(of(await receive([[{ id: '0' }, { id: '1000' }]]), 'check')).toEqual(['check 0']);
  });

  test('a failure of the wallet, not of the payment, ends the fetch', async () => {
    const events = await receive([[{ id: 'a' }, { id: 'b', wrong: 'wallet-not-set-up' }, { id: 'c' }]]);
    expect(of(events, 'check', 'acknowledge')).toEqual(['check a', 'check b']);
    expect(events.slice(-2)).toEqual(LAST);
    expect(of(await receive([[{ id: 'a' }, { id: 'b' }]]), 'acknowledge')).toEqual([`acknowledge ${SERVICE} a b`]);
  });

  test('a failure of the service ends the fetch until the next one', async () => {
    world.isDown = true;
    expect(await receive([[{ id: 'a' }]])).toEqual([`fetch ${SERVICE} null`, ...LAST]);
  });
});

describe('calls during a fetch', () => {
  test('calls during a fetch start one more fetch together', async () => {
    const calls = [wallet.receive(current), wallet.receive(current), wallet.receive(current)];
    expect(new Set(calls).size).toBe(1);
    await Promise.all(calls);
    // The first call hadn't requested payments yet when the other calls were made, so one more fetch serves them all.
    expect(of(world.events, 'fetch')).toHaveLength(2);
    await wallet.receive(current);
    expect(of(world.events, 'fetch')).toHaveLength(3);
  });

  test('calls during a fetch retry earlier invalid payments, but not those found invalid by the current fetch', async () => {
    await receive([[{ id: 'a', wrong: 'payment-mismatch' }]]);
    world.pages = [
      { received: [], more: false },
      { received: [{ id: 'a' }], more: false },
    ];
    world.events = [];
    await Promise.all([wallet.receive(current), wallet.receive(current, { again: true })]);
    expect(of(world.events, 'check')).toEqual(['check a']);
  });
});
