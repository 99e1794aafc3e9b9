/** Tests which outputs in applications' baskets one refresh checks, and the results it records. */
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { AppOutput } from '../baskets/app-output.ts';
import type { NewOutput } from '../baskets/outputs.ts';
import type { NetworkInfo } from '../chain/network-info.ts';
import type * as Spv from '../chain/headers/spv.ts';
import type * as Events from '../events.ts';
import { setTime } from '../../testkit/wallet/clock.ts';
import { useDatabase } from '../../testkit/wallet/database.ts';
import { wallet } from '../../testkit/wallet/current.ts';

const NOW = Date.UTC(2026, 0, 1);
const DAY = 24 * 3600_000;

const scan = useDatabase(async () => ({
  ...(await import('./basket-spend-check.ts')),
  ...(await import('./scan-progress.ts')),
  ...(await import('./work.ts')),
  ...(await import('../baskets/outputs.ts')),
  ...(await import('../../protocol/errors/service-error.ts')),
}));

/** The network's reports about outputs, by output number, and the requests it received. */
const network = {
  spent: new Set<number>(),
  mined: new Set<number>(),
  /** Outputs with scripts that the wallet can't read, and outputs for which the check fails. */
  unreadable: new Set<number>(),
  failing: new Set<number>(),
  areBlocksDown: false,
  asked: [] as number[],
  rivals: [] as number[],
};
const announceChange = vi.fn<typeof Events.announceChange>();

// wallet/chain/headers/spv.test.ts tests how spenders are found.
beforeAll(() => {
  vi.doMock('../chain/headers/spv.ts', () => ({
    coinsSpentWith: (async (_wallet: unknown, _, coin) => {
      const n = Number(coin.txid);
      network.asked.push(n);
      if (coin.vout !== n || coin.satoshis !== BigInt(n) || coin.script !== 'script')
        throw new TypeError('another one');
      if (network.failing.has(n)) throw new scan.ServiceError('network-unavailable');
      if (network.unreadable.has(n)) throw new scan.ServiceError('invalid-proof');
      return network.spent.has(n) ? [coin] : [];
    }) satisfies typeof Spv.coinsSpentWith,
    minedRival: (async (_wallet: unknown, _, { txid, vout }) => {
      if (Number(txid) !== vout) throw new TypeError('another one');
      network.rivals.push(vout);
      if (network.areBlocksDown) throw new scan.ServiceError('network-unavailable');
      return network.mined.has(vout) ? { spender: 'rival', transaction: {} as never, block: {} as never } : null;
    }) satisfies typeof Spv.minedRival,
  }));
  vi.doMock('../events.ts', () => ({ announceChange }) satisfies Partial<typeof Events>);
});

let work: InstanceType<typeof scan.Work>;
beforeEach(() => {
  setTime(NOW);
  vi.spyOn(Math, 'random').mockReturnValue(0);
  announceChange.mockReset();
  for (const set of [network.spent, network.mined, network.unreadable, network.failing]) set.clear();
  Object.assign(network, { areBlocksDown: false, asked: [], rivals: [] });
});

const placeOf = (n: number) => `${String(n).padStart(64, '0')}:${n}`;
const numberOf = (place: string) => Number(place.split(':')[1]);
const keep = (numbers: number[], more: Partial<NewOutput> = {}) =>
  scan.write(async (tx) => {
    for (const n of numbers)
      await scan.storeOutput(wallet, tx, {
        outpoint: placeOf(n),
        satoshis: BigInt(n),
        script: 'script',
        basket: 'things',
        tags: [],
        customInstructions: null,
        description: '',
        origin: 'https://app.example',
        status: 'available',
        madeBy: null,
        ...more,
      });
  });
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
async function look(): Promise<number[]> {
  network.asked = [];
  network.rivals = [];
  work = new scan.Work(wallet);
  await scan.checkBasketSpends(wallet, {} as NetworkInfo, work);
  return network.asked;
}
const stored = async (n: number) => (await scan.db.getFromIndex('appOutputs', 'outpoint', placeOf(n))) as AppOutput;
const statusOf = async (n: number) => (await stored(n)).status;
const watched = async () =>
  ((await scan.readProgress(wallet)).kept?.spent ?? []).map(({ outpoint, origin, until }) => [
    numberOf(outpoint),
    origin,
    until - NOW,
  ]);

