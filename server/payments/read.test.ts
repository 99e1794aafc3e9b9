/** Payment lists from a real PostgreSQL, compared with filtering and sorting in memory. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { CryptoResult } from '../../protocol/payments/payment.ts';
import { codeOf, codeThrownBy } from '../../testing/code-of.ts';
import { useTestDatabase } from '../database/testing.ts';
import {
  countUserPayments,
  listPayments,
  readCursor,
  readPayment,
  writeCursor,
  type Filters,
  type PageRequest,
} from './read.ts';
import type { StoredPayment } from './stored-payment.ts';
import { insertPayment, insertReceived, insertUser, storedOutput } from './testing-payments.ts';
import type { Reader } from './visibility.ts';

type Payment = StoredPayment['payment'];

const database = useTestDatabase();
const at = (minute: number) => new Date(Date.UTC(2027, 4, 2, 10, minute));

describe('lists of payments', () => {
  let [ann, ben]: number[] = [];
  let all: { payment: Payment; recipients: number[] }[] = [];

  beforeAll(async () => {
    [ann, ben] = [await insertUser(database.db, 'ann'), await insertUser(database.db, 'ben')];
    const made: [userId: number | null, client: string | null, recipients: number[]][] = [
      [ann, null, []],
      [ann, 'shop', []],
      [null, 'shop', [ann]],
      [ben, null, [ann]],
      // A payment to oneself, at two destinations.
      [ann, 'other', [ann, ann]],
      [ben, 'other', []],
      [null, null, [ben]],
      [ben, 'shop', [ann]],
      [ann, null, []],
    ];
    for (const [i, [userId, clientIdentifier, recipients]] of made.entries()) {
      // Three payments per timestamp.
      const createdAt = at(Math.floor(i / 3));
      const payment = await insertPayment(
        database.db,
        {
          userId,
          clientIdentifier,
          createdAt,
          buttonId: i % 2 === 0 ? 'even' : 'odd',
          status: i % 4 === 0 ? 'COMPLETED' : 'RECEIVED',
        },
        // Payments 3 and 7 were reported, but not delivered. Payment 4 was both.
        i > 2 && i !== 6 ? recipients.map((recipientId) => ({ recipientId, paymentCreatedAt: createdAt })) : [],
      );
      if (i % 2 === 0) for (const recipient of recipients) await insertReceived(database.db, recipient, payment);
      all.push({ payment, recipients });
    }
    all = all.sort(
      (a, b) => a.payment.createdAt.getTime() - b.payment.createdAt.getTime() || (a.payment.id < b.payment.id ? -1 : 1),
    );
  });

  const readers = (): Reader[] => [
    { userId: ann as number, clientIdentifiers: [] },
    { userId: ann as number, clientIdentifiers: ['other', 'shop'] },
    { userId: ben as number, clientIdentifiers: ['nothing'] },
    { userId: null, clientIdentifiers: ['shop'] },
    { userId: null, clientIdentifiers: [] },
  ];
  const expected = ({ userId, clientIdentifiers }: Reader, filters: Filters, oldestFirst = false) => {
    const found = all
      .filter(
        ({ payment, recipients }) =>
          (userId !== null && (payment.userId === userId || recipients.includes(userId))) ||
          clientIdentifiers.includes(String(payment.clientIdentifier)),
      )
      .map(({ payment }) => payment)
      .filter(
        (payment) =>
          (filters.buttonId ?? payment.buttonId) === payment.buttonId &&
          (filters.status ?? payment.status) === payment.status &&
          (filters.txid ?? payment.txid) === payment.txid,
      )
      .map(({ id }) => id);
    return oldestFirst ? found : found.toReversed();
  };
  const list = async (reader: Reader, part: PageRequest, filters: Filters = {}) => {
    const { payments, more } = await listPayments(database.db, reader, filters, part);
    return [payments.map(({ payment }) => payment.id), more];
  };

  it('lists the payments that a reader sent, received or made, each once, with filters and in both orders', async () => {
    const [one] = all as [(typeof all)[0]];
    const wanted: Filters[] = [
      {},
      { buttonId: 'even' },
      { status: 'COMPLETED' },
      { status: 'FAILED' },
      { txid: one.payment.txid },
      { buttonId: 'odd', status: 'RECEIVED' },
    ];
    for (const reader of readers())
      for (const filters of wanted)
        for (const oldestFirst of [false, true])
          expect(
            await list(reader, { limit: 50, oldestFirst }, filters),
            JSON.stringify([reader, filters, oldestFirst]),
          ).toEqual([expected(reader, filters, oldestFirst), false]);
    // By default, lists start with the newest payment.
    const [, both] = readers() as [Reader, Reader];
    expect(await list(both, { limit: 50 })).toEqual([expected(both, {}), false]);
  });

  it("lists nothing for a status that doesn't exist", async () => {
    const [, both] = readers() as [Reader, Reader];
    expect(await list(both, { limit: 50 }, { status: `x' or true --` as 'FAILED' })).toEqual([[], false]);
  });

  it('pages by offset and by cursor without losing or repeating a payment', async () => {
    const limit = 2;
    for (const reader of readers().slice(0, 2))
      for (const oldestFirst of [false, true]) {
        const ids = expected(reader, {}, oldestFirst);
        for (let offset = 0; offset <= ids.length; offset += limit) {
          const part = [ids.slice(offset, offset + limit), ids.length > offset + limit];
          const after = all.find(({ payment }) => payment.id === ids[offset - 1])?.payment;
          const about = JSON.stringify([reader, oldestFirst, offset]);
          expect(await list(reader, { limit, offset, oldestFirst }), about).toEqual(part);
          expect(await list(reader, { limit, after, oldestFirst }), about).toEqual(part);
        }
      }
  });

  it('counts payments once each, up to a maximum', async () => {
    for (const { userId } of readers())
      for (const filters of [
        {},
        { buttonId: 'odd' },
        { status: 'COMPLETED' },
        { status: 'FAILED' },
      ] satisfies Filters[])
        if (userId !== null) {
          const n = expected({ userId, clientIdentifiers: [] }, filters).length;
          for (const most of [1, 2, 100])
            expect(await countUserPayments(database.db, userId, filters, most)).toBe(Math.min(most, n));
        }
  });
});

describe('one payment', () => {
  it('reads a payment by its own ID or the ID of its receipt, in upper or lower case', async () => {
    const ann = await insertUser(database.db, 'anna');
    const { id, ...payment } = await insertPayment(database.db, { userId: ann }, [{ amount: '1' }, { amount: '2' }]);
    const received = await insertReceived(database.db, ann, { id, ...payment });
    const reader: Reader = { userId: ann, clientIdentifiers: [] };
    for (const one of [id, id.toUpperCase(), received, received.toUpperCase()]) {
      const found = await readPayment(database.db, reader, one);
      expect([found.payment.id, found.outputs.map(({ amount }) => amount)], one).toEqual([id, ['1', '2']]);
    }
    const nobody: Reader = { userId: ann + 1, clientIdentifiers: ['shop'] };
    for (const [who, one] of [
      [nobody, id],
      [nobody, received],
      [reader, randomUUID()],
      [reader, 'x'],
      [reader, `${id}0`],
      [reader, `0${id}`],
    ] as const)
      expect(await codeOf(readPayment(database.db, who, one)), one).toBe('not-found');
  });
});

describe('a listed payment', () => {
  const listed = async (change: Partial<Payment>, outputs: Partial<StoredPayment['outputs'][number]>[] = []) => {
    const clientIdentifier = randomUUID();
    const stored = await insertPayment(database.db, { ...change, clientIdentifier }, outputs);
    const { payments } = await listPayments(
      database.db,
      { userId: null, clientIdentifiers: [clientIdentifier] },
      {},
      { limit: 1 },
    );
    const [found] = payments;
    if (!found) throw new Error('not listed');
    return { ...found, stored };
  };

  it('contains the whole payment, with its outputs in order', async () => {
    const scripts = [{ script: '6a', satoshis: '1' }];
    const outputs = ['c', 'a', 'b'].map((amount, i) => ({ amount, scripts, ...(i === 1 && { script: '51' }) }));
    const { payment, rawtxListed, outputs: found, stored } = await listed({}, outputs);
    expect({ ...payment, rawtx: [...payment.rawtx] }).toEqual({ ...stored, rawtx: [...stored.rawtx] });
    expect(rawtxListed).toBe(true);
    const given = (i: number) => storedOutput({ ...outputs[i], paymentId: payment.id, position: i, scripts: [] });
    expect(found).toEqual([given(0), given(1), given(2)]);
  });

  it('omits a transaction of more than 100,000 bytes', async () => {
    const [short, long] = [
      await listed({ rawtx: new Uint8Array(100_000) }),
      await listed({ rawtx: new Uint8Array(100_001) }),
    ];
    expect([short.payment.rawtx.length, short.rawtxListed]).toEqual([100_000, true]);
    expect([long.payment.rawtx.length, long.rawtxListed]).toEqual([0, false]);
  });

  it("omits long scripts, and scripts of recipients who aren't users here", async () => {
    const [ann, scripts] = [await insertUser(database.db, 'annie'), [{ script: '6a', satoshis: '1' }]];
    const { outputs } = await listed({}, [
      { to: 'a'.repeat(1000), script: 'b'.repeat(1000), scripts },
      { to: 'a'.repeat(1001), script: 'b'.repeat(1001), scripts, recipientId: ann },
    ]);
    expect(outputs.map(({ to, script, scripts: given }) => [to, script, given])).toEqual([
      ['a'.repeat(1000), 'b'.repeat(1000), []],
      [`${'a'.repeat(1000)}…`, null, scripts],
    ]);
  });

  it('omits long data of operations, which keep their order', async () => {
    const operation = (id: string, data: string) => ({ id, method: 'sign', data, value: 'v' }) as CryptoResult;
    const { payment } = await listed({
      cryptoOperations: [operation('b', 'short'), operation('a', 'x'.repeat(5_000)), operation('c', 'y')],
    });
    expect(payment.cryptoOperations).toEqual([
      operation('b', 'short'),
      { ...operation('a', ''), data: null, value: null },
      operation('c', 'y'),
    ]);
  });
});

describe('a list’s cursor', () => {
  const place = { createdAt: at(7), id: '4688d904-3256-4d40-b4b4-5a9857e0a655' };

  it('round-trips as text', () => {
    expect(readCursor(writeCursor(place))).toEqual(place);
    expect(writeCursor(place)).toMatch(/^[\w-]+$/);
    expect(readCursor(writeCursor({ ...place, createdAt: new Date(0) })).createdAt).toEqual(new Date(0));
  });

  it.each([
    '',
    'nonsense',
    `2027-05-02T10:07:00.000Z`,
    ` ${place.id}`,
    `2027-05-02T10:07:00.000Z ${place.id} `,
    `2027-05-02T10:07:00.000Z ${place.id} more`,
    `2027-05-02T10:07:00.000Z ${place.id}0`,
    `2027-05-02T10:07:00.000Z 0${place.id}`,
    `2027-05-02T10:07:00Z ${place.id}`,
    `2027-05-02 ${place.id}`,
    `2027-02-30T10:07:00.000Z ${place.id}`,
    `+012027-05-02T10:07:00.000Z ${place.id}`,
    `1969-12-31T23:59:59.999Z ${place.id}`,
    `0000-05-02T10:07:00.000Z ${place.id}`,
    `2027-05-02T12:07:00.000+02 ${place.id}`,
  ])('rejects “%s”', (text) => {
    const cursor = Buffer.from(text).toString('base64url');
    expect(codeThrownBy(() => readCursor(cursor))).toBe('invalid-request');
    expect(() => readCursor(cursor)).toThrow('The cursor must be one returned by the list.');
  });
});
