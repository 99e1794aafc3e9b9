import { describe, expect, it } from 'vitest';
import { useTestDatabase } from '../database/testing.ts';
import type { Access } from '../identity/tokens.ts';
import { insertApplication, insertUser, storedOutput, storedPayment } from './testing-payments.ts';
import { mayRead, readerOf, type Reader } from './visibility.ts';

describe('read access to payments', () => {
  const stored = (client: string | null, sender: number | null, ...recipients: (number | null)[]) => ({
    payment: storedPayment({ clientIdentifier: client, userId: sender }),
    outputs: recipients.map((recipientId) => storedOutput({ recipientId })),
  });
  const user = (userId: number, ...clientIdentifiers: string[]): Reader => ({ userId, clientIdentifiers });
  const application = (...clientIdentifiers: string[]): Reader => ({ userId: null, clientIdentifiers });

  it('allows the sender, the recipients, and the application that a payment was made through', () => {
    const payment = stored('shop', 1, null, 2, 3);
    for (const reader of [user(1), user(2), user(3), user(9, 'other', 'shop'), application('shop')])
      expect(mayRead(payment, reader), JSON.stringify(reader)).toBe(true);
    for (const reader of [user(9), user(9, 'other'), application('other'), application()])
      expect(mayRead(payment, reader), JSON.stringify(reader)).toBe(false);
  });

  it('denies an application without an owner the payments of unknown senders', () => {
    expect(mayRead(stored(null, null, null), application('shop'))).toBe(false);
    expect(mayRead(stored(null, null, null), application())).toBe(false);
    expect(mayRead(stored(null, null, null), user(1, 'shop'))).toBe(false);
  });
});

describe('readers', () => {
  const database = useTestDatabase();

  it('consist of a user and the user’s applications, even if another application acts for the user, or of one application', async () => {
    const [ann, ben] = [await insertUser(database.db, 'ann'), await insertUser(database.db, 'ben')];
    for (const [owner, client] of [
      [ann, 'first'],
      [ann, 'second'],
      [ben, 'third'],
    ] as const)
      await insertApplication(database.db, owner, client);
    const readers = (userId: number | null, client: string | null) =>
      readerOf(database.db, {
        user: userId === null ? null : { id: userId },
        application: client === null ? null : { id: client, clientIdentifier: client },
      } as Access);
    const own = { userId: ann, clientIdentifiers: expect.toSatisfy((all) => all.sort().join() === 'first,second') };
    expect(await readers(ann, null)).toEqual(own);
    // Acting for Ann, Ben's application reads only what Ann can read.
    expect(await readers(ann, 'third')).toEqual(own);
    expect(await readers(null, 'third')).toEqual({ userId: null, clientIdentifiers: ['third'] });
    expect(await readers(null, null)).toEqual({ userId: null, clientIdentifiers: [] });
  });
});