describe('a check of kept outputs', () => {
  test('a check makes no request without outputs', async () => {
    expect(await look()).toEqual([]);
    expect(await scan.db.get('keyval', 'scan')).toBeUndefined();
  });

  test('a check takes the next ten outputs in rotation', async () => {
    await keep(range(1, 25));
    expect([await look(), await look(), await look(), await look()]).toEqual([
      range(1, 10),
      range(11, 20),
      range(21, 25),
      range(1, 10),
    ]);
  });

  test('a check starts with the outputs that sites were just shown, each once and some of each site', async () => {
    await keep(range(1, 60));
    await keep([70], { origin: 'https://other.example' });
    scan.checkSoon(wallet, 'https://app.example', range(15, 55).map(placeOf));
    scan.checkSoon(wallet, 'https://app.example', [placeOf(15)]);
    scan.checkSoon(wallet, 'https://other.example', [placeOf(70)]);
    expect(await look()).toEqual([15, 70, ...range(16, 33), ...range(1, 10)]);
    expect(await look()).toEqual([...range(34, 53), ...range(11, 20)]);
    expect(await look()).toEqual([54, 55, ...range(21, 30)]);
  });

  test('a single kept output that was just shown is checked once', async () => {
    await keep([1]);
    scan.checkSoon(wallet, 'https://app.example', [placeOf(1)]);
    expect(await look()).toEqual([1]);
  });

  test('a check takes two requests per output while requests remain, and the next check continues there', async () => {
    await keep(range(1, 25));
    const lookWith = async (requests: number) => {
      network.asked = [];
      work = new scan.Work(wallet);
      work.checks.took(100 - requests);
      await scan.checkBasketSpends(wallet, {} as NetworkInfo, work);
      return network.asked;
    };
    expect([await lookWith(5), await lookWith(0), await lookWith(4)]).toEqual([[1, 2, 3], [], [4, 5]]);
    network.failing = new Set(range(1, 25));
    expect(await look()).toEqual(range(6, 10));
    expect(await look()).toEqual(range(11, 15));
    network.failing.clear();
    expect([await look(), await look()]).toEqual([range(16, 25), range(1, 10)]);
  });

  test('a check starts over after a check that ended the rotation with the last output', async () => {
    await keep(range(1, 20));
    expect([await look(), await look(), await look()]).toEqual([range(1, 10), range(11, 20), range(1, 10)]);
  });

  test('a check skips outputs that belong to a payment', async () => {
    await keep([1], { status: 'pending' });
    await keep([2, 3]);
    await scan.write((tx) =>
      scan.reserveOutput(wallet, tx, placeOf(2), { id: 'payment', origin: 'https://app.example' }),
    );
    await scan.write((tx) => scan.spendOutput(wallet, tx, placeOf(3), { id: 'payment', height: null }));
    scan.checkSoon(wallet, 'https://app.example', [1, 2, 3, 4].map(placeOf));
    network.spent = new Set([1, 2, 3]);
    expect(await look()).toEqual([]);
    expect([await statusOf(1), await statusOf(2), await statusOf(3)]).toEqual(['pending', 'reserved', 'spent']);
    expect(await watched()).toEqual([]);
  });

  test('a check finds a spent output, which is no longer offered and is watched for a day', async () => {
    await keep([1, 2]);
    network.spent.add(2);
    await look();
    expect([await statusOf(1), await statusOf(2)]).toEqual(['available', 'spent']);
    expect(await watched()).toEqual([[2, 'https://app.example', DAY]]);
    expect([...(await scan.watchedOutputs(wallet))]).toEqual([placeOf(2)]);
    expect(announceChange).toHaveBeenCalledTimes(1);
    announceChange.mockReset();
    await look();
    expect(announceChange).not.toHaveBeenCalled();
  });

  test('a check decides nothing about an unreadable script before a block does', async () => {
    await keep([1]);
    network.unreadable.add(1);
    await look();
    expect([await statusOf(1), work.faults]).toEqual(['available', []]);
    expect(announceChange).not.toHaveBeenCalled();
  });

  test('a failure at one output hides no others', async () => {
    await keep([1, 2]);
    network.failing.add(1);
    network.spent.add(2);
    await look();
    expect([await statusOf(1), await statusOf(2)]).toEqual(['available', 'spent']);
  });
});

