/** Tests which transactions the service is queried about and when, and which parts of its response are stored. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import type { ReceivedRecord } from '../../protocol/http/records.ts';
import type * as Network from '../chain/network.ts';
import { ranked } from '../coins/coin.ts';
import type { Receipt } from '../coins/receipts/receipt.ts';
import type * as Events from '../events.ts';
import type * as Client from '../service/client.ts';
import { setTime } from '../../testkit/wallet/clock.ts';
import { testCoin, testReceipt, testScript } from '../../testkit/wallet/coins.ts';
import { useDatabase } from '../../testkit/wallet/database.ts';
import { wallet as current } from '../../testkit/wallet/current.ts';

const NOW = Date.UTC(2026, 0, 1);
/** Delay after a failed request (milliseconds). */
const WAIT = 60_000;
const TXID = 'aa'.repeat(32);
const SCRIPT = toHex(testScript(0));

const world = {
  sent: [] as unknown[],
  received: [] as unknown[],
  isDown: false,
  asked: [] as (readonly string[])[],
  /** Called while the service responds. */
  meanwhile: async () => {},
  changes: 0,
};

const wallet = useDatabase(async () => {
  vi.doMock('../chain/network.ts', () => ({
    networkInfo: (async () => ({
      network: 'testnet',
      serviceUrl: '',
      arcUrl: '',
      wocUrl: '',
    })) satisfies typeof Network.networkInfo,
  }));
  vi.doMock('../service/client.ts', () => ({
    listRecords: (async (_wallet: unknown, txids) => {
      world.asked.push(txids);
      if (world.isDown) throw new Error('nobody there');
      await world.meanwhile();
      return { sent: world.sent, received: world.received };
    }) satisfies typeof Client.listRecords,
  }));
  vi.doMock(
    '../events.ts',
    () => ({ announceChange: () => void (world.changes += 1) }) satisfies Partial<typeof Events>,
  );
  return { ...(await import('./records.ts')), ...(await import('../store/database.ts')) };
});

beforeEach(async () => {
  setTime(NOW);
  Object.assign(world, { sent: [], received: [], isDown: false, asked: [], meanwhile: async () => {}, changes: 0 });
  await wallet.writeKey(current, 'account', { id: 'u', handle: 'ann', paymail: 'ann@pay.example', name: '' });
});

const put = (more: Partial<Receipt> = {}) => wallet.db.put('receipts', testReceipt({ unasked: 1, ...more }));
const stored = () => wallet.db.get('receipts', TXID) as Promise<Receipt>;
const counts = () => world.asked.map(({ length }) => length);
async function putMany(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) await put({ txid: n.toString(16).padStart(64, '0') });
}

describe('queries to the service', () => {
  test('unknown transactions are queried once', async () => {
    await put();
    await put({ txid: 'bb'.repeat(32), unasked: undefined as never });
    await wallet.readRecords(current);
    await wallet.readRecords(current);
    expect([world.asked, world.changes]).toEqual([[[TXID]], 1]);
    expect(await stored()).toEqual(testReceipt());
  });

  test('fifty transactions are queried per request, in ten consecutive requests, and the rest next time', async () => {
    await putMany(520);
    await wallet.readRecords(current);
    expect([counts(), world.changes]).toEqual([Array(10).fill(50), 10]);
    await wallet.readRecords(current);
    expect(counts().slice(10)).toEqual([20]);
    expect(new Set(world.asked.flat()).size).toBe(520);
  });

  test('no query is made without an account', async () => {
    await put();
    await wallet.deleteKey(current, 'account');
    await wallet.readRecords(current);
    expect(world.asked).toEqual([]);
  });

  test('a failed query is repeated a minute later', async () => {
    await put();
    world.isDown = true;
    await wallet.readRecords(current);
    world.isDown = false;
    setTime(NOW + WAIT - 1);
    await wallet.readRecords(current);
    expect([counts(), world.changes]).toEqual([[1], 0]);
    expect((await stored()).unasked).toBe(1);
    setTime(NOW + WAIT);
    await wallet.readRecords(current);
    expect(world.asked).toEqual([[TXID], [TXID]]);
    expect((await stored()).unasked).toBeUndefined();
  });
});

const SPENT: Partial<Receipt> = {
  spent: { feeSatoshis: 10n, count: 1, paid: [{ address: null, satoshis: 7n }] },
};
const sent = (label: string, more: object = {}) => ({
  txid: TXID,
  origin: null,
  clientIdentifier: null,
  label,
  buttonId: null,
  buttonData: null,
  refundOf: null,
  outputs: [{ type: 'SCRIPT', to: '', scripts: [{ script: '51', satoshis: '7' }] }],
  ...more,
});

