/** Tests the application data log's order, replacement, limits, and separation of accounts. */
import { eq } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Session } from '../../../protocol/http/api.ts';
import { APP_LOG_LIMITS, appendedBlock, blocksResponse, MAX_BLOCK } from '../../../protocol/http/app-log.ts';
import { listBlocks } from './app-log-store.ts';
import { appLogBlocks, appLogs, users } from '../../database/schema.ts';
import { bearer, createTestWallet, register } from '../../testing.ts';
import { useService } from '../../testing-service.ts';

const [ONE, OTHER] = ['11'.repeat(8), '22'.repeat(8)];
const sealed = (fill: number, size = 1024) => Buffer.alloc(size, fill).toString('base64');

describe('the log of applications’ data', () => {
  const { app, database } = useService();
  let alice: Session;
  let bob: Session;

  beforeAll(async () => {
    [alice, bob] = [await register(app, createTestWallet(), 'alice'), await register(app, createTestWallet(), 'bob')];
  });
  beforeEach(async () => {
    await database.db.delete(appLogBlocks);
    await database.db.delete(appLogs);
  });

  const append = (
    sequence: number,
    { writer = ONE, block = sealed(sequence), replaces = false, session = alice } = {},
  ) => app.post('/api/v2/me/app-log/blocks', { writer, sequence, block, replaces }, bearer(session));
  const list = async (after = '', session = alice) => {
    const answer = await app.get(`/api/v2/me/app-log/blocks${after && `?after=${after}`}`, bearer(session));
    return blocksResponse.parse(answer.body);
  };
  const remove = (through: number, session = alice) =>
    app.post('/api/v2/me/app-log/removal', { through }, bearer(session));
  const positions = async (after?: string) => (await list(after)).blocks.map(({ position }) => position);
  const size = async () => {
    const [row] = await database.db
      .select()
      .from(appLogs)
      .where(eq(appLogs.userId, Number(alice.user.id)));
    return row && [row.blocks, row.bytes];
  };

  it('returns the blocks after a position, unchanged and in order', async () => {
    for (const sequence of [1, 2, 3])
      expect(appendedBlock.parse((await append(sequence)).body).position).toBe(sequence);
    expect((await list()).blocks).toEqual(
      [1, 2, 3].map((n) => ({ position: n, writer: ONE, sequence: n, block: sealed(n) })),
    );
    expect(await positions('2')).toEqual([3]);
    expect(await list('3')).toEqual({ blocks: [], more: false });
  });

  it('stores the same block once, and never a different block with the same id', async () => {
    expect((await append(1)).body).toEqual({ position: 1 });
    expect((await append(1)).body).toEqual({ position: 1 });
    const other = await append(1, { block: sealed(9) });
    expect([other.status, other.body.error.code]).toEqual([409, 'app-log-conflict']);
    expect((await append(1, { writer: OTHER, block: sealed(9) })).body).toEqual({ position: 2 });
    expect((await list()).blocks.map(({ block }) => block)).toEqual([sealed(1), sealed(9)]);
    expect(await size()).toEqual([2, 2048]);
  });

  it('gives each of many concurrent blocks its own position', async () => {
    const all = await Promise.all(Array.from({ length: 12 }, (_, i) => append((i % 6) + 1)));
    expect(all.map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 200));
    expect(await positions()).toEqual([1, 2, 3, 4, 5, 6]);
    expect(await size()).toEqual([6, 6 * 1024]);
  });

  it('removes replaced blocks and never reuses their positions', async () => {
    for (const sequence of [1, 2, 3]) await append(sequence);
    expect((await remove(2)).body).toEqual({ blocks: 1, bytes: 1024 });
    expect((await remove(2)).body).toEqual({ blocks: 1, bytes: 1024 });
    expect((await remove(3)).body).toEqual({ blocks: 0, bytes: 0 });
    expect((await append(4)).body).toEqual({ position: 4 });
    expect(await positions()).toEqual([4]);
    expect((await remove(1, bob)).body).toEqual({ blocks: 0, bytes: 0 });
  });

  it('each account has its own log', async () => {
    await append(1);
    expect(await list('', bob)).toEqual({ blocks: [], more: false });
    await remove(1000, bob);
    expect(await positions()).toEqual([1]);
    expect((await append(1, { session: bob, block: sealed(7) })).body).toEqual({ position: 1 });
  });

  it('pages contain about a megabyte, and a larger block gets its own page', async () => {
    const block = sealed(5, MAX_BLOCK);
    for (let sequence = 1; sequence <= 17; sequence += 1) await append(sequence, { block });
    const first = await list();
    expect([first.blocks.length, first.more]).toEqual([15, true]);
    const rest = await listBlocks(database.db, Number(alice.user.id), 15);
    expect([rest.blocks.length, rest.more]).toEqual([2, false]);
  });

  it('limits the log’s size, but leaves room to replace existing blocks', async () => {
    await append(1);
    const fill = (blocks: number, bytes: number) => database.db.update(appLogs).set({ blocks, bytes });
    const codeOf = async (more = {}) => (await append(2, more)).body.error?.code;
    await fill(APP_LOG_LIMITS.blocks, 1024);
    expect(await codeOf()).toBe('app-log-full');
    await fill(1, APP_LOG_LIMITS.bytes - 1023);
    expect(await codeOf()).toBe('app-log-full');
    await fill(2 * APP_LOG_LIMITS.blocks, 1024);
    expect(await codeOf({ replaces: true })).toBe('app-log-full');
    await fill(1, 2 * APP_LOG_LIMITS.bytes - 1024);
    expect(await codeOf({ replaces: true })).toBeUndefined();
    await remove(1);
    expect(await size()).toEqual([1, 1024]);
  });

  it.each([
    ['a writer of another form', { writer: 'x' }],
    ['no base64', { block: '####' }],
    ['nothing', { block: '' }],
    ['too large a block', { block: sealed(1, MAX_BLOCK + 3) }],
  ])('refuses %s', async (_, more) => {
    const answer = await append(1, more);
    expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid-request']);
  });

  it('refuses an invalid sequence, an invalid token and an unknown query', async () => {
    expect((await append(0)).status).toBe(400);
    expect((await app.get('/api/v2/me/app-log/blocks')).status).toBe(401);
    expect((await app.get('/api/v2/me/app-log/blocks?after=-1', bearer(alice))).status).toBe(400);
  });

  it('deletes the log with its account', async () => {
    const carol = await register(app, createTestWallet(), 'carol');
    await append(1, { session: carol });
    await database.db.execute('delete from access_tokens');
    await database.db.delete(users).where(eq(users.handle, 'carol'));
    expect(await database.db.select().from(appLogBlocks)).toEqual([]);
  });
});
