import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { pino } from 'pino';
import { createApplication } from '../applications/store.ts';
import { users, webhookEvents } from '../database/schema.ts';
import { useTestDatabase } from '../database/testing.ts';
import { startDelivery } from './deliver.ts';
import { FairShare, type Candidate } from './fair-share.ts';
import { startTestReceiver } from './testing-receiver.ts';

describe('delivery', () => {
  const database = useTestDatabase();
  const db = () => database.db;

  async function makeShop(webhookUrl: string, events: number): Promise<void> {
    const now = new Date();
    const [owner] = await db()
      .insert(users)
      .values({
        publicKey: randomBytes(33).toString('hex'),
        handle: `shop-${randomUUID()}`,
        name: '',
        receivingXpub: '',
        createdAt: now,
      })
      .returning({ id: users.id });
    const { application } = await createApplication(
      db(),
      owner?.id ?? 0,
      {
        name: 'A Shop',
        url: 'https://shop.example',
        description: '',
        redirectUri: null,
        webhookUrl,
        requirePkce: false,
        requireSecret: false,
      },
      now,
    );
    await db()
      .insert(webhookEvents)
      .values(
        Array.from({ length: events }, (_, i) => ({
          id: `msg_${randomUUID()}`,
          applicationId: application.id,
          sequence: i,
          state: 'pending' as const,
          type: 'payment.received' as const,
          body: JSON.stringify({ type: 'test', data: { payment: { id: application.id } } }),
          createdAt: now,
          nextAttemptAt: now,
        })),
      );
  }

  it('reaches a shop while the receivers of 75 other accounts hang', async () => {
    const honest = await startTestReceiver();
    let hung = 0;
    const hanging = createServer(() => void (hung += 1)).listen(0, '0.0.0.0');
    await once(hanging, 'listening');
    const { port } = hanging.address() as AddressInfo;
    for (let i = 1; i <= 75; i += 1) await makeShop(`http://127.0.1.${i}:${port}/`, 8);
    const delivery = startDelivery({
      db: db(),
      now: () => new Date(),
      log: pino({ level: 'silent' }),
      allowPrivate: true,
      timeoutMs: 600_000,
      progress: { caughtUpAt: new Date() },
    });
    try {
      await expect.poll(() => hung).toBeGreaterThanOrEqual(75);
      await makeShop(honest.url, 4);
      await expect.poll(() => honest.received.length).toBe(4);
    } finally {
      hanging.closeAllConnections();
      hanging.close();
      await delivery.stop();
      await honest.close();
    }
    expect(await db().select({ id: users.id }).from(users)).toHaveLength(76);
  });
});

describe('shares', () => {
  const of = (
    ownerId: number,
    applicationId = `application of ${ownerId}`,
    host = `h${ownerId}.example`,
  ): Candidate => ({
    applicationId,
    ownerId,
    webhookUrl: `https://${host}/hook`,
  });
  const many = (count: number, make: (i: number) => Candidate) => Array.from({ length: count }, (_, i) => make(i));

  it('reserve capacity for receivers that answer, and serve them first', () => {
    const share = new FairShare();
    share.begin(of(0))(50);
    const unknown = many(1000, (i) => of(i + 1));
    const taken = share.select([...unknown, of(0)], 256);
    expect(taken[0]).toEqual(of(0));
    expect(taken).toHaveLength(193);
    for (const one of taken.slice(1)) share.begin(one);
    expect(share.select([...unknown, of(0)], 63)).toEqual([of(0)]);
  });

  it('serve slow receivers last, with a quarter of the capacity', () => {
    const share = new FairShare();
    for (const one of many(500, (i) => of(i))) share.begin(one)(one.ownerId % 2 === 0 ? null : 9_000);
    const taken = share.select([...many(500, (i) => of(i)), of(1_000)], 256);
    expect(taken[0]).toEqual(of(1_000));
    expect(taken).toHaveLength(65);
    share.begin(of(3))(20);
    expect(
      share.select(
        many(500, (i) => of(i)),
        1,
      ),
    ).toEqual([of(3)]);
  });

  it('limit the attempts per owner with many applications, and per host', () => {
    const share = new FairShare();
    expect(
      share.select(
        many(100, (i) => of(1, `application ${i}`, `h${i}.example`)),
        256,
      ),
    ).toHaveLength(8);
    expect(
      share.select(
        many(100, (i) => of(i, `application ${i}`, 'one.example')),
        256,
      ),
    ).toHaveLength(32);
    for (let i = 0; i < 100; i += 1) share.begin(of(1, `application ${i}`))(10);
    expect(
      share.select(
        many(100, (i) => of(1, `application ${i}`, `h${i}.example`)),
        256,
      ),
    ).toHaveLength(16);
  });

  it('leave capacity for a receiver that answers while others at the same host hang', () => {
    const share = new FairShare();
    const hanging = many(100, (i) => of(i, `application ${i}`, 'one.example'));
    for (const one of share.select(hanging, 256)) share.begin(one);
    const honest = of(1_000, 'honest', 'one.example');
    expect(share.select([honest], 256)).toEqual([]);
    share.begin(honest)(50);
    expect(share.select([honest], 256)).toEqual([honest]);
  });
});
