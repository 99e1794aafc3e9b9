import { expect, test } from 'vitest';
import { readEvents, type TransactionEvent } from './events.ts';

const TXID = 'ab'.repeat(32);
const frame = (id: string, txStatus: string, end = '\n') =>
  `id: ${id}${end}event: status${end}data: {"txid":"${TXID}","txStatus":"${txStatus}"}${end}${end}`;

async function read(text: string, size = text.length): Promise<TransactionEvent[]> {
  const bytes = new TextEncoder().encode(text);
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.slice(at, at + size));
  }
  const events: TransactionEvent[] = [];
  for await (const event of readEvents(pieces())) events.push(event);
  return events;
}

test.each([1, 2, 7, 1000])('events are parsed in chunks of %i bytes', async (size) => {
  const text = `: keepalive\n\n${frame('1', 'RECEIVED')}${frame('2', 'MINED', '\r\n')}`;
  expect((await read(text, size)).map(({ id, transaction }) => [id, transaction.txStatus])).toEqual([
    ['1', 'RECEIVED'],
    ['2', 'MINED'],
  ]);
});

test('an unreadable event is skipped', async () => {
  const events = await read(`id: 1\ndata: {"txid"\n\nid: 2\ndata:\n\n${frame('3', 'SEEN_ON_NETWORK')}`);
  expect(events.map(({ id }) => id)).toEqual(['3']);
});

test('an event that the end of the stream cuts off is skipped', async () => {
  expect(await read(frame('1', 'MINED').slice(0, -1))).toEqual([]);
});

test('an endless event is an error', async () => {
  await expect(read(`data: ${'x'.repeat(2_000_000)}`, 50_000)).rejects.toThrow('too long');
});

test('an event of endless empty data lines is an error', async () => {
  await expect(read('data:\n'.repeat(1_100_000), 50_000)).rejects.toThrow('too long');
});

test('a long event is parsed byte by byte in time proportional to its length', async () => {
  const text = `data: {"txid":"${TXID}","txStatus":"MINED","merklePath":"${'ab'.repeat(250_000)}"}\n\n`;
  const [event] = await read(text, 1);
  expect(event?.transaction.merklePath).toHaveLength(500_000);
});
