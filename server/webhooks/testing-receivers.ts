/** For tests: a new owner's applications that receive webhooks, and payments to report to them. */
import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { createApplication } from '../applications/store.ts';
import type { Database } from '../database/connect.ts';
import { users } from '../database/schema.ts';
import { createTestWallet } from '../testing.ts';

export async function createTestReceivers(db: Database, number: number) {
  const { publicKey, receivingXpub } = createTestWallet();
  const createdAt = new Date();
  const [owner] = await db
    .insert(users)
    .values({ handle: `keeper-${randomUUID()}`, name: '', publicKey, receivingXpub, createdAt })
    .returning();
  const made = [];
  for (let i = 0; i < number; i += 1) {
    const { application } = await createApplication(
      db,
      owner!.id,
      {
        name: `Shop ${i} of many`,
        url: 'https://shop.example',
        description: '',
        redirectUri: null,
        webhookUrl: 'https://shop.example/hook',
        requirePkce: false,
        requireSecret: false,
      },
      createdAt,
    );
    made.push(application);
  }
  return made;
}

export async function insertTestPayments(db: Database, number: number): Promise<void> {
  await db.execute(sql`
    insert into payments (id, reported, txid, normalized_txid, rawtx, amount, currency, satoshis, status, created_at, updated_at)
    select gen_random_uuid(), true, gen_random_uuid()::text, gen_random_uuid()::text, '', '1', 'BSV', 1, 'COMPLETED', clock_timestamp(), now()
    from generate_series(1, ${number}::int)`);
}