describe('outputs found spent', () => {
  beforeEach(async () => {
    await keep([1, 2]);
    network.spent.add(1);
    await look();
  });

  test('an output is available again once nothing spends it, and stays watched until the day is over', async () => {
    network.spent.clear();
    expect(await look()).toEqual([2, 1]);
    expect(await statusOf(1)).toBe('available');
    expect(await watched()).toEqual([[1, 'https://app.example', DAY]]);
  });

  test('an output is checked for a day, and then until a block contains the spender', async () => {
    setTime(NOW + DAY - 1);
    expect(await look()).toEqual([2, 1]);
    expect(network.rivals).toEqual([]);
    expect(await watched()).toEqual([[1, 'https://app.example', DAY]]);
    setTime(NOW + DAY);
    await look();
    expect(network.rivals).toEqual([1]);
    expect(await watched()).toEqual([[1, 'https://app.example', 2 * DAY]]);
    const logged = async () => (await scan.db.getAll('appLog')).map(({ entry }) => entry.kind);
    expect(await logged()).toEqual(['output', 'output']);
    network.mined.add(1);
    setTime(NOW + 2 * DAY);
    await look();
    expect(await watched()).toEqual([]);
    expect((await logged()).toSorted()).toEqual(['output', 'output-gone']);
    expect(await look()).toEqual([2]);
    expect(await statusOf(1)).toBe('spent');
  });

  test('outputs stay watched if no block can be requested', async () => {
    setTime(NOW + DAY);
    network.areBlocksDown = true;
    await look();
    expect(network.rivals).toEqual([1]);
    expect(await watched()).toEqual([[1, 'https://app.example', 2 * DAY]]);
  });

  test('an output is no longer watched after that day if it is available again', async () => {
    network.spent.clear();
    setTime(NOW + DAY);
    await look();
    expect(network.rivals).toEqual([]);
    expect(await watched()).toEqual([]);
  });

  test('an output is forgotten if it is no longer kept', async () => {
    const output = await stored(1);
    await scan.write((tx) => scan.dropOutput(wallet, tx, output));
    await look();
    expect(await watched()).toEqual([]);
  });

  test('an output is recorded before it counts as spent, once, so a killed worker’s successor watches it', async () => {
    network.spent.clear();
    await look(); // makes output 1 available again
    setTime(NOW + 5);
    network.spent = new Set([1, 2]);
    const noted: unknown[] = [];
    const put = IDBObjectStore.prototype.put;
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, value, key) {
      if (key === 'scan') noted.push(value.kept.spent);
      if (this.name === 'appOutputs') noted.push(numberOf(value.outpoint));
      return put.call(this, value, key as IDBValidKey);
    });
    await look();
    const [one, two] = [1, 2].map((n) => ({
      outpoint: placeOf(n),
      origin: 'https://app.example',
      until: NOW + 5 + DAY,
    }));
    expect(noted.slice(0, 4)).toEqual([[one], 1, [one, two], 2]);
  });

  test('a block is requested for an output only once the output has been watched for a day', async () => {
    setTime(NOW + 5);
    network.spent.add(2);
    await look();
    setTime(NOW + DAY);
    await look();
    expect(network.rivals).toEqual([1]);
  });
});

test('the last found outputs of each site are watched, two hundred in all', async () => {
  const other = 'https://other.example';
  const spent = (from: number, count: number, origin: string) =>
    range(from, from + count - 1).map((n) => ({ outpoint: placeOf(n), origin, until: NOW + DAY }));
  await keep([900]);
  await scan.noteProgress(wallet, {
    kept: { spent: [...spent(1, 5, other), ...spent(300, 250, 'https://app.example')] },
  });
  // Most outputs are left for later refreshes.
  work = new scan.Work(wallet);
  work.checks.took(99);
  await scan.checkBasketSpends(wallet, {} as NetworkInfo, work);
  const kept = await watched();
  expect(kept).toHaveLength(200);
  expect(kept.filter(([, origin]) => origin === other).map(([n]) => n)).toEqual(range(1, 5));
  const greedy = kept.filter(([, origin]) => origin !== other).map(([n]) => n as number);
  expect(greedy.toSorted((a, b) => a - b)).toEqual(range(355, 549));
});
