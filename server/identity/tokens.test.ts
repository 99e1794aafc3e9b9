import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createUser } from './accounts.ts';
import { issueToken, readToken } from './tokens.ts';
import { useTestDatabase } from '../database/testing.ts';

const now = new Date('2026-01-02T03:04:05.678Z');

describe('concurrent tokens', () => {
  const database = useTestDatabase();

  it('get issued and found independently', async () => {
    const { db } = database;
    const users = await Promise.all(
      [1, 2, 3].map((n) =>
        createUser(db, `key-${n}`, { handle: `user-${n}`, name: `Name ${n}`, receivingXpub: 'xpub' }, now),
      ),
    );
    const tokens = await Promise.all(
      users.map(({ id }) =>
        issueToken(db, 'user', { userId: id, scopes: ['payments:read', 'users.balance:read'] }, now),
      ),
    );
    const session = await issueToken(db, 'session', users[0]?.id ?? 0, now);
    const asked = [...tokens, 'unknown', session, ...tokens];
    const found = await Promise.all(asked.map((token) => readToken(db, token, now)));
    expect(found.map((access) => access?.user?.id)).toEqual(
      [...users, null, users[0], ...users].map((user) => user?.id),
    );
    expect(found[0]).toMatchObject({
      kind: 'user',
      scopes: ['payments:read', 'users.balance:read'],
      expiresAt: new Date(now.getTime() + 3600_000),
    });
    expect(found[4]).toMatchObject({ kind: 'session', scopes: null });
    const [late, justInTime] = await Promise.all(
      [3600_000, 3599_999].map((ms) => readToken(db, tokens[0] ?? '', new Date(now.getTime() + ms))),
    );
    expect([late, justInTime?.user?.id]).toEqual([null, users[0]?.id]);
  });

  it('don’t fail because one of them fails', async () => {
    const { db } = database;
    const { id } = await createUser(db, 'key-4', { handle: 'user-4', name: 'Name', receivingXpub: 'xpub' }, now);
    const gone = issueToken(
      db,
      'application',
      { applicationId: randomUUID(), scopes: ['application_access:write'] },
      now,
    );
    const [failed, made] = await Promise.allSettled([gone, issueToken(db, 'wallet', id, now)]);
    expect(failed.status).toBe('rejected');
    expect((await readToken(db, made.status === 'fulfilled' ? made.value : '', now))?.user?.id).toBe(id);
  });

  it('disappear if the transaction that creates them is rolled back', async () => {
    const { db } = database;
    let token = '';
    await db
      .transaction(async (tx) => {
        token = await issueToken(tx, 'wallet', 1001, now);
        expect(await readToken(tx, token, now)).not.toBeNull();
        tx.rollback();
      })
      .catch(() => {});
    expect(await readToken(db, token, now)).toBeNull();
  });
});