describe('records of a payment', () => {
  const labelAfter = async (records: unknown[], more: Partial<Receipt> = {}) => {
    await put({ ...SPENT, ...more });
    world.sent = records;
    await wallet.readRecords(current);
    return (await stored()).record?.label;
  };

  test('the first record with its ID is stored, and invalid ones hide no others', async () => {
    expect(
      await labelAfter([
        7,
        null,
        sent('x', { origin: 7 }),
        sent('other', { txid: 'bb'.repeat(32) }),
        sent('A'),
        sent('B'),
      ]),
    ).toBe('A');
  });

  test('an earlier record is removed if the service no longer has one', async () => {
    const record = { origin: null, clientIdentifier: null, outputs: [], label: 'old' } as unknown as Receipt['record'];
    expect(await labelAfter([], { record: record! })).toBeUndefined();
    expect(await stored()).toEqual(testReceipt(SPENT));
  });

  test('a record of received money isn’t a payment’s record', async () => {
    await put(SPENT);
    world.received = [received()];
    await wallet.readRecords(current);
    expect(await stored()).toEqual(testReceipt(SPENT));
  });

  test('nothing is stored for a payment that is gone when the response arrives', async () => {
    await put(SPENT);
    world.sent = [sent('A')];
    world.meanwhile = () => wallet.db.delete('receipts', TXID);
    await wallet.readRecords(current);
    expect(await stored()).toBeUndefined();
    expect(world.changes).toBe(1);
  });
});

const received = (more: Partial<ReceivedRecord> = {}): ReceivedRecord => ({
  txid: TXID,
  scripts: [{ script: SCRIPT, satoshis: '700' }],
  sender: 'Bob@Two.example',
  senderVerified: true,
  note: 'for lunch',
  ...more,
});

describe('records of received money', () => {
  const coin = (satoshis: bigint, vout = 0, txid = TXID) =>
    wallet.db.put('coins', ranked(testCoin(satoshis, { vout, txid })));
  const after = async (records: unknown[], more: Partial<Receipt> = {}) => {
    await put(more);
    world.received = records;
    await wallet.readRecords(current);
    return stored();
  };
  const BOB = { sender: { paymail: 'bob@two.example', verified: true }, note: 'for lunch', notified: true };

  test('sender and note are stored, and no notification is shown for past payments', async () => {
    await coin(700n);
    expect(
      await after([{}, received({ txid: 'bb'.repeat(32), note: 'other' }), received(), received({ note: 'B' })]),
    ).toEqual(testReceipt(BOB));
  });

  test('a sender may be unverified, without a name or not a paymail, and an empty note is dropped', async () => {
    await coin(700n);
    expect(await after([received({ senderVerified: false })])).toMatchObject({ sender: { verified: false } });
    for (const sender of [null, 'the tax office'])
      expect(await after([received({ sender, note: '' })])).toEqual(
        testReceipt({ sender: null, note: null, notified: true }),
      );
    expect(await after([received({ note: null })])).toMatchObject({ note: null });
  });

  test('known data stays unchanged', async () => {
    await coin(700n);
    const known = { sender: null, note: null };
    expect(await after([received()], known)).toEqual(testReceipt(known));
    expect(await after([received()], { note: 'mine' })).toEqual(testReceipt({ ...BOB, note: 'mine' }));
  });

  test('each output of a record must be one of the wallet’s coins, of that transaction and amount', async () => {
    await coin(700n);
    const wrong = [
      [],
      [{ script: SCRIPT, satoshis: '701' }],
      [{ script: toHex(testScript(1)), satoshis: '700' }],
      [
        { script: SCRIPT, satoshis: '700' },
        { script: SCRIPT, satoshis: '50' },
      ],
    ];
    for (const scripts of wrong) expect(await after([received({ scripts })])).toEqual(testReceipt());
    await coin(50n, 0, 'bb'.repeat(32));
    expect(await after([received({ scripts: wrong[3]! })])).toEqual(testReceipt());
    await coin(50n, 1);
    expect(await after([received({ scripts: wrong[3]! })])).toEqual(testReceipt(BOB));
  });

  test('a hundred coins of one address are checked', async () => {
    for (let n = 0; n < 100; n += 1) await coin(5n, n, '00'.repeat(32));
    await coin(700n);
    expect(await after([received()])).toEqual(testReceipt());
    await wallet.db.delete('coins', `${'00'.repeat(32)}:0`);
    expect(await after([received()])).toEqual(testReceipt(BOB));
  });
});
