import { HD } from '@bsv/sdk';
import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { users } from '../database/schema.ts';
import { createUser } from '../identity/accounts.ts';
import { createTestWallet } from '../testing.ts';
import { GAP_LIMIT, issueAddresses, markPaid } from './addresses.ts';
import { useTestDatabase } from '../database/testing.ts';

describe('issued addresses', () => {
  const database = useTestDatabase();
  let made = 0;

  const newUser = async () => {
    const wallet = createTestWallet();
    made += 1;
    return {
      ...(await createUser(database.db, wallet.publicKey, wallet.registration(`user-${made}`), new Date())),
      xpub: wallet.receivingXpub,
    };
  };

  it('belong to the account that the wallet registered, as @bsv/sdk derives them', async () => {
    const { id, xpub } = await newUser();
    const theirs = HD.fromString(xpub);
    const given = await issueAddresses(database.db, id, 4);
    expect(given.map(({ index }) => index)).toEqual([0, 1, 2, 3]);
    for (const { script, index } of given) {
      const hash = Buffer.from(theirs.derive(`m/0/${index}`).pubKey.toHash() as number[]).toString('hex');
      expect(script).toBe(`76a914${hash}88ac`);
    }
  });

  it('differ for concurrent requests, as long as the gap limit permits', async () => {
    const { id } = await newUser();
    const given = (
      await Promise.all(Array.from({ length: GAP_LIMIT / 2 }, () => issueAddresses(database.db, id, 2)))
    ).flat();
    expect(new Set(given.map(({ script }) => script)).size).toBe(GAP_LIMIT);
    // The next address is reissued, because a new address would exceed the gap.
    expect(given.map(({ script }) => script)).toContain((await issueAddresses(database.db, id, 1))[0]?.script);
  });

  it('a wallet restored from its recovery words finds all paid addresses, for any order of payments (property)', async () => {
    const step = fc.oneof(
      { weight: 3, arbitrary: fc.record({ give: fc.integer({ min: 1, max: 4 }) }) },
      { weight: 2, arbitrary: fc.record({ pay: fc.nat(1000), and: fc.nat(1000) }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        const { id } = await newUser();
        const given: number[] = [];
        const paid = new Set<number>();
        for (const one of steps) {
          if ('give' in one) {
            const fresh = (await issueAddresses(database.db, id, one.give)).map(({ index }) => index);
            const last = Math.max(-1, ...paid);
            expect(fresh.every((index) => index > last && index <= last + GAP_LIMIT)).toBe(true);
            const waiting = new Set(given.filter((index) => index > last));
            if (waiting.size + fresh.length <= GAP_LIMIT) expect(fresh.some((index) => waiting.has(index))).toBe(false);
            given.push(...fresh);
          } else if (given.length > 0) {
            const both = [one.pay, one.and].map((n) => given[n % given.length] as number);
            await markPaid(database.db, id, both);
            for (const index of both) paid.add(index);
          }
        }
        const found = new Set<number>();
        for (let index = 0, unused = 0; unused < GAP_LIMIT; index += 1) {
          if (paid.has(index)) found.add(index);
          unused = paid.has(index) ? 0 : unused + 1;
        }
        expect(found).toEqual(paid);
      }),
      { numRuns: 15 },
    );
  });

  it('repeated or earlier payments change nothing', async () => {
    const { id } = await newUser();
    await issueAddresses(database.db, id, 7);
    await markPaid(database.db, id, [4, 2]);
    const state = async () =>
      (
        await database.db
          .select({ base: users.receivingBase, turn: users.receivingTurn })
          .from(users)
          .where(eq(users.id, id))
      )[0];
    expect(await state()).toEqual({ base: 5, turn: 2 });
    await markPaid(database.db, id, [4]);
    await markPaid(database.db, id, [0]);
    await markPaid(database.db, id, []);
    expect(await state()).toEqual({ base: 5, turn: 2 });
    // More addresses were requested than the gap allows. After a payment, the next address is new.
    for (let i = 0; i < 9; i += 1) await issueAddresses(database.db, id, 3);
    expect(await state()).toEqual({ base: 5, turn: 29 });
    await markPaid(database.db, id, [7]);
    expect((await issueAddresses(database.db, id, 1))[0]?.index).toBe(5 + GAP_LIMIT);
  });
});
