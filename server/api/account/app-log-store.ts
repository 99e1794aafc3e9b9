/** Storage for the application data log: encrypted blocks that only the account's wallets can decrypt. */
import { and, asc, count, eq, gt, lte, sql } from 'drizzle-orm';
import { APP_LOG_LIMITS, type StoredBlock } from '../../../protocol/http/app-log.ts';
import { ServiceError } from '../../../protocol/errors/service-error.ts';
import type { Database } from '../../database/connect.ts';
import { appLogBlocks, appLogs } from '../../database/schema.ts';

const MAX_BLOCKS_PER_RESPONSE = 500;
const MAX_RESPONSE_BYTES = 1_000_000;

export interface NewBlock {
  writer: string;
  sequence: number;
  block: Uint8Array;
  /** True if the block replaces existing blocks, which exempts it from the limits. */
  replaces: boolean;
}

/** Appends a block and returns its position. Idempotent. @throws ServiceError `app-log-conflict`, `app-log-full` */
export function appendBlock(db: Database, userId: number, block: NewBlock, now: Date): Promise<number> {
  return db.transaction(async (tx) => {
    await tx.insert(appLogs).values({ userId, position: 0, blocks: 0, bytes: 0 }).onConflictDoNothing();
    const log = await lockLog(tx, userId);
    const { writer, sequence } = block;
    const [known] = await tx
      .select()
      .from(appLogBlocks)
      .where(
        and(eq(appLogBlocks.userId, userId), eq(appLogBlocks.writer, writer), eq(appLogBlocks.sequence, sequence)),
      );
    if (known) {
      if (Buffer.compare(known.block, block.block) === 0) return known.position;
      throw new ServiceError('app-log-conflict');
    }
    const after = { position: log.position + 1, blocks: log.blocks + 1, bytes: log.bytes + block.block.length };
    const times = block.replaces ? 2 : 1;
    if (after.blocks > times * APP_LOG_LIMITS.blocks || after.bytes > times * APP_LOG_LIMITS.bytes)
      throw new ServiceError('app-log-full');
    await tx
      .insert(appLogBlocks)
      .values({ userId, position: after.position, writer, sequence, block: block.block, createdAt: now });
    await tx.update(appLogs).set(after).where(eq(appLogs.userId, userId));
    return after.position;
  });
}

async function lockLog(tx: Pick<Database, 'select'>, userId: number) {
  const [log] = await tx.select().from(appLogs).where(eq(appLogs.userId, userId)).for('update');
  return log ?? { position: 0, blocks: 0, bytes: 0 };
}

/** Returns the blocks after a position, in order: as many as fit in one response, but at least one if any exist. */
export async function listBlocks(
  db: Database,
  userId: number,
  after: number,
): Promise<{ blocks: StoredBlock[]; more: boolean }> {
  const ofUser = and(eq(appLogBlocks.userId, userId), gt(appLogBlocks.position, after));
  const sizes = await db
    .select({ position: appLogBlocks.position, bytes: sql<number>`octet_length(${appLogBlocks.block})` })
    .from(appLogBlocks)
    .where(ofUser)
    .orderBy(asc(appLogBlocks.position))
    .limit(MAX_BLOCKS_PER_RESPONSE + 1);
  let [taken, bytes] = [0, 0];
  for (const size of sizes.slice(0, MAX_BLOCKS_PER_RESPONSE)) {
    bytes += size.bytes;
    if (taken > 0 && bytes > MAX_RESPONSE_BYTES) break;
    taken += 1;
  }
  const last = sizes[taken - 1]?.position ?? after;
  const rows = await db
    .select()
    .from(appLogBlocks)
    .where(and(ofUser, lte(appLogBlocks.position, last)))
    .orderBy(asc(appLogBlocks.position));
  return {
    blocks: rows.map(({ position, writer, sequence, block }) => ({
      position,
      writer,
      sequence,
      block: Buffer.from(block).toString('base64'),
    })),
    more: sizes.length > taken,
  };
}

/** Deletes the blocks up to and including `through`. @returns the size of the remaining log */
export function removeBlocks(
  db: Database,
  userId: number,
  through: number,
): Promise<{ blocks: number; bytes: number }> {
  return db.transaction(async (tx) => {
    await lockLog(tx, userId);
    await tx.delete(appLogBlocks).where(and(eq(appLogBlocks.userId, userId), lte(appLogBlocks.position, through)));
    const [left] = await tx
      .select({
        blocks: count(),
        bytes: sql<number>`coalesce(sum(octet_length(${appLogBlocks.block})), 0)`.mapWith(Number),
      })
      .from(appLogBlocks)
      .where(eq(appLogBlocks.userId, userId));
    const size = { blocks: left?.blocks ?? 0, bytes: left?.bytes ?? 0 };
    await tx.update(appLogs).set(size).where(eq(appLogs.userId, userId));
    return size;
  });
}
